// solve/gauss_seidel.hpp - block Gauss-Seidel: one contact after another, each solved exactly with
// the others held.
//
// Cheap, simple, and good at what sweeps are good at: few digits, many contacts, a warm start.
// Information travels one contact per sweep, so tall towers and large mass ratios take many.
#pragma once

#include "tact/solve/solver.hpp"

namespace tact {

struct GaussSeidelWorkspace {
  JudgeWorkspace judge;
  LocalWorkspace local;
  VecX best;
};

/// One sweep over the contacts in order. The squared size of what changed, |Δλ|²_D.
double gauss_seidel_sweep(const DelassusProblem& problem, VecX& lambda, LocalWorkspace& work);

/// Sweeps until the judge accepts; default at most 100 000 sweeps.
SolveReport gauss_seidel(const DelassusProblem& problem, const SolveOptions& options,
                         GaussSeidelWorkspace& work, VecX& lambda);

}  // namespace tact
