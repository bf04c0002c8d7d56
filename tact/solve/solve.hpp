// solve/solve.hpp - the solver to reach for: picks a method, falls back, and never claims what the
// judge does not confirm.
//
// The contacts are split into islands that share no body, each solved alone. Of an island:
//   one contact          solved exactly;
//   any                  sweeps of Gauss-Seidel while they contract quickly;
//   a costly factor      the alternating direction method, which needs one factorisation, ...
//   otherwise            ... or the augmented Lagrangian, whose Newton steps need one each;
//   when a method stalls the next of a fixed list takes over from the best impulses so far.
// docs/solvers.md says what the choice rests on.
#pragma once

#include <vector>

#include "tact/solve/admm.hpp"
#include "tact/solve/augmented_newton.hpp"
#include "tact/solve/box_direct.hpp"
#include "tact/solve/gauss_seidel.hpp"
#include "tact/solve/jam.hpp"
#include "tact/solve/lemke.hpp"

namespace tact {

/// Scratch for one island at a time; dirty is fine.
struct IslandWorkspace {
  GaussSeidelWorkspace sweeps;
  AdmmWorkspace admm;
  LemkeWorkspace lemke;
  BoxWorkspace box;
  AugmentedNewtonWorkspace augmented;
  VecX ray;  ///< why the island has no solution; empty when it may have one
  VecX lambda, best;
};

struct SolveWorkspace {
  Islands islands;
  std::vector<IslandWorkspace> workers{1};  ///< one per thread
  std::vector<SolveReport> reports;         ///< one per island
  std::vector<VecX> rays;                   ///< one per island
  std::vector<BlockLu> factors;             ///< one per island
  JudgeWorkspace judge;
  /// After `infeasible`: loads that cancel and yet do work, see jam.hpp. Empty otherwise.
  VecX jam_ray;
};

/// `lambda` is the start (zero, or the last step's impulses) and the answer. The report's solver is
/// the method that finished the hardest island, its iterations are the sum over islands.
SolveReport solve(const DelassusProblem& problem, const SolveOptions& options, SolveWorkspace& work,
                  VecX& lambda);
/// From zero, with a workspace of its own.
SolveReport solve(const DelassusProblem& problem, const SolveOptions& options, VecX& lambda);

/// The same with a named method, island by island; `automatic` is the above.
SolveReport solve_with(SolverName solver, const DelassusProblem& problem,
                       const SolveOptions& options, SolveWorkspace& work, VecX& lambda);

/// By augmented Newton in the mass form: `problem` is that of `given`. The Delassus matrix is made
/// only to look for the reason where no solution is found.
SolveReport solve_mass(const ContactProblem& given, const MassProblem& problem,
                       const SolveOptions& options, SolveWorkspace& work, VecX& lambda);

}  // namespace tact
