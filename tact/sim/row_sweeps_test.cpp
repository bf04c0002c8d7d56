#include "tact/sim/row_sweeps.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/towers.hpp"

namespace tact {
namespace {

/// A step of a leaning tower that falls on itself, its rows and all blocks of its G.
Simulation after_steps(int steps) {
  Simulation sim = testing::simulation_of(testing::tower(5, 3, 1e-3, 5e-3));
  StepReport report;
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(step(sim, report));
  make_delassus(sim.scene.model, sim.work->rows, sim.work->problem);
  return sim;
}

/// All groups as one part.
SweptParts all_groups(const Simulation& sim) {
  std::vector<Index> all(sim.work->rows.groups.size());
  std::iota(all.begin(), all.end(), Index{0});
  SweptParts out;
  out.add(all);
  return out;
}

TEST(RowSweeps, ManySweepsEndWhereTheSolverDoes) {
  const Simulation sim = after_steps(80);
  const DelassusProblem& whole = sim.work->problem;
  const SweptParts all = all_groups(sim);
  VecX lambda = VecX::Zero(whole.rows());
  RowSweepWork work;
  const Residual few = sweep_rows(sim.scene.model, sim.work->rows, whole, all, 3, 1, work, lambda);
  const Residual many =
      sweep_rows(sim.scene.model, sim.work->rows, whole, all, 20000, 1, work, lambda);
  EXPECT_GT(few.figure(), 1e-3) << "three sweeps are not enough";
  EXPECT_LE(many.figure(), 1e-9);
  // What the sweeps believe of the velocities is what G says.
  EXPECT_LE(residual(whole, lambda).figure(), 1e-9);
}

/// Towers side by side, leaning, in the air, all that a pile of many islands needs.
Simulation towers_swept(int threads) {
  Model m = testing::floor_scene(0.5);
  for (int tower = 0; tower < 5; ++tower)
    for (int k = 0; k < 4; ++k)
      testing::add_box(
          m, 1 + tower, Vec3(0.1, 0.1, 0.1),
          Pose{Mat3::Identity(), Vec3(tower + 0.02 * k * tower, 0.01 * k, 0.1 + 0.202 * k)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 2e-3;
  options.swept_from = 1;
  options.solved_island = 0;
  options.threads = threads;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  for (int k = 0; k < 60; ++k) EXPECT_TRUE(step(sim, report));
  return sim;
}

/// Islands share nothing: in parts, in one piece, over threads, the loads are the same bits.
TEST(RowSweeps, PartsAreWhatTheWholeIs) {
  const Simulation sim = towers_swept(1);
  const StepWork& w = *sim.work;
  ASSERT_TRUE(w.swept);
  ASSERT_EQ(w.islands.left.parts(), 5);
  const auto swept = [&](const SweptParts& parts, int threads) {
    VecX lambda = w.recalled;
    RowSweepWork work;
    (void)sweep_rows(sim.scene.model, w.rows, w.problem, parts, 8, threads, work, lambda);
    return lambda;
  };
  const VecX parts = swept(w.islands.left, 1);
  EXPECT_EQ(parts, w.lambda);
  EXPECT_EQ(parts, swept(all_groups(sim), 1));
  EXPECT_EQ(parts, swept(w.islands.left, 3));
  EXPECT_EQ(state_hash(sim.state), state_hash(towers_swept(4).state));
}

/// b.λ + ½ λ.G λ, by the matrix.
double contact_work(const DelassusProblem& p, const VecX& lambda) {
  VecX gained;
  multiply(p.G, lambda, gained);
  return lambda.dot(p.b + 0.5 * gained);
}

/// Loads of a blow make a start that gives energy. Whatever the budget, the answer takes some, and
/// more of it than nothing at all would.
TEST(RowSweeps, NeverGiveEnergy) {
  const Simulation sim = after_steps(80);
  const StepWork& w = *sim.work;
  for (const double blow : {0.0, 1.0, 3.0, 30.0})
    for (const int sweeps : {0, 1, 2, 8}) {
      VecX lambda = blow * w.lambda;
      const double before = contact_work(w.problem, lambda);
      ASSERT_EQ(before > 0, blow >= 3) << blow;
      RowSweepWork work;
      const Residual left =
          sweep_rows(sim.scene.model, w.rows, w.problem, all_groups(sim), sweeps, 1, work, lambda);
      EXPECT_LE(contact_work(w.problem, lambda), 0) << blow << " " << sweeps;
      EXPECT_LE(contact_work(w.problem, lambda), before + tolerance::rounding * std::abs(before))
          << blow << " " << sweeps;
      // The judge saw the loads that are given back.
      EXPECT_NEAR(left.figure(), residual(w.problem, lambda).figure(),
                  1e-9 * left.figure() + tolerance::rounding);
    }
}

TEST(RowSweeps, UnscaledIsTheVelocityOfTheLoads) {
  const Simulation sim = after_steps(80);
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  VecX lambda = w.lambda, out;
  RowSweepWork work;
  (void)sweep_rows(model, w.rows, w.problem, all_groups(sim), 1, 1, work, lambda);
  unscaled(model, w.factor, work.w, out);
  VecX expected = VecX::Zero(model.nv);
  add_row_impulses(model, w.rows, lambda, expected);
  solve_in_place(model, w.factor, expected);
  ASSERT_GT(expected.norm(), 0);
  EXPECT_LE((out - expected).norm(), 1e-13 * expected.norm());
}

/// A tower dropped with gaps, by sweeps from the first step: lands, stands, and does not sink.
TEST(RowSweeps, ASweptTowerLandsAndStands) {
  SimOptions options;
  options.swept_from = 1;
  options.sweeps = 40;
  Simulation sim = testing::simulation_of(testing::tower(8, 1, 1e-3), options);
  StepReport report;
  double deepest = 0;
  for (int k = 0; k < 600; ++k) {
    ASSERT_TRUE(step(sim, report));
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_TRUE(sim.work->swept);
  EXPECT_LE(deepest, 1e-4);
  const State end = state_of(sim);
  for (Index i = 0; i < 8; ++i)
    EXPECT_NEAR(end.qpos[7 * i + 2], 0.1 + 0.2 * static_cast<double>(i), 1e-5);
  EXPECT_LE(end.qvel.norm(), 1e-4);
  EXPECT_LE(std::abs(sim.ledger.closure()), 1e-10 * sim.ledger.moved);
}

}  // namespace
}  // namespace tact
