// impact/impact.hpp - one impact as plain data: before, after, and what lies between.
//
//     M (u⁺ - z) = J'λ,    z = u⁻ + M⁻¹ p,     γ(u) = J u + χ,    λ_i in K_i.
// The smooth impulse p (a hammer, gravity over a step) acts first: z is what the contacts see. Its
// velocity is data, so that whoever checks needs products only: M (z - u⁻) = p.
// [Glocker] 5, and 11 with the sequential split (docs/impact.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/base/expects.hpp"
#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"
#include "tact/impact/impulse_cone.hpp"
#include "tact/impact/products.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {

template <class T>
struct Impact {
  using Vector = std::vector<T>;

  std::vector<Vector> mass;             ///< M, row by row
  std::vector<Vector> rows;             ///< J, contact after contact
  Vector excitation;                    ///< χ
  Vector before;                        ///< u⁻
  Vector impulse;                       ///< p
  Vector free;                          ///< z
  Vector after;                         ///< u⁺
  std::vector<Index> offset;            ///< first row of every contact, and the number of rows
  std::vector<ImpulseCone<T>> cone;     ///< one per contact
  std::vector<ImpulseCone<T>> opening;  ///< the same without friction
  /// Whether some number is a double of many digits that nobody put in quotes: a tenth, a third,
  /// the outcome of a law. It stands for a number nearby.
  bool rounded = false;
  std::optional<Vector> impulses;  ///< λ, where somebody claims to know it

  [[nodiscard]] Index dof() const { return static_cast<Index>(before.size()); }
  [[nodiscard]] Index contacts() const { return static_cast<Index>(cone.size()); }
};

/// The problem's outcome as an impact. Refuses Delassus form, a mass that is not symmetric positive
/// definite, and a problem without an outcome. Gaps and stabilisation are the step's business
/// (ledger), not the impact's.
[[nodiscard]] Result<Impact<double>> impact(const ContactProblem& problem);
/// The same without rounding; `exact` has the numbers that are not doubles.
[[nodiscard]] Result<Impact<Exact>> exact_impact(const ContactProblem& problem,
                                                 const std::vector<ExactNumber>& exact);

/// γ(u) = J u + χ.
template <class T>
[[nodiscard]] std::vector<T> contact_velocity(const Impact<T>& impact, const std::vector<T>& u) {
  std::vector<T> out = product(impact.rows, u);
  add(out, 1, impact.excitation);
  return out;
}
/// M x.
template <class T>
[[nodiscard]] std::vector<T> momentum(const Impact<T>& impact, const std::vector<T>& x) {
  return product(impact.mass, x);
}
/// J'λ.
template <class T>
[[nodiscard]] std::vector<T> generalised(const Impact<T>& impact, const std::vector<T>& lambda) {
  TACT_EXPECTS(lambda.size() == impact.rows.size());
  std::vector<T> out(static_cast<std::size_t>(impact.dof()), T(0));
  for (std::size_t r = 0; r < lambda.size(); ++r) add(out, lambda[r], impact.rows[r]);
  return out;
}

}  // namespace tact
