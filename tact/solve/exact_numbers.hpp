// solve/exact_numbers.hpp - the numbers of a contact problem as rationals: doubles taken at their
// word, and what a file gave in quotes in their place.
#pragma once

#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"
#include "tact/poly/exact_lp.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {

/// The numbers of a contact problem, dense; what is empty there and means zero is zeros here.
template <class T>
struct ProblemNumbers {
  std::vector<std::vector<T>> mass, rows, delassus;
  std::vector<T> velocity, impulse, excitation, free_velocity;
  std::vector<T> mu, restitution, gap, stabilisation;  ///< one per contact
  std::vector<T> after;                                ///< u⁺ of the outcome; empty without one
  std::vector<T> impulses;                             ///< λ of the outcome; empty without them
  T dt = T(0);
  /// Whether a double of many digits is among them that no exact number replaces.
  bool rounded = false;
};
using RationalProblem = ProblemNumbers<Exact>;

/// Doubles taken at their word; T is double or Exact.
template <class T>
[[nodiscard]] ProblemNumbers<T> numbers_of(const ContactProblem& problem);

/// Refuses an exact number that has no place in the problem. The problem is valid.
[[nodiscard]] Result<RationalProblem> rational_problem(const ContactProblem& problem,
                                                       const std::vector<ExactNumber>& exact);

}  // namespace tact
