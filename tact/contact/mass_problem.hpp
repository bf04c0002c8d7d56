// contact/mass_problem.hpp - a contact problem kept in mass form: no Delassus matrix is made.
//
//     M v = f + J'λ,      u = J v + c,      law(λ, u),
// with f = M u⁻ + p and c = χ + e γ⁻ + s. For systems whose mass matrix couples everything (finite
// elements, long chains) and for heaps of redundant contacts G is large and full; M and J are not.
#pragma once

#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/contact/mass.hpp"
#include "tact/contact/problem.hpp"
#include "tact/contact/residual.hpp"

namespace tact {

struct MassProblem {
  std::vector<LocalLaw> laws;
  std::vector<Index> offset;  ///< first row of every contact
  SparseMatrix M, J;
  MassFactor factor;  ///< of M
  VecX f, c;
  VecX b;  ///< free velocity J M⁻¹ f + c: the scale of the judge
  std::vector<double> metric_values;
  std::vector<Index> metric_at;
  double diagonal = 0;  ///< mean of |diag J M⁻¹ J'|

  [[nodiscard]] Index contacts() const { return static_cast<Index>(laws.size()); }
  [[nodiscard]] Index rows() const { return J.rows(); }
  [[nodiscard]] LocalMetric metric(Index i) const {
    return {laws[i].rows, metric_values.data() + metric_at[i]};
  }
};

/// Refuses what reduce() refuses, and a problem in Delassus form. Of J M⁻¹ J' only the diagonal
/// blocks are computed, one contact at a time.
[[nodiscard]] Result<MassProblem> mass_problem(const ContactProblem& problem);

/// v = M⁻¹ (f + J'λ) and u = J v + c.
void velocities(const MassProblem& problem, const VecX& lambda, VecX& v, VecX& u);

[[nodiscard]] JudgedContacts judged(const MassProblem& problem);

}  // namespace tact
