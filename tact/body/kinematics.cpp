#include "tact/body/kinematics.hpp"

#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/body/motion_algebra.hpp"

namespace tact {

namespace {

/// The rotation of q/|q|.
Mat3 rotation_of(const double* q) {
  const double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double wx = s * q[0] * q[1], wy = s * q[0] * q[2], wz = s * q[0] * q[3];
  const double xx = s * q[1] * q[1], xy = s * q[1] * q[2], xz = s * q[1] * q[3];
  const double yy = s * q[2] * q[2], yz = s * q[2] * q[3], zz = s * q[3] * q[3];
  Mat3 R;
  R << 1 - yy - zz, xy - wz, xz + wy,  //
      xy + wz, 1 - xx - zz, yz - wx,   //
      xz - wy, yz + wx, 1 - xx - yy;
  return R;
}

/// R ← R e^(â t) about an axis of B: two columns mix.
void turn_along(Mat3& R, Index axis, double c, double s) {
  double* u = R.data() + 3 * ((axis + 1) % 3);
  double* v = R.data() + 3 * ((axis + 2) % 3);
  for (int i = 0; i < 3; ++i) {
    const double ui = u[i], vi = v[i];
    u[i] = c * ui + s * vi;
    v[i] = c * vi - s * ui;
  }
}

/// R ← e^(â t) R about any unit a, in W.
void turn_about(Mat3& R, const Vec3& a, double c, double s) {
  const double x = a[0], y = a[1], z = a[2], k = 1 - c;
  Mat3 E;
  E << c + k * x * x, k * x * y - s * z, k * x * z + s * y,  //
      k * x * y + s * z, c + k * y * y, k * y * z - s * x,   //
      k * x * z - s * y, k * y * z + s * x, c + k * z * z;
  R = (E * R).eval();
}

/// Cosines and sines of all hinges at once: a call amid the recursion would empty its registers.
void compute_turns(const Tree& tree, const double* qpos, std::vector<Vec2>& turn) {
  const auto joints = static_cast<Index>(tree.joints.size());
  turn.resize(tree.joints.size());
  for (Index i = 0; i < joints; ++i) {
    const Tree::Joint& j = tree.joints[i];
    if (j.type != JointType::hinge) continue;
    const double t = qpos[j.qpos] - j.reference;
    turn[i] = Vec2(std::cos(t), std::sin(t));
  }
}

/// A turn about the axis a through the point r from O.
Motion axis_through(const Vec3& r, const Vec3& a) {
  return {a, cross(r, a)};
}

/// Moves the body by its joints and writes their axes. O is known before: a tree's first link has
/// it where its body is before its joints, or where its free joint says.
void apply_joints(const Tree& tree, const Tree::Link& link, const double* qpos, const Vec2* turn,
                  const Vec3& O, Pose& X, Motion* axis) {
  const Tree::Joint* joint = &tree.joints[link.first_joint];
  for (Index k = 0; k < link.joint_count; ++k, ++joint) {
    Motion* S = axis + joint->dof;
    const double* q = qpos + joint->qpos;
    if (joint->type == JointType::slide) {
      const Vec3 a = X.R * joint->axis_B;
      X.p += (q[0] - joint->reference) * a;
      *S = {Vec3::Zero(), a};
      continue;
    }
    Vec3 anchor = X.p;
    if (joint->off_centre) anchor += X.R * joint->anchor_B;
    if (joint->type == JointType::hinge) {
      const Vec2& t = turn[link.first_joint + k];
      if (joint->along >= 0) {
        *S = axis_through(anchor - O, X.R.col(joint->along));
        turn_along(X.R, joint->along, t[0], t[1]);
      } else {
        const Vec3 a = X.R * joint->axis_B;
        *S = axis_through(anchor - O, a);
        turn_about(X.R, a, t[0], t[1]);
      }
    } else {
      X.R = (X.R * rotation_of(q)).eval();
      for (int i = 0; i < 3; ++i) S[i] = axis_through(anchor - O, X.R.col(i));
    }
    if (joint->off_centre) X.p = anchor - X.R * joint->anchor_B;
  }
}

void apply_free_joint(const Tree::Joint& joint, const double* qpos, Pose& X, Motion* axis) {
  const double* q = qpos + joint.qpos;
  X.p = Vec3(q[0], q[1], q[2]);
  X.R = rotation_of(q + 3);
  Motion* S = axis + joint.dof;
  for (int i = 0; i < 3; ++i) S[i] = {Vec3::Zero(), Vec3::Unit(i)};
  for (int i = 0; i < 3; ++i) S[3 + i] = {X.R.col(i), Vec3::Zero()};
}

PointInertia inertia_about(const Tree::Link& link, const Pose& X, const Vec3& O) {
  const Vec3 c = X.R * link.com_B + (X.p - O);
  const Mat3& R = X.R;
  Mat3 A;  // R I
  if (link.diagonal) {
    for (int k = 0; k < 3; ++k) A.col(k) = link.inertia_com_B(k, k) * R.col(k);
  } else {
    A.noalias() = R * link.inertia_com_B;
  }
  const auto entry = [&](int i, int j) {
    return A(i, 0) * R(j, 0) + A(i, 1) * R(j, 1) + A(i, 2) * R(j, 2);
  };
  PointInertia out;
  out.mass = link.mass;
  out.moment = link.mass * c;
  const double mx = out.moment[0] * c[0], my = out.moment[1] * c[1], mz = out.moment[2] * c[2];
  out.xx = entry(0, 0) + my + mz;
  out.yy = entry(1, 1) + mx + mz;
  out.zz = entry(2, 2) + mx + my;
  out.xy = entry(0, 1) - out.moment[0] * c[1];
  out.xz = entry(0, 2) - out.moment[0] * c[2];
  out.yz = entry(1, 2) - out.moment[1] * c[2];
  return out;
}

/// After the poses: nothing here waits for the link above.
void compute_inertias(const Tree& tree, Kinematics& kin) {
  const auto links = static_cast<Index>(tree.links.size());
  for (Index i = 0; i < links; ++i) {
    const Tree::Link& link = tree.links[i];
    if (!link.alone) kin.inertia[i] = inertia_about(link, kin.X_WB[link.body], kin.origin[i]);
  }
}

/// Adds the joints of a link to its motion and to its acceleration. The three axes of a ball are
/// carried by the same link: their sum is one axis.
void add_joints(const Tree& tree, const Tree::Link& link, const Motion* axis, const double* qvel,
                Motion& V, Motion& B) {
  const Tree::Joint* joint = &tree.joints[link.first_joint];
  for (Index k = 0; k < link.joint_count; ++k, ++joint) {
    const Motion* S = axis + joint->dof;
    const double* v = qvel + joint->dof;
    Motion s = scaled(S[0], v[0]);
    if (joint->type == JointType::ball) {
      add(scaled(S[1], v[1]), s);
      add(scaled(S[2], v[2]), s);
    }
    add_bracket(V, s, B);
    add(s, V);
  }
}

}  // namespace

void forward_kinematics(const Model& model, const State& state, Kinematics& kin) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(state.qpos.size() == model.nq);
  kin.X_WB.resize(tree.frames.size());
  kin.origin.resize(tree.links.size());
  kin.inertia.resize(tree.links.size());
  kin.axis.resize(static_cast<std::size_t>(model.nv));
  kin.X_WB[0] = Pose{};
  const double* qpos = state.qpos.data();
  compute_turns(tree, qpos, kin.turn);
  const auto bodies = static_cast<Index>(tree.frames.size());
  for (Index i = 1; i < bodies; ++i) {
    const Tree::Frame& f = tree.frames[i];
    Pose& X = kin.X_WB[i];
    if (f.driven >= 0) {
      X = state.driven[f.driven];
      continue;
    }
    if (f.moves && tree.links[f.link].free) {
      const Tree::Link& link = tree.links[f.link];
      apply_free_joint(tree.joints[link.first_joint], qpos, X, kin.axis.data());
      kin.origin[f.link] = X.p;
      continue;
    }
    const Pose& above = kin.X_WB[f.parent];
    X.p.noalias() = above.R * f.X_PB.p;
    X.p += above.p;
    if (f.turned)
      X.R.noalias() = above.R * f.X_PB.R;
    else
      X.R = above.R;
    if (!f.moves) continue;
    const Tree::Link& link = tree.links[f.link];
    const Vec3 O = link.parent < 0 ? X.p : kin.origin[link.parent];
    kin.origin[f.link] = O;
    apply_joints(tree, link, qpos, kin.turn.data(), O, X, kin.axis.data());
  }
  compute_inertias(tree, kin);
}

void forward_velocities(const Model& model, const VecX& qvel, Kinematics& kin) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(qvel.size() == model.nv);
  kin.velocity.resize(tree.links.size());
  kin.bias.resize(tree.links.size());
  const auto links = static_cast<Index>(tree.links.size());
  for (Index i = 0; i < links; ++i) {
    const Tree::Link& link = tree.links[i];
    Motion V, B;
    if (link.parent >= 0) {
      V = kin.velocity[link.parent];
      B = kin.bias[link.parent];
    }
    if (link.free) {
      const double* v = qvel.data() + link.first_dof;
      V = free_velocity(kin, v, link.first_dof);
      B.v = cross(Vec3(v[0], v[1], v[2]), V.w);
    } else {
      add_joints(tree, link, kin.axis.data(), qvel.data(), V, B);
    }
    kin.velocity[i] = V;
    kin.bias[i] = B;
  }
}

Twist point_velocity(const Model& model, const Kinematics& kin, Index body, const Vec3& point_W) {
  const Index link = model.tree.link_of(body);
  if (link < 0) return {};
  const Motion& V = kin.velocity[link];
  return {V.w, V.v + cross(V.w, point_W - kin.origin[link])};
}

Twist point_acceleration_bias(const Model& model, const Kinematics& kin, Index body,
                              const Vec3& point_W) {
  const Index link = model.tree.link_of(body);
  if (link < 0) return {};
  const Motion& V = kin.velocity[link];
  const Motion& B = kin.bias[link];
  const Vec3 r = point_W - kin.origin[link];
  const Vec3 v = V.v + cross(V.w, r);
  return {B.w, B.v + cross(B.w, r) + cross(V.w, v)};  // the point moves on while O stays
}

}  // namespace tact
