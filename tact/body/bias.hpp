// body/bias.hpp - the forces that keep the accelerations zero, and inverse dynamics.
//
// Reference: [Featherstone] sec. 5.3: recursive Newton-Euler equations.
// Notation:  M q̈ + c = τ; c(q, q̇) holds Coriolis, centrifugal, gyroscopic terms and the weight
//            (less its compensated share). Weight enters as an acceleration -g of the world.
#pragma once

#include "tact/body/kinematics.hpp"

namespace tact {

/// Kept by the caller; allocates nothing once it has seen the model.
struct BiasWorkspace {
  std::vector<Motion> force;         ///< [links] moment about O and force, as (w, v)
  std::vector<Motion> acceleration;  ///< [links] of the given accelerations alone
};

/// c(q, q̇). Expects forward_kinematics and forward_velocities with this qvel.
void bias_force(const Model& model, const VecX& qvel, const Kinematics& kin, BiasWorkspace& work,
                VecX& c);

/// τ = M q̈ + c(q, q̇), armature included, in one sweep.
void inverse_dynamics(const Model& model, const VecX& qvel, const VecX& qacc, const Kinematics& kin,
                      BiasWorkspace& work, VecX& tau);

}  // namespace tact
