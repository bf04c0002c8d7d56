// geom/closed_distance.hpp - distances of cores that have a closed form or a single root.
//
// Points and segments against each other and against every core that is simple enough. Signed: a
// point inside a solid is as deep as the nearest point of the surface is far.
#pragma once

#include <optional>

#include "tact/geom/support.hpp"

namespace tact {

/// Signed distance of two shapes, or of their cores. Positive: the length of the shortest segment
/// between them. Negative: they overlap, and the first must be moved this far along the normal
/// until they only touch, and no shorter way exists.
struct ShapeDistance {
  double distance = 0;
  Vec3 normal_W = Vec3::UnitX();  ///< from the second to the first
  Vec3 on_first_W = Vec3::Zero();
  Vec3 on_second_W = Vec3::Zero();
};

/// From the centre of the first, a point core, to the core of the second. Nothing for a point
/// outside a mesh.
[[nodiscard]] std::optional<ShapeDistance> point_distance(const Convex& point,
                                                          const Convex& second);

[[nodiscard]] ShapeDistance segment_distance(const Convex& first, const Convex& second);

/// From the core of the first to the plane of the second, a half-space.
[[nodiscard]] ShapeDistance plane_distance(const Convex& first, const Convex& second);

/// Signed distance of the point y to the ellipsoid Σ (x_i / a_i)² <= 1, its nearest point, and the
/// outward unit normal there.
struct EllipsoidFoot {
  double distance = 0;
  Vec3 foot = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
};
[[nodiscard]] EllipsoidFoot ellipsoid_foot(const Vec3& semi_axes, const Vec3& y);

/// The roles of the two exchanged.
[[nodiscard]] inline ShapeDistance swapped(const ShapeDistance& d) {
  return {d.distance, -d.normal_W, d.on_second_W, d.on_first_W};
}

}  // namespace tact
