#include "tact/body/forces.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::difference_error;
using testing::difference_step;
using testing::max_error;
using testing::Mechanics;
using testing::moved;
using testing::rounding;

/// A free trunk with a hinge and a slide, and a ball beside: every kind of spring and transmission.
Model machine() {
  Model draft;
  draft.bodies.resize(5);
  for (Index i = 1; i < 5; ++i) {
    draft.bodies[i].parent = i < 4 ? i - 1 : 0;
    draft.bodies[i].X_PB = {exp_so3({0.1 * double(i), 0.2, -0.1}), {0.3, 0.1, 0.2}};
    draft.bodies[i].mass = 1;
    draft.bodies[i].inertia_com_B = Mat3::Identity();
  }
  draft.joints.resize(4);
  draft.joints[0] = {.name = "trunk", .type = JointType::free, .body = 1};
  draft.joints[1] = {.name = "hinge", .type = JointType::hinge, .body = 2, .axis_B = Vec3::UnitY()};
  draft.joints[2] = {.name = "slide", .type = JointType::slide, .body = 3, .axis_B = Vec3::UnitX()};
  draft.joints[3] = {.name = "ball", .type = JointType::ball, .body = 4};
  for (Joint& j : draft.joints) j.stiffness = 3 + double(j.body);
  draft.joints[1].spring_reference = 0.2;
  draft.tendons = {{.name = "cable",
                    .joints = {{2, 0.5}, {1, -2.0}},
                    .stiffness = 7,
                    .rest_length = {-0.1, 0.1}}};
  draft.sites = {{"hand", 3, {exp_so3({0.3, 0.2, 0.5}), {0.1, 0.2, 0.3}}}};
  return *make_model(draft);
}

TEST(Forces, SpringsPullDownTheirPotential) {
  const Model m = machine();
  Rng rng(1);
  for (int k = 0; k < 30; ++k) {
    State s = initial_state(m);
    VecX step(m.nv);
    for (Index i = 0; i < m.nv; ++i) step[i] = 0.4 * rng.normal();
    integrate(m, s.qpos, step, 1);
    VecX force;
    passive_force(m, s, force);
    for (Index d = 0; d < m.nv; ++d) {
      const VecX e = difference_step * VecX::Unit(m.nv, d);
      const double slope =
          (spring_potential(m, moved(m, s, e)) - spring_potential(m, moved(m, s, -e))) /
          (2 * difference_step);
      EXPECT_NEAR(force[d], -slope, 64 * difference_error * (1 + spring_potential(m, s)));
    }
  }
}

TEST(Forces, DampersTakePowerOut) {
  Model draft = machine();
  for (Joint& j : draft.joints) {
    j.stiffness = 0;
    j.damping = 2;
  }
  draft.tendons[0].stiffness = 0;
  draft.tendons[0].damping = 3;
  const Model m = *make_model(draft);
  Rng rng(2);
  const State s = testing::random_state(m, rng);
  VecX force;
  passive_force(m, s, force);
  const double speed = tendon_speed(m, 0, s.qvel);
  EXPECT_EQ(speed, 0.5 * s.qvel[7] - 2 * s.qvel[6]);
  EXPECT_NEAR(force.dot(s.qvel), -2 * s.qvel.squaredNorm() - 3 * speed * speed,
              64 * rounding * (1 + s.qvel.squaredNorm()));
}

Actuator actuator(Transmission transmission, Index target, const Vec6& gear) {
  Actuator a;
  a.transmission = transmission;
  a.target = target;
  a.gear = gear;
  return a;
}

TEST(Forces, MomentsAreDerivativesOfLengths) {
  Model draft = machine();
  draft.actuators = {actuator(Transmission::joint, 1, 3 * Vec6::Unit(0)),
                     actuator(Transmission::tendon, 0, 2 * Vec6::Unit(0))};
  const Model m = *make_model(draft);
  Rng rng(3);
  const State s = testing::random_state(m, rng);
  const auto lengths = [&](const State& at, Actuation& out) {
    const Mechanics mechanics(m, at);
    VecX total = VecX::Zero(m.nv);
    actuator_force(m, at, mechanics.kin, out, total);
    return out.length;
  };
  Actuation here, there;
  lengths(s, here);
  const double h = difference_step;
  const VecX rate =
      (lengths(moved(m, s, h * s.qvel), there) - lengths(moved(m, s, -h * s.qvel), there)) /
      (2 * h);
  EXPECT_LE(max_error(rate, here.speed), 64 * difference_error);
}

TEST(Forces, PowerOfSiteFreeAndBallTransmissionsIsThatOfTheirWrench) {
  Model draft = machine();
  const Vec6 gear = (Vec6() << 1, -2, 3, 0.5, 0.6, -0.7).finished();
  draft.actuators = {actuator(Transmission::site, 0, gear), actuator(Transmission::joint, 0, gear),
                     actuator(Transmission::joint_in_parent, 0, gear),
                     actuator(Transmission::joint, 3, gear),
                     actuator(Transmission::joint_in_parent, 3, gear)};
  const Model m = *make_model(draft);
  Rng rng(4);
  const State s = testing::random_state(m, rng);
  const Mechanics at(m, s);
  Actuation out;
  VecX total = VecX::Zero(m.nv);
  actuator_force(m, s, at.kin, out, total);
  const Vec3 force = gear.head<3>(), torque = gear.tail<3>();
  const auto twist = [&](Index body, const Vec3& p) { return point_velocity(m, at.kin, body, p); };
  const Pose X_WS = at.kin.X_WB[3] * m.sites[0].X_BS;
  const Twist hand = twist(3, X_WS.p);
  const double bound = 64 * rounding * (10 + s.qvel.norm());
  EXPECT_NEAR(out.speed[0], (X_WS.R * force).dot(hand.v) + (X_WS.R * torque).dot(hand.w), bound);
  const Twist trunk = twist(1, at.kin.X_WB[1].p);
  const Mat3& R = at.kin.X_WB[1].R;
  EXPECT_NEAR(out.speed[1], force.dot(trunk.v) + (R * torque).dot(trunk.w), bound);
  EXPECT_NEAR(out.speed[2], force.dot(trunk.v) + torque.dot(trunk.w), bound);
  const Twist ball = twist(4, at.kin.X_WB[4].p);
  EXPECT_NEAR(out.speed[3], (at.kin.X_WB[4].R * force).dot(ball.w), bound);
  EXPECT_NEAR(out.speed[4], (m.bodies[4].X_PB.R * force).dot(ball.w), bound);
  // All forces are ctrl here: the power of the sum is the sum of the powers.
  EXPECT_NEAR(total.dot(s.qvel), s.ctrl.dot(out.speed), 8 * bound * (1 + s.ctrl.norm()));
}

TEST(Forces, GainsBiasesAndClamps) {
  Model draft = machine();
  Actuator servo = actuator(Transmission::joint, 1, 2 * Vec6::Unit(0));
  servo.gain = Vec3(50, 0, 0);
  servo.bias = Vec3(0, -50, -4);  // a position servo with damping
  Actuator motor = actuator(Transmission::joint, 2, Vec6::Unit(0));
  motor.ctrl_limited = true;
  motor.ctrl_range = Vec2(-1, 1);
  Actuator weak = servo;
  weak.force_limited = true;
  weak.force_range = Vec2(-3, 2);
  draft.actuators = {servo, motor, weak};
  const Model m = *make_model(draft);
  State s = initial_state(m);
  s.qpos[7] = 0.1;
  s.qvel[6] = 0.5;
  s.ctrl << 0.4, 9, 0.4;
  const Mechanics at(m, s);
  Actuation out;
  VecX total = VecX::Zero(m.nv);
  actuator_force(m, s, at.kin, out, total);
  const double expected = 50 * 0.4 - 50 * 0.2 - 4 * 1.0;
  EXPECT_NEAR(out.force[0], expected, 64 * rounding);
  EXPECT_EQ(out.force[1], 1);
  EXPECT_EQ(out.force[2], 2);
  EXPECT_NEAR(total[6], 2 * (expected + 2), 64 * rounding);
  EXPECT_EQ(total[7], 1);
}

TEST(Forces, AJointClampsTheSumOfItsActuators) {
  Model draft = machine();
  const Actuator strong = actuator(Transmission::joint, 1, 2 * Vec6::Unit(0));
  const Actuator cable = actuator(Transmission::tendon, 0, Vec6::Unit(0));
  draft.actuators = {strong, strong, cable};
  draft.joints[1].force_limited = true;
  draft.joints[1].force_range = Vec2(-1, 5);
  const Model m = *make_model(draft);
  State s = initial_state(m);
  const Mechanics at(m, s);
  Actuation out;
  const auto of = [&](double first, double second, double third) {
    s.ctrl << first, second, third;
    VecX total = VecX::Unit(m.nv, 6);  // what other forces put there is not clamped
    actuator_force(m, s, at.kin, out, total);
    return Vec2(total[6] - 1, total[7]);
  };
  EXPECT_EQ(of(1, 1, 0), Vec2(4, 0));
  EXPECT_EQ(of(2, 2, 0), Vec2(5, 0));   // either alone would be free
  EXPECT_EQ(of(2, -1, 0), Vec2(2, 0));  // the sum counts
  EXPECT_EQ(of(0, 0, 2), Vec2(-1, 1));  // a tendon pulls at both joints, one of them limited
  EXPECT_EQ(out.force, Vec3(0, 0, 2));  // the actuators themselves are not touched
  draft.joints[1].force_range = Vec2(1, 1);
  EXPECT_FALSE(make_model(draft));
  draft.joints[1].force_limited = false;
  draft.joints[0].force_limited = true;
  draft.joints[0].force_range = Vec2(-1, 1);
  EXPECT_FALSE(make_model(draft)) << "a free joint";
}

}  // namespace
}  // namespace tact
