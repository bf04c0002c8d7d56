// soft/normal_law.hpp - the normal force of a compliant contact as the derivative of an energy.
//
// The energy U(gap, κ) is a function of the gap and of the principal relative curvatures
// κ_a <= κ_b, the eigenvalues of A_rel = A1 + A2, and of nothing else: only then no path in which
// the gap opens and closes, or in which the bodies roll to where they are curved differently, makes
// energy. The force is f_el = -∂U/∂gap >= 0. When the curvature changes, power -dU/dA_rel : Ȧ_rel
// flows too; who leaves that out (the rolling wrench) has an active contact.
//
// Reference: [Stramigioli] sec. 5.3 and 6.
#pragma once

#include <functional>
#include <variant>

#include "tact/linalg/types.hpp"
#include "tact/soft/patch_ellipse.hpp"

namespace tact {

/// What an energy says at one gap and curvature.
struct NormalEnergy {
  double energy = 0;                 ///< U [J]
  double force = 0;                  ///< f_el = -∂U/∂gap [N]
  Vec2 by_curvature = Vec2::Zero();  ///< ∂U/∂κ_a, ∂U/∂κ_b [J m]
};

/// Kelvin-Voigt: U = ½ k gap², f = -k gap - b ġap; with d instead of b, Hunt and Crossley's.
struct LinearNormal {
  double stiffness_N_per_m = 1e4;
  double damping_Ns_per_m = 0;  ///< b
  double damping_s_per_m = 0;   ///< d
  bool never_pulls = true;      ///< f >= 0; otherwise damping may pull until the gap opens
};

/// Hertz: U = (2/5) K_h |gap|^(5/2), with Hunt-Crossley damping f = f_el (1 - d ġap).
struct HertzNormal {
  double modulus_Pa = 1e6;     ///< E*, see soft/material.hpp
  double damping_s_per_m = 0;  ///< d of the pair
  bool circular = false;       ///< as if the patch were round, of the mean curvature
};

/// Any other energy, asked only where gap < 0. The curvatures are κ_a <= κ_b [1/m].
struct UserNormal {
  std::function<NormalEnergy(double gap, const Vec2& curvatures)> energy;
  double damping_s_per_m = 0;  ///< Hunt-Crossley
};

using NormalLaw = std::variant<LinearNormal, HertzNormal, UserNormal>;

/// One evaluation.
struct NormalState {
  double energy = 0;          ///< U [J]
  double force = 0;           ///< f_el [N], >= 0
  Mat2 dU_dA = Mat2::Zero();  ///< symmetric; U̇ = -f_el ġap + dU_dA : Ȧ_rel
  PatchEllipse patch;         ///< where the bodies touch; no patch at gap >= 0
};

/// @param A_rel  A1 + A2 in the tangent basis [1/m]; positive definite where the law or the patch
///               uses it.
[[nodiscard]] NormalState normal_state(const NormalLaw& law, PatchModel patch, double gap,
                                       const Mat2& A_rel);

/// The force with damping, f = max(0, f_el (1 - d ġap) - b ġap). Zero at gap >= 0 whatever the
/// rate. [Stramigioli] (39), (40) for the normal
[[nodiscard]] double damped_force(const NormalLaw& law, double gap, double elastic_force,
                                  double gap_rate);

}  // namespace tact
