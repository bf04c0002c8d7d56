// solve/pivoting.hpp - Lemke's method for 0 <= z ⟂ M z + q >= 0, any small dense M.
//
// Complementary pivots on w = q + M z + d z0 from the ray of large z0 until z0 leaves. The
// lexicographic rule makes every basis appear at most once, so it ends; M copositive (contact
// problems, convex quadratic programs, linear programs) makes an end on a ray a statement about the
// problem. The tableau is condensed (n + 1 columns) and made afresh from M at intervals; the last
// basis is solved anew with iterative refinement, so the answer owes nothing to the path.
// Reference: Cottle, Pang, Stone 1992, The Linear Complementarity Problem, 4.4 and 4.9.
#pragma once

#include <vector>

#include <Eigen/LU>

#include "tact/linalg/types.hpp"

namespace tact {

enum class PivotEnd {
  solution,  ///< z solves
  ray,       ///< the entering variable can grow without bound
  gave_up,   ///< too many pivots, or rounding has won: no basis with z >= 0 and w >= 0
};

struct PivotReport {
  PivotEnd end = PivotEnd::gave_up;
  int pivots = 0;
};

/// Scratch; dirty is fine. Nothing is allocated for a second problem of the same size.
struct PivotWorkspace {
  MatX tableau;               ///< x_B = rhs - tableau x_N
  VecX rhs, d, column, step;  ///< d: covering vector
  std::vector<Index> basic, nonbasic;
  std::vector<Index> place;  ///< the row of a basic variable, or -1 - column
  MatX basis;
  Eigen::PartialPivLU<MatX> lu;
};

struct PivotOptions {
  int max_pivots = 0;  ///< 0: 50 times the size
  int attempts = 3;    ///< with different covering vectors
};

/// z: only written when a solution was found.
PivotReport solve_lcp(const MatX& M, const VecX& q, const PivotOptions& options,
                      PivotWorkspace& work, VecX& z);

}  // namespace tact
