#include "tact/sim/simulate.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

Simulation sliding_box(double speed) {
  const Model model = testing::tower_scene(1, 1, 0.3);
  State start = initial_state(model);
  start.qvel[0] = speed;
  SimOptions options;
  options.dt = 1e-3;
  return testing::simulation_of(model, start, options);
}

TEST(Simulate, ASlidingBoxStopsWhereCoulombSays) {
  Simulation sim = sliding_box(1);
  const RunSummary run = simulate(sim, {1.0, 1});
  EXPECT_EQ(run.status, RunStatus::finished);
  EXPECT_EQ(run.steps, 1000);
  EXPECT_NEAR(run.simulated, 1, 1e-12);
  EXPECT_NEAR(state_of(sim).qpos[0], 1 / (2 * 0.3 * 9.81), 1e-6);
  EXPECT_NEAR(sim.ledger.of(Account::friction), -0.5, 1e-12);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-13);
  EXPECT_GT(run.regimes[static_cast<std::size_t>(Regime::slide)], 300);
  EXPECT_GT(run.regimes[static_cast<std::size_t>(Regime::stick)], 600);
}

TEST(Simulate, AWatcherMayStop) {
  Simulation sim = sliding_box(1);
  Index seen = 0;
  const RunSummary run = simulate(
      sim, {1.0, 0}, [&](const Simulation&, const StepReport&, bool) { return ++seen < 7; });
  EXPECT_EQ(run.status, RunStatus::stopped);
  EXPECT_EQ(run.steps, 7);
}

TEST(Simulate, ManyAtOnceAreManyOneByOne) {
  std::vector<Simulation> all;
  std::vector<std::uint64_t> alone;
  for (int i = 0; i < 5; ++i) {
    Simulation sim = sliding_box(0.2 * i);
    (void)simulate(sim, {0.05, 0});
    alone.push_back(state_hash(state_of(sim)));
    all.push_back(sliding_box(0.2 * i));
  }
  const auto runs = simulate_all(all, {0.05, 0}, 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(state_hash(state_of(all[i])), alone[i]);
    EXPECT_EQ(runs[i].steps, 50);
  }
}

TEST(Simulate, ADivergingBodyStopsTheRunWithItsNameAndTheLastGoodState) {
  Simulation sim = sliding_box(1);
  sim.state.qvel[0] = 1e308;
  const double x = sim.state.qpos[0];
  const RunSummary run = simulate(sim, {1.0, 0});
  EXPECT_EQ(run.status, RunStatus::diverged);
  EXPECT_NE(run.why.find("\"b1\""), std::string::npos) << run.why;
  EXPECT_TRUE(sim.state.qpos.allFinite());
  EXPECT_EQ(sim.state.qpos[0], x);
}

}  // namespace
}  // namespace tact
