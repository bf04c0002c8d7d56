// sim/hinge_search.hpp - which faces tip, found edge by edge from one factored system.
//
// The system of position_newton.hpp takes every contact to lie on a piece. Where one of them tips
// about an edge instead of resting, or rests instead of tipping, one number per edge changes:
//     u_N = a θ,   a.Λ_N = 0    instead of    u_N = 0,
// a the normal of the side of K over that edge, θ >= 0 the turning about it. One column, the answer
// of the factored system to a unit of θ (or of a.Λ where a hinge closes), says what that does to
// all contacts, and a system of as many unknowns as edges have turned says how far each goes. The
// edge that is worst off turns first, one that has turned and would be pulled turns back: the dual
// active set method, which goes down a convex function and needs no further factor. Where the
// system is one that pulls towards its start, it is told what has been found, and the search goes
// on.
#pragma once

#include "tact/sim/position_step.hpp"

namespace tact {

/// From the answer of the system in `lu` in work.impulse to one in which every edge does what its
/// law asks to `enough` [m]. A patch that is no polygon of 3 to 32 corners stays on its piece and
/// is for the caller to look at. False, and work.impulse an answer of that system, where one that
/// was apart lands or too many edges turn.
[[nodiscard]] bool search_hinges(const PositionStep& step, double enough, BlockLu& lu,
                                 PositionWork& work);

}  // namespace tact
