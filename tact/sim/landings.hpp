// sim/landings.hpp - contacts that close fast within a step: impacts without restitution, judged.
//
// A contact that carried nothing before, carries a load now and was approached faster than |g| h is
// an impact. Its work is that of the sequential split, ½ (γ~(z) + γ~(u⁺)).λ with the gap in γ~ as
// the law sees it; the verdict is that of the whole step, because contacts that act together may
// only be judged together. [Glocker] 3
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// Adds the landings of the step in sim.work to the report. To be called when its loads are known
/// and sim.memory still has those of the step before.
void note_landings(const Simulation& sim, StepReport& report);

}  // namespace tact
