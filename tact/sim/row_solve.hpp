// sim/row_solve.hpp - the loads of a step and what opens its gaps: by modes, island by island, by
// the solver of contact problems, or by sweeps.
#pragma once

#include "tact/sim/position_step.hpp"

namespace tact {

/// Impulses of the rows from work.recalled into work.lambda. What the contacts did in the last step
/// is tried first.
SolveReport solve_rows(const Simulation& sim, StepWork& work);

/// Velocities of the degrees of freedom that open the gaps of `step`, into work.position.change.
/// Expects solve_rows() of the same rows.
void open_gaps(const Simulation& sim, const PositionStep& step, StepWork& work);

}  // namespace tact
