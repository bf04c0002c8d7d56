// linalg/sparse.hpp - one spelling for sparse matrices, and their making from dense ones.
#pragma once

#include <Eigen/SparseCore>

#include "tact/linalg/types.hpp"

namespace tact {

/// By rows: contact rows are written and read one contact at a time.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// Every entry that is not exactly zero.
[[nodiscard]] inline SparseMatrix sparse(const MatX& dense) {
  return dense.sparseView(0, 0);
}

/// Whether every stored entry is a finite number.
[[nodiscard]] inline bool all_finite(const SparseMatrix& m) {
  for (Index row = 0; row < m.outerSize(); ++row)
    for (SparseMatrix::InnerIterator it(m, row); it; ++it)
      if (!std::isfinite(it.value())) return false;
  return true;
}

}  // namespace tact
