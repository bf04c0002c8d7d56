// sim/step_islands.hpp - the contacts of a step, cut into islands that share no moving body.
//
// A mode is right or wrong of all contacts at once, and one box that slides somewhere would have a
// thousand others solved again. Of islands each is solved for itself, those that go on as they are
// by one linear system; and what is known of the pattern of an island is kept for the next step, at
// the place of its lowest body.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// The islands of a step into work.islands.found, by their members.
void find_islands(const Model& model, StepWork& work);

/// Laws, matrix, free velocities, recalled loads and gaps of an island that was found; expects all
/// of that in `work`. The matrix has the blocks that the one of `work` has: those on the diagonal
/// are enough for a solve on the bodies.
void cut_island(const Model& model, StepWork& work, StepIsland& island);

/// The other blocks of the matrix, where they are not there.
void couple_island(const Model& model, StepWork& work, StepIsland& island);
[[nodiscard]] inline bool is_coupled(const StepIsland& island) {
  return static_cast<Index>(island.problem.G.col.size()) > island.problem.contacts();
}

/// Finds and cuts all islands, which are present then.
void cut_islands(const Model& model, StepWork& work);

/// `from` over the rows of the step, to those of an island.
void gather(const ConstraintRows& rows, const StepIsland& island, const VecX& from, VecX& to);
/// And back; other rows stay.
void scatter(const ConstraintRows& rows, const StepIsland& island, const VecX& from, VecX& to);

}  // namespace tact
