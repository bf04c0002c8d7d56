// contact/residual.hpp - the judge: how far impulses are from solving a contact problem.
//
// Independent of every solver: it recomputes the velocities from the problem and knows nothing of
// how the impulses were found. Solvers, tests, reports and benchmarks are graded by it alone.
//
// All figures are pure numbers. The natural residual measures impulses in the metric D of the
// contacts' own Delassus blocks, which turns them into energies, so that it does not depend on
// units, frames or the scale of the masses:
//     e_i = |λ_i - Π_i(λ_i - D_i⁻¹ u_i)|_D,    residual = (Σ e_i²)^½ / max(|λ|_D, |b|_{D⁻¹}),
// the scale taken with the diagonal of D.
// It is zero exactly at solutions. Reference: [FrictionM4] NCP, [MontMarin25] (17).
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "tact/contact/delassus.hpp"

namespace tact {

/// (Σ D_rr λ_r²)^½ and (Σ b_r² / D_rr)^½, the roots of energies; the larger is the scale of all
/// figures. Of D only the diagonal counts here: a block of low rank has no honest inverse.
struct EnergyScales {
  double load = 0, motion = 0;
  [[nodiscard]] double larger() const { return std::max(load, motion); }
};

struct Residual {
  double natural = 0;  ///< the figure above: the one a solver must bring down
  /// The same error over |b|_{D⁻¹} alone. Where impulses grow without bound (a jam), the scale of
  /// the figure above grows with them and hides the error; this one shows it.
  double unhidden = 0;
  double growth = 0;  ///< |λ| over what stops every contact; grows without bound in a jam

  /// What counts: the natural residual, or a share of the unhidden one where that is larger.
  [[nodiscard]] double figure() const { return std::max(natural, tolerance::unhidden * unhidden); }
  /// The measure in use for the FCLIB collection, with ρ = 1/mean|diag G|, û = u + mu |u_t| e_n:
  /// |λ - P_K(λ - ρ û)| / (ρ |b|). Defined when every contact is a point without or with exact
  /// Coulomb friction.
  std::optional<double> fc3d;
  Index worst_contact = -1;  ///< the one with the largest e_i; -1 without contacts
  double worst = -1;         ///< its e_i²
  EnergyScales scales;
};

/// What a residual is made of.
struct ResidualParts {
  double primal = 0;  ///< distance of λ to admissible loads, |λ - Π(λ)|_D over the scale
  double dual = 0;    ///< distance of the normal velocities to K*, over the scale; and the
                      ///< velocities of bounded rows that no bound lets move
  double complementarity = 0;  ///< Σ|N.W| over the squared scale
  double dissipation = 0;      ///< Σ (max over F(N) of -T.τ) + T.τ over the squared scale
};

/// Scratch of the judge; dirty is fine.
struct JudgeWorkspace {
  VecX u;
  LocalWorkspace local;
};

/// The judge's core: contacts, impulses and the velocities u that follow from them, however those
/// were computed. `b` is the free velocity, `diagonal` the mean of |diag G|.
struct JudgedContacts {
  std::span<const LocalLaw> laws;
  std::span<const Index> offset;
  std::span<const Index> metric_at;
  const double* metric_values = nullptr;
  const VecX& b;
  double diagonal = 0;
  double noise = 0;  ///< see DelassusProblem

  [[nodiscard]] LocalMetric metric(std::size_t i) const {
    return {laws[i].rows, metric_values + metric_at[i]};
  }
};
[[nodiscard]] JudgedContacts judged(const DelassusProblem& problem);
[[nodiscard]] Residual residual(const JudgedContacts& contacts, const VecX& lambda, const VecX& u,
                                LocalWorkspace& work);
[[nodiscard]] ResidualParts residual_parts(const JudgedContacts& contacts, const VecX& lambda,
                                           const VecX& u);

[[nodiscard]] EnergyScales energy_scales(const JudgedContacts& contacts, const VecX& lambda);
/// |b|_{D⁻¹}, open gaps included: what rounding of the velocities is a share of.
[[nodiscard]] double rounding_scale(const JudgedContacts& contacts);
[[nodiscard]] EnergyScales energy_scales(const DelassusProblem& problem, const VecX& lambda);
[[nodiscard]] double energy_scale(const DelassusProblem& problem, const VecX& lambda);

[[nodiscard]] Residual residual(const DelassusProblem& problem, const VecX& lambda,
                                JudgeWorkspace& work);
[[nodiscard]] Residual residual(const DelassusProblem& problem, const VecX& lambda);

/// Adds to the residual of some contacts that of others, which are not coupled to them; `of` says
/// which they are. What is joined from nothing, in any parts, is the residual of all, but for the
/// collection's measure: that of the worst part.
void join(const Residual& part, std::span<const Index> of, Residual& whole);

/// Whether every contact is a point that carries nothing and is not approached, b >= 0 on its
/// normal row, or a bounded row at rest without load: the law then holds exactly whatever the
/// metrics, and all figures are zero.
[[nodiscard]] bool is_apart(const DelassusProblem& problem, const VecX& lambda);
[[nodiscard]] ResidualParts residual_parts(const DelassusProblem& problem, const VecX& lambda);

/// |M (u⁺ - u⁻) - p - J'λ| over the largest of its terms, all in the metric of diag(M)⁻¹.
[[nodiscard]] double momentum_residual(const ContactProblem& problem, const VecX& lambda,
                                       const VecX& velocity);

}  // namespace tact
