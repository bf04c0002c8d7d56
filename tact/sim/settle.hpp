// sim/settle.hpp - positions once more after the step, where bodies turned fast.
//
// The position solve sees gaps as they change at constant rates; a body that turns by an angle a in
// one step leaves that by ½ a² r. Contacts are then detected again at the end of the step, and what
// overlaps is moved apart, at most three times.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// Moves end.qpos where contacts that are near would overlap by more than tolerance::overlap;
/// work.settle.moved gets the sum of the moves. Expects that it is zero.
void settle_positions(Simulation& sim, double dt, State& end, StepReport& report);

}  // namespace tact
