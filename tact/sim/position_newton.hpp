// sim/position_newton.hpp - the position solve of many contacts in a few linear systems.
//
// Without friction and with some rows held the problem is the least of a convex function,
//     q(Λ) = ½ Λᵀ G Λ + bᵀΛ,      Λ_N ∈ K,  Λ_T free where it is held, else zero;
// of a contact that is pressed flat what it bears beside Λ counts too, Λ_N + ½λ_N ∈ K.
// Where it is known of every contact whether it rests on its face, an edge or a corner or is apart,
// one linear system gives the answer to rounding. These pieces are read off the natural map
// Λ_N = P_K(Λ_N - S⁻¹ W). Where the system's answer does not confirm them, hinge_search.hpp turns
// edge after edge without a further factor; where that is not for it, pieces are read off again and
// the next system is solved, in the end with the part of its answer in K as far as q goes down and
// a sweep over the contacts. The rows are those of the velocity solve, whose pattern has been
// analysed, and whose factor is used where it says that its rows are the same.
//
// Contacts that form a loop (a box that stands on two columns) are statically indeterminate where
// they rest: the system has no unique answer, or none, until one of them tips. There Λ is pulled
// towards the loads that were there before, u + pull D (Λ - Λ₀) instead of u, and then towards
// those that were found, as often as it takes.
//
// To rounding, because what a position solve leaves is a penetration that asks for the next one.
#pragma once

#include "tact/sim/position_step.hpp"

namespace tact {

/// Λ over all rows in work.impulse: the start and the answer, which fulfils the law to a tenth of
/// tolerance::overlap, or of far gaps to rounding; with a pull to tolerance::turning. False where
/// the pieces have not settled after a few systems, or a contact alone is statically indeterminate;
/// work.impulse is of no use then. Expects work.target.
[[nodiscard]] bool position_newton(const PositionStep& step, BlockLu& lu, PositionWork& work);

}  // namespace tact
