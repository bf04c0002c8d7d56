// soft/material.hpp - the constants of a compliant pair from two elastic materials.
//
// Notation:  E Young's modulus, ν Poisson's ratio, G = E/(2(1 + ν)); 1/E* = Σ (1 - ν_i²)/E_i,
//            1/G* = Σ (2 - ν_i)/G_i, 1/G_e = Σ 1/G_i. Body i takes the share σ_i = E*(1 - ν_i²)/E_i
//            of the approach, σ_1 + σ_2 = 1, and σ_1 = α is where the contact centre lies.
// Reference: [Johnson] sec. 4.2 and 7.2, [Stramigioli] sec. 6.
#pragma once

#include <limits>
#include <string_view>

#include "tact/base/result.hpp"

namespace tact {

struct Material {
  double young_Pa = 1e6;       ///< E; infinite: a hard body
  double poisson = 0.3;        ///< ν, from -1 to ½
  double damping_s_per_m = 0;  ///< d of Hunt and Crossley, f = f_el (1 - d ġap), of this body alone
};

/// A body that keeps its shape.
inline constexpr Material hard_material{std::numeric_limits<double>::infinity(), 0, 0};

/// What a pair makes of them.
struct PairModuli {
  double normal_Pa = 0;        ///< E*
  double shear_Pa = 0;         ///< G*
  double torsion_Pa = 0;       ///< G_e
  double centre_share = 0.5;   ///< α = σ_1
  double damping_s_per_m = 0;  ///< d = σ_1² d_1 + σ_2² d_2
};

/// The damping is that of two dashpots that act one after the other: each body moves with the speed
/// σ_i ġap and is damped by it. Two equal bodies therefore have d/2; who knows the d of a pair,
/// from a drop test say, writes it into the pair and not into the materials.
[[nodiscard]] Result<PairModuli> pair_moduli(const Material& one, const Material& two,
                                             std::string_view name = "soft pair");

}  // namespace tact
