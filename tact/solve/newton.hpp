// solve/newton.hpp - semismooth Newton on the natural map, inside a proximal-point loop.
//
// Solved:  F(λ) = λ - Π(λ - D⁻¹ (G λ + b) - α (λ - λ_c)) = 0, the natural map of the problem with
// G + α D in place of G and the centre λ_c moved to the last solution. α > 0 makes the linear
// systems regular when contacts are redundant and the problem easy when it is not convex; it
// shrinks while Newton converges in few steps and grows when it does not. At the fixed point of the
// outer loop the answer is that of the problem itself, whatever α.
// One block-sparse LU per step. Reference: [FrictionM4] NCP.
#pragma once

#include "tact/linalg/block_lu.hpp"
#include "tact/solve/local_equation.hpp"
#include "tact/solve/proximal_newton.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

struct NewtonOptions {
  NewtonMap map = NewtonMap::natural;
  double proximal = 1e-4;  ///< α to begin with, in units of the diagonal blocks
  int sweeps = 5;          ///< of Gauss-Seidel before the first step
};

struct NewtonWorkspace {
  BlockLu lu;
  JudgeWorkspace judge;
  ProximalWorkspace loop;
};

/// Default at most 300 linear systems.
SolveReport newton(const DelassusProblem& problem, const SolveOptions& options,
                   const NewtonOptions& newton_options, NewtonWorkspace& work, VecX& lambda);

}  // namespace tact
