// poly/ellipse.hpp - a solid ellipse of the plane: support, distance, common tangents.
#pragma once

#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// { c + B u : |u| <= 1 }; a point when B = 0, a segment when B has rank one.
struct EllipseForm {
  Vec2 center = Vec2::Zero();
  Mat2 axes = Mat2::Zero();  ///< B: its columns are conjugate semi-diameters

  [[nodiscard]] bool is_point() const { return axes.isZero(0); }
  bool operator==(const EllipseForm&) const = default;
};

[[nodiscard]] EllipseForm point_form(const Vec2& x);
[[nodiscard]] EllipseForm disc_form(const Vec2& center, double radius);
/// Semi-axes a, b; the first one at `angle` from the x axis.
[[nodiscard]] EllipseForm ellipse_form(const Vec2& center, const Vec2& semi_axes, double angle);

/// argmax of d.x over the ellipse; its centre when d = 0.
[[nodiscard]] Vec2 support(const EllipseForm& e, const Vec2& direction);
/// h(d) = max d.x.
[[nodiscard]] double support_value(const EllipseForm& e, const Vec2& direction);

[[nodiscard]] bool contains(const EllipseForm& e, const Vec2& x);

/// The point of the boundary curve closest to x, from inside or outside. B must be regular.
[[nodiscard]] Vec2 nearest_on_boundary(const EllipseForm& e, const Vec2& x);
/// The point of the ellipse farthest from x.
[[nodiscard]] Vec2 farthest(const EllipseForm& e, const Vec2& x);

/// All directions d (unit) in which both ellipses reach equally far, h_1(d) = h_2(d), and their
/// order changes: the outward normals of the lines that support both from the same side. At most
/// four.
[[nodiscard]] std::vector<Vec2> equal_support_directions(const EllipseForm& e1,
                                                         const EllipseForm& e2);

}  // namespace tact
