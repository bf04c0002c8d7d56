// cone/friction_law.hpp - Coulomb friction at a point: the laws, their labels and their residuals.
//
// Reference: [FrictionM4], in corrected form (docs/errata.md, FrictionM4). Rows (t1, t2, n):
// tangents first, normal last; λ an impulse or force on body 1, v the velocity of body 1 relative
// to body 2.
//     0 <= λ_n ⟂ v_n >= 0,   |λ_t| <= μ λ_n,   μ λ_n v_t + |v_t| λ_t = 0.
// Every residual below is zero iff the law holds: stick, slip and take-off alike.
#pragma once

#include <array>
#include <string_view>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

// ---------------------------------------------------------------------------------------- labels

enum class PointRegime {
  idle,      ///< neither force nor normal motion
  separate,  ///< take-off: λ = 0, v_n > 0, v_t free
  stick,     ///< v = 0, |λ_t| <= μ λ_n
  slide,     ///< v_n = 0, λ_t = -μ λ_n v_t / |v_t|
};
[[nodiscard]] std::string_view name(PointRegime regime);

struct PointScales {
  double force = 1;     ///< [N], or [N s] for impulses
  double velocity = 1;  ///< [m/s]
  double tolerance = tolerance::regime;
};

/// A label and how far it is from changing.
struct PointReport {
  PointRegime regime = PointRegime::idle;
  double multiplier = 0;   ///< γ >= 0 in v_t = -γ λ_t / |λ_t|: the sliding speed [m/s]
  double slip_margin = 0;  ///< μ λ_n - |λ_t|: tangential force left before it slips [N]
  double lift_margin = 0;  ///< λ_n: normal force left before it lifts [N]
};
/// [FrictionM4] stick, slip, take-off. The pair is assumed to satisfy the law; residuals tell.
[[nodiscard]] PointReport classify_point(double mu, const Vec3& lambda, const Vec3& v,
                                         const PointScales& scales);

// ------------------------------------------------------------------------------------- residuals

/// Signorini: min(λ_n, v_n) in the sense of the natural map, max(|min(λ_n, r v_n)|). [FrictionM4]
/// normal
[[nodiscard]] double signorini_residual(double lambda_n, double v_n, double rho);

/// Maximum dissipation: max over |ξ| <= μ λ_n of -ξ.v_t, minus -λ_t.v_t. Non-negative for every
/// admissible λ_t and zero iff λ_t dissipates most, with λ_n held. The note prints argmax λ'v_t,
/// which pushes along the motion. [FrictionM4] maximum dissipation
[[nodiscard]] double dissipation_gap(double mu, const Vec3& lambda, const Vec3& v);

/// (a) The multiplier form: μ λ_n v_t + σ λ_t = 0, 0 <= σ ⟂ μ λ_n - |λ_t| >= 0, 0 <= λ_n ⟂ v_n >= 0
/// with σ = |v_t|: norm of all violations, lengths in the unit of force (velocities times rho).
/// [FrictionM4] NCP
[[nodiscard]] double multiplier_residual(double mu, const Vec3& lambda, const Vec3& v, double rho);

/// (b) De Saxcé's shift: K_μ ∋ λ ⟂ v + μ |v_t| e_n ∈ K_μ* is Coulomb's law with Signorini's.
[[nodiscard]] Vec3 de_saxce_shift(double mu, const Vec3& v);
/// μ λ_n |v_t| + λ.v + (infeasibility is not judged): the bipotential gap, >= 0 on K_μ x {v_n >= 0}
/// and zero exactly on the graph of the law.
[[nodiscard]] double bipotential_gap(double mu, const Vec3& lambda, const Vec3& v);

/// (c) The natural map λ - P_K(λ - ρ (v + μ |v_t| e_n)), ρ > 0 [kg]. [FrictionM4] NCP
[[nodiscard]] Vec3 natural_map(double mu, const Vec3& lambda, const Vec3& v, double rho);

/// (d) Fischer–Burmeister on the second-order cone: x + y - (x∘x + y∘y)^½ with x = (μ λ_n, λ_t) and
/// y = ρ (v_n + μ |v_t|, μ v_t) both in the Lorentz cone, orthogonal iff the law holds. Returned in
/// the order (t1, t2, n). For μ = 0 its normal row is the scalar function and its tangents are λ_t.
/// [FrictionM4] NCP
[[nodiscard]] Vec3 fischer_burmeister(double mu, const Vec3& lambda, const Vec3& v, double rho);

// ------------------------------------------------------------------------------------------- box

enum class BoxBound { lower, stick, upper };
[[nodiscard]] std::string_view name(BoxBound bound);

/// Which bound each tangential axis is at; the bounds are ±c λ_n, c as in box.hpp.
[[nodiscard]] std::array<BoxBound, 2> box_bounds(double half_width, const Vec3& lambda,
                                                 const PointScales& scales);

/// -c λ_n <= λ_i <= c λ_n ⟂ v_i: at the lower bound v_i >= 0, at the upper bound v_i <= 0, between
/// them v_i = 0 (the note prints both signs the other way round). Zero iff it holds on both axes,
/// lengths in the unit of force. [FrictionM4] box
[[nodiscard]] double box_residual(double half_width, const Vec3& lambda, const Vec3& v, double rho);

}  // namespace tact
