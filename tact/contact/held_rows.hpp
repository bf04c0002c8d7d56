// contact/held_rows.hpp - a contact problem whose motion is held by equations: they are eliminated.
//
// With E u = 0 (joints that close a loop, bodies welded to each other) every admissible velocity is
// u = Z y, Z a basis of the null space of E, and the problem in y is one of the same kind:
//     M -> Z'M Z,   J -> J Z,   p -> Z'p,   u⁻ -> the velocity Z y⁻ nearest to u⁻ in the metric M.
// The forces of the equations do no work and drop out; contact impulses and velocities stay.
#pragma once

#include "tact/contact/problem.hpp"

namespace tact {

struct HeldProblem {
  ContactProblem problem;  ///< in y
  SparseMatrix basis;  ///< Z: u = Z y; columns of unit length; the identity where nothing is held
};

/// `held` is E, one column per degree of freedom; redundant rows are fine. Only the degrees of
/// freedom that E touches are mixed. An outcome's velocity is carried over in the same way as u⁻.
/// Refuses a problem that is not in mass form, and one in which nothing is left to move.
[[nodiscard]] Result<HeldProblem> eliminate_held(const ContactProblem& problem,
                                                 const SparseMatrix& held);

}  // namespace tact
