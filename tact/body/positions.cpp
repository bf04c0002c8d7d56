#include "tact/body/positions.hpp"

#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

Quaternion quaternion_at(const VecX& qpos, Index i) {
  return {qpos[i], qpos[i + 1], qpos[i + 2], qpos[i + 3]};
}

Quaternion step(const Vec3& angle, RotationMap map) {
  if (map == RotationMap::exponential) return exp_quaternion(angle);
  return {1, angle[0] / 2, angle[1] / 2, angle[2] / 2};
}

Vec3 step_between(const Quaternion& from, const Quaternion& to, RotationMap map) {
  const Quaternion q = inverse(from) * to;
  if (map == RotationMap::exponential) return log_quaternion(q);
  return 2 / q.w * q.vec();
}

}  // namespace

void integrate(const Model& model, VecX& qpos, const VecX& qvel, double dt, RotationMap map) {
  TACT_EXPECTS(qpos.size() == model.nq && qvel.size() == model.nv);
  for (const Tree::Joint& j : model.tree.joints) {
    Index q = j.qpos;
    Index d = j.dof;
    if (j.type == JointType::hinge || j.type == JointType::slide) {
      qpos[q] += dt * qvel[d];
      continue;
    }
    if (j.type == JointType::free) {
      qpos.segment<3>(q) += dt * qvel.segment<3>(d);
      q += 3;
      d += 3;
    }
    const Quaternion turned =
        normalized(quaternion_at(qpos, q) * step(dt * qvel.segment<3>(d), map));
    qpos.segment<4>(q) << turned.w, turned.x, turned.y, turned.z;
  }
}

void difference(const Model& model, const VecX& from, const VecX& to, double dt, VecX& qvel,
                RotationMap map) {
  TACT_EXPECTS(from.size() == model.nq && to.size() == model.nq && dt != 0);
  qvel.resize(model.nv);
  for (const Tree::Joint& j : model.tree.joints) {
    Index q = j.qpos;
    Index d = j.dof;
    if (j.type == JointType::hinge || j.type == JointType::slide) {
      qvel[d] = (to[q] - from[q]) / dt;
      continue;
    }
    if (j.type == JointType::free) {
      qvel.segment<3>(d) = (to.segment<3>(q) - from.segment<3>(q)) / dt;
      q += 3;
      d += 3;
    }
    qvel.segment<3>(d) = step_between(quaternion_at(from, q), quaternion_at(to, q), map) / dt;
  }
}

}  // namespace tact
