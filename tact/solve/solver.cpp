// solve/solver.cpp - names and the one acceptance test.
#include "tact/solve/solver.hpp"

#include <algorithm>

namespace tact {

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::not_converged:
      return "not_converged";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::unsupported:
      return "unsupported";
  }
  return "";
}

std::string_view name(SolverName solver) {
  switch (solver) {
    case SolverName::automatic:
      return "auto";
    case SolverName::gauss_seidel:
      return "gs";
    case SolverName::admm:
      return "admm";
    case SolverName::newton:
      return "newton";
    case SolverName::mass_newton:
      return "newton_mass";
    case SolverName::lemke:
      return "lemke";
    case SolverName::box:
      return "box";
  }
  return "";
}

bool accepted(const Residual& residual, double tolerance) {
  // Impulses a million times what stops the contacts are suspect: then all of the error counts.
  constexpr double suspect = 1e6;
  if (residual.growth > suspect && !(residual.unhidden <= tolerance)) return false;
  const double collection = std::max(tolerance::fc3d, tolerance);
  return residual.figure() <= tolerance && (!residual.fc3d || *residual.fc3d <= collection);
}

}  // namespace tact
