// contact/delassus.hpp - a contact problem reduced to its contacts: law(λ, G λ + b).
//
// What every solver and the judge work on. Made from a ContactProblem; the reduction is the one
// place where mass, rows, excitation, restitution and stabilisation meet.
#pragma once

#include <span>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/contact/mass.hpp"
#include "tact/contact/problem.hpp"
#include "tact/linalg/block_matrix.hpp"

namespace tact {

struct DelassusProblem {
  std::vector<LocalLaw> laws;
  BlockMatrix G;                      ///< [1/kg], one block row per contact
  VecX b;                             ///< free velocity
  std::vector<double> metric_values;  ///< of the diagonal blocks of G, one after the other
  std::vector<Index> metric_at;       ///< where each contact's begin
  /// What rounding of the bodies' velocities amounts to, as the root of an energy: the residual
  /// counts a smaller error as none. Zero where nothing is known of the bodies.
  double noise = 0;

  [[nodiscard]] Index contacts() const { return static_cast<Index>(laws.size()); }
  [[nodiscard]] Index rows() const { return b.size(); }
  [[nodiscard]] LocalMetric metric(Index i) const {
    return {laws[i].rows, metric_values.data() + metric_at[i]};
  }
};

/// Makes the metrics anew; to be called when G has changed. Allocates only when there are more.
void update_metrics(DelassusProblem& problem);

/// Laws, matrix and free velocity put together; the metrics follow.
[[nodiscard]] DelassusProblem delassus_problem(std::vector<LocalLaw> laws, BlockMatrix G, VecX b);

/// b = J (u⁻ + M⁻¹ p) + χ + e γ⁻ + s and G = J M⁻¹ J', or the problem's own.
/// Refuses what validate() refuses, and a mass that is not positive definite.
[[nodiscard]] Result<DelassusProblem> reduce(const ContactProblem& problem);

/// e γ⁻ + s on the normal rows, s on bounded ones, γ⁻ = `before`: what restitution and
/// stabilisation add to b.
[[nodiscard]] VecX law_shift(const ContactProblem& problem, const VecX& before);

/// Problems that share no contact, so that each can be solved alone. `contacts[k]` are the indices
/// of the contacts of the k-th.
struct Islands {
  std::vector<Index> offset, row_begin, col;  ///< pattern of the problem that was split
  std::vector<std::vector<Index>> contacts;
  std::vector<DelassusProblem> problems;
};
[[nodiscard]] Islands split(const DelassusProblem& problem);
/// The same into islands of an earlier problem; allocates nothing when that one had the same laws
/// and pattern.
void split(const DelassusProblem& problem, Islands& islands);

/// u⁺ = u⁻ + M⁻¹ (p + J'λ). The problem is in mass form and its mass can be factored.
[[nodiscard]] VecX velocity_after(const ContactProblem& problem, const VecX& lambda);

/// What the law is written in: γ = J u⁺ + χ, without restitution and stabilisation.
[[nodiscard]] VecX contact_velocity(const ContactProblem& problem, const VecX& velocity);

}  // namespace tact
