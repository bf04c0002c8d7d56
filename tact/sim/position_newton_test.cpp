#include "tact/sim/position_newton.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// Boxes of 20 cm on each other without weight, the lowest so deep in the floor.
Simulation stack(int count, double depth) {
  Model m = testing::floor_scene(0.5);
  m.gravity.setZero();
  for (int i = 0; i < count; ++i)
    testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1),
                     Pose{Mat3::Identity(), Vec3(0.01 * (i % 3), 0, 0.1 + 0.2 * i - depth)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  return testing::simulation_of(model, initial_state(model), options);
}

TEST(PositionNewton, AStackIsLiftedAsOne) {
  constexpr double depth = 1e-3;
  Simulation sim = stack(8, depth);
  const State start = state_of(sim);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  EXPECT_EQ(report.position_solves, 1);
  EXPECT_LT(report.penetration, tolerance::overlap);
  const State end = state_of(sim);
  for (Index i = 0; i < 8; ++i)
    EXPECT_NEAR(end.qpos[7 * i + 2] - start.qpos[7 * i + 2], depth, 1e-12);
  // Nothing is left that the next step would have to take back.
  ASSERT_TRUE(step(sim, report));
  EXPECT_EQ(report.position_solves, 0);
}

/// Gaps at random: loads in K, motions in K*, no work, and rows that are held do not move. The
/// problem is convex: nothing else does that.
TEST(PositionNewton, FulfilsItsLawAtRandomGaps) {
  Simulation sim = stack(6, 0);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  const StepWork& w = sim.work;
  const std::size_t count = w.rows.groups.size();
  std::mt19937_64 rng(7);
  std::normal_distribution<double> gauss;
  int solved = 0;
  for (int k = 0; k < 200; ++k) {
    std::vector<Vec3> gaps(count);
    std::vector<bool> sticks(count);
    for (std::size_t i = 0; i < count; ++i) {
      gaps[i] = 1e-5 * Vec3(gauss(rng), gauss(rng), 0.2 * gauss(rng));
      sticks[i] = k % 3 != 0 && gauss(rng) > -0.5;
    }
    const VecX rates = VecX::Zero(w.rows.rows);
    const PositionStep step{w.rows, w.problem, gaps, rates, sticks, 1e-3, 1.0};
    PositionWork work;
    BlockLu lu;
    work.target.setZero(w.rows.rows);
    for (std::size_t i = 0; i < count; ++i)
      for (Index r = 0; r < 3; ++r)
        work.target[w.rows.groups[i].first_row + normal_rows(w.rows.laws[i])[r]] =
            gaps[i][r] / 1e-3;
    work.impulse.setZero(w.rows.rows);
    if (!position_newton(step, lu, work)) continue;
    ++solved;
    VecX u;
    multiply(w.problem.G, work.impulse, u);
    u += work.target;
    for (std::size_t i = 0; i < count; ++i) {
      const LocalLaw& law = w.rows.laws[i];
      const auto load = work.impulse.segment<6>(w.rows.groups[i].first_row);
      const auto rate = u.segment<6>(w.rows.groups[i].first_row);
      const Vec3 N(load[0], load[1], load[5]), W(rate[0], rate[1], rate[5]);
      EXPECT_GE(law.patch->cone.margin(N), -1e-14 * work.impulse.norm());
      EXPECT_GE(1e-3 * law.patch->cone.dual_margin(W), -tolerance::overlap);
      EXPECT_NEAR(N.dot(W), 0, 1e-13 * (1 + N.norm()));
      for (const Index r : {2, 3, 4}) EXPECT_NEAR(sticks[i] ? rate[r] : load[r], 0, 1e-9);
    }
  }
  EXPECT_GT(solved, 190);
}

/// Loads of the velocity solve press the upper boxes flat; the lowest one sinks at one edge. What
/// is pressed stays closed, all of it turns with the lowest box.
TEST(PositionNewton, WhatIsPressedFlatStaysClosed) {
  Simulation sim = stack(9, 0);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  const StepWork& w = sim.work;
  const std::size_t count = w.rows.groups.size();
  std::vector<Vec3> gaps(count, Vec3::Zero());
  const std::vector<bool> sticks(count, true);
  VecX loads = VecX::Zero(w.rows.rows);
  for (std::size_t i = 0; i < count; ++i) {
    const RowGroup& group = w.rows.groups[i];
    const bool middle = std::abs(group.X_WC.p[2] - 0.8) < 0.01;
    if (middle) gaps[i] = Vec3(1e-7, 0, 0);
    loads[group.first_row + 5] = middle ? 0 : 1;
  }
  const VecX rates = VecX::Zero(w.rows.rows);
  PositionStep step{w.rows, w.problem, gaps, rates, sticks, 1e-3, 1.0};
  const auto worst_opening = [&] {
    PositionWork work;
    BlockLu lu;
    solve_positions(step, {}, lu, work);
    VecX u;
    multiply(w.problem.G, work.impulse, u);
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto rate = u.segment<6>(w.rows.groups[i].first_row);
      const Vec3 end = gaps[i] + 1e-3 * Vec3(rate[0], rate[1], rate[5]);
      EXPECT_GE(least_gap(w.rows.laws[i], end), -tolerance::overlap);
      if (gaps[i].isZero(0)) worst = std::max(worst, end.cwiseAbs().maxCoeff());
    }
    return worst;
  };
  EXPECT_GT(worst_opening(), 1e-10) << "without loads a correction passes through by opening";
  step.loads = &loads;
  EXPECT_LT(worst_opening(), 1e-14);
}

/// A factor of the same problem is used where its rows are those that are wanted, and changes
/// nothing; a factor of another problem is not believed.
TEST(PositionNewton, UsesTheFactorOfItsOwnProblem) {
  Simulation sim = stack(6, 0);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  const StepWork& w = sim.work;
  const std::size_t count = w.rows.groups.size();
  std::mt19937_64 rng(8);
  std::normal_distribution<double> gauss;
  const VecX rates = VecX::Zero(w.rows.rows);
  const std::vector<bool> sticks(count, true);
  PositionWork kept;
  BlockLu lu;
  for (int k = 0; k < 50; ++k) {
    std::vector<Vec3> gaps(count);
    for (Vec3& gap : gaps)
      gap = Vec3(1e-7 * gauss(rng), 1e-7 * gauss(rng), -1e-5 * std::abs(gauss(rng)));
    PositionStep position{w.rows, w.problem, gaps, rates, sticks, 1e-3, 1.0};
    position.factor_is_ours = k > 0;
    solve_positions(position, SolveOptions{}, lu, kept);
    EXPECT_TRUE(lu.has(kept.words));
    PositionWork fresh;
    BlockLu other;
    position.factor_is_ours = false;
    solve_positions(position, SolveOptions{}, other, fresh);
    EXPECT_LT((kept.impulse - fresh.impulse).norm(), 1e-9 * fresh.impulse.norm());
  }
  // A lighter stack has another matrix of the same pattern, and in it the same rows.
  DelassusProblem lighter = w.problem;
  for (double& value : lighter.G.values) value *= 3;
  update_metrics(lighter);
  const std::vector<Vec3> gaps(count, Vec3(0, 0, -1e-5));
  PositionStep position{w.rows, lighter, gaps, rates, sticks, 1e-3, 1.0};
  solve_positions(position, SolveOptions{}, lu, kept);
  PositionWork fresh;
  BlockLu other;
  solve_positions(position, SolveOptions{}, other, fresh);
  EXPECT_LT((kept.impulse - fresh.impulse).norm(), 1e-9 * fresh.impulse.norm());
  // What says that it is ours is believed: the factor of the lighter stack leads elsewhere.
  PositionStep first{w.rows, w.problem, gaps, rates, sticks, 1e-3, 1.0};
  ASSERT_TRUE(lu.has(kept.words));
  first.factor_is_ours = true;
  PositionWork misled;
  const bool arrives = try_positions(first, lu, misled);
  ASSERT_TRUE(try_positions(first, other = BlockLu{}, fresh));
  EXPECT_TRUE(!arrives || (misled.impulse - fresh.impulse).norm() > 1e-9 * fresh.impulse.norm());
}

}  // namespace
}  // namespace tact
