// solve/sliding_box.hpp - exact Coulomb discs that slide within small sectors: one solution, none,
// or not known.
//
// With the modes fixed, the unknowns are all impulses of sticking and polygonal contacts, and load
// N and direction angle θ of every sliding disc; the equations are as many. Over a box that holds
// every solution of the modes (bounds of the loads by linear programs, of θ by the sectors) one
// interval Newton step in Krawczyk's form,
//     K(Z) = z - Y F(z) + (1 - Y F'(Z)) (Z - z),
// proves that there is exactly one zero when K(Z) lies inside Z, and none when the two are apart.
// Intervals are rounded outwards; the loads of F come from exact rationals.
#pragma once

#include "tact/solve/exact_problem.hpp"

namespace tact {

struct SlidingVerdict {
  enum class End { unique, none, family, unknown };
  End end = End::unknown;
  SolutionPiece piece;    ///< of a unique solution
  ModeChoice rays;        ///< of a family: what is left of the modes, and some solution meets it
  bool singular = false;  ///< unknown, and halving sectors will not help: contacts are redundant
};

/// All units have a mode, at least one a sector.
[[nodiscard]] SlidingVerdict sliding_solution(const ExactProblem& problem,
                                              const ModeChoice& choice);

}  // namespace tact
