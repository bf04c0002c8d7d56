// io/all_solutions_report.hpp - all solutions of a contact problem, told to people and to machines.
#pragma once

#include <string>

#include "tact/contact/problem.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {

struct AllSolutionsDetail {
  bool checked = false;  ///< the verifier accepted the proof
  bool proof = false;    ///< print the tree of certificates
  double seconds = 0;    ///< of the search
};

/// "exactly one solution (proved by 12 certificates)", "no solution (...)", "3 solutions ...".
[[nodiscard]] std::string all_solutions_verdict(const AllSolutions& all);

[[nodiscard]] std::string all_solutions_json(const ContactProblem& problem, const AllSolutions& all,
                                             const AllSolutionsDetail& detail);
/// One table per solution, and the verdict below.
[[nodiscard]] std::string all_solutions_table(const ContactProblem& problem,
                                              const AllSolutions& all,
                                              const AllSolutionsDetail& detail);

}  // namespace tact
