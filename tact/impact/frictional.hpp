// impact/frictional.hpp - impacts with friction, or on round patches, by the solvers of contact
// problems.
//
// Newton: the contact problem with restitution on its normal rows. Poisson: the contact problem
// with e = 0 gives λ_C and γ_C; then the expansion, with N0 = e N_C,
//     N in N0 + K,   N - N0 ⟂ W in K*,     T in argmin_{F(N)} T.τ,     u = γ_C + G λ_E,
// a contact law whose normal load starts at N0. Polygonal laws are pivoted (the friction bounds of
// the LCP get N0 as their offset), everything is then brought to all digits by Newton's method on
// the natural map λ = Π(λ - D⁻¹u), the normal rows of its argument replaced by their projection on
// N0 + K. [FrictionM4] NCP
#pragma once

#include "tact/base/tolerance.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/impact/law.hpp"

namespace tact {

/// Status, impulses, compression, ray and events of an outcome. `problem` has its velocity just
/// before the impact and no smooth impulse. `start` may be empty.
/// Solved where the residual is at most `enough`.
[[nodiscard]] Result<ImpactOutcome> newton_impact(const ContactProblem& problem, const VecX& start,
                                                  double enough = tolerance::solved);
[[nodiscard]] Result<ImpactOutcome> poisson_impact(const ContactProblem& problem, const VecX& start,
                                                   double enough = tolerance::solved);

/// |λ - Π(λ - D⁻¹u)|_D of the expansion law with the loads `least`, over max(|λ|_D, |b|_{D⁻¹});
/// problem.b is γ_C.
[[nodiscard]] double expansion_residual(const DelassusProblem& problem, const VecX& least,
                                        const VecX& lambda);

}  // namespace tact
