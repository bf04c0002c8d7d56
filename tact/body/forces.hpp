// body/forces.hpp - springs, dampers and actuators, as forces on the dofs.
//
// Notation:  l length of a tendon or of a transmission, l̇ = moment · q̇ its rate; a force F along it
//            acts as momentᵀ F on the dofs.
// Springs:   hinge and slide -k (q - spring_reference); ball and free joints towards the pose of
//            the file, turns by their rotation vector; a tendon only outside its rest length.
// Length:    of a ball the rotation vector along the gear, as in MuJoCo; of free joints and sites
//            zero.
#pragma once

#include "tact/body/jacobian.hpp"

namespace tact {

/// Σ coefficient · qpos.
[[nodiscard]] double tendon_length(const Model& model, Index tendon, const VecX& qpos);
/// Its rate, the same of qvel.
[[nodiscard]] double tendon_speed(const Model& model, Index tendon, const VecX& qvel);

/// `factor` times its row: the rate of its length is row · q̇.
void append_tendon_row(const Model& model, Index tendon, double factor, SparseRows& rows);

/// Stiffness and damping of joints and tendons. Dry friction is no force but a row with bounds
/// (body/constraints.hpp).
void passive_force(const Model& model, const State& state, VecX& force);

/// One entry or row for each actuator.
struct Actuation {
  SparseRows moment;  ///< over the dofs, gear in it
  VecX length, speed;
  VecX force;      ///< clamped
  VecX dof_force;  ///< momentᵀ force, clamped where a joint limits it
};

/// Lengths, moments and forces of the actuators; adds dof_force to `total`. Expects
/// forward_kinematics.
void actuator_force(const Model& model, const State& state, const Kinematics& kin,
                    Actuation& actuation, VecX& total);

}  // namespace tact
