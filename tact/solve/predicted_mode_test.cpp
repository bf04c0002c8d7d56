#include "tact/solve/predicted_mode.hpp"

#include <gtest/gtest.h>

#include "tact/solve/solve.hpp"
#include "tests/support/boxes_on_boxes.hpp"

namespace tact {
namespace {

/// `count` boxes on each other and on the ground, [v, w] each; the last `top` times as heavy.
DelassusProblem stack(int count, double top, double mu, const Vec3& push) {
  constexpr double half = 0.1;
  testing::Boxes boxes;
  boxes.mu = mu;
  boxes.dt = 1e-3;
  for (int i = 0; i < count; ++i) {
    boxes.mass.push_back(i + 1 == count ? top : 1);
    boxes.centre.emplace_back(0, 0, (2 * i + 1) * half);
    boxes.seats.push_back({i, i - 1, {0, 0, 2 * i * half}, half});
    boxes.push.emplace_back(i + 1 == count ? push : Vec3(Vec3::Zero()));
  }
  return testing::problem_of(boxes);
}

TEST(PredictedMode, AStandingTowerIsOneLinearSolve) {
  for (const int count : {2, 10, 30})
    for (const double top : {1.0, 100.0}) {
      const DelassusProblem p = stack(count, top, 0.5, Vec3::Zero());
      // Loads that are a little wrong everywhere, as those of the step before.
      VecX lambda;
      ASSERT_EQ(solve(p, {}, lambda).status, SolveStatus::converged);
      lambda *= 1.001;
      PredictedModeWorkspace work;
      const SolveReport report = predicted_mode(p, {}, work, lambda);
      EXPECT_EQ(report.status, SolveStatus::converged);
      EXPECT_EQ(report.iterations, 1);
      EXPECT_LE(residual(p, lambda).figure(), 1e-12);
    }
}

TEST(PredictedMode, SlidingTakesAFewSolves) {
  const DelassusProblem before = stack(4, 1, 0.3, {4e-3, 0, 0}),
                        now = stack(4, 1, 0.3, {4.1e-3, 2e-4, 0});
  VecX lambda;
  ASSERT_EQ(solve(before, {}, lambda).status, SolveStatus::converged);
  PredictedModeWorkspace work;
  const SolveReport report = predicted_mode(now, {}, work, lambda);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_GT(report.iterations, 1);
  EXPECT_LE(residual(now, lambda).figure(), SolveOptions{}.tolerance);
}

/// The top is pushed hard: the mode of the step before is wrong, and nobody says otherwise.
TEST(PredictedMode, AWrongModeIsNotAccepted) {
  const DelassusProblem standing = stack(6, 1, 0.5, Vec3::Zero()),
                        pushed = stack(6, 1, 0.5, {0.03, 0.01, -0.02});
  VecX lambda;
  ASSERT_EQ(solve(standing, {}, lambda).status, SolveStatus::converged);
  SolveOptions once;
  once.max_iterations = 1;
  PredictedModeWorkspace work;
  const double start = residual(pushed, lambda).figure();
  const SolveReport report = predicted_mode(pushed, once, work, lambda);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_LE(residual(pushed, lambda).figure(), start);
}

}  // namespace
}  // namespace tact
