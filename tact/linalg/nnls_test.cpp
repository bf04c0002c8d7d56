#include "tact/linalg/nnls.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

MatX random_matrix(Rng& rng, Index rows, Index cols) {
  MatX m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m(i) = rng.normal();
  return m;
}

TEST(Nnls, ByHand) {
  // Columns (1, 0) and (1, 1): (2, 1) needs both, (1, -1) only the first.
  MatX A(2, 2);
  A << 1, 1, 0, 1;
  EXPECT_LE((nnls(A, Eigen::Vector2d(2, 1)).x - Eigen::Vector2d(1, 1)).norm(), tolerance::rounding);
  const Nnls one = nnls(A, Eigen::Vector2d(1, -1));
  EXPECT_LE((one.x - Eigen::Vector2d(1, 0)).norm(), tolerance::rounding);
  EXPECT_LE((one.residual - Eigen::Vector2d(0, -1)).norm(), tolerance::rounding);
}

TEST(Nnls, OptimalForEveryRank) {
  Rng rng(1);
  for (int k = 0; k < 300; ++k) {
    const auto rows = static_cast<Index>(1 + rng.below(8));
    const auto cols = static_cast<Index>(1 + rng.below(12));
    const auto rank = static_cast<Index>(1 + rng.below(4));
    const MatX A = random_matrix(rng, rows, rank) * random_matrix(rng, rank, cols);
    const VecX b = random_matrix(rng, rows, 1);
    const Nnls out = nnls(A, b);
    ASSERT_TRUE(out.converged);
    EXPECT_GE(out.x.minCoeff(), 0);
    const double size = A.colwise().norm().maxCoeff() * b.norm();
    const VecX gradient = A.transpose() * (b - A * out.x);
    EXPECT_LE(gradient.maxCoeff(), 1e-11 * size);
    EXPECT_LE(std::abs(gradient.dot(out.x)), 1e-11 * size * (1 + out.x.norm()));
  }
}

TEST(Nnls, SolvesWhatHasASolution) {
  Rng rng(2);
  for (int k = 0; k < 200; ++k) {
    const MatX A = random_matrix(rng, 5, 9);
    const VecX x = random_matrix(rng, 9, 1).cwiseMax(0);
    const VecX b = A * x;
    EXPECT_LE((A * nnls(A, b).x - b).norm(), 1e-12 * (1 + b.norm()));
  }
}

TEST(Nnls, ZeroColumnsGetNothing) {
  const Nnls out = nnls(MatX::Zero(2, 3), Eigen::Vector2d(1, 1));
  EXPECT_TRUE(out.converged);
  EXPECT_TRUE(out.x.isZero(0));
}

}  // namespace
}  // namespace tact
