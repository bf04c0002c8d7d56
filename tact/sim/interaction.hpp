// sim/interaction.hpp - what passes through a joint: the wrench of a body's parent on it, and sums
// over all that hangs on a body.
//
// A body with all that hangs on it has the momentum that weight, contacts and its joint gave it:
//   Σ [m a; I α + ω × I ω] = Σ m g + contacts + joint,  all about one point,
// with accelerations that are means over the last step. What actuators, springs and tendons do
// passes through joints. A rigid equality constraint is a second way in: with one there is no
// answer.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tact/sim/observe.hpp"

namespace tact {

/// The body and all below it, ascending.
[[nodiscard]] std::vector<Index> subtree(const Model& model, Index body);

struct SubtreeMotion {
  double mass = 0;
  Vec3 com_W = Vec3::Zero();               ///< [m]
  Vec3 velocity_W = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_momentum_W = Vec3::Zero();  ///< about it [kg m²/s]
};
/// Expects forward_velocities of the state.
[[nodiscard]] SubtreeMotion subtree_motion(const Model& model, const Kinematics& kin, Index body);

/// `kin`, of the state at the end of the last step, with mean accelerations of the joints over that
/// step in place of velocities.
[[nodiscard]] Kinematics mean_rates(const Simulation& sim, const Kinematics& kin);

/// Acceleration of a body's point, mean over the last step: [α; a]. `kin` has velocities, `rates`
/// is mean_rates of it; the turn of the frame enters by J̇ q̇.
[[nodiscard]] Twist mean_acceleration(const Model& model, const Kinematics& kin,
                                      const Kinematics& rates, Index body, const Vec3& point_W);

/// The wrench of the parent on the body, about a point, mean over the last step. Nothing before the
/// first step, and where an equality constraint ties something below the body to something else.
[[nodiscard]] std::optional<Wrench> interaction_wrench(const Simulation& sim, const Kinematics& kin,
                                                       std::span<const ContactSample> contacts,
                                                       Index body, const Vec3& about_W);

}  // namespace tact
