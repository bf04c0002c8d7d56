// sim/soft_matrix.hpp - the matrix of Newton's method for the compliant part of a step.
//
// M + ½ Σ J_sᵀ S J_s over the dofs of the trees that soft contacts and springs act on; S are the
// slopes of their impulses by their twists, J_s their rows.
#pragma once

#include "tact/sim/soft_stage.hpp"

namespace tact {

/// The dofs of every tree that an element acts on, and the place of each among them.
void choose_soft_dofs(const Simulation& sim, SoftWork& w);

/// M + h D over the chosen dofs, into w.mass.
void fill_soft_mass(const Simulation& sim, SoftWork& w);

/// w.matrix with the slopes of the last answers, and its factor. False where it has no inverse.
[[nodiscard]] bool factor_soft_matrix(const Simulation& sim, SoftWork& w);

}  // namespace tact
