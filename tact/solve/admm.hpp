// solve/admm.hpp - alternating direction method of multipliers: one factorisation, many cheap
// steps.
//
// The problem is split into a linear system that knows nothing of the laws and projections that
// know nothing of the coupling:
//     x = (G + (η + ρ) D)⁻¹ (-b + D (η x + ρ z - y)),     z = Π(x + y/ρ),     y += ρ (x - z),
// in the metric D of the diagonal blocks, so that neither units nor masses change the path. Robust
// to redundant contacts and mass ratios; converges linearly, so it is for few digits or as a start.
// The penalty ρ follows the balance of the two residuals; each change costs a factorisation.
#pragma once

#include "tact/linalg/block_lu.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

struct AdmmOptions {
  double penalty = 0.1;     ///< ρ to begin with, in units of the diagonal blocks
  double relaxation = 1.6;  ///< over-relaxation of x, 1 ... 2
  int patience = 20;        ///< steps between two looks at the balance
};

struct AdmmWorkspace {
  BlockLu lu;
  JudgeWorkspace judge;
  VecX x, z, y, last, rhs, best;
};

/// Default at most 10 000 steps.
SolveReport admm(const DelassusProblem& problem, const SolveOptions& options,
                 const AdmmOptions& admm_options, AdmmWorkspace& work, VecX& lambda);

}  // namespace tact
