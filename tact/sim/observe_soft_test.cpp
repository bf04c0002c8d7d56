// sim/observe_soft_test.cpp - a ball that lies on, is pushed along and bounces off a soft floor.
#include "tact/sim/observe_soft.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/sim/simulate.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

constexpr double radius = 0.02, mass = 0.1;

Simulation soft_ball(const SoftPair& pair, double height, const Vec3& velocity) {
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Sphere{radius}, mass, Vec3::Constant(radius),
                         Pose{Mat3::Identity(), Vec3(0, 0, radius + height)}, 0.5);
  const Model model = testing::finished(std::move(m));
  auto made = soft_geoms(model, 1, 0, pair);
  EXPECT_TRUE(made);
  SoftScene soft;
  soft.pairs.push_back(*std::move(made));
  State start = initial_state(model);
  start.qvel.head<3>() = velocity;
  SimOptions options;
  options.dt = 1e-4;
  auto sim = make_simulation(model, start, options, {}, {}, soft);
  EXPECT_TRUE(sim);
  return *std::move(sim);
}

SoftPair damped_pair() {
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 5};
  pair.friction.coefficient = 0.5;
  return pair;
}

// Hertz: f = 4/3 E √R δ^(3/2), a = √(R δ), U = 2/5 f δ.
TEST(ObserveSoft, ABallAtRestCarriesItsWeightAsHertzSays) {
  SoftPair pair = damped_pair();
  pair.damping.tangential_s = 1e-3;
  Simulation sim = soft_ball(pair, 0, Vec3::Zero());
  (void)simulate(sim, {2, 100});
  std::vector<SoftSample> samples;
  observe_soft(sim, samples);
  ASSERT_EQ(samples.size(), 1U);
  const SoftSample& s = samples[0];
  EXPECT_EQ(s.geom1, 1);
  EXPECT_EQ(s.geom2, 0);
  EXPECT_EQ(s.state, SoftState::sticks);
  const double weight = mass * 9.81;
  EXPECT_NEAR(s.wrench_C.f_n(), weight, 1e-3 * weight);
  EXPECT_NEAR(s.energy, 0.4 * weight * s.depth, 1e-2 * s.energy);
  EXPECT_NEAR(s.semi_axes[0], std::sqrt(radius * s.depth), 1e-3 * s.semi_axes[0]);
  EXPECT_NEAR(s.semi_axes[0], s.semi_axes[1], 1e-6 * s.semi_axes[0]) << "a circle";
  EXPECT_NEAR(s.slip_limits[0], 0.5 * weight, 1e-3 * weight);
  EXPECT_NEAR(s.slip_limits[1], 0.5 * weight, 1e-3 * weight);
  EXPECT_GT(s.slip_limits[2], 0);
  EXPECT_LT((s.X_WC.R.col(2) - Vec3::UnitZ()).norm(), 1e-12) << "from the floor into the ball";
  EXPECT_LT(s.X_WC.p.head<2>().norm(), 1e-9);
}

TEST(ObserveSoft, ASlidingBallPullsItsSpringsToTheLimit) {
  Simulation sim = soft_ball(damped_pair(), 0, Vec3(2, 0, 0));
  std::vector<SoftSample> samples;
  Index slipped = 0;
  StepReport report;
  for (int k = 0; k < 400; ++k) {
    ASSERT_TRUE(step(sim, report));
    observe_soft(sim, samples);
    for (const SoftSample& s : samples) {
      EXPECT_LE(s.friction_use, 1 + 1e-9);
      if (s.state != SoftState::slips) continue;
      ++slipped;
      EXPECT_NEAR(s.friction_use, 1, 1e-9);
      // The force is against the extension, both along the way of the ball, whatever the axes of C.
      const Vec3 stretched = s.X_WC.R.leftCols<2>() * s.extension.head<2>();
      const Vec3 pull = s.X_WC.R.leftCols<2>() * s.wrench_C.f.head<2>();
      EXPECT_GT(stretched[0], 0);
      EXPECT_LT(pull[0], 0);
    }
  }
  EXPECT_GT(slipped, 10);
}

TEST(ObserveSoft, ABallInTheAirHasNothingToShow) {
  Simulation sim = soft_ball(damped_pair(), 1, Vec3::Zero());
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::vector<SoftSample> samples(3);
  observe_soft(sim, samples);
  EXPECT_TRUE(samples.empty());
}

}  // namespace
}  // namespace tact
