#include "tact/body/mass_check.hpp"

#include <cmath>
#include <string>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/body/called.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tact/body/positions.hpp"

namespace tact {

namespace {

/// Positions in which no two axes meet by design: every dof turned or moved by another amount.
VecX pose_of_no_one(const Model& model, double seed) {
  VecX away(model.nv);
  for (Index d = 0; d < model.nv; ++d)
    away[d] = std::sin(seed + 2.4 * static_cast<double>(d));  // 2.4: nearly the golden angle
  VecX qpos = model.qpos0;
  integrate(model, qpos, away, 1);
  return qpos;
}

}  // namespace

Index massless_dof(const Model& model, const VecX& qpos) {
  TACT_EXPECTS(qpos.size() == model.nq);
  State state = initial_state(model);
  state.qpos = qpos;
  Kinematics kin;
  MassMatrix mass;
  TreeFactor inverse;
  forward_kinematics(model, state, kin);
  mass_matrix(model, kin, mass);
  (void)factor(model, mass, inverse);  // that it failed is found below, with its place
  for (Index d = model.nv - 1; d >= 0; --d) {
    const Index diagonal = model.tree.row[d + 1] - 1;
    // The pivot is what sums as large as the entry leave: it is zero when it is their rounding.
    const double pivot = 1 / inverse.values[diagonal];
    if (!(pivot > tolerance::rounding * mass.values[diagonal])) return d;
  }
  return -1;
}

std::optional<Error> check_mass(const Model& model) {
  Index d = massless_dof(model, model.qpos0);
  for (const double seed : {0.3, 1.1})
    if (d >= 0) d = massless_dof(model, pose_of_no_one(model, seed));
  if (d < 0) return {};
  const Index i = model.dof_joint[d];
  return Error{
      Errc::value,
      called("joint", model.joints[i].name, i) +
          ": with the joints below it, it can move without moving any mass; remove a joint "
          "that does what another does, or give mass to a body or an armature to the joint"};
}

}  // namespace tact
