// impact/conic_judge.hpp - the bounds of the contact work where cones are round: brackets that
// products can check.
//
//     W_min = ½|du|² + min { γ(z).λ : J'λ = d, λ in K } = max { F(b) : γ(b) in K* }.
// Impulses are looked for among finitely many generators, a linear program whose optimum is an
// inner bound and whose prices are a velocity b. Where b leaves K* is the next generator. The first
// ones come from a second-order cone program (impact/conic_program.hpp), so that few rounds are
// needed; b is then moved into K* beyond rounding, towards a velocity that is deep inside. Neither
// end rests on how well a solver converged. [Glocker] 7 with cones; [MontMarin25] (11) for patches.
//
// Images of round cones need not be closed: an outcome that no impulses explain may be approached
// by ever larger ones. No velocity separates it. Such an outcome is undecided.
#pragma once

#include "tact/impact/judge.hpp"

namespace tact {

/// As judge(); at least one cone, with friction or without, is round.
[[nodiscard]] ImpactCertificate<double> judge_round(const Impact<double>& impact, double tolerance);

/// The velocity that is deepest inside all cones K* (sign 1), or their negatives (sign -1); nothing
/// where none is inside beyond rounding.
[[nodiscard]] std::optional<std::vector<double>> inner_velocity(
    const Impact<double>& impact, const std::vector<ImpulseCone<double>>& cones, int sign);
/// v with J v inside all K*; nothing where there is none.
[[nodiscard]] std::optional<std::vector<double>> inner_direction(const Impact<double>& impact);

}  // namespace tact
