// io/problem_summary.hpp - what is in a contact problem, in one line.
#pragma once

#include <string>

#include "tact/io/problem_file.hpp"

namespace tact {

/// "block on an incline: 4 contacts (3 coulomb, 1 box), 6 degrees of freedom, 12 rows, mass 6 x 6
/// symmetric with 36 entries, outcome".
[[nodiscard]] std::string summary(const ProblemFile& file);

/// Whether the matrix differs from its transpose by no more than tolerance::symmetry of its
/// largest entry.
[[nodiscard]] bool is_symmetric(const SparseMatrix& m);

}  // namespace tact
