// tests/support/robots.hpp - two robots and random trees, as models and as MJCF text with the same
// numbers.
//
// The robots have the sizes and masses of machines one can buy; their inertias are full matrices,
// as measured ones are.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "tact/base/rng.hpp"
#include "tact/body/model.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/motions.hpp"

namespace tact::testing {

/// "b7".
inline std::string numbered(char letter, Index i) {
  std::string name(1, letter);
  name += std::to_string(i);
  return name;
}

/// A box of that mass, turned and off-centre by a few per cent of its size: no number is special.
inline void give_inertia(Body& b, double mass, const Vec3& half, const Vec3& com, Rng& rng) {
  b.mass = mass;
  b.com_B = com + 0.05 * half.norm() * random_vec3(rng);
  const Vec3 s = half.cwiseAbs2();
  const Mat3 I = (mass / 3 * Vec3(s[1] + s[2], s[2] + s[0], s[0] + s[1])).asDiagonal();
  const Mat3 R = exp_so3(random_vec3(rng, 0.2));
  b.inertia_com_B = R * I * R.transpose();
  b.inertia_com_B = (b.inertia_com_B + b.inertia_com_B.transpose().eval()) / 2;
}

struct Part {
  const char* name;
  const char* parent;
  Vec3 position;
  Vec3 axis;
  double mass;
  Vec3 half;
  Vec3 com;
};

/// A free first part, every other on a hinge.
inline Model robot(const char* name, const std::vector<Part>& parts, double armature) {
  Rng rng(5);
  Model m;
  m.name = name;
  m.bodies.resize(1);
  for (const Part& part : parts) {
    Body b;
    b.name = part.name;
    b.parent = m.bodies.size() == 1 ? 0 : find_body(m, part.parent);
    b.X_PB.p = part.position;
    give_inertia(b, part.mass, part.half, part.com, rng);
    Joint j;
    j.name = b.name;
    j.body = static_cast<Index>(m.bodies.size());
    j.type = j.body == 1 ? JointType::free : JointType::hinge;
    if (j.type == JointType::hinge) {
      j.axis_B = part.axis;
      j.armature = armature;
      j.damping = 0.5;
    }
    m.bodies.push_back(b);
    m.joints.push_back(j);
  }
  return *make_model(std::move(m));
}

/// 18 degrees of freedom: a trunk and four legs of hip, thigh and calf; 12 kg.
inline Model quadruped() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY();
  std::vector<Part> parts = {{"trunk", "", {0, 0, 0.4}, x, 5.2, {0.19, 0.1, 0.06}, Vec3::Zero()}};
  static const char* const hips[] = {"fr_hip", "fl_hip", "rr_hip", "rl_hip"};
  static const char* const thighs[] = {"fr_thigh", "fl_thigh", "rr_thigh", "rl_thigh"};
  static const char* const calves[] = {"fr_calf", "fl_calf", "rr_calf", "rl_calf"};
  for (int leg = 0; leg < 4; ++leg) {
    const double side = leg % 2 == 0 ? -1 : 1;
    const double front = leg < 2 ? 1 : -1;
    parts.push_back({hips[leg],
                     "trunk",
                     {0.18 * front, 0.05 * side, 0},
                     x,
                     0.6,
                     {0.04, 0.04, 0.04},
                     {0, 0.03 * side, 0}});
    parts.push_back(
        {thighs[leg], hips[leg], {0, 0.08 * side, 0}, y, 0.9, {0.02, 0.03, 0.1}, {0, 0, -0.05}});
    parts.push_back(
        {calves[leg], thighs[leg], {0, 0, -0.2}, y, 0.2, {0.01, 0.01, 0.1}, {0, 0, -0.1}});
  }
  return robot("quadruped", parts, 0.01);
}

/// 35 degrees of freedom: pelvis, legs of six hinges, waist of three, arms of seven; 34 kg.
inline Model humanoid() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  std::vector<Part> parts = {
      {"pelvis", "", {0, 0, 0.8}, x, 3.8, {0.06, 0.08, 0.05}, {0, 0, -0.07}},
      {"waist_yaw", "pelvis", {0, 0, 0.02}, z, 0.3, {0.03, 0.03, 0.03}, z * 0.02},
      {"waist_roll", "waist_yaw", {0, 0, 0.04}, x, 0.1, {0.03, 0.03, 0.03}, z * 0.01},
      {"torso", "waist_roll", {0, 0, 0.02}, y, 8.0, {0.08, 0.12, 0.15}, z * 0.15}};
  static const char* const legs[2][6] = {
      {"r_hip_pitch", "r_hip_roll", "r_hip_yaw", "r_knee", "r_ankle_pitch", "r_ankle_roll"},
      {"l_hip_pitch", "l_hip_roll", "l_hip_yaw", "l_knee", "l_ankle_pitch", "l_ankle_roll"}};
  static const char* const arms[2][7] = {
      {"r_shoulder_pitch", "r_shoulder_roll", "r_shoulder_yaw", "r_elbow", "r_wrist_roll",
       "r_wrist_pitch", "r_wrist_yaw"},
      {"l_shoulder_pitch", "l_shoulder_roll", "l_shoulder_yaw", "l_elbow", "l_wrist_roll",
       "l_wrist_pitch", "l_wrist_yaw"}};
  for (int side = 0; side < 2; ++side) {
    const double s = side == 0 ? -1 : 1;
    const auto& l = legs[side];
    parts.push_back(
        {l[0], "pelvis", {0, 0.06 * s, -0.1}, y, 1.4, {0.04, 0.05, 0.04}, {0, 0.05 * s, 0}});
    parts.push_back({l[1], l[0], {0, 0.05 * s, -0.03}, x, 1.5, {0.04, 0.04, 0.06}, -0.06 * z});
    parts.push_back({l[2], l[1], {0.02, 0, -0.12}, z, 1.7, {0.04, 0.04, 0.09}, -0.06 * z});
    parts.push_back({l[3], l[2], {-0.08, 0, -0.18}, y, 1.9, {0.04, 0.04, 0.15}, -0.12 * z});
    parts.push_back({l[4], l[3], {0, 0, -0.3}, y, 0.1, {0.02, 0.02, 0.02}, Vec3::Zero()});
    parts.push_back({l[5], l[4], {0, 0, -0.02}, x, 0.6, {0.1, 0.03, 0.02}, 0.03 * x});
    const auto& a = arms[side];
    parts.push_back(
        {a[0], "torso", {0, 0.1 * s, 0.24}, y, 0.7, {0.03, 0.04, 0.03}, {0, 0.05 * s, 0}});
    parts.push_back({a[1], a[0], {0, 0.04 * s, -0.01}, x, 0.6, {0.03, 0.03, 0.05}, -0.06 * z});
    parts.push_back({a[2], a[1], {0, 0, -0.1}, z, 0.7, {0.03, 0.03, 0.06}, -0.06 * z});
    parts.push_back({a[3], a[2], {0.01, 0, -0.08}, y, 0.6, {0.05, 0.03, 0.03}, 0.06 * x});
    parts.push_back({a[4], a[3], {0.1, 0, -0.01}, x, 0.1, {0.03, 0.02, 0.02}, 0.02 * x});
    parts.push_back({a[5], a[4], {0.04, 0, 0}, y, 0.5, {0.03, 0.02, 0.02}, 0.02 * x});
    parts.push_back({a[6], a[5], {0.05, 0, 0}, z, 0.25, {0.05, 0.03, 0.02}, 0.07 * x});
  }
  return robot("humanoid", parts, 0.01);
}

/// Every joint kind, welded bodies, several trees, more than one joint on a body.
inline Model random_tree(Rng& rng, Index bodies) {
  Model m;
  m.gravity = random_vec3(rng, 5);
  m.bodies.resize(1);
  for (Index i = 1; i <= bodies; ++i) {
    Body b;
    b.name = numbered('b', i);
    b.parent = static_cast<Index>(rng.below(static_cast<std::uint64_t>(i)));
    b.X_PB = random_pose(rng, 0.5);
    if (rng.uniform() < 0.3) b.X_PB.R.setIdentity();
    const Vec3 half(rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5));
    give_inertia(b, rng.uniform(0.5, 3), half, random_vec3(rng, 0.2), rng);
    if (rng.uniform() < 0.3) b.inertia_com_B = Mat3(b.inertia_com_B.diagonal().asDiagonal());
    m.bodies.push_back(b);
    const auto add = [&](JointType type) {
      Joint j;
      j.name = numbered('j', static_cast<Index>(m.joints.size()));
      j.type = type;
      j.body = i;
      j.axis_B = random_direction(rng);
      if (rng.uniform() < 0.7 && type != JointType::free) j.anchor_B = random_vec3(rng, 0.3);
      if (type == JointType::hinge || type == JointType::slide) {
        j.reference = rng.uniform() < 0.5 ? 0 : rng.normal();
        j.armature = rng.uniform() < 0.5 ? 0 : rng.uniform();
      }
      m.joints.push_back(j);
    };
    if (b.parent == 0 && rng.uniform() < 0.4) {
      add(JointType::free);
      continue;
    }
    switch (rng.below(7)) {
      case 0:
        add(JointType::ball);
        break;
      case 1:
        add(JointType::slide);
        add(JointType::ball);
        break;
      case 2:
        add(JointType::hinge);
        add(JointType::slide);
        add(JointType::hinge);
        break;
      case 3:
        add(JointType::slide);
        break;
      case 4:
        break;  // welded
      default:
        add(JointType::hinge);
    }
  }
  return *make_model(std::move(m));
}

/// Any pose of the joints and speeds of the order of one.
inline State random_state(const Model& m, Rng& rng) {
  State s = initial_state(m);
  for (Index i = 0; i < m.nq; ++i) s.qpos[i] += 0.7 * rng.normal();
  for (Index i = 0; i < m.nv; ++i) s.qvel[i] = rng.normal();
  for (Index i = 0; i < s.ctrl.size(); ++i) s.ctrl[i] = rng.normal();
  normalize_quaternions(m, s.qpos);
  return s;
}

/// The tree of a model in MJCF, numbers to the last digit.
class MjcfText {
 public:
  explicit MjcfText(const Model& m) : m_(m) {
    out_ = "<mujoco><compiler angle=\"radian\" autolimits=\"false\"/><option";
    number("gravity", {m.gravity[0], m.gravity[1], m.gravity[2]});
    out_ += "/><worldbody>\n";
    for (Index i = 1; i < static_cast<Index>(m.bodies.size()); ++i)
      if (m.bodies[i].parent == 0) body(i);
    out_ += "</worldbody></mujoco>\n";
  }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void number(const char* name, const std::vector<double>& values) {
    out_ += " ";
    out_ += name;
    out_ += "=\"";
    for (const double x : values) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g ", x);
      out_ += digits;
    }
    out_ += "\"";
  }
  void vector(const char* name, const Vec3& v) { number(name, {v[0], v[1], v[2]}); }

  void joint(const Joint& j) {
    static const char* const types[] = {"free", "ball", "hinge", "slide"};
    out_ += "<joint name=\"";
    out_ += j.name;
    out_ += "\" type=\"";
    out_ += types[static_cast<int>(j.type)];
    out_ += "\"";
    if (j.type != JointType::free) vector("pos", j.anchor_B);
    if (j.type == JointType::hinge || j.type == JointType::slide) {
      vector("axis", j.axis_B);
      number("ref", {j.reference});
    }
    number("armature", {j.armature});
    number("damping", {j.damping});
    out_ += "/>\n";
  }

  void body(Index i) {  // NOLINT(misc-no-recursion): as deep as the tree
    const Body& b = m_.bodies[i];
    out_ += "<body name=\"";
    out_ += b.name;
    out_ += "\"";
    vector("pos", b.X_PB.p);
    const Quaternion q = to_quaternion(b.X_PB.R);
    number("quat", {q.w, q.x, q.y, q.z});
    out_ += ">\n<inertial";
    vector("pos", b.com_B);
    number("mass", {b.mass});
    // Principal axes: MuJoCo finds those of a full matrix to 1e-12 kg m² only.
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(b.inertia_com_B);
    Mat3 axes = eigen.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    const Quaternion turn = to_quaternion(axes);
    number("quat", {turn.w, turn.x, turn.y, turn.z});
    vector("diaginertia", eigen.eigenvalues());
    out_ += "/>\n";
    for (Index k = 0; k < b.joint_count; ++k) joint(m_.joints[b.first_joint + k]);
    for (Index k = i + 1; k < static_cast<Index>(m_.bodies.size()); ++k)
      if (m_.bodies[k].parent == i) body(k);
    out_ += "</body>\n";
  }

  const Model& m_;
  std::string out_;
};

inline std::string mjcf_text(const Model& m) {
  return MjcfText(m).text();
}

}  // namespace tact::testing
