#include "tact/sim/landings.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

TEST(Landings, ABoxThatFallsFlatLandsOnceAndItsWorkIsItsKineticEnergy) {
  Model m = testing::floor_scene(0.5);
  testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1), {Mat3::Identity(), Vec3(0, 0, 0.2)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  std::vector<ImpactEvent> all;
  double work = 0;
  for (int k = 0; k < 400; ++k) {
    ASSERT_TRUE(step(sim, report));
    for (const ImpactEvent& event : report.impacts) {
      all.push_back(event);
      work += event.work;
    }
  }
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].verdict, WorkVerdict::dissipative);
  EXPECT_FALSE(all[0].at_its_time);
  const double speed = std::sqrt(2 * 9.81 * 0.1);
  EXPECT_NEAR(all[0].time, speed / 9.81, 2e-3);
  EXPECT_NEAR(all[0].approach, speed, 0.02);
  // The landing takes two steps: the first arrives, the second stops what is left.
  EXPECT_LT(work, 0);
  EXPECT_GT(work, -0.5 * 2 * speed * speed - 1e-9);
}

TEST(Landings, WhatRestsDoesNotLand) {
  const Model model = testing::tower_scene(3, 1);
  Simulation sim = testing::simulation_of(model, initial_state(model), {});
  StepReport report;
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(step(sim, report));
    EXPECT_TRUE(report.impacts.empty());
  }
}

}  // namespace
}  // namespace tact
