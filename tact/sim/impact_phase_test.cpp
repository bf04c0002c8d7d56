#include "tact/sim/impact_phase.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

Simulation dropped_ball(double height, double e, double dt = 1e-3,
                        const ImpactLaw& law = SimOptions{}.law) {
  Model m = testing::floor_scene(0);
  testing::add_free_body(m, Sphere{0.1}, 1, Vec3(0.1, 0.1, 0.1),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0.1 + height)}, 0);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = dt;
  options.law = law;
  SurfaceChoices choices;
  choices.common.restitution = e;
  return testing::simulation_of(model, initial_state(model), options, {}, choices);
}

TEST(ImpactPhase, PeaksOfABouncingBallAreThoseOfItsRestitution) {
  const double e = 0.8;
  Simulation sim = dropped_ball(1, e);
  StepReport report;
  std::vector<double> peaks;
  double last = sim.state.qvel[2];
  for (int k = 0; k < 2500; ++k) {
    ASSERT_TRUE(step(sim, report));
    const double now = sim.state.qvel[2];
    // The top lies within a step: carried there without friction.
    if (last > 0 && now <= 0) peaks.push_back(sim.state.qpos[2] - 0.1 + now * now / (2 * 9.81));
    last = now;
    for (const ImpactEvent& event : report.impacts)
      EXPECT_EQ(event.verdict, WorkVerdict::dissipative);
  }
  ASSERT_GE(peaks.size(), 3U);
  double expected = 1;
  for (const double peak : peaks) EXPECT_NEAR(peak, expected *= e * e, 1e-6);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-12);
}

TEST(ImpactPhase, AnElasticBallLosesNothing) {
  Simulation sim = dropped_ball(0.3, 1);
  StepReport report;
  Index impacts = 0;
  for (int k = 0; k < 5000; ++k) {
    ASSERT_TRUE(step(sim, report));
    impacts += static_cast<Index>(report.impacts.size());
  }
  EXPECT_GE(impacts, 9);
  const double energy =
      0.5 * sim.state.qvel[2] * sim.state.qvel[2] + 9.81 * (sim.state.qpos[2] - 0.1);
  EXPECT_NEAR(energy, 9.81 * 0.3, 1e-9);
}

/// A step that ends less than ½ g h² above the floor would close at the velocity of its end: the
/// bounce is the next step's, and nothing brakes before.
TEST(ImpactPhase, WhatClosesJustAfterTheStepIsNotBraked) {
  constexpr double g = 9.81;
  constexpr int steps = 100;
  for (const double e : {0.5, 1.0})
    for (const double dt : {1e-3, 1e-2})
      for (const double share : {0.01, 0.5, 0.99}) {
        const double fall = 0.5 * g * steps * dt * steps * dt;
        const double height = fall + share * 0.5 * g * dt * dt;
        Simulation sim = dropped_ball(height, e, dt);
        StepReport report;
        std::size_t impacts = 0;
        for (int k = 0; k <= steps + 1; ++k) {
          ASSERT_TRUE(step(sim, report));
          impacts += report.impacts.size();
        }
        EXPECT_EQ(impacts, 1U);
        const double energy =
            0.5 * sim.state.qvel[2] * sim.state.qvel[2] + g * (sim.state.qpos[2] - 0.1);
        // It may bounce where it counts as closed.
        const double early = tolerance::support / height;
        EXPECT_NEAR(energy / (g * height), e * e, early) << dt << ' ' << share;
      }
}

TEST(ImpactPhase, ReflectionsBounceByTheirBlend) {
  for (const double blend : {0.0, 0.5, 1.0}) {
    Simulation sim = dropped_ball(0.3, 0, 1e-3, GeneralizedReflections{blend});
    StepReport report;
    for (int k = 0; k < 300; ++k) ASSERT_TRUE(step(sim, report));
    const double energy =
        0.5 * sim.state.qvel[2] * sim.state.qvel[2] + 9.81 * (sim.state.qpos[2] - 0.1);
    EXPECT_NEAR(energy / (9.81 * 0.3), blend * blend, 1e-9) << blend;
  }
}

TEST(ImpactPhase, SlowContactsDoNotBounce) {
  Simulation sim = dropped_ball(1e-7, 0.9);
  StepReport report;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(step(sim, report));
    EXPECT_TRUE(report.impacts.empty());
  }
  EXPECT_LT(std::abs(sim.state.qvel[2]), 1e-12);
}

/// A bounce lower than what counts as closed would be hit again in mid-air, over and over: at small
/// steps the ball came to rest later instead of sooner.
TEST(ImpactPhase, SmallStepsCountNoImpactsOfWhatFloats) {
  constexpr double g = 9.81, e = 0.8, height = 1e-4;
  const double speed = std::sqrt(2 * g * height);
  const double exact = (1 + e) / (1 - e) * std::sqrt(2 * height / g);
  for (const double dt : {1e-4, 1e-5}) {
    Simulation sim = dropped_ball(height, e, dt);
    const double slow = least_impact_speed(sim);
    const double bounces = std::ceil(std::log(slow / speed) / std::log(e));
    StepReport report;
    double impacts = 0, rest = 0;
    while (sim.state.time < 2 * exact) {
      ASSERT_TRUE(step(sim, report));
      impacts += static_cast<double>(report.impacts.size());
      if (std::abs(sim.state.qvel[2]) > tolerance::label * slow) rest = sim.state.time;
    }
    // Low ones come early, where the ball counts as closed, and some are left over.
    EXPECT_LE(impacts, 2 * bounces) << dt;
    // What is left out: all bounces from `slow` on.
    EXPECT_NEAR(rest, exact, 2 * slow / g / (1 - e)) << dt;
    EXPECT_LT(rest, exact + dt) << dt;
  }
}

TEST(ImpactPhase, ClosedPartsAreHullsOfClosedPoints) {
  SceneContacts from, out;
  SceneContact c;
  c.surface.kind = PatchKind::polygon;
  c.surface.point_count = 4;
  c.surface.gap = Vec3(0.1, 0.1, 0);  // zero at x = -1
  from.buffer.points = {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)};
  from.buffer.point_features.resize(4);
  from.contacts.push_back(c);
  std::vector<Vec2> scratch;
  ASSERT_TRUE(append_closed_part(from, 0, 1e-6, scratch, out));
  EXPECT_EQ(out.contacts[0].surface.kind, PatchKind::segment);
  EXPECT_EQ(out.buffer.points[0], Vec2(-1, -1));
  EXPECT_EQ(out.buffer.points[1], Vec2(-1, 1));
  from.contacts[0].surface.gap = Vec3(0.1, 0, 0);
  EXPECT_FALSE(append_closed_part(from, 0, 1e-6, scratch, out));
}

}  // namespace
}  // namespace tact
