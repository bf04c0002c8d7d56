#include "tact/io/urdf_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/io/file.hpp"
#include "tact/spatial/inertia.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

constexpr double pi = std::numbers::pi;

/// Files in memory, by path.
FileReader files_of(std::map<std::string, std::string> files) {
  return {[files](const std::string& path) { return files.contains(path); },
          [files](const std::string& path) -> Result<std::string> { return files.at(path); }};
}

Scene scene_of(const std::string& text, const UrdfOptions& options = {},
               const FileReader& files = no_files()) {
  auto scene = read_urdf_text(text, "r.urdf", files, options);
  EXPECT_TRUE(scene) << scene.error().message;
  return scene ? *std::move(scene) : Scene{};
}

/// Lengths are of the order of a metre and inertias of a kg m²: what is left over is rounding.
void expect_near(const Pose& a, const Pose& b, const std::string& what) {
  EXPECT_LT((a.R - b.R).norm(), tolerance::rounding) << what;
  EXPECT_LT((a.p - b.p).norm(), tolerance::rounding) << what;
}

void expect_same_bodies(const Model& a, const Model& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = a.bodies[i], &y = b.bodies[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.parent, y.parent) << x.name;
    expect_near(x.X_PB, y.X_PB, x.name);
    EXPECT_EQ(x.mass, y.mass) << x.name;
    EXPECT_LT((x.com_B - y.com_B).norm(), tolerance::rounding) << x.name;
    EXPECT_LT((x.inertia_com_B - y.inertia_com_B).norm(), tolerance::rounding) << x.name;
    EXPECT_EQ(x.joint_count, y.joint_count) << x.name;
    EXPECT_EQ(x.geom_count, y.geom_count) << x.name;
  }
}

void expect_same_joints(const Model& a, const Model& b) {
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    const Joint &x = a.joints[i], &y = b.joints[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.type, y.type) << x.name;
    EXPECT_EQ(x.body, y.body) << x.name;
    EXPECT_EQ(x.anchor_B, y.anchor_B) << x.name;
    EXPECT_LT((x.axis_B - y.axis_B).norm(), tolerance::rounding) << x.name;
    EXPECT_EQ(x.limited, y.limited) << x.name;
    EXPECT_EQ(x.range, y.range) << x.name;
    EXPECT_EQ(x.damping, y.damping) << x.name;
    EXPECT_EQ(x.dry_friction, y.dry_friction) << x.name;
    EXPECT_EQ(x.qpos, y.qpos) << x.name;
    EXPECT_EQ(x.dof, y.dof) << x.name;
  }
}

void expect_same_rest(const Model& a, const Model& b) {
  ASSERT_EQ(a.geoms.size(), b.geoms.size());
  for (std::size_t i = 0; i < a.geoms.size(); ++i) {
    EXPECT_EQ(a.geoms[i].name, b.geoms[i].name);
    EXPECT_EQ(a.geoms[i].body, b.geoms[i].body);
    EXPECT_TRUE(a.geoms[i].shape == b.geoms[i].shape) << a.geoms[i].name;
    EXPECT_EQ(a.geoms[i].friction, b.geoms[i].friction);
    expect_near(a.geoms[i].X_BG, b.geoms[i].X_BG, a.geoms[i].name);
  }
  ASSERT_EQ(a.actuators.size(), b.actuators.size());
  for (std::size_t i = 0; i < a.actuators.size(); ++i) {
    const Actuator &x = a.actuators[i], &y = b.actuators[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.transmission, y.transmission) << x.name;
    EXPECT_EQ(x.target, y.target) << x.name;
    EXPECT_EQ(x.gain, y.gain) << x.name;
    EXPECT_EQ(x.bias, y.bias) << x.name;
    EXPECT_EQ(x.force_limited, y.force_limited) << x.name;
    EXPECT_EQ(x.force_range, y.force_range) << x.name;
  }
  EXPECT_EQ(a.exclusions, b.exclusions);
  EXPECT_EQ(a.qpos0.size(), b.qpos0.size());
}

// ---- an arm, as a file and as a model

const std::string arm_text = R"(<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <visual><geometry><mesh filename="nowhere.dae"/></geometry></visual>
    <collision name="foot"><geometry><box size="0.4 0.3 0.1"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.25" rpy="1.5707963267948966 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.04" ixy="0.001" ixz="0.002" iyy="0.05" iyz="-0.003" izz="0.06"/>
    </inertial>
    <collision>
      <origin xyz="0 0 0.25" rpy="0 0.5 0"/>
      <geometry><cylinder radius="0.05" length="0.5"/></geometry>
    </collision>
    <contact><lateral_friction value="0.7"/></contact>
  </link>
  <link name="fore">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.005"/></inertial>
    <collision name="tube"><geometry><capsule radius="0.04" length="0.3"/></geometry></collision>
  </link>
  <link name="tool">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001"/></inertial>
    <collision name="tip"><geometry><sphere radius="0.03"/></geometry></collision>
  </link>
  <joint name="wrist" type="fixed">
    <origin xyz="0 0 0.2"/><parent link="fore"/><child link="tool"/>
  </joint>
  <joint name="shoulder" type="revolute">
    <origin xyz="0.1 0 0.05" rpy="0 0 1.5707963267948966"/>
    <parent link="base"/><child link="upper"/>
    <axis xyz="0 2 0"/>
    <limit lower="-1.5" upper="2" effort="40" velocity="3"/>
    <dynamics damping="0.2" friction="0.1"/>
  </joint>
  <joint name="elbow" type="prismatic">
    <origin xyz="0 0 0.5"/>
    <parent link="upper"/><child link="fore"/>
    <limit lower="0" upper="0.3" effort="100" velocity="1"/>
  </joint>
</robot>
)";

Body body_of(const std::string& name, Index parent, const Pose& X_PB, double mass, const Vec3& com,
             const Mat3& inertia) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.X_PB = X_PB;
  body.mass = mass;
  body.com_B = com;
  body.inertia_com_B = inertia;
  return body;
}

Geom geom_of(const std::string& name, Index body, const Shape& shape, const Pose& X_BG) {
  Geom geom;
  geom.name = name;
  geom.body = body;
  geom.shape = shape;
  geom.X_BG = X_BG;
  return geom;
}

Actuator motor_of(const std::string& name, Index joint, double effort) {
  Actuator motor;
  motor.name = name;
  motor.target = joint;
  motor.force_limited = true;
  motor.force_range = {-effort, effort};
  return motor;
}

Model arm_model() {
  Model m;
  m.name = "arm";
  // A quarter turn about x takes y to z and z to -y: the entries of the file, by hand.
  Mat3 upper;
  upper << 0.04, -0.002, 0.001, -0.002, 0.06, 0.003, 0.001, 0.003, 0.05;
  const Mat3 quarter = exp_so3({0, 0, pi / 2});
  const Pose above{Mat3::Identity(), {0, 0, 0.5}}, end{Mat3::Identity(), {0, 0, 0.2}};
  m.bodies = {body_of("world", 0, {}, 0, Vec3::Zero(), Mat3::Zero()),
              body_of("base", 0, {}, 0, Vec3::Zero(), Mat3::Zero()),
              body_of("upper", 1, {quarter, {0.1, 0, 0.05}}, 2, {0, 0, 0.25}, upper),
              body_of("fore", 2, above, 1, Vec3::Zero(), Vec3(0.01, 0.01, 0.005).asDiagonal()),
              body_of("tool", 3, end, 0.5, Vec3::Zero(), Mat3::Identity() * 0.001)};
  Joint shoulder;
  shoulder.name = "shoulder";
  shoulder.body = 2;
  shoulder.axis_B = Vec3::UnitY();
  shoulder.limited = true;
  shoulder.range = {-1.5, 2};
  shoulder.damping = 0.2;
  shoulder.dry_friction = 0.1;
  Joint elbow;
  elbow.name = "elbow";
  elbow.type = JointType::slide;
  elbow.body = 3;
  elbow.axis_B = Vec3::UnitX();  // the axis of a joint that gives none
  elbow.limited = true;
  elbow.range = {0, 0.3};
  m.joints = {shoulder, elbow};
  m.geoms = {geom_of("foot", 1, Box{{0.2, 0.15, 0.05}}, {}),
             geom_of("", 2, Cylinder{0.05, 0.25}, {exp_so3({0, 0.5, 0}), {0, 0, 0.25}}),
             geom_of("tube", 3, Capsule{0.04, 0.15}, {}), geom_of("tip", 4, Sphere{0.03}, {})};
  m.geoms[1].friction[0] = 0.7;
  m.actuators = {motor_of("shoulder", 0, 40), motor_of("elbow", 1, 100)};
  m.exclusions = {{1, 2}, {2, 3}, {3, 4}};
  auto model = make_model(m);
  EXPECT_TRUE(model) << model.error().message;
  return *std::move(model);
}

TEST(Urdf, AnArmIsTheModelItDescribes) {
  const Scene scene = scene_of(arm_text);
  const Model wanted = arm_model();
  EXPECT_EQ(scene.model.name, "arm");
  EXPECT_EQ(scene.model.nv, 2);
  expect_same_bodies(scene.model, wanted);
  expect_same_joints(scene.model, wanted);
  expect_same_rest(scene.model, wanted);
  EXPECT_EQ(scene.not_modelled,
            (std::vector<std::string>{"r.urdf:35: <limit velocity> is not modelled (2 times)"}));
  EXPECT_EQ(scene.geom_mesh, (std::vector<Index>{-1, -1, -1, -1}));
}

TEST(Urdf, TheSameArmOnAFreeBase) {
  std::string heavy = arm_text;
  const std::string mark = "<link name=\"base\">";
  heavy.insert(heavy.find(mark) + mark.size(),
               "<inertial><mass value=\"9\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>");
  const Model model = scene_of(heavy, {.free_base = true}).model;
  EXPECT_EQ(model.nq, 9);
  EXPECT_EQ(model.nv, 8);
  EXPECT_EQ(model.joints[0].type, JointType::free);
  EXPECT_EQ(model.joints[0].name, "free_base");
  EXPECT_EQ(model.bodies[1].name, "base");
  EXPECT_EQ(model.qpos0.head<7>(),
            (Eigen::Matrix<double, 7, 1>() << 0, 0, 0, 1, 0, 0, 0).finished());
  EXPECT_EQ(model.actuators.size(), 2U);
  EXPECT_EQ(model.joints[model.actuators[1].target].name, "elbow");
}

// ---- a quadruped

const std::vector<std::string> legs{"fl", "fr", "hl", "hr"};

/// A trunk of 0.4 × 0.2 × 0.1 m and 6 kg with four legs of three joints.
std::string quadruped_text() {
  const auto link = [](const std::string& name, double mass, const Inertia& inertia,
                       const std::string& shape) {
    const Mat3 I = inertia.about_com();
    return "<link name='" + name + "'><inertial><mass value='" + std::to_string(mass) +
           "'/><inertia ixx='" + std::to_string(I(0, 0)) + "' iyy='" + std::to_string(I(1, 1)) +
           "' izz='" + std::to_string(I(2, 2)) + "'/></inertial><collision><geometry>" + shape +
           "</geometry></collision></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& xyz, const std::string& axis) {
    return "<joint name='" + name + "' type='revolute'><origin xyz='" + xyz + "'/><parent link='" +
           parent + "'/><child link='" + child + "'/><axis xyz='" + axis +
           "'/><limit lower='-1' upper='1' effort='20' velocity='9'/></joint>\n";
  };
  std::string text = "<robot name='dog'>\n";
  text += link("trunk", 6, box_inertia(6, {0.2, 0.1, 0.05}), "<box size='0.4 0.2 0.1'/>");
  for (const std::string& leg : legs) {
    text += link(leg + "_hip", 0.5, sphere_inertia(0.5, 0.05), "<sphere radius='0.05'/>");
    text += link(leg + "_thigh", 0.75, capsule_inertia(0.75, 0.02, 0.1),
                 "<capsule radius='0.02' length='0.2'/>");
    text += link(leg + "_shank", 0.25, cylinder_inertia(0.25, 0.015, 0.1),
                 "<cylinder radius='0.015' length='0.2'/>");
    const std::string x = leg[0] == 'f' ? "0.2" : "-0.2", y = leg[1] == 'l' ? "0.1" : "-0.1";
    text += joint(leg + "_abduction", "trunk", leg + "_hip", x + " " + y + " 0", "1 0 0");
    text += joint(leg + "_hip", leg + "_hip", leg + "_thigh", "0 0 -0.05", "0 1 0");
    text += joint(leg + "_knee", leg + "_thigh", leg + "_shank", "0 0 -0.2", "0 1 0");
    text += "<transmission name='" + leg + "'/>\n<gazebo reference='" + leg +
            "_shank'><mu1>0.6</mu1><mu2 value='0.6'/><kp>1e6</kp></gazebo>\n";
  }
  return text + "</robot>\n";
}

TEST(Urdf, AQuadruped) {
  const Scene scene = scene_of(quadruped_text(), {.free_base = true});
  const Model& m = scene.model;
  EXPECT_EQ(m.nq, 7 + 12);
  EXPECT_EQ(m.nv, 6 + 12);
  ASSERT_EQ(m.bodies.size(), 14U);
  double mass = 0;
  for (const Body& body : m.bodies) mass += body.mass;
  EXPECT_DOUBLE_EQ(mass, 6 + 4 * (0.5 + 0.75 + 0.25));
  EXPECT_EQ(m.actuators.size(), 12U);
  EXPECT_EQ(m.exclusions.size(), 12U);
  for (std::size_t leg = 0; leg < 4; ++leg) {
    const Index hip = find_body(m, legs[leg] + "_hip");
    ASSERT_EQ(hip, static_cast<Index>(2 + 3 * leg));
    EXPECT_EQ(m.bodies[hip].parent, 1);
    EXPECT_EQ(m.bodies[hip].X_PB.p, Vec3(leg < 2 ? 0.2 : -0.2, leg % 2 == 0 ? 0.1 : -0.1, 0));
    EXPECT_EQ(m.bodies[hip + 2].parent, hip + 1);
    EXPECT_EQ(m.geoms[m.bodies[hip + 2].first_geom].friction[0], 0.6);
    EXPECT_EQ(m.geoms[m.bodies[hip + 1].first_geom].friction[0], 1);
  }
  // 1/12 m (b² + c²), to the six decimals of the text.
  const double ixx = 6.0 / 12 * (0.2 * 0.2 + 0.1 * 0.1);
  EXPECT_NEAR(m.bodies[1].inertia_com_B(0, 0), ixx, 0.5e-6 * (1 + tolerance::rounding));
  EXPECT_EQ(scene.not_modelled,
            (std::vector<std::string>{"r.urdf:6: <limit velocity> is not modelled (12 times)",
                                      "r.urdf:9: <transmission> is not modelled (4 times)",
                                      "r.urdf:10: <gazebo> <kp> is not modelled (4 times)"}));
}

// ---- kinds of joints

/// Links a - b with a joint of the kind, b with mass.
std::string pair_text(const std::string& joint, const std::string& root = "a") {
  return "<robot name='p'>\n<link name='" + root +
         "'/>\n<link name='b'><inertial><mass value='1'/>"
         "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n<joint name='j' " +
         joint + "<parent link='" + root + "'/><child link='b'/></joint>\n</robot>";
}

TEST(Urdf, ContinuousJointsHaveNoLimits) {
  const Model m = scene_of(pair_text("type='continuous'><axis xyz='0 0 -3'/>"
                                     "<limit lower='-1' upper='1' effort='2' velocity='1'/>"))
                      .model;
  EXPECT_EQ(m.joints[0].type, JointType::hinge);
  EXPECT_FALSE(m.joints[0].limited);
  EXPECT_EQ(m.joints[0].axis_B, Vec3(0, 0, -1));
  EXPECT_EQ(m.actuators[0].force_range, Vec2(-2, 2));
}

TEST(Urdf, PlanarJointsAreTwoSlidesAndAHinge) {
  const Model m = scene_of(pair_text("type='planar'><axis xyz='0 0 1'/>")).model;
  ASSERT_EQ(m.joints.size(), 3U);
  EXPECT_EQ(m.joints[0].name + m.joints[1].name + m.joints[2].name, "j_xj_yj_turn");
  EXPECT_EQ(m.joints[0].axis_B, Vec3(1, 0, 0));
  EXPECT_EQ(m.joints[1].axis_B, Vec3(0, 1, 0));
  EXPECT_EQ(m.joints[2].axis_B, Vec3(0, 0, 1));
  EXPECT_EQ(m.joints[1].type, JointType::slide);
  EXPECT_EQ(m.joints[2].type, JointType::hinge);
  EXPECT_TRUE(m.actuators.empty());
  const Model tilted = scene_of(pair_text("type='planar'><axis xyz='1 -2 0.5'/>")).model;
  Mat3 frame;
  for (int k = 0; k < 3; ++k) frame.col(k) = tilted.joints[k].axis_B;
  EXPECT_TRUE(is_rotation(frame, {tolerance::rounding}));
}

TEST(Urdf, WhatFloatsIsAFreeBodyOrSlidesAndABall) {
  const std::string floating = "type='floating'><origin xyz='1 2 3' rpy='0 0 0.5'/>";
  for (const char* root : {"a", "world"}) {
    const Model m = scene_of(pair_text(floating, root)).model;
    ASSERT_EQ(m.joints.size(), 1U);
    EXPECT_EQ(m.joints[0].type, JointType::free);
    EXPECT_EQ(m.joints[0].name, "j");
    EXPECT_EQ(m.bodies[m.joints[0].body].parent, 0);
    EXPECT_EQ(m.qpos0.head<3>(), Vec3(1, 2, 3));
    EXPECT_TRUE(m.exclusions.empty());
  }
  // On a table that stands still, away from the origin.
  const std::string table =
      "<robot name='t'><link name='floor'/><link name='table'/><link name='ball'><inertial>"
      "<mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<joint name='stand' type='fixed'><origin xyz='1 0 0.5' rpy='0 0 1.5707963267948966'/>"
      "<parent link='floor'/><child link='table'/></joint>"
      "<joint name='lies' type='floating'><origin xyz='0.25 0 0.1'/><parent link='table'/>"
      "<child link='ball'/></joint></robot>";
  const Model m = scene_of(table).model;
  EXPECT_EQ(m.joints[0].type, JointType::free);
  expect_near(m.bodies[3].X_PB, {exp_so3({0, 0, pi / 2}), {1, 0.25, 0.6}}, "ball");
  // On something that moves.
  const std::string massive =
      "<link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  std::string carried = pair_text(floating);
  carried.replace(carried.find("<link name='a'/>"), 16, massive);
  const Model moving = scene_of(carried, {.free_base = true}).model;
  EXPECT_EQ(moving.nv, 12);
  ASSERT_EQ(moving.joints.size(), 5U);
  EXPECT_EQ(moving.joints[4].type, JointType::ball);
  EXPECT_EQ(moving.joints[3].axis_B, Vec3::UnitZ());
  EXPECT_EQ(moving.bodies[2].parent, 1);
}

TEST(Urdf, ARootCalledWorldIsTheWorld) {
  std::string text =
      pair_text("type='revolute'><limit lower='0' upper='1' effort='1' velocity='1'/>", "world");
  text.replace(text.find("<link name='world'/>"), 20,
               "<link name='world'><collision name='wall'><geometry><box size='1 1 1'/></geometry>"
               "</collision></link>");
  const Model m = scene_of(text, {.free_base = true}).model;
  ASSERT_EQ(m.bodies.size(), 2U);
  EXPECT_EQ(m.nv, 1);
  EXPECT_EQ(m.geoms[0].body, 0);
  EXPECT_TRUE(m.exclusions.empty());
  EXPECT_EQ(scene_of(pair_text("type='spherical'>", "world")).model.joints[0].type,
            JointType::ball);
}

TEST(Urdf, MimicsAreEqualities) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  const auto finger = [](const std::string& name, const std::string& extra) {
    return "<joint name='" + name + "' type='prismatic'><parent link='palm'/><child link='" + name +
           "'/><axis xyz='0 1 0'/><limit lower='0' upper='0.04' effort='20' velocity='1'/>" +
           extra + "</joint>";
  };
  // The joint that mimics comes first: the other is found all the same.
  const Scene scene =
      scene_of("<robot name='g'><link name='palm'/><link name='left'>" + inertial +
               "</link><link name='right'>" + inertial + "</link>" +
               finger("left", "<mimic joint='right' multiplier='-2' offset='0.01'/>") +
               finger("right", "") + "</robot>");
  const Model& m = scene.model;
  ASSERT_EQ(m.equalities.size(), 1U);
  EXPECT_EQ(m.equalities[0].type, EqualityType::joint);
  EXPECT_EQ(m.joints[m.equalities[0].first].name, "left");
  EXPECT_EQ(m.joints[m.equalities[0].second].name, "right");
  EXPECT_EQ(m.equalities[0].polynomial, (std::array<double, 5>{0.01, -2, 0, 0, 0}));
  ASSERT_EQ(m.actuators.size(), 1U);
  EXPECT_EQ(m.actuators[0].name, "right");
}

TEST(Urdf, LimitsThatAreNotGiven) {
  const Scene scene = scene_of(pair_text("type='revolute'><limit effort='0' velocity='0'/>"));
  EXPECT_FALSE(scene.model.joints[0].limited);
  EXPECT_FALSE(scene.model.actuators[0].force_limited);
  EXPECT_EQ(
      scene.not_modelled,
      (std::vector<std::string>{
          "r.urdf:4: a revolute or prismatic joint has no lower and upper limit, so it has none",
          "r.urdf:4: <limit velocity> is not modelled",
          "r.urdf:4: <limit effort> is missing or not positive, so the motor has no limit"}));
  const Model half =
      scene_of(pair_text("type='prismatic'><limit upper='2' effort='1' velocity='1'/>")).model;
  EXPECT_EQ(half.joints[0].range, Vec2(0, 2));
}

TEST(Urdf, LimitsOfZeroAreThoseOfAnExporterThatKnowsNone) {
  const Scene scene =
      scene_of(pair_text("type='revolute'><limit lower='0' upper='0' effort='1' velocity='0'/>"));
  EXPECT_FALSE(scene.model.joints[0].limited);
  EXPECT_EQ(scene.not_modelled.back(),
            "r.urdf:4: <limit> has lower 0 and upper 0, so the joint has no limits");
}

// Frames of sensors and tools have no mass, and some hang on joints that move.
TEST(Urdf, JointsThatMoveNothingAreFixed) {
  const Scene scene = scene_of(R"(<robot name='r'><link name='base'/>
<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<link name='dial'/><link name='needle'>
<inertial><mass value='0'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint>
<joint name='k' type='continuous'><parent link='arm'/><child link='dial'/></joint>
<joint name='l' type='prismatic'><parent link='dial'/><child link='needle'/>
<mimic joint='k'/><limit lower='0' upper='1' effort='1' velocity='1'/></joint>
</robot>)");
  ASSERT_EQ(scene.model.bodies.size(), 5U);
  ASSERT_EQ(scene.model.joints.size(), 1U);
  EXPECT_EQ(scene.model.joints[0].name, "j");
  EXPECT_EQ(scene.model.actuators.size(), 1U);
  EXPECT_TRUE(scene.model.equalities.empty());
  const auto says = [&](const std::string& line) {
    return std::find(scene.not_modelled.begin(), scene.not_modelled.end(), line) !=
           scene.not_modelled.end();
  };
  EXPECT_TRUE(says("r.urdf:4: <inertia> of a link without mass is not modelled"));
  EXPECT_TRUE(says("r.urdf:6: a joint moves links without mass only, so it is fixed (2 times)"));
}

TEST(Urdf, TagsOfOtherProgramsAreReadOver) {
  std::string text = pair_text(R"(type='revolute'>
<safety_controller k_velocity='10' soft_lower_limit='-1'/><calibration rising='0'/>
<limit lower='-1' upper='1' effort='1' velocity='1'/>)");
  text.insert(text.rfind("</robot>"), R"(<transmission name='t'><joint name='j'/></transmission>
<ros2_control name='c' type='system'><param name='p'>${x}</param></ros2_control>
<gazebo><plugin filename='libp.so' name='p'><robotNamespace>/r</robotNamespace></plugin></gazebo>
<gazebo reference='b'><material>Gazebo/Grey</material></gazebo><mujoco><compiler/></mujoco>)");
  const Scene scene = scene_of(text);
  EXPECT_EQ(scene.model.joints[0].range, Vec2(-1, 1));
  std::string said;
  for (const std::string& line : scene.not_modelled) said += line + "\n";
  for (const char* tag : {"<safety_controller>", "<calibration>", "<transmission>",
                          "<ros2_control>", "<gazebo> <plugin>", "<gazebo> <material>", "<mujoco>"})
    EXPECT_NE(said.find(tag), std::string::npos) << tag << " in\n" << said;
}

// ---- meshes

const std::string tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string mesh_text(const std::vector<std::string>& meshes) {
  std::string text = "<robot name='m'>\n<link name='a'>\n";
  for (const std::string& mesh : meshes)
    text += "<collision><geometry><mesh " + mesh + "/></geometry></collision>\n";
  return text + "</link>\n</robot>";
}

TEST(UrdfMesh, HullsAreScaledAndShared) {
  const std::string file = "filename='t.obj'";
  const Scene scene = scene_of(mesh_text({file, file + " scale='2 3 -4'", file}), {},
                               files_of({{"t.obj", tetrahedron}}));
  ASSERT_EQ(scene.model.geoms.size(), 3U);
  EXPECT_TRUE(scene.model.geoms[0].from_mesh);
  EXPECT_TRUE(scene.model.geoms[0].shape == scene.model.geoms[2].shape);
  EXPECT_FALSE(scene.model.geoms[0].shape == scene.model.geoms[1].shape);
  const auto& hull = *std::get<ConvexMesh>(scene.model.geoms[1].shape).polyhedron;
  ASSERT_EQ(hull.vertices.size(), 4U);
  ASSERT_EQ(hull.faces.size(), 4U);
  Vec3 most = Vec3::Zero(), least = Vec3::Zero();
  for (const Vec3& vertex : hull.vertices) {
    most = most.cwiseMax(vertex);
    least = least.cwiseMin(vertex);
  }
  EXPECT_EQ(most, Vec3(2, 3, 0));
  EXPECT_EQ(least, Vec3(0, 0, -4));
  ASSERT_EQ(scene.meshes.size(), 2U);
  EXPECT_EQ(scene.geom_mesh, (std::vector<Index>{0, 1, 0}));
  // The mirror keeps the outside outside: the volume of a closed mesh stays positive.
  const TriangleMesh& drawn = *scene.meshes[1].triangles;
  double volume = 0;
  for (const auto& t : drawn.triangles)
    volume += drawn.vertices[t[0]].dot(drawn.vertices[t[1]].cross(drawn.vertices[t[2]])) / 6;
  EXPECT_DOUBLE_EQ(volume, 2 * 3 * 4 / 6.0);
}

TEST(UrdfMesh, PathsSeenFromTheFile) {
  const std::string at = "/ws/src/robot_description/urdf/r.urdf";
  const std::string package = "filename='package://robot_description/meshes/t.obj'";
  const auto reads = [&](const std::string& mesh, const std::string& file) {
    return read_urdf_text(mesh_text({mesh}), at, files_of({{file, tetrahedron}})).has_value();
  };
  EXPECT_TRUE(reads("filename='t.obj'", "/ws/src/robot_description/urdf/t.obj"));
  EXPECT_TRUE(reads("filename='../meshes/t.obj'", "/ws/src/robot_description/meshes/t.obj"));
  EXPECT_TRUE(reads("filename='file:///data/t.obj'", "/data/t.obj"));
  EXPECT_TRUE(reads("filename='file://t.obj'", "/ws/src/robot_description/urdf/t.obj"));
  EXPECT_TRUE(reads("filename='/data/t.obj'", "/data/t.obj"));
  EXPECT_TRUE(reads(package, "/ws/src/robot_description/urdf/meshes/t.obj"));
  EXPECT_TRUE(reads(package, "/ws/src/robot_description/meshes/t.obj"));
  EXPECT_TRUE(reads("filename='package://hand/t.obj'", "/ws/src/hand/t.obj"));
  EXPECT_TRUE(reads("filename='model://hand/t.obj'", "/ws/hand/t.obj"));
  EXPECT_FALSE(reads(package, "/ws/src/meshes/t.obj"));
  // Nearest first.
  const auto both =
      read_urdf_text(mesh_text({package}), at,
                     files_of({{"/ws/src/robot_description/meshes/t.obj", tetrahedron},
                               {"/ws/src/robot_description/urdf/meshes/t.obj", "v 0 0 0"}}));
  EXPECT_FALSE(both);
}

TEST(UrdfMesh, OtherKindsOfMeshesAreLeftOutAndSaid) {
  const auto read =
      read_urdf_text(mesh_text({"filename='a.dae'", "filename='B.DAE'", "filename='t.obj'"}),
                     "r.urdf", files_of({{"t.obj", tetrahedron}}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->model.geoms.size(), 1U);
  EXPECT_EQ(read->not_modelled,
            std::vector<std::string>{"r.urdf:3: a collision mesh that is neither OBJ, STL nor MSH "
                                     "is not modelled (2 times)"});
}

TEST(UrdfMesh, FilesOnDisk) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "tact_urdf_test" / "robot";
  std::filesystem::create_directories(folder / "urdf");
  std::filesystem::create_directories(folder / "meshes");
  const std::string path = (folder / "urdf" / "r.urdf").string();
  ASSERT_FALSE(write_file({(folder / "meshes" / "t.obj").string(), tetrahedron}));
  ASSERT_FALSE(write_file({path, mesh_text({"filename='package://robot/meshes/t.obj'"})}));
  const auto scene = read_urdf(path);
  const auto missing = read_urdf((folder / "none.urdf").string());
  std::filesystem::remove_all(folder.parent_path());
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(scene->model.geoms.size(), 1U);
  EXPECT_FALSE(missing);
}

}  // namespace
}  // namespace tact
