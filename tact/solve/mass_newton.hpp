// solve/mass_newton.hpp - proximal Newton on the mass form: the Delassus matrix is never made.
//
// A step of Newton's method couples dλ and dv by
//     M dv = J' dλ,      (A + α B D) dλ + B J dv = -F,
// A and B as in local_equation.hpp. The second row is solved contact by contact, which leaves
//     (M + J' C J) dv = -J' E F,      E = (A + α B D)⁻¹,   C = E B,
// one sparse system with as many unknowns as there are degrees of freedom, however many contacts
// press on them. α > 0 is what makes E exist. [FrictionM4] NCP
#pragma once

#include <vector>

#include "tact/contact/mass_problem.hpp"
#include "tact/linalg/block_lu.hpp"
#include "tact/solve/newton.hpp"

namespace tact {

struct MassNewtonWorkspace {
  /// Where one contact's rows meet the blocks of the degrees of freedom.
  struct Rows {
    std::vector<Index> block;    ///< blocks it touches
    std::vector<MatX> jacobian;  ///< its rows there
    std::vector<Index> entry;    ///< of every pair of them in the matrix, row by row
  };
  BlockMatrix matrix;  ///< M, with room for J'J
  BlockLu lu;
  std::vector<Rows> rows;
  std::vector<LocalMatrix> B, E;
  VecX F, v, u, dv;
  LocalWorkspace local;
  ProximalWorkspace loop;
};

/// Default at most 300 linear systems. `lambda` is start and answer.
SolveReport mass_newton(const MassProblem& problem, const SolveOptions& options,
                        const NewtonOptions& newton_options, MassNewtonWorkspace& work,
                        VecX& lambda);

}  // namespace tact
