// sim/step_islands.hpp - the contacts of a step, cut into islands that share no moving body.
//
// A mode is right or wrong of all contacts at once, and one box that slides somewhere would have a
// thousand others solved again. Of islands each is solved for itself, those that go on as they are
// by one linear system; and what is known of the pattern of an island is kept for the next step, at
// the place of its lowest body.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// How hard loads of loops are pulled towards those that were there, in units of the diagonal of G:
/// enough to make the systems regular, little enough that a few rounds are exact.
inline constexpr double loop_pull = 1e-4;

/// Whether patches of these groups hold bodies in a loop: two ways over patches from one body to
/// another or to the ground. Points leave a body free to turn, joints are no ways. `joined` is
/// scratch.
[[nodiscard]] bool has_loops(const ConstraintRows& rows, std::span<const Index> groups, Index dofs,
                             std::vector<Index>& joined);

/// The islands of a step into work.islands.found, by their members, and which of them have loops.
void find_islands(const Model& model, StepWork& work);

/// Laws, matrix, free velocities, recalled loads and gaps of an island that was found; expects all
/// of that in `work`.
void cut_island(const Model& model, StepWork& work, StepIsland& island);

/// Both, of all islands, which are present then; none is where all contacts are one.
void cut_islands(const Model& model, StepWork& work);

/// `from` over the rows of the step, to those of an island.
void gather(const ConstraintRows& rows, const StepIsland& island, const VecX& from, VecX& to);
/// And back; other rows stay.
void scatter(const ConstraintRows& rows, const StepIsland& island, const VecX& from, VecX& to);

}  // namespace tact
