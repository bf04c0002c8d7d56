#include "tact/linalg/small_lu.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

TEST(SmallLu, PivotsWhereTheFirstEntryIsZero) {
  MatX A(2, 2);
  A << 0, 2, 4, 1;
  SmallLu lu;
  ASSERT_TRUE(lu.factor(A));
  VecX x(2);
  x << 6, 11;  // of (2, 3)
  lu.solve_in_place(x);
  EXPECT_NEAR(x[0], 2, 1e-15);
  EXPECT_NEAR(x[1], 3, 1e-15);
}

TEST(SmallLu, SolvesRandomSystemsOfAllSizes) {
  Rng rng(3);
  SmallLu lu;  // one for all sizes, larger and smaller
  for (int turn = 0; turn < 200; ++turn) {
    const Index n = 1 + (turn * 7) % 40;
    MatX A(n, n), B(n, 3), X;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) A(i, j) = rng.normal();
      for (Index j = 0; j < 3; ++j) B(i, j) = rng.normal();
    }
    ASSERT_TRUE(lu.factor(A));
    lu.solve(B, X);
    EXPECT_LE((A * X - B).norm(), 1e-12 * A.norm() * (1 + X.norm())) << n;
  }
}

TEST(SmallLu, SaysThatThereIsNoFactor) {
  MatX A = MatX::Ones(3, 3);
  SmallLu lu;
  EXPECT_FALSE(lu.factor(A));
  A(0, 0) = std::nan("");
  EXPECT_FALSE(lu.factor(A));
}

}  // namespace
}  // namespace tact
