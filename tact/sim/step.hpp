// sim/step.hpp - the stages of one step of a given length, without impacts at their own time.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// Contacts that the step leaves out though they are near: those about to bounce, on the way to
/// their impact. Of a patch only the points that are open by more than tolerance::support go.
struct LeftOut {
  std::vector<RowKey> keys;
};

/// The middle of a step of this length in sim.work: kinematics there, forces, the free velocity.
/// False where the mass matrix is not positive definite.
[[nodiscard]] bool prepare_step(Simulation& sim, double dt);

/// Adds χ of a surface group to its rows: what drives and belts give to the relative velocity at
/// the origin of its frame. `drives` from drive_velocities.
void add_wall_velocity(const Simulation& sim, const Kinematics& kin, const SceneContacts& contacts,
                       const ConstraintRows& rows, Index group, const std::vector<Twist>& drives,
                       VecX& chi);

/// Rounding of the energy that free fall gives in a step [J]: forces that hold do as much work.
[[nodiscard]] double rounding_work(const Simulation& sim);

/// Moves sim.state by dt; adds to the report. False where the numbers are no longer finite: the
/// state is then as it was.
[[nodiscard]] bool plain_step(Simulation& sim, double dt, const LeftOut& left_out,
                              StepReport& report);

}  // namespace tact
