// sim/step_islands.hpp - the contacts of a step, cut into islands that share no moving body.
//
// A mode is right or wrong of all contacts at once, and one box that slides somewhere would have a
// thousand others solved again. Of islands each is solved for itself, those that go on as they are
// by one linear system; and what is known of the pattern of an island is kept for the next step, at
// the place of its lowest body.
#pragma once

#include "tact/sim/position_step.hpp"
#include "tact/sim/row_sweeps.hpp"
#include "tact/sim/simulation.hpp"
#include "tact/solve/solve.hpp"
#include "tact/solve/static_equilibrium.hpp"

namespace tact {

/// Rows of a step, all or those of an island, and what they are solved with.
struct StepProblem {
  double dt = 0;            ///< of the last step, or part of one
  ConstraintRows rows;      ///< of an island: groups and laws only
  DelassusProblem problem;  ///< of a pile that is swept G has its diagonal alone
  VecX recalled;            ///< λ that the solve began with
  VecX expected;            ///< velocities of the rows if nothing changes, gaps as in b
  BodyRows bodies;          ///< of the rows above
  AugmentedNewtonWorkspace newton;
  VecX lambda;
  std::vector<bool> sticks;  ///< [groups]
  std::vector<Vec3> gaps;    ///< [groups] at the start of the step
  SolveWorkspace solve;
  PositionWork position;
};

/// Contacts that share no moving body with any other.
struct StepIsland : StepProblem {
  std::vector<Index> members;  ///< groups of the step, ascending
  std::vector<Index> leaves;   ///< last dofs of its bodies
  SolveReport report;
  StaticEquilibriumWorkspace statics;
  VecX moving;          ///< impulses of a motion that may not be
  bool solved = false;  ///< not swept
  bool opened = false;  ///< the position solve has an answer
};

/// Scratch of step_islands.hpp.
struct StepIslands {
  std::vector<StepIsland> kept;  ///< of this step and earlier ones, for their memory
  std::vector<Index> found;      ///< in `kept`, by their first group: all of the step
  std::vector<Index> present;    ///< those that are solved; none: the step is one problem, or swept
  std::vector<Index> at_leaf;    ///< [dofs + 1] in `kept`, of the island whose lowest leaf it is
  std::vector<Index> up;         ///< [groups] towards the first group of the island
  std::vector<Index> place;      ///< [groups] of the first group of an island: in `kept`
  std::vector<Index> renamed;    ///< [groups] scratch of sub_matrix
  std::vector<Index> joined;     ///< [dofs + 1] of a search for loops
  std::vector<Index> local;      ///< [dofs] scratch of make_body_rows
  SweptParts left;               ///< groups of islands that are neither solved nor open
  VecX momentum, gained;         ///< [dofs] M u⁻, and what a step of free motion adds to it
};

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
