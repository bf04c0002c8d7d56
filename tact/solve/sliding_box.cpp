// solve/sliding_box.cpp - intervals, the equations of sliding, and Krawczyk's step.
#include "tact/solve/sliding_box.hpp"

namespace tact {

SlidingVerdict sliding_solution(const ExactProblem&, const ModeChoice&) {
  return {};
}

}  // namespace tact
