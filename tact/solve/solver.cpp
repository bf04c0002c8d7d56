// solve/solver.cpp - names and the one acceptance test.
#include "tact/solve/solver.hpp"

#include <algorithm>

namespace tact {

std::string_view name(SolveStatus status) {
  constexpr std::string_view names[] = {"converged", "not_converged", "infeasible", "unsupported"};
  return names[static_cast<std::size_t>(status)];
}

std::string_view name(SolverName solver) {
  constexpr std::string_view names[] = {"auto",        "gs",    "admm", "newton",
                                        "newton_mass", "lemke", "box"};
  return names[static_cast<std::size_t>(solver)];
}

bool accepted(const Residual& residual, double tolerance) {
  // Impulses a million times what stops the contacts are suspect: then all of the error counts.
  constexpr double suspect = 1e6;
  if (residual.growth > suspect && !(residual.unhidden <= tolerance)) return false;
  const double collection = std::max(tolerance::fc3d, tolerance);
  return residual.figure() <= tolerance && (!residual.fc3d || *residual.fc3d <= collection);
}

}  // namespace tact
