// sim/smooth_motion.hpp - what a step would do without its rows: forces, and the free velocity z.
//
// Free bodies turn by the implicit midpoint rule (free_flight.hpp). Trees take their bias force c
// at q_m and at the velocity in the middle of the step, found by half a step with c at u⁻: second
// order. Damping of joints and of servos that act on one joint is taken at u⁺, M + h D in place of
// M, so that no damper however stiff gives energy.
#pragma once

#include "tact/body/bias.hpp"
#include "tact/body/forces.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

struct SmoothMotion {
  VecX implicit;        ///< [nv] damping of joints and servos taken at u⁺, per unit of time
  VecX implicit_servo;  ///< of which the servos'
  VecX conservative;    ///< impulses of weight, springs and, for trees, -h c
  VecX actuators, damping, gyroscopic;  ///< the other impulses
  VecX z;
  // ---- workspace
  VecX bias, springs, total, middle;
  Actuation actuation;
  BiasWorkspace bias_work;
};

/// Fills work.mass, lumped, factor and smooth. Expects work.mid and work.kin with velocities at
/// u⁻. False where the mass matrix is not positive definite.
[[nodiscard]] bool smooth_motion(const Simulation& sim, double dt, StepWork& work);

/// Bodies that fly turn about the mean of the step, in which contacts and equalities have a part:
/// the gyroscopic impulse and z once more, with the loads of the last step. Expects the rows and
/// work.recalled.
void expect_loads(const Simulation& sim, double dt, StepWork& work);

}  // namespace tact
