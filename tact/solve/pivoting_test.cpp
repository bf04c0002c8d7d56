#include "tact/solve/pivoting.hpp"

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tests/support/random_contacts.hpp"

namespace tact {
namespace {

using testing::random_dense;

/// max(|min(z, w)|) over all pairs, relative to the largest entry of q: zero at solutions.
double lcp_residual(const MatX& M, const VecX& q, const VecX& z) {
  return z.cwiseMin(M * z + q).cwiseAbs().maxCoeff() / q.cwiseAbs().maxCoeff();
}

TEST(Pivoting, ByHand) {
  // Cottle, Pang, Stone: M = [2 1; 1 2], q = (-5, -6): z = (4/3, 7/3).
  MatX M(2, 2);
  M << 2, 1, 1, 2;
  PivotWorkspace work;
  VecX z;
  const PivotReport report = solve_lcp(M, Eigen::Vector2d(-5, -6), {}, work, z);
  EXPECT_EQ(report.end, PivotEnd::solution);
  EXPECT_LE((z - Eigen::Vector2d(4.0 / 3, 7.0 / 3)).norm(), tolerance::rounding);
  EXPECT_EQ(solve_lcp(M, Eigen::Vector2d(1, 0), {}, work, z).end, PivotEnd::solution);
  EXPECT_TRUE(z.isZero(0));
}

TEST(Pivoting, EndsOnARayWhereNothingSolves) {
  // w = -1 whatever z.
  PivotWorkspace work;
  VecX z;
  const PivotReport report = solve_lcp(MatX::Zero(1, 1), VecX::Constant(1, -1), {}, work, z);
  EXPECT_EQ(report.end, PivotEnd::ray);
}

TEST(Pivoting, LinearProgramsAsComplementarity) {
  // max x + y, x + 2y <= 4, 3x + y <= 6: x = 1.6, y = 1.2, prices 0.4, 0.2.
  MatX M = MatX::Zero(4, 4);
  M.block<2, 2>(0, 2) << 1, 3, 2, 1;
  M.block<2, 2>(2, 0) << -1, -2, -3, -1;
  const Eigen::Vector4d q(-1, -1, 4, 6);
  PivotWorkspace work;
  VecX z;
  ASSERT_EQ(solve_lcp(M, q, {}, work, z).end, PivotEnd::solution);
  EXPECT_LE((z - Eigen::Vector4d(1.6, 1.2, 0.4, 0.2)).norm(), tolerance::rounding);
}

TEST(Pivoting, SolvesMonotoneProblemsOfEveryRank) {
  Rng rng(1);
  PivotWorkspace work;
  VecX z;
  for (int k = 0; k < 300; ++k) {
    const auto n = static_cast<Index>(1 + rng.below(25));
    const auto rank = static_cast<Index>(1 + rng.below(static_cast<std::uint64_t>(n)));
    const MatX a = random_dense(rng, n, rank);
    const MatX s = random_dense(rng, n, n);
    const MatX M = a * a.transpose() + (k % 2) * (s - s.transpose());
    // Feasible: q + M z0 >= 0, with ties.
    VecX q = -M * random_dense(rng, n, 1).cwiseAbs();
    for (Index i = 0; i < n; ++i) q[i] += static_cast<double>(rng.below(2));
    const PivotReport report = solve_lcp(M, q, {}, work, z);
    ASSERT_EQ(report.end, PivotEnd::solution) << k;
    EXPECT_LE(lcp_residual(M, q, z), 1e-11) << k;
  }
}

TEST(Pivoting, DegenerateProblemsDoNotCycle) {
  // Every row many times, data from a handful of integers: ties everywhere.
  Rng rng(2);
  PivotWorkspace work;
  VecX z;
  for (int k = 0; k < 200; ++k) {
    MatX a(12, 3);
    for (Index i = 0; i < a.size(); ++i) a(i) = static_cast<double>(rng.below(3)) - 1;
    const MatX M = a * a.transpose();
    const VecX q = -M * VecX::Ones(12);
    const PivotReport report = solve_lcp(M, q, {}, work, z);
    ASSERT_EQ(report.end, PivotEnd::solution) << k;
    EXPECT_LE(lcp_residual(M, q, z), 1e-13) << k;
    EXPECT_LE(report.pivots, 100);
  }
}

}  // namespace
}  // namespace tact
