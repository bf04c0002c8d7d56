#include "tact/body/energy.hpp"

#include "tact/body/forces.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

double angle_squared(const VecX& from, const VecX& to, Index i) {
  const Quaternion a{from[i], from[i + 1], from[i + 2], from[i + 3]};
  const Quaternion b{to[i], to[i + 1], to[i + 2], to[i + 3]};
  return log_quaternion(inverse(a) * b).squaredNorm();
}

/// The square of the distance from where the spring of a joint is at rest.
double stretch_squared(const Model& model, const Joint& j, const VecX& qpos) {
  switch (j.type) {
    case JointType::free:
      return (qpos.segment<3>(j.qpos) - model.qpos0.segment<3>(j.qpos)).squaredNorm() +
             angle_squared(model.qpos0, qpos, j.qpos + 3);
    case JointType::ball:
      return angle_squared(model.qpos0, qpos, j.qpos);
    case JointType::hinge:
    case JointType::slide:
      break;
  }
  const double x = qpos[j.qpos] - j.spring_reference;
  return x * x;
}

}  // namespace

double kinetic_energy(const Model& model, const VecX& qvel, const Kinematics& kin) {
  double twice = qvel.dot(model.tree.armature.cwiseProduct(qvel));
  for (Index i = 1; i < static_cast<Index>(model.bodies.size()); ++i) {
    const Body& b = model.bodies[i];
    if (b.mass == 0 || model.tree.link_of(i) < 0) continue;
    const Twist V = point_velocity(model, kin, i, centre(model, kin, i));
    const Vec3 w_B = kin.X_WB[i].R.transpose() * V.w;
    twice += b.mass * V.v.squaredNorm() + w_B.dot(b.inertia_com_B * w_B);
  }
  return twice / 2;
}

double gravity_potential(const Model& model, const Kinematics& kin) {
  double sum = 0;
  for (Index i = 1; i < static_cast<Index>(model.bodies.size()); ++i) {
    const Body& b = model.bodies[i];
    if (model.tree.link_of(i) < 0) continue;
    sum -= b.mass * (1 - b.gravity_compensation) * model.gravity.dot(centre(model, kin, i));
  }
  return sum;
}

double spring_potential(const Model& model, const State& state) {
  double twice = 0;
  for (const Joint& j : model.joints)
    if (j.stiffness > 0) twice += j.stiffness * stretch_squared(model, j, state.qpos);
  for (Index i = 0; i < static_cast<Index>(model.tendons.size()); ++i) {
    const FixedTendon& t = model.tendons[i];
    const double length = tendon_length(model, i, state.qpos);
    double x = 0;
    if (length < t.rest_length[0]) x = length - t.rest_length[0];
    if (length > t.rest_length[1]) x = length - t.rest_length[1];
    twice += t.stiffness * x * x;
  }
  return twice / 2;
}

}  // namespace tact
