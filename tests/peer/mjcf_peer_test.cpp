// Scenes as tact and as MuJoCo read them: the same numbers.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "mjcf_scenes.hpp"
#include "tact/io/file.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

namespace fs = std::filesystem;

/// Both readers round: a few operations on numbers of size one.
constexpr double same = 1e-10;
/// MuJoCo's principal axes of inertia are found to about the root of round-off; an error of the
/// axes changes the moments by its square only.
constexpr double same_axes = 1e-6;
/// MuJoCo keeps the vertices of meshes in single precision.
constexpr double same_mesh = 2e-6;

struct Freed {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
using Peer = std::unique_ptr<mjModel, Freed>;

Peer load(const std::string& path, std::string& why) {
  char error[1000] = "";
  Peer m(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  why = error;
  return m;
}

Vec3 vec(const mjtNum* x) {
  return {x[0], x[1], x[2]};
}
Mat3 rotation(const mjtNum* q) {
  return to_matrix({q[0], q[1], q[2], q[3]});
}

template <class A, class B>
void near(const A& a, const B& b, double tolerance, const std::string& what) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << what << ": " << a << "\n is not\n" << b;
}

void compare_bodies(const Model& t, const mjModel& m, double tolerance) {
  ASSERT_EQ(std::ssize(t.bodies), m.nbody);
  for (int i = 1; i < m.nbody; ++i) {
    const Body& b = t.bodies[i];
    const std::string who = "body " + std::to_string(i);
    EXPECT_EQ(b.parent, m.body_parentid[i]) << who;
    EXPECT_NEAR(b.mass, m.body_mass[i], tolerance * (1 + b.mass)) << who;
    near(b.X_PB.p, vec(m.body_pos + 3 * i), same, who + " pos");
    near(b.X_PB.R, rotation(m.body_quat + 4 * i), same, who + " quat");
    near(b.com_B, vec(m.body_ipos + 3 * i), tolerance, who + " ipos");
    const Mat3 R = rotation(m.body_iquat + 4 * i);
    const Mat3 inertia = R * vec(m.body_inertia + 3 * i).asDiagonal() * R.transpose();
    near(b.inertia_com_B, inertia, same_axes * inertia.trace(), who + " inertia");
    Vec3 moments = vec(m.body_inertia + 3 * i);
    std::sort(moments.begin(), moments.end());
    near(Eigen::SelfAdjointEigenSolver<Mat3>(b.inertia_com_B).eigenvalues(), moments,
         tolerance * (1 + inertia.trace()), who + " moments");
    EXPECT_EQ(b.driven, m.body_mocapid[i] >= 0) << who;
  }
}

void compare_joints(const Model& t, const mjModel& m) {
  ASSERT_EQ(std::ssize(t.joints), m.njnt);
  constexpr int types[] = {mjJNT_FREE, mjJNT_BALL, mjJNT_HINGE, mjJNT_SLIDE};
  for (int i = 0; i < m.njnt; ++i) {
    const Joint& j = t.joints[i];
    const std::string who = "joint " + std::to_string(i);
    const int dof = m.jnt_dofadr[i];
    EXPECT_EQ(types[static_cast<int>(j.type)], m.jnt_type[i]) << who;
    EXPECT_EQ(j.qpos, m.jnt_qposadr[i]) << who;
    EXPECT_EQ(j.dof, dof) << who;
    EXPECT_NEAR(j.stiffness, m.jnt_stiffness[i], same) << who;
    EXPECT_NEAR(j.damping, m.dof_damping[dof], same) << who;
    EXPECT_NEAR(j.armature, m.dof_armature[dof], same) << who;
    EXPECT_NEAR(j.dry_friction, m.dof_frictionloss[dof], same) << who;
    if (j.type == JointType::free) continue;
    near(j.anchor_B, vec(m.jnt_pos + 3 * i), same, who + " pos");
    EXPECT_EQ(j.limited, m.jnt_limited[i] != 0) << who;
    if (j.limited) near(j.range, Vec2(m.jnt_range[2 * i], m.jnt_range[2 * i + 1]), same, who);
    if (j.type == JointType::ball) continue;
    near(j.axis_B, vec(m.jnt_axis + 3 * i), same, who + " axis");
    EXPECT_NEAR(j.spring_reference, m.qpos_spring[m.jnt_qposadr[i]], same) << who;
  }
}

/// The sizes as MuJoCo writes them.
Vec3 sizes(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return {s->radius, 0, 0};
  if (const auto* s = std::get_if<Capsule>(&shape)) return {s->radius, s->half_length, 0};
  if (const auto* s = std::get_if<Cylinder>(&shape)) return {s->radius, s->half_length, 0};
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) return s->semi_axes;
  if (const auto* s = std::get_if<Box>(&shape)) return s->half_extents;
  return Vec3::Zero();
}

void compare_geoms(const Model& t, const mjModel& m, double tolerance) {
  ASSERT_EQ(std::ssize(t.geoms), m.ngeom);
  for (int i = 0; i < m.ngeom; ++i) {
    const Geom& g = t.geoms[i];
    const std::string who = "geom " + std::to_string(i);
    EXPECT_EQ(g.body, m.geom_bodyid[i]) << who;
    near(g.X_BG.p, vec(m.geom_pos + 3 * i), tolerance, who + " pos");
    // The principal axes of a mesh have no sign.
    const Mat3 turn = g.X_BG.R.transpose() * rotation(m.geom_quat + 4 * i);
    near(tolerance > same ? Mat3(turn.cwiseAbs()) : turn, Mat3(Mat3::Identity()),
         std::sqrt(tolerance), who + " quat");
    if (m.geom_type[i] != mjGEOM_MESH && m.geom_type[i] != mjGEOM_PLANE)
      near(sizes(g.shape), vec(m.geom_size + 3 * i), tolerance, who + " size");
    near(g.friction, vec(m.geom_friction + 3 * i), same, who + " friction");
    EXPECT_EQ(g.contype, m.geom_contype[i]) << who;
    EXPECT_EQ(g.conaffinity, m.geom_conaffinity[i]) << who;
    EXPECT_EQ(g.condim, m.geom_condim[i]) << who;
    EXPECT_EQ(g.priority, m.geom_priority[i]) << who;
    EXPECT_EQ(g.group, m.geom_group[i]) << who;
    EXPECT_NEAR(g.margin, m.geom_margin[i], same) << who;
  }
  ASSERT_EQ(std::ssize(t.sites), m.nsite);
  for (int i = 0; i < m.nsite; ++i) {
    near(t.sites[i].X_BS.p, vec(m.site_pos + 3 * i), same, "site pos");
    near(t.sites[i].X_BS.R, rotation(m.site_quat + 4 * i), same, "site quat");
  }
}

void compare_actuators(const Model& t, const mjModel& m) {
  ASSERT_EQ(std::ssize(t.actuators), m.nu);
  for (int i = 0; i < m.nu; ++i) {
    const Actuator& a = t.actuators[i];
    const std::string who = "actuator " + std::to_string(i);
    EXPECT_EQ(a.target, m.actuator_trnid[2 * i]) << who;
    near(a.gear, Eigen::Map<const Vec6>(m.actuator_gear + 6 * i), same, who + " gear");
    const bool affine = m.actuator_gaintype[i] == mjGAIN_AFFINE;
    const Vec3 gain = vec(m.actuator_gainprm + mjNGAIN * i);
    near(a.gain, affine ? gain : Vec3(gain[0], 0, 0), same, who + " gain");
    const bool biased = m.actuator_biastype[i] == mjBIAS_AFFINE;
    near(a.bias, biased ? vec(m.actuator_biasprm + mjNBIAS * i) : Vec3(Vec3::Zero()), same,
         who + " bias");
    EXPECT_EQ(a.ctrl_limited, m.actuator_ctrllimited[i] != 0) << who;
    EXPECT_EQ(a.force_limited, m.actuator_forcelimited[i] != 0) << who;
    near(a.ctrl_range, Eigen::Map<const Vec2>(m.actuator_ctrlrange + 2 * i), same, who);
    near(a.force_range, Eigen::Map<const Vec2>(m.actuator_forcerange + 2 * i), same, who);
  }
  ASSERT_EQ(std::ssize(t.tendons), m.ntendon);
  for (int i = 0; i < m.ntendon; ++i) {
    EXPECT_NEAR(t.tendons[i].stiffness, m.tendon_stiffness[i], same);
    EXPECT_NEAR(t.tendons[i].damping, m.tendon_damping[i], same);
    EXPECT_NEAR(t.tendons[i].dry_friction, m.tendon_frictionloss[i], same);
    near(t.tendons[i].range, Eigen::Map<const Vec2>(m.tendon_range + 2 * i), same, "tendon range");
    EXPECT_EQ(std::ssize(t.tendons[i].joints), m.tendon_num[i]);
  }
}

void compare_equalities(const Model& t, const mjModel& m) {
  ASSERT_EQ(std::ssize(t.equalities), m.neq);
  for (int i = 0; i < m.neq; ++i) {
    const Equality& e = t.equalities[i];
    const mjtNum* data = m.eq_data + mjNEQDATA * i;
    const std::string who = "equality " + std::to_string(i);
    EXPECT_EQ(e.first, m.eq_obj1id[i]) << who;
    EXPECT_EQ(e.second, m.eq_obj2id[i]) << who;
    EXPECT_EQ(e.active, m.eq_active[i] != 0) << who;
    if (e.type == EqualityType::joint) {
      for (int k = 0; k < 5; ++k) EXPECT_NEAR(e.polynomial[k], data[k], same) << who;
      continue;
    }
    const bool weld = e.type == EqualityType::weld;
    near(e.anchor_first, vec(data + (weld ? 3 : 0)), same, who + " first anchor");
    near(e.anchor_second, vec(data + (weld ? 0 : 3)), same, who + " second anchor");
    if (weld) near(e.R_first_second, rotation(data + 6), same, who + " orientation");
  }
  ASSERT_EQ(std::ssize(t.pairs), m.npair);
  for (int i = 0; i < m.npair; ++i) {
    EXPECT_EQ(t.pairs[i].condim, m.pair_dim[i]);
    EXPECT_NEAR(t.pairs[i].friction, m.pair_friction[5 * i], same);
    EXPECT_NEAR(t.pairs[i].margin, m.pair_margin[i], same);
  }
  EXPECT_EQ(std::ssize(t.exclusions), m.nexclude);
}

void compare_keyframes(const Model& t, const mjModel& m) {
  near(t.gravity, vec(m.opt.gravity), same, "gravity");
  EXPECT_EQ(t.timestep, m.opt.timestep);
  ASSERT_EQ(t.nq, m.nq);
  ASSERT_EQ(t.nv, m.nv);
  if (m.nq > 0) near(t.qpos0, VecX::Map(m.qpos0, m.nq), same, "qpos0");
  ASSERT_EQ(std::ssize(t.keyframes), m.nkey);
  for (int i = 0; i < m.nkey; ++i) {
    const State s = keyframe_state(t, t.keyframes[i]);
    EXPECT_EQ(s.time, m.key_time[i]);
    if (m.nq > 0) near(s.qpos, VecX::Map(m.key_qpos + m.nq * i, m.nq), same, "key qpos");
    if (m.nv > 0) near(s.qvel, VecX::Map(m.key_qvel + m.nv * i, m.nv), same, "key qvel");
    if (m.nu > 0) near(s.ctrl, VecX::Map(m.key_ctrl + m.nu * i, m.nu), same, "key ctrl");
  }
}

/// What MuJoCo says where it does not know a scene; empty after a comparison.
std::string compare(const std::string& path) {
  std::string why;
  const Peer m = load(path, why);
  if (!m) return why;
  const auto scene = read_mjcf(path);
  EXPECT_TRUE(scene) << scene.error().message;
  if (!scene) return {};
  const Model& t = scene->model;
  const double tolerance = m->nmesh > 0 ? same_mesh : same;
  compare_bodies(t, *m, tolerance);
  compare_joints(t, *m);
  compare_geoms(t, *m, tolerance);
  compare_actuators(t, *m);
  compare_equalities(t, *m);
  compare_keyframes(t, *m);
  return {};
}

TEST(MjcfPeer, FeatureScenesAreReadAsMujocoReadsThem) {
  const fs::path folder = fs::temp_directory_path() / "tact_mjcf_peer";
  fs::create_directories(folder);
  for (const auto& scene : testing::peer_scenes) {
    SCOPED_TRACE(scene.name);
    const std::string path = (folder / "scene.xml").string();
    ASSERT_FALSE(write_file({path, std::string(scene.text)}));
    EXPECT_EQ(compare(path), "");
  }
  fs::remove_all(folder);
}

/// The built-in robots, or scenes of one's own: every .xml below the folder that the variable names
/// and MuJoCo can read.
TEST(MjcfPeer, ScenesOfAFolderAreReadAsMujocoReadsThem) {
  const char* named = std::getenv("TACT_PEER_SCENES");
  const std::string folder = named ? named : TACT_TEST_DATA "/../../scenes/robots";
  int compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().string());
    if (compare(entry.path().string()).empty()) ++compared;
  }
  RecordProperty("compared", compared);
  EXPECT_GT(compared, 0) << "MuJoCo can read none of the scenes";
}

}  // namespace
}  // namespace tact
