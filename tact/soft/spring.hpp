// soft/spring.hpp - a spring and damper between two frames over one time step, energy kept.
//
// Between the origins  V = ½ k |p_A - p_B|²,  between the axes  V = ½ K (3 - tr R_B R_Aᵀ), whose
// torque is K sin θ about the axis of the turn: the spatial spring of an impedance controller
// [Stramigioli] sec. 8. The mean of the forces at both ends of the step, and a third-order
// correction along the twist, make the elastic work exactly -(V1 - V0). Two forces of the damper on
// two points that are apart make a couple: a controller's damper, not a body's.
#pragma once

#include "tact/spatial/se3.hpp"

namespace tact {

struct BodySpring {
  double stiffness_N_per_m = 0;
  double damping_Ns_per_m = 0;
  double turning_Nm_per_rad = 0;
  double turning_damping_Nms_per_rad = 0;
};

/// V [J] with both frames in W.
[[nodiscard]] double spring_energy(const BodySpring& spring, const Pose& X_WA, const Pose& X_WB);

struct SpringAnswer {
  Vec6 impulse = Vec6::Zero();  ///< on A at its origin, (moment, force), in W; on B the opposite
  Mat6 slope = Mat6::Zero();    ///< about -∂impulse/∂T
  Vec6 shake = Vec6::Zero();    ///< of the impulse, by the rounding of energies
  double energy = 0;            ///< V at the end
  double loss = 0;              ///< of the damper, >= 0 [J]
};

/// @param energy0  V at the start
/// @param T  mean of (ω_A - ω_B, velocity of A's origin - that of B's), in W
[[nodiscard]] SpringAnswer try_spring_step(const BodySpring& spring, double energy0,
                                           const Pose& X_WA0, const Pose& X_WB0, const Pose& X_WA1,
                                           const Pose& X_WB1, const Twist& T, double dt);

}  // namespace tact
