#include "tact/linalg/interval.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

Interval random_interval(Rng& rng) {
  const double a = rng.normal(), b = rng.normal();
  return {std::min(a, b), std::max(a, b)};
}
double inside(Rng& rng, const Interval& a) {
  return std::clamp(rng.uniform(a.low, a.high), a.low, a.high);
}

TEST(Interval, EveryOperationHoldsItsValues) {
  Rng rng(3);
  for (int k = 0; k < 10000; ++k) {
    const Interval a = random_interval(rng), b = random_interval(rng);
    const double x = inside(rng, a), y = inside(rng, b);
    EXPECT_TRUE((a + b).holds(x + y));
    EXPECT_TRUE((a - b).holds(x - y));
    EXPECT_TRUE((a * b).holds(x * y));
    EXPECT_TRUE((-a).holds(-x));
    EXPECT_TRUE(square(a).holds(x * x));
    EXPECT_TRUE(cosine(a).holds(std::cos(x)));
    EXPECT_TRUE(sine(a).holds(std::sin(x)));
    EXPECT_LE(std::abs(x - a.middle()), a.radius());
  }
}

TEST(Interval, RoundsOutwards) {
  const Interval tenth(0.1);
  const Interval sum = tenth + Interval(0.2);
  EXPECT_LT(sum.low, sum.high);
  EXPECT_TRUE(sum.holds(0.30000000000000004));
  EXPECT_TRUE(sum.holds(0.3));
  EXPECT_LT(square(Interval(-1, 2)).high, 4.0001);
  EXPECT_GE(square(Interval(-1, 2)).low, 0);
}

TEST(Interval, InsideAndMeet) {
  EXPECT_TRUE(Interval(1, 2).inside({0, 3}));
  EXPECT_FALSE(Interval(1, 2).inside({1, 3}));
  EXPECT_EQ(meet({0, 2}, {1, 3}).low, 1);
  EXPECT_GT(meet({0, 1}, {2, 3}).low, meet({0, 1}, {2, 3}).high);
}

}  // namespace
}  // namespace tact
