// sim/settle.hpp - positions once more after the step: equations, and bodies that turned fast.
//
// The position solve sees gaps as they change at constant rates; a body that turns by an angle a in
// one step leaves that by ½ a² r. At the end of the step the distance of its pairs is taken once
// more. Where one of them overlaps, or a body has left the room that detection gave it, contacts
// are detected again and what overlaps is moved apart, at most three times. The gap over a patch is
// nowhere below the distance: what passes the first look passes the second.
//
// Equations are closed here and not before: Newton's method on their errors, with the rows of the
// end of the step, beside contacts and limits at the gaps that the mean velocity leaves.
#pragma once

#include "tact/sim/position_step.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Scratch of settle_positions.
struct SettleWork {
  Kinematics kin;
  SceneContacts contacts;
  ConstraintRows rows;
  DelassusProblem problem;
  std::vector<Vec3> gaps;
  std::vector<bool> sticks;
  VecX velocity;
  VecX moved;   ///< by all passes of the step
  VecX before;  ///< qpos, before the last of them
  std::vector<Index> local;
  DetectWorkspace detect;
  EqualityRows equalities;
  PositionWork position;
};

/// Between faces that are nearly parallel, or where links can hardly part, a gap is opened only by
/// moving something far: the rows no longer say anything there. Nothing moves farther than this
/// times the worst gap.
inline constexpr double correction_lever = 10;

/// The share of a correction in which no point of any geom moves farther than `most` [m].
[[nodiscard]] double share_of_correction(Simulation& sim, const VecX& change, double most,
                                         double dt);

/// Moves end.qpos where contacts that are near would overlap, or equations miss, by more than
/// tolerance::turning; work.settle.moved gets the sum of the moves. Expects that it is zero. The
/// equations of the step's rows are those of the end afterwards.
void settle_positions(Simulation& sim, double dt, State& end, StepReport& report);

}  // namespace tact
