// solve/inverse_parts.hpp - an inverse problem in units of its own, shared by the search for forces
// and the search for the reason why there are none.
#pragma once

#include <vector>

#include "tact/contact/delassus.hpp"
#include "tact/solve/force_program.hpp"
#include "tact/solve/inverse_dynamics.hpp"
#include "tact/solve/load_set.hpp"

namespace tact {

/// Equations in units of the root of each diagonal of M, impulses in units of what the motion
/// needs.
struct InverseParts {
  InverseParts(const ContactProblem& p, const InverseWish& w)
      : problem(p), wish(w), dt(w.dt > 0 ? w.dt : p.dt), offset(row_offsets(p.contacts)) {}

  const ContactProblem& problem;
  InverseWish wish;  ///< with all bounds and weights
  double dt;
  std::vector<LocalLaw> laws;
  std::vector<Index> offset;
  VecX row_unit;     ///< of contact rows: one over the root of the mobility
  VecX u;            ///< what the laws see
  double size = 0;   ///< the largest velocity at a contact, in those units
  double still = 0;  ///< what counts as none
  VecX dof_unit;     ///< M_dd^(-1/2)
  double scale = 1;  ///< of impulses in those units
  MatX B, J;         ///< dof_unit h B and dof_unit J', dense
  VecX r;            ///< dof_unit (M (u⁺ - u⁻) - p) / scale
  VecX tau_unit;     ///< τ of the program is τ / tau_unit

  [[nodiscard]] LoadMotion motion(Index i) const {
    return {u.data() + offset[i], row_unit.data() + offset[i], still};
  }
};

/// The program about the given patterns.
struct PosedInverse {
  ForceProgram program;
  std::vector<LoadSet> sets;
  std::vector<Index> first;    ///< unknown of every contact
  std::vector<double> y_unit;  ///< y of the program is y / y_unit
  std::vector<Index> bounded;  ///< actuators with a bound
  bool frozen = false;

  /// λ of an answer.
  [[nodiscard]] VecX lambda(const InverseParts& parts, const VecX& z) const;
};

[[nodiscard]] PosedInverse pose(const InverseParts& parts, double regularisation,
                                const std::vector<PressurePattern>& patterns);

/// Why the program has no answer: obstacle, sentence, contact or actuator, amount. `proof` is what
/// solve() said of it.
void explain(const InverseParts& parts, const PosedInverse& posed, const ForceProgramAnswer& proof,
             InverseReport& report);

/// Three digits.
[[nodiscard]] std::string short_number(double x);

}  // namespace tact
