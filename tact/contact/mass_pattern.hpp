// contact/mass_pattern.hpp - where M + JᵀCJ has numbers: as many unknowns as degrees of freedom,
// however many contacts press on them.
#pragma once

#include <vector>

#include "tact/contact/mass_problem.hpp"
#include "tact/linalg/block_matrix.hpp"

namespace tact {

struct MassPattern {
  /// Where one contact's rows meet the blocks of the degrees of freedom.
  struct Rows {
    std::vector<Index> block;    ///< blocks it touches
    std::vector<MatX> jacobian;  ///< its rows there
    std::vector<Index> entry;    ///< of every pair of them in the matrix, row by row
  };
  std::vector<Rows> rows;  ///< [contacts]
};

/// `matrix` is M, with explicit zeros where JᵀJ may have entries.
void make_mass_pattern(const MassProblem& problem, MassPattern& pattern, BlockMatrix& matrix);

}  // namespace tact
