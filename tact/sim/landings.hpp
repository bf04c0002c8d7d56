// sim/landings.hpp - contacts that close fast within a step: impacts without restitution, judged.
//
// A contact that carries a load now, and has a point that came down in this step faster than |g| h,
// is an impact: a body that falls, and a face that slaps down about its edge. Its work is that of
// the sequential split, ½ (γ~(z) + γ~(u⁺)).λ with the gap in γ~ as the law sees it, [Glocker] 3;
// the verdict is that of the whole step, for contacts that act together are judged together.
#pragma once

#include <utility>
#include <vector>

#include "tact/sim/simulation.hpp"

namespace tact {

/// What the landings of a step are found with.
struct LandingWork {
  std::vector<std::size_t> landed;                      ///< groups
  std::vector<std::pair<std::size_t, double>> stopped;  ///< that came closed, and how fast [m/s]
  std::vector<double> of_group;                         ///< [groups] work [J]
  std::vector<Vec2> points;                             ///< of one contact
  VecX gained;                                          ///< γ~(u⁺) - γ~(z) = J M⁻¹Jᵀ λ
};

/// Adds the landings of the step in sim.work to the report. To be called when its loads are known
/// and sim.memory still has those of the step before.
void note_landings(Simulation& sim, StepReport& report);

}  // namespace tact
