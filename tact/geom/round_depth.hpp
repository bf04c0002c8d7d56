// geom/round_depth.hpp - the depth of two cores that overlap, one of them round.
//
// Notation: d the unit vector along which the first core leaves the second the other way, d = -n;
//           h(d) the support function of the difference set, so that the depth is the least h.
// Each core is a sum of a part with corners (the axis of a cylinder, a box) and a round part (its
// disc, an ellipsoid). So h(d) = ρ(d) + max over corners v of d · v with one ρ, smooth but for the
// axes of the discs. A polytope of points of the difference set grows as in EPA; but each face
// proposes the minimum of ρ(d) + max over the corners v of its three points, found by Newton's
// method, instead of its own normal. A face is done with if its plane is no nearer to the origin
// than the best minimum (then nothing better lies behind it), or if a minimum of the same corners
// was found within `explained_cosine` of its normal: h has no two there.
#pragma once

#include "tact/geom/refine_normal.hpp"

namespace tact {

struct RoundDepth {
  Direction best;                ///< n = -d
  Vec3 on_first = Vec3::Zero();  ///< nearest points, if has_points
  Vec3 on_second = Vec3::Zero();
  bool has_points = false;  ///< not where the cap of a cylinder meets
  bool complete = true;     ///< false: room ran out before every face was done with
  int iterations = 0, minima = 0;
};

/// Expects cores that overlap, neither a half-space.
[[nodiscard]] RoundDepth round_depth(CorePair& pair);

}  // namespace tact
