// sim/soft_stage.hpp - the compliant part of a step: elastic impulses at the end they lead to.
//
// The velocity u⁺ of the step obeys
//     M (u⁺ - z) = Jᵀλ + Σ J_sᵀ p_s(T_s, q⁺) + g(ū) - g(z̄),   T_s = J_s ū + χ,   ū = ½(u⁻ + u⁺),
// with the impulses p_s of soft contacts and springs as soft/ defines them: they depend on where
// the step ends, q⁺ = q ⊕ h ū. g is the gyroscopic impulse of free bodies, taken at the true mean.
// Newton's method with M + ½ Σ J_sᵀ S J_s, S the slopes of the elements; where rigid rows act on
// the same trees, each iteration solves their contact problem with that matrix in place of M.
// Whatever the iteration leaves, the energy of every element is accounted for exactly.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// Corrects work.velocity, lambda and what follows from them. Expects a step whose rows are solved
/// and their loads applied. False where no answer was found: the step must be shorter, and
/// work.soft says why.
[[nodiscard]] bool soft_stage(Simulation& sim, double dt, StepReport& report);

/// Books the step's elastic works, and moves the memory to `end`. `corrected`: positions were.
/// False where a contact cannot be followed there.
[[nodiscard]] bool finish_soft_stage(Simulation& sim, const State& end, bool corrected);

}  // namespace tact
