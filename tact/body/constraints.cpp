#include "tact/body/constraints.hpp"

#include "tact/base/expects.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

void add_limit(LimitRows& out, double gap, const LimitRows::Source& source) {
  out.gap.push_back(gap);
  out.source.push_back(source);
}

/// The turn away from the reference and the rate of its angle, ω along its axis.
void ball_limit(const Joint& j, Index i, const VecX& qpos, double margin, LimitRows& out) {
  const Vec3 turn =
      log_quaternion({qpos[j.qpos], qpos[j.qpos + 1], qpos[j.qpos + 2], qpos[j.qpos + 3]});
  const double angle = turn.norm();
  const double gap = j.range[1] - angle;
  if (!(gap <= margin) || angle == 0) return;  // at zero every axis would do: none is near a limit
  for (int k = 0; k < 3; ++k) out.rows.add(j.dof + k, -turn[k] / angle);
  out.rows.finish_row();
  add_limit(out, gap, {LimitRows::Kind::joint, i, true});
}

void joint_limit(const Joint& j, Index i, const VecX& qpos, double margin, LimitRows& out) {
  if (j.type == JointType::ball) {
    ball_limit(j, i, qpos, margin, out);
    return;
  }
  for (const bool upper : {false, true}) {
    const double gap = upper ? j.range[1] - qpos[j.qpos] : qpos[j.qpos] - j.range[0];
    if (!(gap <= margin)) continue;
    out.rows.add(j.dof, upper ? -1 : 1);
    out.rows.finish_row();
    add_limit(out, gap, {LimitRows::Kind::joint, i, upper});
  }
}

/// E = R_W1 R_12 R_W2ᵀ turns with ω_1 - E ω_2 in W, so that φ̇ = J_l⁻¹(φ) ω_1 - J_r⁻¹(φ) ω_2.
Vec3 turn_error(const Kinematics& kin, const Equality& e) {
  return log_so3(kin.X_WB[e.first].R * e.R_first_second * kin.X_WB[e.second].R.transpose());
}

void finish_group(EqualityRows& out, Index i) {
  out.begin.push_back(out.rows.rows());
  out.equality.push_back(i);
}

/// p_1 - p_2 along the axes of W.
void connect_rows(const Model& model, const Kinematics& kin, const Equality& e, SparseRows& out) {
  const Vec3 p1 = transform_point(kin.X_WB[e.first], e.anchor_first);
  const Vec3 p2 = transform_point(kin.X_WB[e.second], e.anchor_second);
  for (int k = 0; k < 3; ++k) {
    const Vec3 along = Vec3::Unit(k);
    append_row(model, kin, {e.first, p1, along, Vec3::Zero()}, {e.second, p2, -along, Vec3::Zero()},
               out);
  }
}

void turn_rows(const Model& model, const Kinematics& kin, const Equality& e, SparseRows& out) {
  const Vec3 phi = turn_error(kin, e), zero = Vec3::Zero();
  const Mat3 left = left_jacobian_inverse(phi), right = right_jacobian_inverse(phi);
  for (int k = 0; k < 3; ++k)
    append_row(model, kin, {e.first, kin.X_WB[e.first].p, zero, left.row(k)},
               {e.second, kin.X_WB[e.second].p, zero, -right.row(k)}, out);
}

/// q_1 - ref_1 - p(q_2 - ref_2).
void joint_row(const Model& model, const State& state, const Equality& e, SparseRows& out) {
  const Index first = model.joints[e.first].dof;
  const Index second = e.second < 0 ? -1 : model.joints[e.second].dof;
  const bool ordered = first < second;
  if (ordered) out.add(first, 1);
  if (second >= 0) out.add(second, -joint_tie(model, e, state.qpos).slope);
  if (!ordered) out.add(first, 1);
  out.finish_row();
}

}  // namespace

void limit_rows(const Model& model, const State& state, double margin, LimitRows& out) {
  TACT_EXPECTS(state.qpos.size() == model.nq);
  out.rows.clear();
  out.gap.clear();
  out.source.clear();
  for (Index i = 0; i < static_cast<Index>(model.joints.size()); ++i)
    if (model.joints[i].limited) joint_limit(model.joints[i], i, state.qpos, margin, out);
  for (Index i = 0; i < static_cast<Index>(model.tendons.size()); ++i) {
    const FixedTendon& t = model.tendons[i];
    if (!t.limited) continue;
    const double length = tendon_length(model, i, state.qpos);
    for (const bool upper : {false, true}) {
      const double gap = upper ? t.range[1] - length : length - t.range[0];
      if (!(gap <= margin)) continue;
      append_tendon_row(model, i, upper ? -1 : 1, out.rows);
      add_limit(out, gap, {LimitRows::Kind::tendon, i, upper});
    }
  }
}

void dry_friction_rows(const Model& model, FrictionRows& out) {
  out.rows.clear();
  out.bound.clear();
  out.source.clear();
  for (Index i = 0; i < static_cast<Index>(model.joints.size()); ++i) {
    const Joint& j = model.joints[i];
    if (!(j.dry_friction > 0)) continue;
    for (Index axis = 0; axis < dof_size(j.type); ++axis) {
      out.rows.add(j.dof + axis, 1);
      out.rows.finish_row();
      out.bound.push_back(j.dry_friction);
      out.source.push_back({LimitRows::Kind::joint, i, axis});
    }
  }
  for (Index i = 0; i < static_cast<Index>(model.tendons.size()); ++i) {
    if (!(model.tendons[i].dry_friction > 0)) continue;
    append_tendon_row(model, i, 1, out.rows);
    out.bound.push_back(model.tendons[i].dry_friction);
    out.source.push_back({LimitRows::Kind::tendon, i, 0});
  }
}

JointTie joint_tie(const Model& model, const Equality& e, const VecX& qpos) {
  const auto way = [&](const Joint& j) { return qpos[j.qpos] - j.reference; };
  JointTie out{way(model.joints[e.first]), e.polynomial[0], 0};
  if (e.second < 0) return out;
  const double x = way(model.joints[e.second]);
  out.polynomial = 0;
  for (std::size_t k = e.polynomial.size(); k-- > 0;) {  // Horner, with the derivative
    out.slope = out.slope * x + out.polynomial;
    out.polynomial = out.polynomial * x + e.polynomial[k];
  }
  return out;
}

void equality_errors(const Model& model, const State& state, const Kinematics& kin,
                     std::vector<double>& out) {
  out.clear();
  const auto add = [&](const Vec3& error) { out.insert(out.end(), error.begin(), error.end()); };
  for (const Equality& e : model.equalities) {
    if (!e.active) continue;
    if (e.type == EqualityType::joint) {
      const JointTie tie = joint_tie(model, e, state.qpos);
      out.push_back(tie.way - tie.polynomial);
      continue;
    }
    if (e.type == EqualityType::weld) add(turn_error(kin, e));
    add(transform_point(kin.X_WB[e.first], e.anchor_first) -
        transform_point(kin.X_WB[e.second], e.anchor_second));
  }
}

void add_error_rates(const Kinematics& kin, const Equality& e, const Twist& first,
                     const Twist& second, double* out) {
  if (e.type == EqualityType::weld) {
    const Vec3 phi = turn_error(kin, e);
    Eigen::Map<Vec3>(out) +=
        left_jacobian_inverse(phi) * first.w - right_jacobian_inverse(phi) * second.w;
    out += 3;
  }
  Eigen::Map<Vec3>(out) += first.v - second.v;
}

void equality_rows(const Model& model, const State& state, const Kinematics& kin,
                   EqualityRows& out) {
  out.rows.clear();
  out.begin.assign(1, 0);
  out.equality.clear();
  equality_errors(model, state, kin, out.error);
  for (Index i = 0; i < static_cast<Index>(model.equalities.size()); ++i) {
    const Equality& e = model.equalities[i];
    if (!e.active) continue;
    if (e.type == EqualityType::weld) {
      turn_rows(model, kin, e, out.rows);
      finish_group(out, i);
    }
    if (e.type == EqualityType::joint)
      joint_row(model, state, e, out.rows);
    else
      connect_rows(model, kin, e, out.rows);
    finish_group(out, i);
  }
}

}  // namespace tact
