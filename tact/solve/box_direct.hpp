// solve/box_direct.hpp - box friction solved by exchanging modes, bounds moving with the load.
//
// Every contact is open or closed, every friction row sticks or slides one way: for given modes λ
// is one linear system, with λ_t = ±c λ_n put in where it slides, λ_n unknown. Modes that the
// answer contradicts are exchanged, all at once while that helps, then one at a time (the last
// first). [FrictionM4] box, with the signs of docs/errata.md:
//     0 <= λ_n ⟂ u_n >= 0;     |λ_t| <= c λ_n;     u_t <= 0 where λ_t = +c λ_n, >= 0 where -c λ_n.
//
// What is guaranteed: an answer called converged is one (the judge says so), exact for its modes.
// Without friction the exchange ends at the solution (Murty 1974: positive definite systems; the
// proximal term makes them so, redundant or not). With friction the coupled exchange usually ends
// and need not: then the bounds are held at the last load (each such problem is again one of
// Murty's), the load is updated, and the modes found so start the coupled exchange anew. When that
// does not end either, the status is not_converged.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/LU>

#include "tact/solve/solver.hpp"

namespace tact {

enum class RowMode : std::int8_t {
  open,    ///< no load
  held,    ///< closed, or sticking: u = 0
  bottom,  ///< λ_t = -c λ_n
  top,     ///< λ_t = +c λ_n
};

struct BoxWorkspace {
  JudgeWorkspace judge;
  std::vector<RowMode> modes;  ///< of every row
  std::vector<Index> normal;   ///< of every row, the row of its contact's load
  VecX bound, unit;            ///< c (zero on normal rows); D^-½ of the diagonal
  MatX A, system;              ///< G + α D in units of the diagonal
  VecX q, x, u, held, best, rhs;
  Eigen::PartialPivLU<MatX> lu;
};

/// Laws: frictionless points, planar friction, boxes along the axes; else unsupported. Starts from
/// the modes of lambda. iterations: linear systems, by default at most 100 and 50 per row.
SolveReport box_direct(const DelassusProblem& problem, const SolveOptions& options,
                       BoxWorkspace& work, VecX& lambda);

}  // namespace tact
