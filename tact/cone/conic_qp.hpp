// cone/conic_qp.hpp - small dense quadratic programs over second-order cones, by an interior-point
// method.
//
//     min ½ x'Px + c'x   subject to   s = h - Gx,  s in K,        K = Q_1 x Q_2 x ...,
//     max over z in K with Px + G'z + c = 0 of -½ x'Px - h'z.
//
// Q of size m is { (t, u) in R x R^(m-1) : |u| <= t }; of size one it is the half-line.
//
// Method: primal-dual, Nesterov-Todd scaling, Mehrotra's predictor and corrector (Vandenberghe
// 2010, "The CVXOPT linear and quadratic cone program solvers"). For tens of unknowns: everything
// is dense. An infeasible problem ends as not_converged with its residuals; no certificate is made.
#pragma once

#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

struct ConicQp {
  MatX P;  ///< symmetric positive semidefinite; P + G'G must be regular
  VecX c;
  MatX G;
  VecX h;
  std::vector<Index> cones;  ///< sizes, in the order of the rows of G
};

struct ConicQpOptions {
  double tolerance = tolerance::conic;  ///< of residuals and gap, relative to the data
  int max_iterations = 60;
};

struct ConicQpSolution {
  enum class Status { converged, not_converged };
  Status status = Status::not_converged;
  VecX x, s, z;
  int iterations = 0;
  double primal_residual = 0;  ///< |Gx + s - h|, relative to max(1, |h|)
  double dual_residual = 0;    ///< |Px + G'z + c|, relative to max(1, |c|)
  double gap = 0;              ///< s'z, relative to max(1, |objective|)
};

/// Goes on past the tolerance as long as it gains: the answer is as good as rounding allows.
[[nodiscard]] ConicQpSolution solve(const ConicQp& problem, const ConicQpOptions& options = {});

}  // namespace tact
