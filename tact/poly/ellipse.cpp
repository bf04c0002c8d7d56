#include "tact/poly/ellipse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/svd2.hpp"
#include "tact/poly/roots.hpp"

namespace tact {

EllipseForm point_form(const Vec2& x) {
  return {x, Mat2::Zero()};
}

EllipseForm disc_form(const Vec2& center, double radius) {
  return {center, radius * Mat2::Identity()};
}

EllipseForm ellipse_form(const Vec2& center, const Vec2& semi_axes, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat2 axes;
  axes << c * semi_axes[0], -s * semi_axes[1], s * semi_axes[0], c * semi_axes[1];
  return {center, axes};
}

Vec2 support(const EllipseForm& e, const Vec2& direction) {
  const Vec2 pull = e.axes.transpose() * direction;
  const double size = pull.norm();
  if (size == 0) return e.center;
  return e.center + e.axes * (pull / size);
}

double support_value(const EllipseForm& e, const Vec2& direction) {
  return direction.dot(e.center) + (e.axes.transpose() * direction).norm();
}

bool contains(const EllipseForm& e, const Vec2& x) {
  const Svd2 svd = svd2(e.axes);
  const Vec2 y = svd.left.transpose() * (x - e.center);
  if (svd.sigma[1] > 0) return y.cwiseQuotient(svd.sigma).norm() <= 1;
  if (svd.sigma[0] > 0) return y[1] == 0 && std::abs(y[0]) <= svd.sigma[0];
  return y.isZero(0);
}

namespace {

/// Σ (σ_i y_i / (t + σ_i²))² - 1: its largest root gives the nearest point of the boundary, its
/// smallest the farthest one.
double secular(const Vec2& sigma, const Vec2& y, double t) {
  const double a = sigma[0] * y[0] / (t + sigma[0] * sigma[0]);
  const double b = sigma[1] * y[1] / (t + sigma[1] * sigma[1]);
  return a * a + b * b - 1;
}

/// Root of the secular function between low and high, where it changes sign.
double secular_root(const Vec2& sigma, const Vec2& y, double low, double high) {
  const bool low_positive = secular(sigma, y, low) > 0;
  for (;;) {
    const double mid = low + (high - low) / 2;
    if (!(mid > low && mid < high)) return mid;  // also where they are not numbers
    ((secular(sigma, y, mid) > 0) == low_positive ? low : high) = mid;
  }
}

/// In the axes of the ellipse: the boundary point c_i = σ_i² y_i / (t + σ_i²), put back on the
/// boundary exactly.
Vec2 on_boundary(const Vec2& sigma, const Vec2& y, double t) {
  Vec2 u(sigma[0] * y[0] / (t + sigma[0] * sigma[0]), sigma[1] * y[1] / (t + sigma[1] * sigma[1]));
  u.normalize();
  return u.cwiseProduct(sigma);
}

}  // namespace

Vec2 nearest_on_boundary(const EllipseForm& e, const Vec2& x) {
  const Svd2 svd = svd2(e.axes);
  const Vec2& sigma = svd.sigma;
  TACT_EXPECTS(sigma[1] > 0);
  const Vec2 y = svd.left.transpose() * (x - e.center);
  const double floor_t = -sigma[1] * sigma[1];
  // On the minor axis' zero line close to the centre the nearest points are a mirror pair: take
  // one.
  if (y[1] == 0) {
    const double reach = sigma[0] * sigma[0] - sigma[1] * sigma[1];
    if (std::abs(sigma[0] * y[0]) < reach) {
      const double u = sigma[0] * y[0] / reach;
      return e.center + svd.left * Vec2(sigma[0] * u, sigma[1] * std::sqrt((1 - u) * (1 + u)));
    }
    return e.center + svd.left * Vec2(std::copysign(sigma[0], y[0]), 0);
  }
  const double low = floor_t + sigma[1] * std::abs(y[1]);  // one term alone is already 1 here
  const double high = floor_t + sigma.cwiseProduct(y).norm() + sigma[0] * std::abs(y[0]);
  const double t = secular(sigma, y, low) <= 0 ? low : secular_root(sigma, y, low, high);
  return e.center + svd.left * on_boundary(sigma, y, t);
}

Vec2 farthest(const EllipseForm& e, const Vec2& x) {
  const Svd2 svd = svd2(e.axes);
  const Vec2& sigma = svd.sigma;
  const Vec2 y = svd.left.transpose() * (x - e.center);
  if (sigma[0] == 0) return e.center;
  if (sigma[1] == 0) return e.center - svd.left.col(0) * std::copysign(sigma[0], y[0]);
  const double ceiling = -sigma[0] * sigma[0];
  if (y[0] == 0) {
    const double reach = sigma[0] * sigma[0] - sigma[1] * sigma[1];
    if (std::abs(sigma[1] * y[1]) < reach) {
      const double u = -sigma[1] * y[1] / reach;
      return e.center + svd.left * Vec2(sigma[0] * std::sqrt((1 - u) * (1 + u)), sigma[1] * u);
    }
    return e.center + svd.left * Vec2(0, -std::copysign(sigma[1], y[1]));
  }
  const double high = ceiling - sigma[0] * std::abs(y[0]);
  const double low = ceiling - sigma.cwiseProduct(y).norm() - sigma[1] * std::abs(y[1]);
  const double t = secular(sigma, y, high) <= 0 ? high : secular_root(sigma, y, low, high);
  return e.center + svd.left * on_boundary(sigma, y, t);
}

namespace {

double support_gap(const EllipseForm& e1, const EllipseForm& e2, double angle) {
  const Vec2 d(std::cos(angle), std::sin(angle));
  const double reach_1 = (e1.axes.transpose() * d).norm();
  const double reach_2 = (e2.axes.transpose() * d).norm();
  return d.dot(e1.center - e2.center) + reach_1 - reach_2;
}

/// A binary form a x² + b xy + c y², or of degree four, by descending powers of x.
using Quadratic = std::array<double, 3>;
using Quartic = std::array<double, 5>;

Quadratic square_of_norm(const Mat2& b) {
  const Mat2 e = b * b.transpose();
  return {e(0, 0), 2 * e(0, 1), e(1, 1)};
}

Quartic product(const Quadratic& p, const Quadratic& q) {
  Quartic out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i + j] += p[i] * q[j];
  return out;
}

/// Angles of the directions (x, y) in which a binary form vanishes: both ends of each line.
template <std::size_t N>
void append_zero_angles(std::array<double, N> form, std::vector<double>& angles) {
  // Two charts cover all lines: |y| <= |x| with t = y/x, and |x| <= |y| with t = x/y.
  for (const bool swapped : {false, true}) {
    for (const double t : real_roots(form, -1, 1)) {
      const double line = swapped ? std::atan2(1.0, t) : std::atan2(t, 1.0);
      angles.push_back(line);
      angles.push_back(line > 0 ? line - std::numbers::pi : line + std::numbers::pi);
    }
    std::reverse(form.begin(), form.end());
  }
}

/// Directions in which the order of the supports may change, among others. With δ the difference of
/// the centres, d.δ + √p = √q squared twice is the quartic 4 (d.δ)² p = (q - p - (d.δ)²)²; where
/// one of the ellipses is a point it has only double roots and its square root is taken instead.
std::vector<double> candidate_angles(const EllipseForm& e1, const EllipseForm& e2) {
  const Vec2 delta = e1.center - e2.center;
  const Quadratic p = square_of_norm(e1.axes), q = square_of_norm(e2.axes);
  const Quadratic dd{delta[0] * delta[0], 2 * delta[0] * delta[1], delta[1] * delta[1]};
  std::vector<double> angles;
  if (e1.is_point() || e2.is_point()) {
    Quadratic rest{};
    for (std::size_t i = 0; i < 3; ++i) rest[i] = p[i] + q[i] - dd[i];
    append_zero_angles(rest, angles);
  } else {
    Quadratic rest{};
    for (std::size_t i = 0; i < 3; ++i) rest[i] = q[i] - p[i] - dd[i];
    const Quartic left = product(dd, p), right = product(rest, rest);
    Quartic quartic{};
    for (std::size_t i = 0; i < 5; ++i) quartic[i] = 4 * left[i] - right[i];
    append_zero_angles(quartic, angles);
  }
  return angles;
}

/// The angle between low and high where the gap changes sign, to the last bit.
double bisect(const EllipseForm& e1, const EllipseForm& e2, double low, double high) {
  const bool low_positive = support_gap(e1, e2, low) > 0;
  for (;;) {
    const double mid = low + (high - low) / 2;
    if (mid <= low || mid >= high) return low;
    ((support_gap(e1, e2, mid) > 0) == low_positive ? low : high) = mid;
  }
}

}  // namespace

std::vector<Vec2> equal_support_directions(const EllipseForm& e1, const EllipseForm& e2) {
  // Squaring admits wrong signs and merges close roots, so the roots only say where to look: the
  // order is compared on both sides of each and on a coarse circle, and every change is bisected.
  constexpr int circle = 32;
  std::vector<double> samples;
  samples.reserve(circle);
  for (int i = 0; i < circle; ++i)
    samples.push_back(-std::numbers::pi + 2 * std::numbers::pi * i / circle);
  for (const double angle : candidate_angles(e1, e2)) {
    samples.push_back(angle - tolerance::face);
    samples.push_back(angle);
    samples.push_back(angle + tolerance::face);
  }
  std::sort(samples.begin(), samples.end());
  samples.push_back(samples.front() + 2 * std::numbers::pi);

  std::vector<Vec2> directions;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const bool before = support_gap(e1, e2, samples[i]) > 0;
    if ((support_gap(e1, e2, samples[i + 1]) > 0) == before) continue;
    const double angle = bisect(e1, e2, samples[i], samples[i + 1]);
    directions.emplace_back(std::cos(angle), std::sin(angle));
  }
  return directions;
}

}  // namespace tact
