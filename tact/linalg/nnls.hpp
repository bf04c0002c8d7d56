// linalg/nnls.hpp - non-negative least squares, min |A x - b| over x >= 0, by an active set.
//
// Lawson and Hanson 1974, with one orthogonal factorisation of the positive columns that grows and
// shrinks by columns. Finite; columns that depend on the positive ones never join them, so any rank
// will do. What is left over, r = b - A x, is a certificate: A'r <= 0, and A x = b has no solution
// x >= 0 unless r = 0 (Farkas).
#pragma once

#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

struct Nnls {
  VecX x, residual;
  std::vector<Index> positive;  ///< the columns in use, independent of each other
  bool converged = false;       ///< A'r <= 0 to rounding, within the bound on steps
};

/// Columns are compared in units of their own length; zero columns get nothing.
[[nodiscard]] Nnls nnls(const MatX& A, const VecX& b);

}  // namespace tact
