// geom/edge_circles.hpp - the least reach of the difference of a cylinder and a box, edge by edge.
//
// Notation: d unit; h(d) = d·c + Σ_i L_i |d·g_i| + r |d - (d·a)a| the support function of the
//           difference set, c between the centres, a and r axis and radius of the cylinder, g_i,
//           L_i the half edges of the box and, as the fourth, the half axis (g_4 = a).
// Where h is smooth it curves up in one direction only, for a disc is flat: least values lie at ±a
// or where two pieces of the sum meet, d ⊥ g_i. So it is enough to look at four circles. Between
// the places where two terms change at once h is r √(1 - α² cos²ψ) + A cos ψ + B sin ψ on such a
// circle, whose slope vanishes where t = tan ψ is a root of (A t - B)² (t² + 1 - α²) - r² α⁴ t².
#pragma once

#include "tact/geom/support.hpp"

namespace tact {

/// The direction of the least h found on the circles; exact but for rounding, with no start needed.
/// `enough`: arcs that cannot come below are left out. Expects a cylinder and a box, in any order.
[[nodiscard]] Vec3 least_over_edges(const CorePair& pair, double enough);

}  // namespace tact
