// solve/solver.hpp - the one shape of all solvers.
//
// A solver is a function of a DelassusProblem, options and a caller-owned workspace. It starts from
// the impulses it is given and leaves better ones; its report carries a status and the judge's
// residual, never its own opinion. Dirty workspaces are fine; nothing is allocated in a second
// solve of the same size.
#pragma once

#include <string_view>

#include "tact/contact/residual.hpp"

namespace tact {

enum class SolveStatus {
  converged,      ///< the judge's residual is at most the tolerance
  not_converged,  ///< it is not; the impulses are the best that were found
  infeasible,     ///< no solution exists: no velocity satisfies the constraints (a jam)
  unsupported,    ///< the solver does not know one of the laws
};
[[nodiscard]] std::string_view name(SolveStatus status);

enum class SolverName { automatic, gauss_seidel, admm, newton, mass_newton, lemke, box };
/// `auto`, `gs`, `admm`, `newton`, `newton_mass`, `lemke`, `box`.
[[nodiscard]] std::string_view name(SolverName solver);

struct SolveOptions {
  double tolerance = tolerance::solved;  ///< on the judge's natural residual
  int max_iterations = 0;                ///< of the solver's own kind; 0: the solver's default
  double enough = 0;    ///< of automatic: a residual with which nothing costly is begun
  bool polish = false;  ///< after success, Newton steps as long as they pay: all digits there are
};

struct SolveReport {
  SolveStatus status = SolveStatus::not_converged;
  SolverName solver = SolverName::automatic;
  int iterations = 0;  ///< sweeps, steps, pivots: of the solver's own kind
  Residual residual;   ///< the judge's
};

/// Whether the judge is content: its figure at most the tolerance, and the collection's measure,
/// where it is defined, at most tolerance::fc3d or the tolerance, whichever is larger.
[[nodiscard]] bool accepted(const Residual& residual, double tolerance);

}  // namespace tact
