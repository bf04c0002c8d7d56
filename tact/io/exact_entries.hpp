// io/exact_entries.hpp - the exact rationals of a problem file, for algorithms that take them.
#pragma once

#include <vector>

#include "tact/io/problem_file.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {

/// Numbers in quotes that the contact problem uses: matrices, vectors, rows, friction coefficients
/// and the fields of contacts. Shapes of patches and the scale of box friction stay doubles.
[[nodiscard]] std::vector<ExactNumber> exact_entries(const ProblemFile& file);

}  // namespace tact
