#include "tact/body/bias.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::Mechanics;
using testing::rounding;

TEST(Bias, OfAFreeBodyIsGyroscopicTorqueAndWeight) {
  Model draft;
  draft.bodies.resize(2);
  draft.bodies[1].mass = 2;
  draft.bodies[1].inertia_com_B = Vec3(1, 2, 2.5).asDiagonal();
  draft.joints = {{.name = {}, .type = JointType::free, .body = 1}};
  const Model m = *make_model(draft);
  State s = initial_state(m);
  s.qvel << 1, 2, 3, 0.5, -0.4, 0.3;
  const Vec3 w(0.5, -0.4, 0.3);
  const Vec3 gyroscopic = w.cross(draft.bodies[1].inertia_com_B * w);
  const Mechanics at(m, s);
  EXPECT_LE(max_error(at.c.head<3>(), Vec3(0, 0, 2 * 9.81)), 8 * rounding);
  EXPECT_LE(max_error(at.c.tail<3>(), gyroscopic), rounding);
}

TEST(Bias, ACompensatedWeightIsNotFelt) {
  Rng rng(1);
  for (int k = 0; k < 20; ++k) {
    Model weightless = testing::random_tree(rng, 6);
    Model compensated = weightless;
    weightless.gravity.setZero();
    for (Body& b : compensated.bodies) b.gravity_compensation = 1;
    const Model a = *make_model(weightless);
    const Model b = *make_model(compensated);
    if (a.nv == 0) continue;
    const State s = testing::random_state(a, rng);
    const Mechanics without(a, s), with(b, s);
    EXPECT_LE(max_error(without.c, with.c), 64 * rounding * (100 + without.c.norm()));
    EXPECT_EQ(gravity_potential(b, with.kin), 0);
  }
}

TEST(Bias, HalfTheWeightIsHalfThePotential) {
  Model draft = testing::quadruped();
  for (Body& b : draft.bodies) b.gravity_compensation = 0.5;
  const Model half = *make_model(draft);
  const Model whole = testing::quadruped();
  const State s = initial_state(whole);
  const Mechanics a(whole, s), b(half, s);
  EXPECT_LE(max_error(a.c, 2 * b.c), 64 * rounding * a.c.norm());
  EXPECT_NEAR(gravity_potential(whole, a.kin), 2 * gravity_potential(half, b.kin),
              64 * rounding * 100);
}

TEST(Bias, InverseDynamicsOfAPendulum) {
  Model draft;
  draft.bodies.resize(2);
  draft.bodies[1].mass = 2;
  draft.bodies[1].com_B = Vec3(0, 0, -0.5);
  draft.bodies[1].inertia_com_B = 0.1 * Mat3::Identity();
  draft.joints = {{.name = {}, .type = JointType::hinge, .body = 1, .axis_B = Vec3::UnitY()}};
  draft.joints[0].armature = 0.05;
  const Model m = *make_model(draft);
  State s = initial_state(m);
  s.qpos[0] = 0.3;
  s.qvel[0] = 4;
  Mechanics at(m, s);
  VecX tau;
  inverse_dynamics(m, s.qvel, VecX::Constant(1, 3), at.kin, at.work, tau);
  const double I = 0.1 + 2 * 0.25 + 0.05;
  EXPECT_NEAR(tau[0], 3 * I + 2 * 9.81 * 0.5 * std::sin(0.3), 16 * rounding);
}

}  // namespace
}  // namespace tact
