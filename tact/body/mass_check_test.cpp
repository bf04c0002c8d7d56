#include "tact/body/mass_check.hpp"

#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

Body solid(Index parent) {
  Body b;
  b.parent = parent;
  b.mass = 2;
  b.inertia_com_B = Vec3(1, 2, 2.5).asDiagonal();
  return b;
}

Joint joint(const std::string& name, JointType type, Index body, const Vec3& axis) {
  Joint j;
  j.name = name;
  j.type = type;
  j.body = body;
  j.axis_B = axis;
  return j;
}

/// One body that turns about three axes in turn, the middle one turned by an angle.
Model gimbal(double middle) {
  Model m;
  m.bodies = {Body{}, solid(0)};
  m.joints = {joint("yaw", JointType::hinge, 1, Vec3::UnitZ()),
              joint("pitch", JointType::hinge, 1, Vec3::UnitY()),
              joint("roll", JointType::hinge, 1, Vec3::UnitX())};
  const auto made = make_model(m);
  EXPECT_TRUE(made) << made.error().message;
  Model model = *made;
  model.qpos0[1] = middle;
  return model;
}

TEST(MassCheck, JointsThatDoTheSameAreRefused) {
  Model m;
  m.bodies = {Body{}, solid(0)};
  for (const JointType type : {JointType::slide, JointType::hinge}) {
    m.joints = {joint("one", type, 1, Vec3::UnitX()), joint("other", type, 1, -Vec3::UnitX())};
    const auto refused = make_model(m);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.starts_with("joint \"one\": with the joints below it"))
        << refused.error().message;
    m.joints[1].armature = 0.1;
    EXPECT_TRUE(make_model(m));
  }
}

TEST(MassCheck, ALinkWithoutMassBetweenParallelHingesIsRefused) {
  // The forearm turns back as the arm turns: nothing moves but the arm, which weighs nothing.
  Model m;
  m.bodies = {Body{}, Body{}, solid(1)};
  m.bodies[1].parent = 0;
  m.joints = {joint("shoulder", JointType::hinge, 1, Vec3::UnitZ()),
              joint("elbow", JointType::hinge, 2, Vec3::UnitZ())};
  EXPECT_FALSE(make_model(m));
  m.bodies[2].X_PB.p = {0.3, 0, 0};  // now the elbow moves, and the forearm with it
  EXPECT_TRUE(make_model(m));
}

TEST(MassCheck, APointMassOnAnObliqueAxisIsRefusedByName) {
  // Its inertia about the axis is zero but for rounding, which differs from axis to axis.
  Rng rng(1);
  const auto vector = [&] { return Vec3(rng.normal(), rng.normal(), rng.normal()); };
  for (int k = 0; k < 100; ++k) {
    Joint j = joint("spindle", JointType::hinge, 1, vector().normalized());
    j.anchor_B = vector();
    Body point;
    point.parent = 0;
    point.mass = 1;
    point.X_PB.p = vector();
    point.com_B = j.anchor_B + 0.7 * j.axis_B;
    Model m;
    m.bodies = {Body{}, point};
    m.joints = {j};
    const auto refused = make_model(m);
    ASSERT_FALSE(refused) << k;
    EXPECT_NE(refused.error().message.find("joint \"spindle\" moves nothing"), std::string::npos)
        << refused.error().message;
  }
}

TEST(MassCheck, AGimbalLockIsAPoseAndNotARefusal) {
  const double locked = std::numbers::pi / 2;
  EXPECT_EQ(massless_dof(gimbal(0.3), gimbal(0.3).qpos0), -1);
  const Model model = gimbal(locked);
  EXPECT_EQ(massless_dof(model, model.qpos0), 0);
  EXPECT_FALSE(check_mass(model));
}

TEST(MassCheck, SmallIsNotNothing) {
  // A base of a tonne under a tool of a milligram, and the other way round.
  for (const double tip : {1e-6, 1e3}) {
    Model m;
    m.bodies = {Body{}, solid(0), solid(1)};
    m.bodies[1].mass = 1e-3 / tip;
    m.bodies[1].inertia_com_B = Mat3::Identity() * m.bodies[1].mass * 0.01;
    m.bodies[2].mass = tip;
    m.bodies[2].inertia_com_B = Mat3::Identity() * tip * 0.01;
    m.joints = {joint("base", JointType::slide, 1, Vec3::UnitX()),
                joint("tool", JointType::slide, 2, Vec3::UnitX())};
    EXPECT_TRUE(make_model(m)) << tip;
  }
}

}  // namespace
}  // namespace tact
