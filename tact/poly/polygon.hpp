// poly/polygon.hpp - measures of a convex polygon given by its vertices.
//
// A polygon is a span of vertices, convex and counter-clockwise, at least one: a single vertex is a
// point, two are a segment. convex_hull makes one from any points. More vertices than two on one
// line are taken for the segment they span.
//
// Sizes from 1e-9 to 1e6 and slivers of any aspect are measured to a few units of round-off: the
// triangles of a fan have areas of one sign (poly/exact_sign.hpp gives them accurately), so nothing
// cancels.
#pragma once

#include <span>
#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

[[nodiscard]] double area(std::span<const Vec2> polygon);

/// Total length of the edges; twice the length of a segment.
[[nodiscard]] double perimeter(std::span<const Vec2> polygon);

/// Mean of x over the polygon: over its area, its length, or the point itself.
[[nodiscard]] Vec2 centroid(std::span<const Vec2> polygon);

/// Mean of (x - about)(x - about)ᵀ over the polygon: over its area, its length, or at the point, so
/// that it is continuous when a polygon shrinks to a segment; zero for a point about itself.
[[nodiscard]] Mat2 second_moment(std::span<const Vec2> polygon, const Vec2& about);

/// p is at most `slack` away from the polygon. Without slack the answer is exact; the boundary
/// belongs to the polygon.
[[nodiscard]] bool contains(std::span<const Vec2> polygon, const Vec2& p, double slack = 0);

/// Where a point stands relative to the boundary.
struct BoundaryDistance {
  double distance = 0;          ///< to the boundary; positive inside, negative outside
  Vec2 nearest = Vec2::Zero();  ///< the boundary point at that distance
  Index edge = 0;               ///< nearest lies between vertices edge and edge + 1
};

/// The sign is exact. A segment or a point is all boundary: distances are zero or negative.
[[nodiscard]] BoundaryDistance boundary_distance(std::span<const Vec2> polygon, const Vec2& p);

/// Places of the vertices that reach farthest in a direction, up to relative * size; in the order
/// of the polygon. Without direction (zero) all vertices.
[[nodiscard]] std::vector<Index> support(std::span<const Vec2> polygon, const Vec2& direction,
                                         double relative = tolerance::face);
void support(std::span<const Vec2> polygon, const Vec2& direction, double relative,
             std::vector<Index>& places);

/// Largest distance of two points of the polygon.
[[nodiscard]] double diameter(std::span<const Vec2> polygon);

/// Least distance of two parallel lines with the polygon between them.
[[nodiscard]] double width(std::span<const Vec2> polygon);

}  // namespace tact
