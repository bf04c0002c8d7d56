// geom/epa.hpp - the depth of two convex cores that overlap.
//
// Van den Bergen (2001): a polytope of points of the difference set, with the origin inside, grows
// at the face nearest to the origin. That face's distance is a lower bound of the depth, the
// support along its normal an upper one. The depth is the least translation that separates.
#pragma once

#include "tact/geom/gjk.hpp"

namespace tact {

struct EpaResult {
  double depth = 0;             ///< support along the normal: an upper bound
  double lower = 0;             ///< distance of the nearest face of the polytope
  Vec3 normal = Vec3::UnitX();  ///< translate the first core along it by the depth
  Vec3 on_first = Vec3::Zero();
  Vec3 on_second = Vec3::Zero();
  int iterations = 0;
};

/// Starts from a simplex that GJK left. Flat difference sets (two coplanar plates) have depth zero
/// along their normal. Stops when the bounds are nearer than `enough` times the size of the pair.
/// Expects the cores to overlap, up to rounding.
[[nodiscard]] EpaResult epa(CorePair& pair, const GjkSimplex& start, double enough);

}  // namespace tact
