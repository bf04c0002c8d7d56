// solve/predicted_mode.hpp - contacts go on as they are: the linear system of one mode.
//
// States of contact persist from step to step. The impulses of the last step, read with the
// velocities they now belong to, say of every contact whether it sticks, slides, tips or is apart,
// that is on which piece of its natural map λ = Π(λ - D⁻¹ u) it lies. The piece is solved as if it
// held everywhere: six equations u = 0 for a patch at rest, λ = 0 for one that is apart, the slope
// of its friction for one that slides. Where every piece is linear one solve is exact to rounding;
// sliding takes a few. A mode may be wrong everywhere at once: nothing is accepted without the
// judge, and where he is not content the next method begins. No label is kept between steps:
// impulses and velocities are all there is to remember.
#pragma once

#include "tact/solve/mode_system.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

struct PredictedModeWorkspace {
  BlockLu lu;
  ModePieces pieces;
  JudgeWorkspace judge;
  VecX step, best;
};

/// At most options.max_iterations linear systems; by default four. Without success `lambda` is the
/// best that was seen, the start included.
SolveReport predicted_mode(const DelassusProblem& problem, const SolveOptions& options,
                           PredictedModeWorkspace& work, VecX& lambda);

}  // namespace tact
