#include "tact/body/kinematics.hpp"

#include <gtest/gtest.h>

#include "tact/body/motion_algebra.hpp"
#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::rounding;

constexpr double pi = std::numbers::pi;

Body solid(Index parent, const Vec3& position) {
  Body b;
  b.parent = parent;
  b.X_PB.p = position;
  b.mass = 1;
  b.inertia_com_B = Mat3::Identity();
  return b;
}

Joint joint(JointType type, Index body, const Vec3& axis = Vec3::UnitZ()) {
  Joint j;
  j.type = type;
  j.body = body;
  j.axis_B = axis;
  return j;
}

TEST(Kinematics, AHingeTurnsAboutItsAnchorAndASlideMovesAlongItsTurnedAxis) {
  Model draft;
  draft.bodies = {Body{}, solid(0, {1, 0, 0}), solid(1, {1, 0, 0})};
  draft.joints = {joint(JointType::hinge, 1), joint(JointType::slide, 2, Vec3::UnitX())};
  draft.joints[0].anchor_B = Vec3(-1, 0, 0);  // the world's origin
  draft.joints[0].reference = 0.5;
  const Model m = *make_model(draft);
  State s = initial_state(m);
  Kinematics kin;
  forward_kinematics(m, s, kin);
  EXPECT_EQ(kin.X_WB[2].p, Vec3(2, 0, 0)) << "the pose of the file is at the reference";
  s.qpos << 0.5 + pi / 2, 3;
  forward_kinematics(m, s, kin);
  EXPECT_LE(max_error(kin.X_WB[1].p, Vec3(0, 1, 0)), rounding);
  EXPECT_LE(max_error(kin.X_WB[2].p, Vec3(0, 5, 0)), 8 * rounding);
  s.qvel << 2, 7;
  forward_velocities(m, s.qvel, kin);
  const Twist V = point_velocity(m, kin, 2, kin.X_WB[2].p);
  EXPECT_LE(max_error(V.w, Vec3(0, 0, 2)), rounding);
  EXPECT_LE(max_error(V.v, Vec3(-10, 7, 0)), 16 * rounding);
  // Centripetal 5 · 2² towards the origin, Coriolis 2 · 2 · 7.
  const Twist B = point_acceleration_bias(m, kin, 2, kin.X_WB[2].p);
  EXPECT_LE(max_error(B.v, Vec3(-28, -20, 0)), 64 * rounding);
}

TEST(Kinematics, AFreeBodyHasItsVelocityInTheWorldAndItsTurnInTheBody) {
  Model draft;
  draft.bodies = {Body{}, solid(0, {0, 0, 0})};
  draft.joints = {joint(JointType::free, 1)};
  const Model m = *make_model(draft);
  State s = initial_state(m);
  const double half = std::sqrt(0.5);
  s.qpos << 1, 2, 3, 2 * half, 0, 0, 2 * half;  // 90 degrees about z; of any length
  s.qvel << 4, 5, 6, 1, 0, 0;
  Kinematics kin;
  forward_kinematics(m, s, kin);
  forward_velocities(m, s.qvel, kin);
  EXPECT_EQ(kin.X_WB[1].p, Vec3(1, 2, 3));
  EXPECT_LE(max_error(kin.X_WB[1].R * Vec3::UnitX(), Vec3::UnitY()), rounding);
  const Twist V = point_velocity(m, kin, 1, Vec3(1, 2, 4));
  EXPECT_LE(max_error(V.w, Vec3(0, 1, 0)), rounding);
  EXPECT_LE(max_error(V.v, Vec3(5, 5, 6)), 8 * rounding);
}

TEST(Kinematics, DrivenBodiesAreWhereTheUserPutsThemAndCarryOthers) {
  Model draft;
  draft.bodies = {Body{}, solid(0, {0, 0, 0}), solid(1, {1, 0, 0}), solid(2, {0, 1, 0})};
  draft.bodies[1].driven = true;
  draft.joints = {joint(JointType::hinge, 3)};
  const Model m = *make_model(draft);
  State s = initial_state(m);
  s.driven[0] = {exp_so3({0, 0, pi / 2}), {0, 0, 5}};
  Kinematics kin;
  forward_kinematics(m, s, kin);
  EXPECT_LE(max_error(kin.X_WB[2].p, Vec3(0, 1, 5)), 8 * rounding);
  EXPECT_LE(max_error(kin.X_WB[3].p, Vec3(-1, 1, 5)), 8 * rounding);
  EXPECT_LE(max_error(centre(m, kin, 3), Vec3(-1, 1, 5)), 8 * rounding);
  forward_velocities(m, s.qvel, kin);
  EXPECT_EQ(point_velocity(m, kin, 2, Vec3::Zero()), Twist{});
  EXPECT_EQ(point_acceleration_bias(m, kin, 2, Vec3::Zero()), Twist{});
}

TEST(Kinematics, ADirtyWorkspaceGivesTheSameBits) {
  Rng rng(3);
  testing::Mechanics used;
  for (int k = 0; k < 20; ++k) {
    const Model m = testing::random_tree(rng, 8);
    const State s = testing::random_state(m, rng);
    used.update(m, s);
    const testing::Mechanics fresh(m, s);
    EXPECT_EQ(used.kin.X_WB, fresh.kin.X_WB);
    EXPECT_EQ(used.mass.values, fresh.mass.values);
    EXPECT_EQ(used.c, fresh.c);
  }
}

TEST(Kinematics, WrongSizesAreBugsOfTheCaller) {
  const Model m = testing::quadruped();
  State s = initial_state(m);
  Kinematics kin;
  forward_kinematics(m, s, kin);
  EXPECT_THROW(forward_velocities(m, VecX::Zero(3), kin), ContractViolation);
  s.qpos.conservativeResize(3);
  EXPECT_THROW(forward_kinematics(m, s, kin), ContractViolation);
}

TEST(MotionAlgebra, AgreesWithTwistsAndWrenches) {
  Rng rng(4);
  for (int k = 0; k < 50; ++k) {
    const Twist a = testing::random_twist(rng), b = testing::random_twist(rng);
    const Wrench f = testing::random_wrench(rng);
    const Motion A{a.w, a.v}, B{b.w, b.v}, F{f.m, f.f};
    const double bound = rounding * (1 + a.vec().norm()) * (1 + b.vec().norm() + f.vec().norm());
    Motion sum;
    add_bracket(A, B, sum);
    const Twist bracketed = bracket(a, b);
    EXPECT_LE(max_error(sum.w, bracketed.w) + max_error(sum.v, bracketed.v), bound);
    EXPECT_NEAR(power(A, F), a.vec().dot(f.vec()), bound);
    Motion rate;
    add_dual_bracket(A, F, rate);
    const Wrench dual = dual_bracket(a, f);
    EXPECT_LE(max_error(rate.w, dual.m) + max_error(rate.v, dual.f), bound);
  }
}

}  // namespace
}  // namespace tact
