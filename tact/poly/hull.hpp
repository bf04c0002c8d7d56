// poly/hull.hpp - the convex hull of points in the plane, exact or up to a tolerance.
//
// Both flavours return strictly convex vertices, counter-clockwise, from the lexicographically
// least on: one vertex for coincident points, two for points on a line. The answer does not depend
// on the order of the points nor on duplicates. Points: at least one, all finite, in the range of
// poly/exact_sign.hpp. O(n log n).
#pragma once

#include <span>
#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Length of the diagonal of the bounding box: the size L that tolerances are relative to. At least
/// the diameter of the set and at most sqrt(2) times that; zero iff the points coincide.
[[nodiscard]] double point_set_size(std::span<const Vec2> points);

/// The distance below which points of this set are not told apart: relative * L, but never less
/// than the rounding of the coordinates themselves (far from the origin that is the larger one).
[[nodiscard]] double point_set_slack(std::span<const Vec2> points, double relative);

/// Every strict vertex of the hull, by exact signs.
[[nodiscard]] std::vector<Vec2> exact_hull(std::span<const Vec2> points);

/// The hull up to slack = point_set_slack(points, relative): a choice of exact vertices such that
///   - every point lies within 1.2 slack of the result,
///   - every vertex is more than slack away from a chord of two others that it was split from; the
///     first chord is a longest one. The hull of the result is the result.
/// So a set thinner than slack is a segment, and one smaller than slack is a point.
[[nodiscard]] std::vector<Vec2> convex_hull(std::span<const Vec2> points,
                                            double relative = tolerance::collinear);

/// The same, as places in `points`; of coincident points the first.
[[nodiscard]] std::vector<Index> exact_hull_indices(std::span<const Vec2> points);
[[nodiscard]] std::vector<Index> convex_hull_indices(std::span<const Vec2> points,
                                                     double relative = tolerance::collinear);

}  // namespace tact
