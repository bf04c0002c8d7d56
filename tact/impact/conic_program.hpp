// impact/conic_program.hpp - contact velocities inside cones, as second-order cone programs in few
// unknowns.
//
// With γ(b) = γ(z) + A'w (impact/generator_columns.hpp) every ellipse c + E s of a hull is one
// second-order cone:  γ(b) in K*  says  (γ_N + c.γ_f, E'γ_f) in Q;  several factors share the
// normal load by one unknown each. The multipliers of these cones are the impulses, so one small
// program gives both sides of a bound. What comes out is good to what an interior-point method
// leaves: where to look, no proof.
#pragma once

#include "tact/impact/generator_columns.hpp"

namespace tact {

/// The velocity that is deepest inside.
struct WidestOpening {
  VecX w;             ///< b = z + L⁻ᵀ w
  double margin = 0;  ///< the least opening there, in units of the data; never more than one
  /// Where the margin is not positive: y in K with A y = 0 and ±γ(z).y no more than that.
  Distribution<double> ray;
};

/// max over w of the least opening of sign (gamma + A'w) in all cones.
[[nodiscard]] WidestOpening widest_opening(const Impact<double>& impact, const EnergyForm& form,
                                           const std::vector<ImpulseCone<double>>& cones,
                                           const VecX& gamma, int sign);

/// Both sides of a bound on the work.
struct ConicEnd {
  VecX w;                         ///< b = z + L⁻ᵀ w
  Distribution<double> impulses;  ///< A x = change
};

/// min sign change.w over sign (γ(z) + A'w) in all duals of impact.cone.
[[nodiscard]] ConicEnd conic_end(const Impact<double>& impact, const EnergyForm& form,
                                 const VecX& change, int sign);

}  // namespace tact
