// solve/sliding_family.hpp - redundant discs that all slide the same way: a polyhedron of loads.
//
// Where contacts are redundant solutions are no points. If all of them slide in the same directions
// d, the loads that go with d are an affine family, z = z* + D t + y with y = 0, exactly, once d is
// rational; t are loads that may be chosen. For any zero of F in the box, F = 0 at y and at y = 0
// of the same t, so that 0 = A y with some A of the interval matrix F_y over the box. With R = 1 -
// M A for a left inverse M of its middle, y = R y; where |R| w < w for some w > 0 there is no y but
// 0: all solutions of the modes are in the family.
#pragma once

#include "tact/solve/sliding_system.hpp"

namespace tact::detail {

/// The direction of whole numbers and whole length at an angle, if there is a simple one.
[[nodiscard]] std::optional<UnitMode> ray_at(double angle);

/// Whether all solutions of the modes slide in the same directions; `box` holds them all. A family,
/// nothing, or unknown and singular.
[[nodiscard]] SlidingVerdict sliding_family(const ExactProblem& problem, const ModeChoice& choice,
                                            const SlidingSystem& system, const IntervalVector& box);

}  // namespace tact::detail
