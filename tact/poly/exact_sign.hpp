// poly/exact_sign.hpp - on which side? Signs that are right for every double.
//
// A floating-point filter answers nearly always; what it cannot decide is summed without rounding.
//
// Range: coordinates that are zero or between 1e-140 and 1e140 in magnitude. Beyond it products
// overflow or lose bits below the least subnormal, and nothing is promised.
#pragma once

#include <cmath>
#include <limits>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

namespace detail {

/// (b - a) × (d - c) in floating point, and |left| + |right| of its two products.
struct FilteredCross {
  double value;
  double magnitude;

  FilteredCross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const double left = (b[0] - a[0]) * (d[1] - c[1]);
    const double right = (b[1] - a[1]) * (d[0] - c[0]);
    value = left - right;
    magnitude = std::abs(left) + std::abs(right);
  }

  /// Two differences and a product err by (1 + u)^3 - 1 < 3.1 u in each of left and right, with u
  /// half of epsilon; the last subtraction keeps the sign. 2 epsilon = 4 u leaves room for the
  /// rounding of the bound itself. Tiny magnitudes are not trusted: they may have underflowed.
  [[nodiscard]] bool decides(double share = 2 * tolerance::epsilon) const {
    constexpr double safe = std::numeric_limits<double>::min() / tolerance::epsilon;
    return std::abs(value) > share * magnitude && magnitude > safe;
  }
};

[[nodiscard]] int exact_cross_sign(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d);
[[nodiscard]] double exact_cross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d);

}  // namespace detail

/// Exact sign of (b - a) × (d - c): +1 if d - c points to the left of b - a.
[[nodiscard]] inline int cross_sign(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const detail::FilteredCross cr(a, b, c, d);
  if (cr.decides()) return cr.value > 0 ? 1 : -1;
  return detail::exact_cross_sign(a, b, c, d);
}

/// Exact sign of (b - a) × (c - a): +1 if a, b, c turn left, 0 if they lie on a line.
[[nodiscard]] inline int orient_sign(const Vec2& a, const Vec2& b, const Vec2& c) {
  return cross_sign(a, b, a, c);
}

/// (b - a) × (c - a), twice the signed area of the triangle, to a relative error of 16 epsilon
/// however thin the triangle is: slivers have areas, too.
[[nodiscard]] inline double orient(const Vec2& a, const Vec2& b, const Vec2& c) {
  constexpr double share = 0.125;  // the error of 2 epsilon times the magnitude, over the share
  const detail::FilteredCross cr(a, b, a, c);
  return cr.decides(share) ? cr.value : detail::exact_cross(a, b, a, c);
}

/// Exact sign of a · b.
[[nodiscard]] int dot_sign(const Vec2& a, const Vec2& b);

/// Exact sign of the determinant a × b.
[[nodiscard]] int det_sign(const Vec2& a, const Vec2& b);

}  // namespace tact
