// linalg/least_distance.hpp - the point of a polyhedron nearest to the origin, by a dual active
// set.
//
//     min ½|y|²   subject to   A'y + g >= 0;        y = A x,   0 <= x ⟂ A'y + g >= 0.
// With the columns of A in energy coordinates this is the projection behind every frictionless
// impact law. Goldfarb and Idnani 1983: from y = 0 the worst violated constraint joins, multipliers
// stay non-negative, each step raises the distance; so it is finite, and columns may be copies of
// each other or depend on each other in any way. The last active set is solved anew with iterative
// refinement: the answer owes nothing to the path.
#pragma once

#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

struct LeastDistance {
  enum class End {
    found,
    infeasible,  ///< x is a ray: x >= 0, A x = 0 to rounding, g.x < 0 (Farkas)
    gave_up,     ///< rounding has won; y and x are the last that were tried
  };
  End end = End::gave_up;
  VecX y, x;
  std::vector<Index> active;  ///< columns that hold with equality, independent of each other
  int steps = 0;
};

/// Columns are compared in units of their own length. A zero column is a constraint that nothing
/// moves.
[[nodiscard]] LeastDistance least_distance(const MatX& A, const VecX& g);

}  // namespace tact
