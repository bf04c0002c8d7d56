// impact/energy_frame.hpp - an impact made ready: velocities measured so that |y|² is twice an
// energy.
//
// With M = L L' and y = L'(u - z), z = u⁻ + M⁻¹ p the velocity just before the contacts act (the
// smooth impulse p comes first), every impact reads
//     y = B λ,    B = L⁻¹ J',    γ⁺ = γ⁻ + B'y,    γ⁻ = J z + χ,    ½|y|² = ½|u⁺ - z|²_M.
// Without friction λ is made of pushes, rays of the contacts' normal cones: the normal of a point,
// [x^perp, 1] for every corner x of a patch with a polygonal hull; λ = Σ g_j x_j, x >= 0.
// Gaps and stabilisation take no part: an impact has no duration and all its contacts are closed.
// Reference: [Glocker] Sec. 5.
#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "tact/base/result.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

/// A ray of a contact's normal cone, in the rows [m_T, f_N] of its law; of a point the last counts.
struct Push {
  Index contact = 0;
  Vec3 load = Vec3::UnitZ();
};

/// That of the corner x of a patch.
[[nodiscard]] inline Vec3 load_at(const Vec2& x) {
  return {x[1], -x[0], 1};
}

struct ImpactFrame {
  std::vector<Index> offset;    ///< first row of every contact
  std::vector<RowSplit> split;  ///< of every contact
  std::vector<LocalLaw> laws;
  VecX before;                        ///< z
  VecX gamma;                         ///< γ⁻, one per row
  Eigen::SparseMatrix<double> lower;  ///< L
  MatX rows;                          ///< B [dof x rows]

  bool frictionless = true;  ///< no contact has friction
  bool polyhedral = true;    ///< and every hull has finitely many corners

  // ---- where polyhedral
  std::vector<Push> pushes;
  MatX columns;      ///< B of the pushes [dof x pushes]
  VecX approach;     ///< γ⁻ of the pushes
  VecX restitution;  ///< e of their contacts

  /// u of y.
  [[nodiscard]] VecX velocity(const VecX& y) const;
  /// λ of the sizes of the pushes.
  [[nodiscard]] VecX impulses(const VecX& sizes) const;
};

/// Refuses what validate() refuses, a problem in Delassus form (it does not tell γ⁻ from e γ⁻), and
/// a mass that is not symmetric positive definite.
[[nodiscard]] Result<ImpactFrame> impact_frame(const ContactProblem& problem);

/// The problem as the contacts find it: at z, nothing else acting, all closed, every restitution
/// times `factor`.
[[nodiscard]] ContactProblem at_impact(const ContactProblem& problem, const ImpactFrame& frame,
                                       double factor);

/// y = B λ, γ⁺ = γ⁻ + B'y and the work of the contacts W = γ⁻.λ + ½|y|² = ½(γ⁺ + γ⁻).λ, with
/// `size` = ½|y|² + Σ|γ⁻λ| to compare it with. Sums in long double: impulses of nearly parallel
/// contacts are large and cancel. [Glocker] Sec. 3
struct ImpactMotion {
  VecX y, gamma_plus;
  double work = 0, size = 0;
};
[[nodiscard]] ImpactMotion motion_of(const ImpactFrame& frame, const VecX& lambda);

}  // namespace tact
