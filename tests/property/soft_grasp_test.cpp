// soft_grasp_test.cpp - the built-in scene `grasp`: what [Stramigioli] sec. 8 promises of soft
// fingertips, and what tells a right contact centre (32) from a wrong one.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "tact/sim/simulate.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/sim_scenes.hpp"

namespace tact {
namespace {

struct Grasp {
  double ratio[2] = {0, 0};  ///< yaw of the ball over that of the virtual object, 1.9 and 3.4 s
  double share = 0;          ///< α of the first pair
  double gap = 0;            ///< at rest [m]
  double rest_force = 0, least_force = 1e9, most_used = 0;  ///< after the first 0.1 s
  double worst_place = 0;  ///< of the ball against the reference while it rests [m]
  double final_yaw = 0;
  double lowest = 0;  ///< of the ball [m]
  double closure = 0;
  Index slips = 0;
  bool fine = true;
};

double yaw(const VecX& qpos, Index at) {
  return 2 * std::atan2(qpos[at + 6], qpos[at + 3]);
}

Vec3 reference(double time) {
  if (time < 1) return Vec3::Zero();
  if (time < 2.5) return {0, 0, 0.01};
  return time < 4 ? Vec3(0.005, 0, 0.01) : Vec3::Zero();
}

/// @param change  of every pair before the run
Grasp grasp(const std::function<void(SoftPair&)>& change) {
  Simulation sim = testing::sim_scene("grasp", [&](Scene&, SceneSetup& setup) {
    for (SoftGeoms& pair : setup.soft.pairs) change(pair.model.pair);
  });
  Grasp out;
  StepReport report;
  const SoftWork& w = sim.work->soft;
  for (int k = 1; k <= 5000; ++k) {
    out.fine = step(sim, report);
    if (!out.fine) break;
    const VecX& q = sim.state.qpos;
    out.lowest = std::min(out.lowest, q[9]);
    for (Index i = 0; i < w.element_count; ++i) {
      const SoftWork::Element& e = w.elements[i];
      if (e.touch < 0) continue;
      out.slips += e.answer.slips ? 1 : 0;
      out.least_force = std::min(out.least_force, e.answer.normal_force);
      if (k > 100) out.most_used = std::max(out.most_used, e.answer.friction_use);
      out.rest_force = e.answer.normal_force;
      out.gap = e.answer.end.facing.gap;
    }
    if (k == 400 || k == 1900 || k == 3400 || k == 5000)
      out.worst_place =
          std::max(out.worst_place, (q.segment<3>(7) - reference(sim.state.time)).norm());
    if (k == 1900) out.ratio[0] = yaw(q, 7) / yaw(q, 0);
    if (k == 3400) out.ratio[1] = yaw(q, 7) / yaw(q, 0);
    out.closure = std::max(out.closure, std::abs(sim.ledger.closure()));
  }
  out.final_yaw = yaw(sim.state.qpos, 7);
  out.share = sim.soft.pairs[0].model.pair.centre_share;
  return out;
}

// The fingertips (first bodies of their pairs) roll on the ball with radii up to the contact
// centre: (r_o + r_t + Δ)/(r_o + (1 - α) Δ).
double rolling_ratio(const Grasp& g) {
  constexpr double ball = 0.03, tip = 0.012;
  return (ball + tip + g.gap) / (ball + (1 - g.share) * g.gap);
}

TEST(SoftGrasp, SoftTipsRollTheBallAboutTheContactCentre) {
  const Grasp g = grasp([](SoftPair&) {});
  ASSERT_TRUE(g.fine);
  EXPECT_NEAR(g.rest_force, 2.843, 0.01);
  EXPECT_GE(g.least_force, 0.8);
  for (const double ratio : g.ratio) {
    EXPECT_NEAR(ratio, 1.3585, 0.002);
    EXPECT_NEAR(ratio, rolling_ratio(g), 1e-4);
  }
  EXPECT_LT(g.worst_place, 0.25e-3);
  EXPECT_LT(std::abs(g.final_yaw), 0.05 * 3.14159 / 180);
  EXPECT_EQ(g.slips, 0);
  EXPECT_LT(g.most_used, 0.16);
  EXPECT_LT(g.closure, 1e-8);
}

TEST(SoftGrasp, ASoftBallTurnsFarther) {
  const Grasp g = grasp([](SoftPair& pair) { pair.centre_share = 1 - pair.centre_share; });
  ASSERT_TRUE(g.fine);
  for (const double ratio : g.ratio) {
    EXPECT_NEAR(ratio, 1.417, 0.002);
    EXPECT_NEAR(ratio, rolling_ratio(g), 1e-4);
  }
}

// Friction holds the ball as long as μ > m g/(3 f_N) = 0.115.
TEST(SoftGrasp, HoldsWithLittleFrictionAndDropsWithLess) {
  const Grasp holds = grasp([](SoftPair& pair) { pair.friction.coefficient = 0.14; });
  ASSERT_TRUE(holds.fine);
  EXPECT_GT(holds.lowest, -1e-3);
  EXPECT_GT(holds.slips, 0);
  EXPECT_LT(holds.closure, 1e-8);
  const Grasp drops = grasp([](SoftPair& pair) { pair.friction.coefficient = 0.10; });
  ASSERT_TRUE(drops.fine);
  EXPECT_LT(drops.lowest, -0.1);
  EXPECT_LT(drops.closure, 1e-8);
}

}  // namespace
}  // namespace tact
