// geom/refine_normal.hpp - from a direction that nearly separates two cores most to the exact one.
//
// Notation: s(n) = n · w(n) the separation of the cores along the unit vector n, w the point of the
//           difference set least along n. The signed distance is the largest s over all n.
// The best n is a normal of a face, a product of two edges, or a smooth maximum of s with or
// without an edge across it. Each kind is tried near the n that is given.
#pragma once

#include "tact/geom/support.hpp"

namespace tact {

struct Direction {
  Vec3 n = Vec3::UnitX();
  DifferencePoint point;
  double separation = 0;  ///< s(n)
};

/// s(n) evaluated. Expects a unit vector.
[[nodiscard]] Direction along(CorePair& pair, const Vec3& n);

/// A direction at least as good as `start` up to rounding. Where a face of either core is as good
/// as anything else to rounding its normal is taken, bit for bit. With `exact` the start is already
/// the best direction up to its last digits and only faces are tried.
[[nodiscard]] Direction refined(CorePair& pair, const Direction& start, bool exact);

/// The same with faces alone.
[[nodiscard]] Direction faced(CorePair& pair, const Direction& start);

}  // namespace tact
