#include "tact/sim/observe.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

TEST(Observe, ABoxAtRestSticksUnderItsCentre) {
  const Model model = testing::tower_scene(1, 3);
  Simulation sim = testing::simulation_of(model, initial_state(model), {});
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::vector<ContactSample> samples;
  observe(sim, samples);
  ASSERT_EQ(samples.size(), 1U);
  const ContactSample& s = samples[0];
  EXPECT_EQ(s.kind, PatchKind::polygon);
  EXPECT_NEAR(s.wrench_C.f[2], 3 * 9.81, 1e-9);
  ASSERT_TRUE(s.label.cop);
  const Vec3 cop = transform_point(s.X_WC, Vec3((*s.label.cop)[0], (*s.label.cop)[1], 0));
  EXPECT_LT(cop.head<2>().norm(), 1e-12);
  EXPECT_EQ(s.label.regime, Regime::stick);
}

/// It stops after v / (mu g h) = 8.5 steps; what is left decays to numbers without squares.
TEST(Observe, WhatHasStoppedSticksForGood) {
  Model m = testing::floor_scene(0.3);
  testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), Pose{Mat3::Identity(), Vec3(0, 0, 0.1)}, 0.3);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  State state = initial_state(model);
  state.qvel[0] = 0.025;
  Simulation sim = testing::simulation_of(model, state, options);
  StepReport report;
  std::vector<ContactSample> samples;
  int slides = 0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(step(sim, report));
    observe(sim, samples);
    ASSERT_EQ(samples.size(), 1U);
    slides += samples[0].label.regime == Regime::slide;
    if (k >= 8) EXPECT_EQ(samples[0].label.regime, Regime::stick) << k;
  }
  EXPECT_EQ(slides, 8);
}

TEST(Observe, ATiltedBoxAboveTheFloorShowsTheEdgeThatWillTouchFirst) {
  Model m = testing::floor_scene(0.5);
  const double tilt = 0.02;
  Mat3 R;
  R << std::cos(tilt), 0, std::sin(tilt), 0, 1, 0, -std::sin(tilt), 0, std::cos(tilt);
  // Turned about y: the edge at +x of the body is the lower one.
  testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), Pose{R, Vec3(0, 0, 0.11)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  options.margin_share = 0.1;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::vector<ContactSample> samples;
  observe(sim, samples);
  ASSERT_EQ(samples.size(), 1U);
  const ExtendedCop& first = samples[0].extended;
  ASSERT_EQ(first.kind, ExtendedCop::Kind::edge);
  for (const Vec2& x : first.points)
    EXPECT_GT(transform_point(samples[0].X_WC, Vec3(x[0], x[1], 0))[0], 0.09);
}

}  // namespace
}  // namespace tact
