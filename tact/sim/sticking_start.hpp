// sim/sticking_start.hpp - the loads of a step in which contacts tip, part and land, but none that
// stuck begins to slide.
//
// Where the mode of the last step is wrong, most often it is the normal loads that have changed:
// a box rocks, a tower shakes, something lands. With the contacts that stick held, and the friction
// of those that slide kept as it was, the step is the convex problem of position_newton.hpp, which
// never goes in circles. Its answer is the step's where friction bears it; else a better beginning
// than the last step's loads. The judge says which.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// λ from work.recalled into work.lambda. False, and work.lambda as it was, where nothing came of
/// it. Uses work.position and work.sticks.
bool sticking_start(StepProblem& work);

}  // namespace tact
