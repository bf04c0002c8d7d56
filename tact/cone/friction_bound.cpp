// cone/friction_bound.cpp - the disc by its secular equation, the polygon edge by edge.
#include "tact/cone/friction_bound.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

/// (D + θ)⁻¹ x.
Vec2 shifted_solve(const Mat2& D, double theta, const Vec2& x) {
  const double a = D(0, 0) + theta;
  const double b = D(1, 1) + theta;
  const double c = 0.5 * (D(0, 1) + D(1, 0));
  const double det = a * b - c * c;
  return {(b * x[0] - c * x[1]) / det, (a * x[1] - c * x[0]) / det};
}

/// θ >= 0 with |(D + θ)⁻¹ D y| = radius, for a point y outside the disc. 1/|·| is concave in θ, so
/// Newton's method needs no safeguard: after one step it is below the root and climbs. The start
/// is exact when D y is an eigenvector.
double multiplier(const Mat2& D, const Vec2& y, double radius) {
  const Vec2 rhs = D * y;
  const double size2 = rhs.squaredNorm();
  const double rayleigh = rhs.dot(D * rhs) / size2;
  const double mean = 0.5 * (D(0, 0) + D(1, 1));
  const double spread = 0.5 * Vec2(D(0, 0) - D(1, 1), D(0, 1) + D(1, 0)).norm();
  const double least = std::max(mean - spread, 0.0);
  double theta = std::max(std::sqrt(size2) / radius - rayleigh, 0.0);
  constexpr int most = 60;  // a handful in practice; each step at least doubles the digits
  for (int k = 0; k < most; ++k) {
    const Vec2 T = shifted_solve(D, theta, rhs);
    const double length = T.norm();
    const double slope = T.dot(shifted_solve(D, theta, T)) / length;  // -d|T|/dθ
    const double step = (length - radius) * length / (radius * slope);
    theta = std::max(theta + step, 0.0);
    // The curve bends within θ + least: after this the next step is below rounding.
    if (!(std::abs(step) > tolerance::quadratic * (theta + least))) break;
  }
  return theta;
}

}  // namespace

Vec2 project_on_disc(const Mat2& D, const Vec2& y, double radius) {
  if (y.squaredNorm() <= radius * radius) return y;
  if (!(radius > 0)) return Vec2::Zero();
  const Vec2 T = shifted_solve(D, multiplier(D, y, radius), D * y);
  return T * (radius / T.norm());
}

BoundProjection project_on_disc(const Mat2& D, const Vec2& y, double mu, double n) {
  BoundProjection out;
  const double radius = mu * n;
  if (y.squaredNorm() <= radius * radius) {
    out.T = y;
    out.along_y.setIdentity();
    return out;
  }
  if (!(radius > 0)) {
    const double size = y.norm();
    if (size > 0) out.along_n = y * (mu / size);
    return out;
  }
  const double theta = multiplier(D, y, radius);
  out.T = shifted_solve(D, theta, D * y);
  out.T *= radius / out.T.norm();
  // (D + θ) T = D y and |T| = mu n, differentiated.
  const Vec2 k = shifted_solve(D, theta, out.T);
  const double denominator = out.T.dot(k);
  Mat2 kd;
  kd.col(0) = shifted_solve(D, theta, D.col(0));
  kd.col(1) = shifted_solve(D, theta, D.col(1));
  out.along_y = kd - k * (out.T.transpose() * kd) / denominator;
  out.along_n = k * (radius * mu / denominator);
  return out;
}

BoundProjection project_on_polygon(std::span<const Vec2> corners, const Mat2& D, const Vec2& y,
                                   double n) {
  BoundProjection out;
  const std::size_t count = corners.size();
  bool inside = count > 2;
  for (std::size_t k = 0; inside && k < count; ++k) {
    const Vec2& a = corners[k];
    inside = cross(corners[(k + 1) % count] - a, y - n * a) >= 0;
  }
  if (inside) {
    out.T = y;
    out.along_y.setIdentity();
    return out;
  }
  out.T = n * corners[0];
  out.along_n = corners[0];
  double best = (y - out.T).dot(D * (y - out.T));
  for (std::size_t k = 0; k < count && count > 1; ++k) {
    const Vec2& a = corners[k];
    const Vec2 e = corners[(k + 1) % count] - a;
    const Vec2 de = D * e;
    const double length2 = e.dot(de);
    const double s = std::clamp(de.dot(y - n * a) / length2, 0.0, n);
    const Vec2 T = n * a + s * e;
    const double distance = (y - T).dot(D * (y - T));
    if (!(distance < best)) continue;
    best = distance;
    out.T = T;
    const bool on_edge = s > 0 && s < n;
    out.along_y = on_edge ? Mat2(e * de.transpose() / length2) : Mat2::Zero();
    out.along_n = on_edge ? Vec2(a - e * (de.dot(a) / length2)) : Vec2(s > 0 ? a + e : a);
  }
  return out;
}

}  // namespace tact
