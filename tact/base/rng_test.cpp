#include "tact/base/rng.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tact {
namespace {

constexpr int many = 100'000;

TEST(Rng, GivesThePublishedSequenceOfSplitMix64) {
  Rng rng(1234567);  // the reference values of the generator's authors
  EXPECT_EQ(rng.next(), 6457827717110365317U);
  EXPECT_EQ(rng.next(), 3203168211198807973U);
  EXPECT_EQ(rng.next(), 9817491932198370423U);
}

TEST(Rng, UniformStaysInItsIntervalAndIsUnbiased) {
  Rng rng(1);
  double sum = 0;
  for (int i = 0; i < many; ++i) {
    const double x = rng.uniform(-1, 3);
    ASSERT_GE(x, -1);
    ASSERT_LT(x, 3);
    sum += x;
  }
  const double five_sigma = 5 * (4 / std::sqrt(12.0)) / std::sqrt(many);
  EXPECT_NEAR(sum / many, 1, five_sigma);
}

TEST(Rng, BelowReachesEveryValueAndNoOther) {
  Rng rng(2);
  int seen[3] = {0, 0, 0};
  for (int i = 0; i < many; ++i) {
    const auto k = rng.below(3);
    ASSERT_LT(k, 3U);
    ++seen[k];
  }
  for (const int count : seen) EXPECT_NEAR(count, many / 3.0, 5 * std::sqrt(many * 2 / 9.0));
}

TEST(Rng, NormalHasMeanZeroAndVarianceOne) {
  Rng rng(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < many; ++i) {
    const double x = rng.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / many, 0, 5 / std::sqrt(many));
  EXPECT_NEAR(squares / many, 1, 5 * std::sqrt(2.0 / many));
}

TEST(Rng, LogUniformGivesEveryDecadeItsShare) {
  Rng rng(4);
  int below_the_middle = 0;
  for (int i = 0; i < many; ++i) {
    const double x = rng.log_uniform(1e-6, 1e6);
    ASSERT_GE(x, 1e-6 * (1 - 1e-12));
    ASSERT_LE(x, 1e6 * (1 + 1e-12));
    if (x < 1) ++below_the_middle;
  }
  EXPECT_NEAR(below_the_middle, many / 2.0, 5 * std::sqrt(many / 4.0));
}

}  // namespace
}  // namespace tact
