// solve/exact_numbers.hpp - the numbers of a contact problem as rationals: doubles taken at their
// word, and what a file gave in quotes in their place.
#pragma once

#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"
#include "tact/poly/exact_lp.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {

struct RationalProblem {
  std::vector<ExactVector> mass, rows, delassus;
  ExactVector velocity, impulse, excitation, free_velocity;
  ExactVector mu, restitution, gap, stabilisation;  ///< one per contact
  ExactVector after;                                ///< u⁺ of the outcome; empty without one
  ExactVector impulses;                             ///< λ of the outcome; empty without them
  Exact dt;
  /// Whether a double of many digits is among them that no exact number replaces.
  bool rounded = false;
};

/// Refuses an exact number that has no place in the problem. The problem is valid.
[[nodiscard]] Result<RationalProblem> rational_problem(const ContactProblem& problem,
                                                       const std::vector<ExactNumber>& exact);

}  // namespace tact
