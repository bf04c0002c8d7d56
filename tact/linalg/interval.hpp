// linalg/interval.hpp - numbers known to lie between two doubles; every operation rounds outwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/tolerance.hpp"

namespace tact {

struct Interval {
  double low = 0, high = 0;

  Interval() = default;
  Interval(double x) : low(x), high(x) {}  // NOLINT(google-explicit-constructor): a double is one
  Interval(double a, double b) : low(a), high(b) {}

  [[nodiscard]] double middle() const { return low + 0.5 * (high - low); }
  /// From the middle to the farther end, rounded up.
  [[nodiscard]] double radius() const {
    const double m = middle();
    return up(std::max(high - m, m - low));
  }
  [[nodiscard]] bool holds(double x) const { return low <= x && x <= high; }
  [[nodiscard]] bool inside(const Interval& other) const {
    return other.low < low && high < other.high;
  }

  static double down(double x) {
    return std::nextafter(x, -std::numeric_limits<double>::infinity());
  }
  static double up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }
};

inline Interval operator-(const Interval& a) {
  return {-a.high, -a.low};
}
inline Interval operator+(const Interval& a, const Interval& b) {
  return {Interval::down(a.low + b.low), Interval::up(a.high + b.high)};
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return {Interval::down(a.low - b.high), Interval::up(a.high - b.low)};
}
inline Interval operator*(const Interval& a, const Interval& b) {
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return {Interval::down(std::min({p, q, r, s})), Interval::up(std::max({p, q, r, s}))};
}
inline Interval square(const Interval& a) {
  const Interval s = a * a;
  return {std::max(s.low, 0.0), s.high};
}
/// The common part; low > high when there is none.
inline Interval meet(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// Both from the middle m: cos(m + d) lies within |sin m| |d| + d²/2 of cos m. The library's
/// functions are good to a unit or two of round-off; a short chain's worth is allowed.
inline Interval cosine(const Interval& a) {
  const double m = a.middle(), r = a.radius();
  const double reach = Interval::up(std::abs(std::sin(m)) * r + r * r) + tolerance::rounding;
  return {std::max(std::cos(m) - reach, -1.0), std::min(std::cos(m) + reach, 1.0)};
}
inline Interval sine(const Interval& a) {
  const double m = a.middle(), r = a.radius();
  const double reach = Interval::up(std::abs(std::cos(m)) * r + r * r) + tolerance::rounding;
  return {std::max(std::sin(m) - reach, -1.0), std::min(std::sin(m) + reach, 1.0)};
}

}  // namespace tact
