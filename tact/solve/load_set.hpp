// solve/load_set.hpp - what one contact may carry while it moves in a given way, as a cone.
//
// At a known motion u = (W, τ) the law leaves a set of loads that is convex for most laws:
//     N in K with N.W = 0        nothing, a corner, an edge, the whole patch,
//     T in F(N) with no motion, the load of most dissipation against it otherwise,
// written { E y : C y in Q_1 x Q_2 x ... }, Q second-order cones, the first row of each its height.
// The interval of a bounded row is no cone: { E y + constant : C y + h in Q_1 x ... }.
//
// The friction of a patch depends on where the pressure is, and load and friction together are not
// convex (but for VertexModel at rest). The set is then made about a pressure pattern, the centre
// of pressure c and the forces w of nodes at rest: to first order in the load,
//     T(N) = f T(c) + ∂T/∂c (s - f c),
// exact on the ray of loads with that centre. Solving and making the set anew about the answer is
// Newton's method.
#pragma once

#include <vector>

#include "tact/contact/delassus.hpp"

namespace tact {

/// How a contact moves: the velocities the law sees, and what counts as none.
struct LoadMotion {
  const double* u = nullptr;
  const double* unit = nullptr;  ///< per row; velocities are compared after multiplying by it
  double still = 0;              ///< a velocity times its unit below this is none
};

/// Such units: one over the root of the diagonal of the contacts' own metrics.
[[nodiscard]] VecX row_units(const DelassusProblem& problem);

/// One bound |T| <= mu n of a point, on one or two rows.
struct RoundBound {
  Index row = 0, count = 0;
  double mu = 0;
};
/// Of planar friction, discs and rolling; none of other laws.
[[nodiscard]] std::vector<RoundBound> round_bounds(const LocalLaw& law);

/// What the set of a patch with friction is made about. Empty: the middle of what is closed.
struct PressurePattern {
  bool known = false;
  Vec2 c = Vec2::Zero();    ///< centre of pressure
  std::vector<Vec3> force;  ///< of every node, per unit of normal force; zero while it moves
};

struct LoadSet {
  MatX E;                    ///< rows of the contact x unknowns
  MatX C;                    ///< rows of the cones x unknowns
  std::vector<Index> cones;  ///< their sizes
  VecX constant, h;          ///< of a bounded row; empty otherwise, which means zero
  bool frozen = false;       ///< made about a pattern: the answer has to be looked at again

  // ---- of a patch with friction
  std::vector<Index> node_unknowns;   ///< where the force of each node starts; -1 while it moves
  std::vector<Index> node_dimension;  ///< 2, or 3 where it resists spin
};

/// How fast the contact would penetrate [m/s]: minus the least normal velocity. A bounded row does
/// not open: the speed of one that no bound lets move, otherwise zero.
[[nodiscard]] double approach(const LocalLaw& law, const double* u);

/// Whether no part of the contact stays closed.
[[nodiscard]] bool opens(const LocalLaw& law, const LoadMotion& motion);

/// The points and round parts of a patch that stay closed: their hull carries its normal load.
[[nodiscard]] std::vector<EllipseForm> closed_parts(const LocalLaw& law, const LoadMotion& motion);

/// Without unknowns when the contact opens. What would penetrate counts as closed.
[[nodiscard]] LoadSet load_set(const LocalLaw& law, const LoadMotion& motion,
                               const PressurePattern& pattern);

/// The pattern of the load E y; unchanged without a normal force.
void update_pattern(const LocalLaw& law, const LoadSet& set, const VecX& y,
                    PressurePattern& pattern);

}  // namespace tact
