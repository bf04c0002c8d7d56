// solve/sliding_patch.hpp - a patch that slides and goes on sliding: Newton's method on its own
// law.
#pragma once

#include "tact/contact/local_law.hpp"

namespace tact {

/// λ = (N̂, T̂) of contact/sliding_law.hpp with u = G λ + b, from the load of before, to rounding of
/// |λ|²_D = `scale2`. `block`: the six columns of G. False where it does not close in at once: near
/// stick, or where an edge lifts; λ is of no use then.
[[nodiscard]] bool slide_patch(const LocalLaw& law, const LocalMetric& metric, const double* block,
                               const double* b, double scale2, double* lambda,
                               LocalWorkspace& work);

}  // namespace tact
