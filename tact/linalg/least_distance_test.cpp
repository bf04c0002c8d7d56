#include "tact/linalg/least_distance.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

using End = LeastDistance::End;

MatX random_columns(Rng& rng, Index rows, Index cols) {
  MatX a(rows, cols);
  for (Index i = 0; i < a.size(); ++i) a(i) = rng.normal();
  return a;
}

/// The conditions of the minimum, each relative to its own terms.
void expect_minimum(const MatX& A, const VecX& g, const LeastDistance& found, double tolerance) {
  ASSERT_EQ(found.end, End::found);
  EXPECT_GE(found.x.size() > 0 ? found.x.minCoeff() : 0.0, 0);
  EXPECT_LE((found.y - A * found.x).norm(),
            tolerance * (A.cwiseAbs() * found.x + VecX::Ones(A.rows())).norm());
  const VecX slack = A.transpose() * found.y + g;
  for (Index j = 0; j < g.size(); ++j) {
    const double size = A.col(j).norm() * found.y.norm() + std::abs(g[j]);
    EXPECT_GE(slack[j], -tolerance * size) << j;
    EXPECT_LE(found.x[j] > 0 ? slack[j] : 0.0, tolerance * size) << j;
  }
}

TEST(LeastDistance, NothingToDo) {
  const LeastDistance none = least_distance(MatX(3, 0), VecX(0));
  EXPECT_EQ(none.end, End::found);
  EXPECT_EQ(none.y, VecX::Zero(3));
  const LeastDistance inside = least_distance(MatX::Identity(2, 2), VecX::Ones(2));
  EXPECT_EQ(inside.end, End::found);
  EXPECT_EQ(inside.x, VecX::Zero(2));
  EXPECT_EQ(inside.steps, 0);
}

TEST(LeastDistance, MeetsTheConditionsOfTheMinimum) {
  Rng rng(1);
  int binding = 0;
  for (int k = 0; k < 2000; ++k) {
    const Index n = 1 + static_cast<Index>(rng.below(6));
    const Index m = 1 + static_cast<Index>(rng.below(9));
    MatX A = random_columns(rng, n, m);
    const VecX inside = random_columns(rng, n, 1);
    VecX g(m);
    for (Index j = 0; j < m; ++j) {
      A.col(j) *= rng.log_uniform(1e-3, 1e3);
      g[j] = A.col(j).norm() * rng.uniform() - A.col(j).dot(inside);
    }
    const LeastDistance found = least_distance(A, g);
    expect_minimum(A, g, found, 1e-12);
    binding += static_cast<int>(found.active.size()) > 1;
  }
  EXPECT_GT(binding, 500);
}

TEST(LeastDistance, CopiesChangeNothing) {
  Rng rng(2);
  for (int k = 0; k < 200; ++k) {
    const Index n = 2 + static_cast<Index>(rng.below(4));
    const Index m = 1 + static_cast<Index>(rng.below(4));
    const MatX A = random_columns(rng, n, m);
    const VecX inside = random_columns(rng, n, 1);
    VecX g = -A.transpose() * inside;
    for (Index j = 0; j < m; ++j) g[j] += rng.uniform();
    MatX many(n, 10 * m);
    VecX h(10 * m);
    for (int c = 0; c < 10; ++c) {
      many.middleCols(c * m, m) = A;
      h.segment(c * m, m) = g;
    }
    const LeastDistance one = least_distance(A, g);
    const LeastDistance ten = least_distance(many, h);
    ASSERT_EQ(ten.end, End::found);
    EXPECT_LE((one.y - ten.y).norm(), 1e-13 * (1 + one.y.norm()));
  }
}

TEST(LeastDistance, FourFeetOfATableShareALoad) {
  // Rank three: the fourth column is the sum of two less the third.
  MatX A(3, 4);
  A << 1, 1, 1, 1, 1, -1, -1, 1, 1, 1, -1, -1;
  const VecX g = VecX::Constant(4, -0.3);
  const LeastDistance found = least_distance(A, g);
  expect_minimum(A, g, found, 1e-14);
  EXPECT_NEAR(found.y[0], 0.3, 1e-15);
}

/// A wedge of angle δ: y = 1/δ, multipliers 1/δ². All digits that the data carry.
TEST(LeastDistance, NarrowWedge) {
  for (const double d : {1e-2, 1e-4, 1e-6, 1e-8}) {
    MatX A(2, 2);
    A << 1, -1, d, d;
    const VecX g = VecX::Constant(2, -1.0);
    const LeastDistance found = least_distance(A, g);
    ASSERT_EQ(found.end, End::found) << d;
    EXPECT_NEAR(found.y[1] * d, 1, 1e-12) << d;
    EXPECT_NEAR(found.x[0] * 2 * d * d, 1, 1e-12) << d;
  }
}

TEST(LeastDistance, ARayProvesThatThereIsNoPoint) {
  Rng rng(3);
  int rays = 0;
  for (int k = 0; k < 500; ++k) {
    const Index n = 1 + static_cast<Index>(rng.below(4));
    const Index m = n + 1 + static_cast<Index>(rng.below(3));
    MatX A = random_columns(rng, n, m);
    VecX weight(m);
    for (double& w : weight) w = rng.uniform(0.1, 1);
    A.col(m - 1) = -(A.leftCols(m - 1) * weight.head(m - 1)) / weight[m - 1];
    VecX g = A.transpose() * random_columns(rng, n, 1);
    g[m - 1] -= rng.uniform(0.1, 1);  // weight.g < 0 and A weight = 0
    const LeastDistance found = least_distance(A, g);
    ASSERT_EQ(found.end, End::infeasible) << k;
    EXPECT_GE(found.x.minCoeff(), 0);
    EXPECT_LT(g.dot(found.x), 0);
    EXPECT_LE((A * found.x).norm(), 1e-12 * A.colwise().norm() * found.x);
    ++rays;
  }
  EXPECT_EQ(rays, 500);
}

TEST(LeastDistance, AColumnOfZerosCannotBeHelped) {
  MatX A = MatX::Zero(2, 2);
  A(0, 0) = 1;
  const LeastDistance open = least_distance(A, Eigen::Vector2d(-1, 0));
  EXPECT_EQ(open.end, End::found);
  const LeastDistance stuck = least_distance(A, Eigen::Vector2d(-1, -1));
  EXPECT_EQ(stuck.end, End::infeasible);
  EXPECT_EQ(stuck.x, VecX::Unit(2, 1));
}

}  // namespace
}  // namespace tact
