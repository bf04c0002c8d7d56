#include "tact/body/forces.hpp"

#include <algorithm>

#include "tact/base/expects.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

Quaternion quaternion_at(const VecX& qpos, Index i) {
  return {qpos[i], qpos[i + 1], qpos[i + 2], qpos[i + 3]};
}

bool scalar(JointType type) {
  return type == JointType::hinge || type == JointType::slide;
}

/// Towards the pose of the file: the rotation vector from there, in B.
void add_spring(const Model& model, const Joint& j, const VecX& qpos, VecX& force) {
  if (scalar(j.type)) {
    force[j.dof] -= j.stiffness * (qpos[j.qpos] - j.spring_reference);
    return;
  }
  Index q = j.qpos;
  Index d = j.dof;
  if (j.type == JointType::free) {
    force.segment<3>(d) -= j.stiffness * (qpos.segment<3>(q) - model.qpos0.segment<3>(q));
    q += 3;
    d += 3;
  }
  const Quaternion turn = inverse(quaternion_at(model.qpos0, q)) * quaternion_at(qpos, q);
  force.segment<3>(d) -= j.stiffness * log_quaternion(turn);
}

double tendon_force(const FixedTendon& t, double length, double speed) {
  double force = -t.damping * speed;
  if (length < t.rest_length[0]) force += t.stiffness * (t.rest_length[0] - length);
  if (length > t.rest_length[1]) force += t.stiffness * (t.rest_length[1] - length);
  return force;
}

/// Entries with ascending dofs: a tendon names joints in any order, perhaps twice.
void append_tendon(const Model& model, const FixedTendon& t, double factor, SparseRows& rows) {
  const Index begin = static_cast<Index>(rows.column.size());
  for (const auto& [joint, coefficient] : t.joints) {
    const Index d = model.joints[joint].dof;
    Index at = begin;
    const auto end = static_cast<Index>(rows.column.size());
    while (at < end && rows.column[at] < d) ++at;
    if (at < end && rows.column[at] == d) {
      rows.value[at] += factor * coefficient;
    } else {
      rows.column.insert(rows.column.begin() + at, d);
      rows.value.insert(rows.value.begin() + at, factor * coefficient);
    }
  }
  rows.finish_row();
}

/// The length of a joint's transmission; its moment becomes a row.
double append_joint(const Model& model, const Actuator& a, const VecX& qpos, SparseRows& rows) {
  const Joint& j = model.joints[a.target];
  if (scalar(j.type)) {
    rows.add(j.dof, a.gear[0]);
    rows.finish_row();
    return a.gear[0] * qpos[j.qpos];
  }
  const bool in_parent = a.transmission == Transmission::joint_in_parent;
  const bool free = j.type == JointType::free;
  const Quaternion q = quaternion_at(qpos, free ? j.qpos + 3 : j.qpos);
  Vec3 turn = free ? Vec3(a.gear.tail<3>()) : Vec3(a.gear.head<3>());
  if (in_parent) turn = to_matrix(q).transpose() * turn;
  Index d = j.dof;
  if (free)
    for (int i = 0; i < 3; ++i) rows.add(d++, a.gear[i]);
  for (int i = 0; i < 3; ++i) rows.add(d++, turn[i]);
  rows.finish_row();
  return free ? 0 : turn.dot(log_quaternion(q));
}

/// The gear is [force, torque] in the axes of the site.
void append_site(const Model& model, const Actuator& a, const Kinematics& kin, SparseRows& rows) {
  const Site& site = model.sites[a.target];
  const Pose X_WS = kin.X_WB[site.body] * site.X_BS;
  append_row(model, kin, {site.body, X_WS.p, X_WS.R * a.gear.head<3>(), X_WS.R * a.gear.tail<3>()},
             rows);
}

double clamped(double x, bool limited, const Vec2& range) {
  return limited ? std::clamp(x, range[0], range[1]) : x;
}

}  // namespace

double tendon_length(const Model& model, Index tendon, const VecX& qpos) {
  double sum = 0;
  for (const auto& [joint, coefficient] : model.tendons[tendon].joints)
    sum += coefficient * qpos[model.joints[joint].qpos];
  return sum;
}

double tendon_speed(const Model& model, Index tendon, const VecX& qvel) {
  double sum = 0;
  for (const auto& [joint, coefficient] : model.tendons[tendon].joints)
    sum += coefficient * qvel[model.joints[joint].dof];
  return sum;
}

void append_tendon_row(const Model& model, Index tendon, double factor, SparseRows& rows) {
  append_tendon(model, model.tendons[tendon], factor, rows);
}

void passive_force(const Model& model, const State& state, VecX& force) {
  TACT_EXPECTS(state.qpos.size() == model.nq && state.qvel.size() == model.nv);
  force.setZero(model.nv);
  for (const Joint& j : model.joints) {
    const Index n = dof_size(j.type);
    if (j.damping > 0) force.segment(j.dof, n) -= j.damping * state.qvel.segment(j.dof, n);
    if (j.stiffness > 0) add_spring(model, j, state.qpos, force);
  }
  for (Index i = 0; i < static_cast<Index>(model.tendons.size()); ++i) {
    const FixedTendon& t = model.tendons[i];
    const double f =
        tendon_force(t, tendon_length(model, i, state.qpos), tendon_speed(model, i, state.qvel));
    for (const auto& [joint, coefficient] : t.joints)
      force[model.joints[joint].dof] += coefficient * f;
  }
}

void actuator_force(const Model& model, const State& state, const Kinematics& kin, Actuation& out,
                    VecX& total) {
  const auto count = static_cast<Index>(model.actuators.size());
  TACT_EXPECTS(state.ctrl.size() == count && total.size() == model.nv);
  out.moment.clear();
  out.length.setZero(count);
  out.speed.resize(count);
  out.force.resize(count);
  out.dof_force.setZero(model.nv);
  for (Index i = 0; i < count; ++i) {
    const Actuator& a = model.actuators[i];
    switch (a.transmission) {
      case Transmission::joint:
      case Transmission::joint_in_parent:
        out.length[i] = append_joint(model, a, state.qpos, out.moment);
        break;
      case Transmission::tendon:
        append_tendon(model, model.tendons[a.target], a.gear[0], out.moment);
        out.length[i] = a.gear[0] * tendon_length(model, a.target, state.qpos);
        break;
      case Transmission::site:
        append_site(model, a, kin, out.moment);
        break;
    }
    out.speed[i] = out.moment.times(i, state.qvel);
    const Vec3 terms(1, out.length[i], out.speed[i]);
    const double ctrl = clamped(state.ctrl[i], a.ctrl_limited, a.ctrl_range);
    out.force[i] =
        clamped(a.gain.dot(terms) * ctrl + a.bias.dot(terms), a.force_limited, a.force_range);
    out.moment.add_transposed(i, out.force[i], out.dof_force);
  }
  for (const Joint& j : model.joints)
    if (j.force_limited) out.dof_force[j.dof] = clamped(out.dof_force[j.dof], true, j.force_range);
  total += out.dof_force;
}

}  // namespace tact
