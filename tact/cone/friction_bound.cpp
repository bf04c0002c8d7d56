// cone/friction_bound.cpp - the disc by its secular equation, the polygon edge by edge.
#include "tact/cone/friction_bound.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

/// The disc of radius one and a point y outside it, D in units of its mean: what the multiplier
/// θ >= 0 of |(D + θ)⁻¹ D y| = 1 is found from.
struct DiscProblem {
  double a = 0, c = 0, d = 0;   ///< D
  double y[2] = {}, w[2] = {};  ///< the point, and D y
  double det = 0;

  DiscProblem(const Mat2& D, const Vec2& point, double radius) {
    // So far away only the direction counts, and squares are still numbers.
    constexpr double far = 1e30;
    const double size = std::max(std::abs(point[0]), std::abs(point[1]));
    const double unit = size < far * radius ? 1 / radius : far / size;
    const double scale = 2 / (D(0, 0) + D(1, 1));
    a = D(0, 0) * scale;
    d = D(1, 1) * scale;
    c = 0.5 * (D(0, 1) + D(1, 0)) * scale;
    det = a * d - c * c;
    y[0] = point[0] * unit;
    y[1] = point[1] * unit;
    w[0] = a * y[0] + c * y[1];
    w[1] = c * y[0] + d * y[1];
  }

  /// x.D x
  [[nodiscard]] double form(const double* x) const {
    return a * x[0] * x[0] + 2 * c * x[0] * x[1] + d * x[1] * x[1];
  }

  /// Where Newton's method starts: exact when the guess has the direction of the answer, or when D
  /// y is an eigenvector; the second is never above the root.
  [[nodiscard]] double start(double n2, const Vec2& guess) const {
    const double along[2] = {guess[0], guess[1]};
    const double rayleigh = form(w) / n2;
    const double below = std::sqrt(n2) - rayleigh;
    const double g2 = along[0] * along[0] + along[1] * along[1];
    if (!(g2 > tolerance::smallest / tolerance::epsilon)) return std::max(below, 0.0);
    const double dot = along[0] * w[0] + along[1] * w[1];
    return std::max({below, 0.0, (dot * std::sqrt(g2) - form(along)) / g2});  // NaN last: ignored
  }

  /// |(D + θ)⁻¹ D y| = |det y + θ w| / det(D + θ) = N^½ / q, polynomials in θ. q / N^½ is concave,
  /// so Newton's method needs no safeguard: after one step it is below the root and climbs.
  [[nodiscard]] double multiplier(const Vec2& guess) const {
    const double n2 = w[0] * w[0] + w[1] * w[1];
    if (c == 0 && a == d) return std::max(std::sqrt(n2) - 1, 0.0);  // D is one
    const double n1 = det * (y[0] * w[0] + y[1] * w[1]);
    const double n0 = det * det * (y[0] * y[0] + y[1] * y[1]);
    double theta = start(n2, guess);
    double last = 0;
    constexpr int most = 60;  // a handful in practice; each step at least doubles the digits
    for (int k = 0; k < most; ++k) {
      const double N = n0 + theta * (2 * n1 + theta * n2);
      const double q = det + theta * (2 + theta);
      const double slope = N * (2 + 2 * theta) - q * (n1 + theta * n2);
      const double step = N * (std::sqrt(N) - q) / slope;
      theta = std::max(theta + step, 0.0);
      // The curve bends within θ and the least eigenvalue, which is at least half of det: after
      // this the next step is below rounding. Steps square themselves, and what the next one would
      // be follows from the last two.
      const double reach = theta + 0.5 * det;
      if (!(std::abs(step) > tolerance::quadratic * reach) ||
          std::abs(step) * step * step <= tolerance::epsilon * reach * last * last)
        break;
      last = step;
    }
    return theta;
  }

  /// (D + θ)⁻¹ D y made exactly as long as the radius.
  [[nodiscard]] Vec2 on_rim(double theta, double radius) const {
    const double x0 = det * y[0] + theta * w[0];
    const double x1 = det * y[1] + theta * w[1];
    const double shrink = radius / std::sqrt(x0 * x0 + x1 * x1);
    return {x0 * shrink, x1 * shrink};
  }
};

}  // namespace

Vec2 project_on_disc(const Mat2& D, const Vec2& y, double radius, const Vec2& guess) {
  if (y.squaredNorm() <= radius * radius) return y;
  if (!(radius > 0)) return Vec2::Zero();
  const DiscProblem disc(D, y, radius);
  return disc.on_rim(disc.multiplier(guess), radius);
}

BoundProjection project_on_disc(const Mat2& D, const Vec2& y, double mu, double n,
                                const Vec2& guess) {
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
  const DiscProblem disc(D, y, radius);
  const double theta = disc.multiplier(guess);
  out.T = disc.on_rim(theta, radius);
  // (D + θ) T = D y and |T| = mu n, differentiated: k is (D + θ)⁻¹ T up to a factor, and
  // (D + θ)⁻¹ D = 1 - θ (D + θ)⁻¹.
  const double a = disc.a + theta, d = disc.d + theta, c = disc.c;
  const Vec2 k(d * out.T[0] - c * out.T[1], a * out.T[1] - c * out.T[0]);
  const double inverse = 1 / out.T.dot(k);
  const double share = theta / (a * d - c * c);
  Mat2 kd;
  kd << 1 - share * d, share * c, share * c, 1 - share * a;
  out.along_y = kd - k * ((out.T.transpose() * kd) * inverse);
  out.along_n = k * (radius * mu * inverse);
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
