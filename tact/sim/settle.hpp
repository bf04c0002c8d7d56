// sim/settle.hpp - positions once more after the step, where bodies turned fast.
//
// The position solve sees gaps as they change at constant rates; a body that turns by an angle a in
// one step leaves that by ½ a² r. At the end of the step the distance of its pairs is taken once
// more. Where one of them overlaps, or a body has left the room that detection gave it, contacts
// are detected again and what overlaps is moved apart, at most three times. The gap over a patch is
// nowhere below the distance: what passes the first look passes the second.
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
  VecX moved;  ///< by all passes of the step
  std::vector<Index> local;
  DetectWorkspace detect;
  PositionWork position;
};

/// Moves end.qpos where contacts that are near would overlap by more than tolerance::turning;
/// work.settle.moved gets the sum of the moves. Expects that it is zero.
void settle_positions(Simulation& sim, double dt, State& end, StepReport& report);

}  // namespace tact
