#include "tact/body/energy.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::Mechanics;
using testing::rounding;

TEST(Energy, OfASpinningAndFlyingBody) {
  Model draft;
  draft.bodies.resize(2);
  draft.bodies[1].mass = 2;
  draft.bodies[1].com_B = Vec3(1, 0, 0);
  draft.bodies[1].inertia_com_B = Vec3(1, 2, 2.5).asDiagonal();
  draft.joints = {{.name = {}, .type = JointType::free, .body = 1}};
  const Model m = *make_model(draft);
  State s = initial_state(m);
  s.qpos[2] = 3;
  s.qvel << 1, 0, 0, 0, 0, 2;  // the centre moves with (1, 2, 0)
  const Mechanics at(m, s);
  EXPECT_NEAR(kinetic_energy(m, s.qvel, at.kin), 0.5 * (2 * 5 + 2.5 * 4), 8 * rounding);
  EXPECT_NEAR(gravity_potential(m, at.kin), 2 * 9.81 * 3, 64 * rounding);
}

TEST(Energy, OfSprings) {
  Model draft;
  draft.bodies.resize(4);
  for (const Index i : {1, 2, 3}) {
    draft.bodies[i].mass = 1;
    draft.bodies[i].inertia_com_B = Mat3::Identity();
  }
  draft.joints.resize(3);
  draft.joints[0] = {.name = {}, .type = JointType::hinge, .body = 1};
  draft.joints[0].stiffness = 10;
  draft.joints[0].spring_reference = 0.5;
  draft.joints[1] = {.name = {}, .type = JointType::ball, .body = 2};
  draft.joints[1].stiffness = 4;
  draft.joints[2] = {.name = {}, .type = JointType::free, .body = 3};
  draft.joints[2].stiffness = 6;
  draft.tendons = {{.name = "t", .joints = {{0, 2.0}}, .stiffness = 100, .rest_length = {1, 1.5}}};
  const Model m = *make_model(draft);
  State s = initial_state(m);
  integrate(m, s.qpos, (VecX(10) << 0.7, 0, 0.3, 0, 1, 2, 2, 0, 0, 0.1).finished(), 1);
  const double tendon = 0;  // 2 · 0.7 lies within the rest length
  const double expected = 0.5 * (10 * 0.04 + 4 * 0.09 + 6 * (9 + 0.01)) + tendon;
  EXPECT_NEAR(spring_potential(m, s), expected, 64 * rounding * expected);
  s.qpos[0] = 0.25;
  EXPECT_NEAR(spring_potential(m, s) - expected, 0.5 * (10 * (0.0625 - 0.04) + 100 * 0.25),
              64 * rounding * expected);
}

}  // namespace
}  // namespace tact
