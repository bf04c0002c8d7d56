#include "tact/sim/position_step.hpp"

#include <gtest/gtest.h>

#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// A box 1 mm deep in the floor, at rest without gravity.
Simulation sunk_box(double depth) {
  Model m = testing::floor_scene(0.5);
  m.gravity.setZero();
  testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1), Pose{Mat3::Identity(), Vec3(0, 0, 0.1 - depth)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  return testing::simulation_of(model, initial_state(model), options);
}

TEST(PositionStep, APenetrationIsTakenBackWithoutVelocity) {
  Simulation sim = sunk_box(1e-3);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  EXPECT_EQ(report.position_solves, 1);
  EXPECT_LT(report.penetration, 1e-12);
  EXPECT_NEAR(sim.state.qpos[2], 0.1, 1e-12);
  EXPECT_LT(sim.state.qvel.norm(), 1e-12);
  ASSERT_TRUE(step(sim, report));
  EXPECT_EQ(report.position_solves, 0);
}

TEST(PositionStep, ADeepOneTakesSeveralSteps) {
  Simulation sim = sunk_box(0.09);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  EXPECT_GT(report.penetration, 0.01);
  EXPECT_LT(report.penetration, 0.09);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(step(sim, report));
  EXPECT_LT(report.penetration, 1e-12);
}

TEST(PositionStep, WhatItLiftsIsBooked) {
  Simulation sim = sunk_box(1e-3);
  sim.scene.model.gravity = Vec3(0, 0, -10);
  sim.scene.model.tree.gravity = sim.scene.model.gravity;
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  EXPECT_NEAR(sim.ledger.of(Account::stabilisation), 2 * 10 * 1e-3, 1e-9);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-15);
}

TEST(PositionStep, GapsMoveWithTheirRows) {
  Simulation sim = sunk_box(0);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  const RowGroup& group = sim.work->rows.groups[0];
  const LocalLaw& law = sim.work->rows.laws[0];
  VecX rates = VecX::Zero(6);
  rates[5] = 2;
  const Vec3 moved = moved_gap(group, law, Vec3(0, 0, 0.5), rates, 0.25);
  EXPECT_EQ(moved, Vec3(0, 0, 1));
  EXPECT_EQ(least_gap(law, moved), 1);
  // Turning by 1 rad/s about x lowers one edge of the 20 cm square.
  EXPECT_NEAR(least_gap(law, Vec3(1, 0, 0)), -0.1, 1e-12);
}

}  // namespace
}  // namespace tact
