// cone/patch_shape.hpp - the shapes a contact patch may have, and their convex hull.
//
// Coordinates are those of the patch frame: metres in the contact plane. What a patch can do
// depends on its hull C(P) alone: [MontMarin25] (10).
#pragma once

#include <variant>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

struct PatchShape;

/// Any finite set of points; the hull is taken, so a filled or a non-convex outline will do.
struct PolygonShape {
  std::vector<Vec2> points;
  bool operator==(const PolygonShape&) const = default;
};
struct DiscShape {
  Vec2 center;
  double radius;
  bool operator==(const DiscShape&) const = default;
};
struct EllipseShape {
  Vec2 center;
  Vec2 semi_axes;
  double angle = 0;  ///< of the first semi-axis from x [rad]
  bool operator==(const EllipseShape&) const = default;
};
struct SegmentShape {
  Vec2 a, b;
  bool operator==(const SegmentShape&) const = default;
};
struct PointShape {
  Vec2 at;
  bool operator==(const PointShape&) const = default;
};
/// All points within `radius` of the segment a b.
struct StadiumShape {
  Vec2 a, b;
  double radius;
  bool operator==(const StadiumShape&) const = default;
};
/// Several shapes that together are one patch: non-convex, disconnected, with holes.
struct UnionShape {
  std::vector<PatchShape> parts;
  bool operator==(const UnionShape&) const;
};

struct PatchShape {
  std::variant<PolygonShape, DiscShape, EllipseShape, SegmentShape, PointShape, StadiumShape,
               UnionShape>
      value;
  bool operator==(const PatchShape&) const = default;
};

inline bool UnionShape::operator==(const UnionShape& other) const {
  return parts == other.parts;
}

/// C(P). Refuses a shape without points, with a number that is not finite, or with a negative
/// radius.
[[nodiscard]] Result<PlanarSet> convex_hull_of(const PatchShape& shape);

}  // namespace tact
