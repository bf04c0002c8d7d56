// body/energy.hpp - kinetic and potential energy of a model.
//
// Kinetic energy is summed body by body from velocities, not through the mass matrix: each checks
// the other. Zero potential: the world's origin, springs at rest.
#pragma once

#include "tact/body/kinematics.hpp"

namespace tact {

/// ½ Σ (m |v_c|² + ω·I ω) + ½ Σ armature q̇². [J] Expects forward_velocities with this qvel.
[[nodiscard]] double kinetic_energy(const Model& model, const VecX& qvel, const Kinematics& kin);

/// -Σ m (1 - compensated share) g · c over the bodies that joints move. [J]
[[nodiscard]] double gravity_potential(const Model& model, const Kinematics& kin);

/// Of the springs of joints and tendons. [J]
[[nodiscard]] double spring_potential(const Model& model, const State& state);

}  // namespace tact
