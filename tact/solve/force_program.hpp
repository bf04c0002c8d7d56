// solve/force_program.hpp - the forces of least cost that do what is asked, or the proof that none
// do.
//
//     min ½ Σ weight_j z_j²   over   A z = r,   h - G z in Q_1 x Q_2 x ...,
// Q second-order cones. The equations are solved first, by an orthogonal factorisation, so that
// they hold to rounding; what freedom they leave is the interior-point method's.
//
// When there is no answer, the point of { A z } nearest to r is one of a convex set, and d, from
// there to r, is a proof (Farkas): with A'd = G'y, y in the cones, every admissible z has
//     d.A z <= y.h = `most`,     but     d.r = `needed` > `most`.
#pragma once

#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// All numbers of the order of one.
struct ForceProgram {
  MatX A;
  VecX r;
  MatX G;
  VecX h;
  std::vector<Index> cones;
  VecX weight;  ///< positive
};

struct ForceProgramAnswer {
  enum class End {
    found,
    infeasible,     ///< with a proof
    not_converged,  ///< neither; z is the best known
  };
  End end = End::not_converged;
  VecX z;
  double miss = 0;  ///< |A z - r|
  double gap = 0;   ///< of the cost, relative
  VecX ray;         ///< d, of length one
  double most = 0, needed = 0;
};

[[nodiscard]] ForceProgramAnswer solve(const ForceProgram& program);

}  // namespace tact
