// solve/static_equilibrium.hpp - impulses that keep bodies where they are, if there are any.
//
// Coulomb's law may allow a structure at rest both to stay and to fall: a triangle of logs stands
// by some of its contact forces and rolls apart by others, and a solver of the law may find either.
// The associated problem is convex: friction and normal load are projected onto the cone together,
// and the velocity is unique. It is zero wherever some admissible impulses balance the load, and
// there the associated law is Coulomb's. Patches press at their corners here; the caller checks the
// impulses by their own laws. Reference: Anitescu 2006 for the convex problem.
#pragma once

#include "tact/solve/augmented_newton.hpp"

namespace tact {

/// Scratch; dirty is fine.
struct StaticEquilibriumWorkspace {
  /// A point of a contact, or all of its rows: u of the part = T u of the contact.
  struct Part {
    Index contact = 0;
    LocalMatrix T;
  };
  std::vector<Part> parts;
  DelassusProblem problem;  ///< of the parts; of G the diagonal alone
  BodyRows bodies;
  std::vector<double> Y;
  AugmentedNewtonWorkspace newton;
  VecX lambda;
  int iterations = 0;  ///< systems
};

/// The least-energy impulses of the associated problem, over the rows of `problem`.
void static_impulses(const BodyProblem& problem, const SolveOptions& options,
                     StaticEquilibriumWorkspace& work, VecX& lambda);

}  // namespace tact
