// body/mass_check.hpp - whether every motion of a model moves some mass.
//
// M = Lᵀ D L of body/mass_matrix.hpp: the pivot D_d is the inertia that dof d meets when the dofs
// below it give way as easily as they can. A pivot of zero is a motion of dof d and of some below
// it that costs no energy, so no force says how fast it is.
#pragma once

#include <optional>

#include "tact/body/model.hpp"

namespace tact {

/// The dof nearest to the leaves that can move without moving any mass in this pose; -1 for none.
[[nodiscard]] Index massless_dof(const Model& model, const VecX& qpos);

/// What make_model refuses: a dof that can move so in the pose of the file and in others. In the
/// pose of the file alone it may be a gimbal lock, which a robot may have and leave.
[[nodiscard]] std::optional<Error> check_mass(const Model& model);

}  // namespace tact
