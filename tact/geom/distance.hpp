// geom/distance.hpp - the signed distance of two convex shapes.
//
// Closed forms where they exist; else GJK for shapes that are apart and EPA for those that overlap,
// and then a last step that makes the normal exact: the separation s(n) along any direction n is a
// lower bound of the signed distance, so that of all candidates (normals of faces, products of
// edges, Newton steps on the round parts) the one of largest s is the best, and never a wrong one.
#pragma once

#include <limits>

#include "tact/geom/closed_distance.hpp"
#include "tact/geom/shape.hpp"

namespace tact {

/// Expects convex shapes, at most one of them a half-space.
[[nodiscard]] ShapeDistance distance(const Shape& first, const Pose& X_W1, const Shape& second,
                                     const Pose& X_W2);

struct BoundedDistance {
  ShapeDistance at;
  bool beyond = false;  ///< farther apart than asked for; at.normal_W separates, no more is meant
};

/// The same of shapes in place. `guess` is any direction from the second to the first, a former
/// normal at best, or zero. Without `points` the nearest points of overlapping boxes are only right
/// along the normal, which is enough for the making of patches.
[[nodiscard]] BoundedDistance convex_distance(
    const Convex& first, const Convex& second,
    double beyond = std::numeric_limits<double>::infinity(), const Vec3& guess = Vec3::Zero(),
    bool points = true);

}  // namespace tact
