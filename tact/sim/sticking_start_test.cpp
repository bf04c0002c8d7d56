#include "tact/sim/sticking_start.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// A tower that has stood for a moment, one of its boxes given a turn and a lift.
Simulation shaken(SolverName solver) {
  const Model model = testing::tower_scene(6, 1, 0.8);
  SimOptions options;
  options.dt = 1e-3;
  options.solver = solver;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(step(sim, report));
  State x = state_of(sim);
  x.qvel[6 * 3 + 4] += 0.2;
  x.qvel[6 * 3 + 2] += 0.02;
  set_state(sim, x);
  return sim;
}

TEST(StickingStart, SolvesStepsInWhichBoxesTipAndLand) {
  Simulation sim = shaken(SolverName::automatic);
  StepReport report;
  int found = 0;
  for (int k = 0; k < 40; ++k) {
    ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(report.solve.status, SolveStatus::converged);
    StepWork& w = sim.work;
    const VecX answer = w.lambda;
    if (!sticking_start(w)) continue;
    // Where the judge takes it the velocities are those of the step; positions are not touched.
    if (residual(w.problem, w.lambda).figure() > sim.options.tolerance) continue;
    ++found;
    VecX one, other;
    multiply(w.problem.G, w.lambda, one);
    multiply(w.problem.G, answer, other);
    EXPECT_LT((one - other).norm(), 1e-6 * other.norm());
    w.lambda = answer;
  }
  EXPECT_GT(found, 30);
}

TEST(StickingStart, ChangesNoMotion) {
  Simulation quick = shaken(SolverName::automatic), plain = shaken(SolverName::newton);
  StepReport report;
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(step(quick, report));
    ASSERT_TRUE(step(plain, report));
  }
  // Both solve to 1e-8 of velocities of up to 0.2 m/s, over 30 ms.
  EXPECT_LT((quick.state.qpos - plain.state.qpos).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_GT((quick.state.qpos - state_of(shaken(SolverName::automatic)).qpos).norm(), 1e-5);
}

TEST(StickingStart, KeepsTheFrictionOfWhatSlides) {
  // One box slides on the floor under another: its contact is at the bound and stays there.
  const Model model = testing::tower_scene(2, 1, 0.3);
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  State x = state_of(sim);
  x.qvel[0] = x.qvel[6] = 1;
  set_state(sim, x);
  StepReport report;
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(sim, report));
  StepWork& w = sim.work;
  const VecX answer = w.lambda;
  w.recalled = answer;
  ASSERT_TRUE(sticking_start(w));
  EXPECT_LT((w.lambda - answer).norm(), 1e-9 * answer.norm());
}

/// A chain of boxes that tips over an edge: in every step the convex problem is solved, and tells
/// the hinges from the faces that they relieve.
TEST(StickingStart, FindsTheHingesOfATowerThatRocks) {
  for (const double top : {1.0, 100.0}) {
    const Model model = testing::tower_scene(12, top, 0.5);
    SimOptions options;
    options.dt = 1e-3;
    Simulation sim = testing::simulation_of(model, initial_state(model), options);
    StepReport report;
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(sim, report));
    State x = state_of(sim);
    x.qvel[6 * 6 + 3] += 0.3;
    set_state(sim, x);
    int changed = 0;
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(step(sim, report));
      EXPECT_EQ(report.solve.status, SolveStatus::converged);
      // The general solver takes dozens.
      EXPECT_LT(report.solve.iterations, 12) << k;
      EXPECT_LT(report.penetration, tolerance::turning);
      changed += report.solve.iterations > 1;
    }
    EXPECT_GT(changed, 3);
  }
}

}  // namespace
}  // namespace tact
