#include "tact/sim/impact_phase.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

Simulation dropped_ball(double height, double e) {
  Model m = testing::floor_scene(0);
  testing::add_free_body(m, Sphere{0.1}, 1, Vec3(0.1, 0.1, 0.1),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0.1 + height)}, 0);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
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

TEST(ImpactPhase, SlowContactsDoNotBounce) {
  Simulation sim = dropped_ball(1e-7, 0.9);
  StepReport report;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(step(sim, report));
    EXPECT_TRUE(report.impacts.empty());
  }
  EXPECT_LT(std::abs(sim.state.qvel[2]), 1e-12);
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
