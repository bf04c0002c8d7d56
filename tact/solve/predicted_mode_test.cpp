#include "tact/solve/predicted_mode.hpp"

#include <gtest/gtest.h>

#include "tact/solve/solve.hpp"
#include "tests/support/bodies.hpp"

namespace tact {
namespace {

/// `count` boxes on each other and on the ground, [v, w] each; the last `top` times as heavy.
DelassusProblem stack(int count, double top, double mu, const Vec3& push) {
  constexpr double half = 0.1, dt = 1e-3, weight = 9.81;
  ContactProblem p;
  const Index n = 6 * count;
  VecX mass(n);
  p.velocity = VecX::Zero(n);
  p.impulse = VecX::Zero(n);
  MatX rows = MatX::Zero(6 * count, n);
  for (int i = 0; i < count; ++i) {
    const double m = i + 1 == count ? top : 1;
    mass.segment<6>(6 * i) << m, m, m, Vec3::Constant(m * 2 * half * half / 3);
    p.impulse.segment<3>(6 * i) = m * dt * Vec3(0, 0, -weight);
    Contact contact;
    contact.law = testing::rough_patch(
        {PolygonShape{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}}}, mu);
    p.contacts.push_back(contact);
    // At the middle of the lower face: body i above, i - 1 below.
    const auto put = [&](int body, double z, double sign) {
      const Index r = 6 * i, c = 6 * body;
      rows.block<3, 3>(r, c + 3) = sign * Mat3::Identity();
      rows.block<3, 3>(r + 3, c) = sign * Mat3::Identity();
      rows(r + 3, c + 4) = sign * z;
      rows(r + 4, c + 3) = -sign * z;
    };
    put(i, -half, 1);
    if (i > 0) put(i - 1, half, -1);
  }
  p.impulse.segment<3>(n - 6) += push;
  p.mass = sparse(MatX(mass.asDiagonal()));
  p.rows = sparse(rows);
  auto reduced = reduce(p);
  EXPECT_TRUE(reduced) << reduced.error().message;
  return *std::move(reduced);
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
