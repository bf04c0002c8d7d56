// geom/box_box.hpp - two boxes: the axis that separates them most.
//
// The separating axes of two boxes are the three face normals of each and the nine products of
// their edges. Where the boxes overlap the best of the fifteen is the signed distance; where they
// are apart it is a lower bound, and equal to the distance if the features it names face each other
// (a corner above a face, two edges that cross).
#pragma once

#include "tact/geom/support.hpp"

namespace tact {

struct BoxAxis {
  double separation = 0;          ///< along the normal; negative if the boxes overlap
  Vec3 normal_W = Vec3::UnitX();  ///< from the second to the first
  int code = 0;         ///< 0-2 face of the first, 3-5 face of the second, 6 + 3i + j edges
  bool beyond = false;  ///< separated by more than was asked for; the rest of the axes was not
                        ///< looked at
};

/// Stops at the first axis along which the boxes are farther apart than `beyond`. Among axes that
/// agree to rounding faces win over edges and the first box over the second.
[[nodiscard]] BoxAxis box_axis(const Convex& first, const Convex& second, double beyond);

}  // namespace tact
