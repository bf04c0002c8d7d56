#include "tact/body/model.hpp"

#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/body/model_check.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

Body solid(const std::string& name, Index parent) {
  Body b;
  b.name = name;
  b.parent = parent;
  b.mass = 2;
  b.inertia_com_B = Vec3(1, 2, 2.5).asDiagonal();
  return b;
}

Joint joint(const std::string& name, JointType type, Index body) {
  Joint j;
  j.name = name;
  j.type = type;
  j.body = body;
  return j;
}

/// World, a free trunk with an arm on a slide and a hinge, a tool welded to the arm, a ball beside.
Model draft() {
  Model m;
  m.bodies = {Body{}, solid("trunk", 0), solid("arm", 1), solid("tool", 2), solid("ball", 0)};
  m.bodies[1].X_PB = {exp_so3({0.3, 0, 0}), {1, 2, 3}};
  m.joints = {joint("pendulum", JointType::ball, 4), joint("reach", JointType::slide, 2),
              joint("elbow", JointType::hinge, 2), joint("root", JointType::free, 1)};
  m.joints[2].reference = 0.25;
  m.geoms.resize(3);
  m.geoms[0].body = 3;
  m.geoms[1].body = 0;
  m.geoms[1].name = "floor";
  m.geoms[2].body = 3;
  m.pairs = {{0, 1}};
  m.tendons = {{"cable", {{2, 1.5}}}};
  m.equalities.resize(1);
  m.equalities[0].type = EqualityType::joint;
  m.equalities[0].first = 1;
  m.equalities[0].second = 2;
  m.actuators.resize(1);
  m.actuators[0].target = 3;
  m.sensors = {{"angle", "jointpos", "joint", 2}};
  return m;
}

std::string complaint_about(const std::function<void(Model&)>& spoil) {
  Model m = draft();
  spoil(m);
  const Result<Model> made = make_model(std::move(m));
  EXPECT_FALSE(made);
  return made ? std::string() : made.error().message;
}

TEST(MakeModel, SortsJointsAndGeomsByBodyAndEverythingFollows) {
  const Result<Model> made = make_model(draft());
  ASSERT_TRUE(made) << made.error().message;
  const Model& m = *made;
  EXPECT_EQ(m.joints[0].name, "root");
  EXPECT_EQ(m.joints[1].name, "reach");
  EXPECT_EQ(m.joints[2].name, "elbow");
  EXPECT_EQ(m.joints[3].name, "pendulum");
  EXPECT_EQ(m.tendons[0].joints[0].first, 2);
  EXPECT_EQ(m.equalities[0].first, 1);
  EXPECT_EQ(m.equalities[0].second, 2);
  EXPECT_EQ(m.actuators[0].target, 0);
  EXPECT_EQ(m.sensors[0].object, 2);
  EXPECT_EQ(m.pairs[0].first, 1);
  EXPECT_EQ(m.pairs[0].second, 0);
  EXPECT_EQ(m.bodies[3].first_geom, 1);
  EXPECT_EQ(m.bodies[3].geom_count, 2);
  EXPECT_EQ(find_geom(m, "floor"), 0);
  EXPECT_EQ(find_body(m, "tool"), 3);
  EXPECT_EQ(find_joint(m, "elbow"), 2);
  EXPECT_EQ(find_joint(m, "knee"), -1);
  EXPECT_EQ(find_keyframe(m, "home"), -1);
}

TEST(MakeModel, AddressesAndTheTreeOfTheDofs) {
  const Result<Model> made = make_model(draft());
  ASSERT_TRUE(made) << made.error().message;
  const Model& m = *made;
  EXPECT_EQ(m.nq, 7 + 1 + 1 + 4);
  EXPECT_EQ(m.nv, 6 + 1 + 1 + 3);
  EXPECT_EQ(m.joints[3].qpos, 9);
  EXPECT_EQ(m.joints[3].dof, 8);
  EXPECT_EQ(m.bodies[2].first_dof, 6);
  EXPECT_EQ(m.bodies[2].dof_count, 2);
  EXPECT_EQ(m.bodies[3].dof_count, 0);
  EXPECT_EQ(m.bodies[3].root, 1);
  EXPECT_EQ(m.bodies[4].root, 4);
  EXPECT_EQ(m.dof_parent, (std::vector<Index>{-1, 0, 1, 2, 3, 4, 5, 6, -1, 8, 9}));
  EXPECT_EQ(m.dof_row, (std::vector<Index>{0, 1, 3, 6, 10, 15, 21, 28, 36, 37, 39, 42}));
  EXPECT_EQ(m.dof_body[7], 2);
  EXPECT_EQ(m.dof_joint[7], 2);
}

TEST(MakeModel, TheInitialStateIsThePoseOfTheFileAtRest) {
  Model d = draft();
  d.bodies.push_back(solid("hand", 0));
  d.bodies.back().driven = true;
  d.bodies.back().X_PB.p = Vec3(4, 5, 6);
  const Result<Model> made = make_model(std::move(d));
  ASSERT_TRUE(made) << made.error().message;
  const State s = initial_state(*made);
  EXPECT_EQ(s.qpos.head<3>(), Vec3(1, 2, 3));
  EXPECT_NEAR(s.qpos[3], std::cos(0.15), tolerance::rounding);
  EXPECT_NEAR(s.qpos[4], std::sin(0.15), tolerance::rounding);
  EXPECT_EQ(s.qpos[8], 0.25);
  EXPECT_EQ(s.qpos.tail<4>(), Vec4::UnitX());
  EXPECT_EQ(s.qvel, VecX::Zero(made->nv));
  EXPECT_EQ(s.ctrl.size(), 1);
  ASSERT_EQ(s.driven.size(), 1U);
  EXPECT_EQ(s.driven[0].p, Vec3(4, 5, 6));
}

TEST(MakeModel, AKeyframeMayLeaveThingsOutAndItsQuaternionsAreMadeUnit) {
  Model d = draft();
  d.keyframes.resize(1);
  d.keyframes[0].time = 3;
  d.keyframes[0].qpos = VecX::Constant(13, 2);
  d.keyframes[0].qpos.tail<4>().setZero();
  const Result<Model> made = make_model(std::move(d));
  ASSERT_TRUE(made) << made.error().message;
  const State s = keyframe_state(*made, made->keyframes[0]);
  EXPECT_EQ(s.time, 3);
  EXPECT_EQ(s.qpos[0], 2);
  EXPECT_NEAR(s.qpos[3], 0.5, tolerance::rounding);
  EXPECT_EQ(s.qpos.tail<4>(), Vec4::UnitX());
  EXPECT_EQ(s.qvel.size(), made->nv);
}

TEST(MakeModel, RefusesWhatCannotBeAndNamesIt) {
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  says(complaint_about([](Model& m) { m.bodies.clear(); }), "world");
  says(complaint_about([](Model& m) { m.bodies[2].parent = 3; }), "body \"arm\"");
  says(complaint_about([](Model& m) { m.bodies[2].mass = -1; }), "mass is -1");
  says(complaint_about([&](Model& m) { m.bodies[2].com_B[0] = nan; }), "body \"arm\"");
  says(complaint_about([](Model& m) { m.bodies[2].inertia_com_B(2, 2) = 4; }), "triangle");
  says(complaint_about([](Model& m) { m.bodies[2].inertia_com_B(0, 1) = 0.5; }), "transpose");
  says(complaint_about([](Model& m) { m.bodies[2].X_PB.R *= 2; }), "rotation");
  says(complaint_about([](Model& m) { m.joints[3].body = 2; }), "joint \"root\"");
  says(complaint_about([](Model& m) { m.joints[1].body = 1; }), "free joint and another");
  says(complaint_about([](Model& m) { m.joints[2].body = 4; }), "ball joint and another");
  says(complaint_about([](Model& m) { m.joints[2].body = 9; }), "body 9");
  says(complaint_about([](Model& m) { m.joints[2].axis_B = Vec3(1, 1, 0); }), "unit vector");
  says(complaint_about([](Model& m) { m.joints[2].damping = -1; }), "damping is -1");
  says(complaint_about([](Model& m) { m.joints[2].limited = true; }), "range is 0 to 0");
  says(complaint_about([](Model& m) { m.joints[3].limited = true; }), "no limits");
  says(complaint_about([](Model& m) { m.bodies[2].driven = true; }), "child of the world");
  says(complaint_about([](Model& m) { m.bodies[4].driven = true; }), "driven");
  says(complaint_about([](Model& m) { m.actuators[0].target = 7; }), "target 7");
  says(complaint_about([](Model& m) { m.tendons[0].joints[0].first = 0; }), "neither hinge");
  says(complaint_about([](Model& m) { m.equalities[0].second = 1; }), "joints 1 and 1");
  says(complaint_about([](Model& m) { m.geoms[0].body = 9; }), "no body 9");
  says(complaint_about([](Model& m) { m.pairs[0].second = 3; }), "geoms 0 and 3");
  says(complaint_about([](Model& m) {
         m.keyframes.resize(1);
         m.keyframes[0].qvel = Vec3::Zero();
       }),
       "keyframe 0");
}

TEST(MakeModel, AMovingBodyNeedsInertiaOrArmatureSomewhereBelow) {
  const auto massless = [](Model& m) {
    for (const Index i : {2, 3}) {
      m.bodies[i].mass = 0;
      m.bodies[i].inertia_com_B.setZero();
    }
  };
  EXPECT_NE(complaint_about(massless).find("joint \"reach\" moves nothing"), std::string::npos);

  Model with_armature = draft();
  massless(with_armature);
  with_armature.joints[1].armature = with_armature.joints[2].armature = 0.1;
  EXPECT_TRUE(make_model(with_armature));

  Model with_mass_below = draft();
  with_mass_below.bodies[2].mass = 0;
  with_mass_below.bodies[2].inertia_com_B.setZero();
  EXPECT_TRUE(make_model(with_mass_below));

  // A point mass on the axis of a hinge turns without resistance.
  const auto on_the_axis = [&](Model& m) {
    massless(m);
    m.bodies[3].mass = 1;
    m.bodies[3].X_PB.p = Vec3(0, 0, 0.7);
  };
  EXPECT_NE(complaint_about(on_the_axis).find("joint \"elbow\""), std::string::npos);
}

}  // namespace
}  // namespace tact
