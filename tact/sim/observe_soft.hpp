// sim/observe_soft.hpp - what the compliant contacts of the last step did: patch, springs, loads.
//
// Frame C lies at the contact centre, its z axis along the normal from geom 2 into geom 1, x and y
// along the long and the short axis of the patch. Loads are means over the step, on geom 1; springs
// and patch are those at its end.
#pragma once

#include <vector>

#include "tact/sim/simulation.hpp"

namespace tact {

enum class SoftState : std::uint8_t { apart, sticks, slips };

struct SoftSample {
  Index geom1 = 0, geom2 = 0;
  std::uint32_t which = 0;  ///< of several contacts of the pair
  SoftState state = SoftState::apart;
  Pose X_WC;                      ///< in the middle of the step
  double depth = 0;               ///< [m] positive: compressed; negative: apart
  Vec2 semi_axes = Vec2::Zero();  ///< [m] of the patch; zero where the law has none
  /// Of the tangential springs, geom 1 over geom 2: t1, t2 [m], turning about z [rad]. Of parallel
  /// cells that of one spring with the same force.
  Vec3 extension = Vec3::Zero();
  Wrench wrench_C;          ///< [N m, N]
  double energy = 0;        ///< [J] stored
  double friction_use = 0;  ///< 0 ... 1: what slips has used all
  /// Force along t1, along t2 [N] and turning moment [N m] that friction holds, each alone;
  /// infinite where nothing slips.
  Vec3 slip_limits = Vec3::Zero();
};

/// Contacts near enough to have taken part in the last step, in the order of the scene's pairs.
void observe_soft(const Simulation& sim, std::vector<SoftSample>& out);

}  // namespace tact
