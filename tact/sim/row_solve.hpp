// sim/row_solve.hpp - the impulses of a step and what opens its gaps, island by island: by the
// augmented Lagrangian, by the solver of contact problems, or by sweeps.
#pragma once

#include "tact/sim/position_step.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Impulses of the rows from work.recalled into work.lambda.
SolveReport solve_rows(const Simulation& sim, StepWork& work);

/// Velocities of the degrees of freedom that open the gaps of `step`, into work.position.change.
/// Expects solve_rows() of the same rows.
void open_gaps(const Simulation& sim, const PositionStep& step, StepWork& work);

}  // namespace tact
