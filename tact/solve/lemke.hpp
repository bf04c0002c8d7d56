// solve/lemke.hpp - contact problems with polygonal laws, solved exactly by Lemke's method.
//
// For small problems and as a cross-check of everything that iterates: the answer is a basis, not a
// limit. The cost grows with the cube of the unknowns (six for a box contact). The start does not
// matter and is not used.
#pragma once

#include "tact/solve/lcp.hpp"
#include "tact/solve/pivoting.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

struct LemkeWorkspace {
  ContactLcp lcp;
  PivotWorkspace pivots;
  JudgeWorkspace judge;
  VecX z, trial;
};

/// unsupported: a law has no LCP form (see lcp.hpp), lambda is untouched. infeasible: the pivots
/// ended on a ray and jam.hpp holds a verified certificate. Otherwise the judge decides; lambda is
/// the start when no basis was found. Default at most 50 pivots per unknown; iterations: pivots.
SolveReport lemke(const DelassusProblem& problem, const SolveOptions& options, LemkeWorkspace& work,
                  VecX& lambda);

}  // namespace tact
