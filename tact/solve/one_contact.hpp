// solve/one_contact.hpp - one contact solved exactly: law(λ, G λ + b) for one block.
//
// The step of block Gauss-Seidel, and the whole solution of a problem with one contact.
//   frictionless    λ = max(0, -b/g)
//   bounded         λ = -b/g, cut at the bounds; of equations the nearest that stop them
//   interval, box, pyramid: stick, else the sides and corners of the friction polygon in turn
//   disc            stick, else one guarded scalar root for the sliding multiplier
//   patch           one projection in the metric of the block
//   rolling, patch with friction: a few staggered passes, then semismooth Newton in six unknowns
#pragma once

#include "tact/contact/local_law.hpp"
#include "tact/linalg/block_matrix.hpp"

namespace tact {

/// λ: in a start, out the solution. True when the law holds to rounding (always, for points whose
/// block is positive definite; iterative cases say so when they stall).
bool solve_one_contact(const LocalLaw& law, const LocalMetric& metric, const BlockMatrix::Block& G,
                       const double* b, double* lambda, LocalWorkspace& work);

/// The same for a point with friction (interval, disc, polygon) that is approached, b < 0 on its
/// normal row. `block` is column by column, `last` what the contact carried before. Nothing is
/// written when there is no answer.
bool solve_point_contact(const LocalLaw& law, const double* block, const double* b,
                         const double* last, double* lambda);

}  // namespace tact
