// contact/law.hpp - what a contact may do: the laws of a contact problem, as values.
//
// Every law has one shape. A normal load N in a cone, complementary to the normal motion W, and a
// friction load T of maximum dissipation in a convex set F(N) that grows with N:
//     K ∋ N ⟂ W ∈ K*,      T in argmin_{T in F(N)} T.τ.
// A bounded row has no normal load, and its F is an interval that nothing changes.
// Rows of a contact, in this order everywhere (files, output, solvers):
//     frictionless point        [n]
//     bounded row               [t]
//     point with friction       [t1, t2, n], or [t, n] when planar
//     patch without friction    [ω_T(2), v_N]
//     patch with friction, and point with rolling friction
//                               [ω_T(2), ω_N, v_T(2), v_N]
#pragma once

#include <limits>
#include <string_view>
#include <variant>

#include "tact/base/result.hpp"
#include "tact/cone/box.hpp"
#include "tact/cone/patch_friction.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Signorini at a point: 0 <= λ_n ⟂ u_n >= 0.
struct Frictionless {
  bool operator==(const Frictionless&) const = default;
};

/// Coulomb: the disc |T| <= mu N. [FrictionM4] stick, slip
struct CoulombLaw {
  double mu = 0;
  bool planar = false;  ///< rows [t, n]
  bool operator==(const CoulombLaw&) const = default;
};
/// Each axis bounded on its own, |T_i| <= scale mu N. [FrictionM4] box
struct BoxLaw {
  double mu = 0;
  double scale = BoxScale::inscribed().value;
  bool planar = false;
  bool operator==(const BoxLaw&) const = default;
};
/// The regular polygon of k corners mu (cos 2πi/k, sin 2πi/k). In the plane k is of no account.
struct PyramidLaw {
  double mu = 0;
  int edges = 4;
  bool planar = false;
  bool operator==(const PyramidLaw&) const = default;
};
/// Coulomb at a point that also resists rolling and spinning: |f_T| <= mu f_N, |m_T| <= rolling
/// f_N, |m_N| <= spinning f_N, each on its own.
struct RollingLaw {
  double mu = 0;
  double rolling = 0;   ///< [m]
  double spinning = 0;  ///< [m]
  bool operator==(const RollingLaw&) const = default;
};
/// The planar Signorini condition. [MontMarin25] (17)
struct FrictionlessPatch {
  PatchShape shape;
  bool operator==(const FrictionlessPatch&) const = default;
};
/// The same with Coulomb friction under the pressure that `model` assumes.
struct FrictionalPatch {
  PatchShape shape;
  double mu = 0;
  PatchFriction model = EffectivePatch{};
  bool operator==(const FrictionalPatch&) const = default;
};

/// One row whose impulse stays in an interval and opposes the motion:
///     λ in [lower, upper],      (λ' - λ) γ >= 0 for all λ' in [lower, upper];
/// γ > 0 goes with λ = lower, γ < 0 with λ = upper, and in between γ = 0. Dry friction of a joint
/// (±f dt), a motor with a limit, and without bounds an equation, γ = 0 whatever it takes.
struct BoundedLaw {
  double lower = -std::numeric_limits<double>::infinity();  ///< [N s] or [N m s]
  double upper = std::numeric_limits<double>::infinity();
  bool operator==(const BoundedLaw&) const = default;
};

using Law = std::variant<Frictionless, CoulombLaw, BoxLaw, PyramidLaw, RollingLaw,
                         FrictionlessPatch, FrictionalPatch, BoundedLaw>;

/// `frictionless`, `coulomb`, `box`, `pyramid`, `rolling`, `patch`, `patch_friction`, `bounded`.
[[nodiscard]] std::string_view name(const Law& law);

/// Rows of the contact: 1, 2, 3 or 6.
[[nodiscard]] Index row_count(const Law& law);

/// Which rows carry the normal load N and which the friction load T, in the order of the law's own
/// vectors: N = [], [n] or [m_T, f_N]; T = [t], [t1, t2], [f_T, m_N] or [f_T, m_T, m_N].
struct RowSplit {
  Index normal_count = 0, tangent_count = 0;
  Index normal[3] = {}, tangent[5] = {};
};
[[nodiscard]] RowSplit row_split(const Law& law);

/// The friction coefficient; zero without friction.
[[nodiscard]] double friction_of(const Law& law);

/// Refuses a negative or non-finite coefficient, fewer than three edges, a shape without points,
/// bounds that leave no impulse.
/// The sentence starts with the field at fault.
[[nodiscard]] Result<bool> validate(const Law& law);

}  // namespace tact
