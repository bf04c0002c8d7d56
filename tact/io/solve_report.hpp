// io/solve_report.hpp - the answer to a contact problem, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/labels.hpp"
#include "tact/contact/problem.hpp"
#include "tact/contact/residual.hpp"
#include "tact/solve/force_range.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

/// An answer with the evidence for it.
struct SolveAnswer {
  SolveReport report;
  ResidualParts parts;
  VecX lambda;                     ///< all impulses, contact after contact
  VecX contact_velocity;           ///< γ⁺ in mass form, G λ + b in Delassus form
  std::optional<VecX> velocity;    ///< u⁺, in mass form
  std::optional<double> momentum;  ///< residual of the momentum balance, in mass form
  std::vector<ContactLabel> labels;
  std::optional<ForceRange> range;   ///< on request
  std::optional<VecX> jam_ray;       ///< why there is no solution
  std::vector<std::string> held_by;  ///< then, the constraints that hold each other, by name
  double seconds = 0;                ///< of the solve alone
};

/// One row of the comparison of solvers.
struct SolverTrial {
  SolveReport report;
  double seconds = 0;
  double distance = 0;  ///< of its contact velocities to those of the best answer, relative
};

/// Everything that follows from the impulses: velocities, labels, residuals. `law_velocity` is
/// what the laws see, G λ + b; `ray` proves that there is no solution, empty otherwise.
[[nodiscard]] SolveAnswer explain(const ContactProblem& problem, const JudgedContacts& contacts,
                                  const SolveReport& report, const VecX& lambda,
                                  const VecX& law_velocity, const VecX& ray = {});

struct SolveReportDetail {
  bool fc3d = false;  ///< print the collection's residual
};

[[nodiscard]] std::string solve_json(const ContactProblem& problem, const SolveAnswer& answer,
                                     const std::vector<SolverTrial>& trials,
                                     const SolveReportDetail& detail);
/// A table of the contacts, most telling columns only, and the figures below it.
[[nodiscard]] std::string solve_table(const ContactProblem& problem, const SolveAnswer& answer,
                                      const std::vector<SolverTrial>& trials);

}  // namespace tact
