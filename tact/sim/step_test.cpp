#include "tact/sim/step.hpp"

#include <gtest/gtest.h>

#include "tact/sim/settle.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

Simulation box_on_floor(const Pose& X, double mu, double dt) {
  Model m = testing::floor_scene(mu);
  testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), X, mu);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = dt;
  return testing::simulation_of(model, initial_state(model), options);
}

TEST(Step, AContactThatIsLeftOutDoesNotHoldButOneThatSupportsDoes) {
  StepReport report;
  Simulation near = box_on_floor({Mat3::Identity(), Vec3(0, 0, 0.1 + 1e-4)}, 0.5, 1e-3);
  near.state.qvel[2] = -0.15;
  Simulation left = near;
  ASSERT_TRUE(plain_step(near, 1e-3, {}, report));
  EXPECT_NEAR(near.state.qvel[2], -0.1, 1e-12);  // the gap is gone at the end of the step
  const RowKey key = near.work->rows.groups[0].key;
  ASSERT_TRUE(plain_step(left, 1e-3, {{key}}, report));
  EXPECT_NEAR(left.state.qvel[2], -0.15 - 9.81e-3, 1e-15);

  Simulation rests = box_on_floor({Mat3::Identity(), Vec3(0, 0, 0.1)}, 0.5, 1e-3);
  ASSERT_TRUE(plain_step(rests, 1e-3, {{key}}, report));
  EXPECT_NEAR(rests.state.qvel[2], 0, 1e-12);
}

TEST(Step, APartOfAStepIsAStep) {
  Simulation sim = box_on_floor({Mat3::Identity(), Vec3(0, 0, 5)}, 0.5, 1e-2);
  StepReport report;
  ASSERT_TRUE(plain_step(sim, 0.003, {}, report));
  ASSERT_TRUE(plain_step(sim, 0.007, {}, report));
  EXPECT_NEAR(sim.state.time, 0.01, 1e-17);
  EXPECT_NEAR(sim.state.qpos[2], 5 - 0.5 * 9.81 * 1e-4, 1e-14);
}

TEST(Step, ABeltCarriesABoxAndItsDriveDoesTheWork) {
  Model m = testing::floor_scene(0.5);
  testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1), {Mat3::Identity(), Vec3(0, 0, 0.1)}, 0.5);
  const Model model = testing::finished(std::move(m));
  Prescribed belt;
  belt.surfaces.push_back({0, Vec3(1, 0, 0), Vec3::Zero()});
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options, belt);
  StepReport report;
  for (int k = 0; k < 400; ++k) ASSERT_TRUE(step(sim, report));
  EXPECT_NEAR(sim.state.qvel[0], 1, 1e-12);
  // The belt gives m v², half of which the box keeps.
  EXPECT_NEAR(sim.ledger.of(Account::wall), 2, 1e-9);
  EXPECT_NEAR(sim.ledger.of(Account::friction), -1, 1e-9);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-13);
}

TEST(Step, ALiftRaisesABoxWithoutPenetration) {
  Model m;
  m.bodies.resize(1);
  Body lift;
  lift.name = "lift";
  lift.driven = true;
  m.bodies.push_back(lift);
  Geom plate;
  plate.body = 1;
  plate.shape = Box{Vec3(1, 1, 0.1)};
  m.geoms.push_back(plate);
  testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1), {Mat3::Identity(), Vec3(0, 0, 0.2)}, 0.5);
  const Model model = testing::finished(std::move(m));
  Prescribed prescribed;
  Drive drive;
  Vec6 up = Vec6::Zero(), none = Vec6::Zero();
  up[2] = 0.5;
  drive.motion.time = {0, 0.1, 0.3, 0.4};
  drive.motion.value = {none, up, up, none};
  prescribed.drives.push_back(drive);
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options, prescribed);
  StepReport report;
  double deepest = 0;
  for (int k = 0; k < 600; ++k) {
    ASSERT_TRUE(step(sim, report));
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_LT(deepest, 1e-12);
  EXPECT_NEAR(sim.state.qpos[2], 0.2 + 0.15, 1e-9);
  EXPECT_NEAR(sim.ledger.of(Account::wall), 2 * 9.81 * 0.15, 1e-6);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-12);
}

TEST(Settle, AFastTumblingBoxDoesNotPenetrate) {
  Simulation sim = box_on_floor({Mat3::Identity(), Vec3(0, 0, 0.18)}, 0.6, 1e-3);
  sim.state.qvel << 1, 0.3, -0.5, 2, 7, 3;
  StepReport report;
  double deepest = 0;
  for (int k = 0; k < 1500; ++k) {
    ASSERT_TRUE(step(sim, report));
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_LT(deepest, 1e-8);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-12);
}

}  // namespace
}  // namespace tact
