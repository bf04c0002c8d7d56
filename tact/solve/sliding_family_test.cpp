#include "tact/solve/sliding_family.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/solve/sliding_system.hpp"

namespace tact::detail {
namespace {

TEST(SlidingFamily, SimpleDirectionsAreFound) {
  for (const auto& [x, y] : {std::pair{1, 0},
                             {0, 1},
                             {-1, 0},
                             {0, -1},
                             {3, 4},
                             {-4, 3},
                             {-5, -12},
                             {20, -21},
                             {-7, 24},
                             {4, 3}}) {
    const auto ray = ray_at(std::atan2(y, x));
    ASSERT_TRUE(ray) << x << " " << y;
    EXPECT_EQ(ray->kind, UnitMode::Kind::ray);
    EXPECT_EQ(ray->from, x);
    EXPECT_EQ(ray->to, y);
    const ExactDirection d = direction_of(*ray);
    EXPECT_EQ(Exact(d.x * d.x + d.y * d.y), 1);
    // A turn more is the same direction.
    EXPECT_EQ(ray_at(std::atan2(y, x) + 2 * std::numbers::pi), ray);
  }
}

TEST(SlidingFamily, OtherDirectionsAreNearAtMost) {
  // (1, 2) has no whole length: what is found is another direction, and exact equations tell.
  const double angle = std::atan2(2, 1);
  if (const auto ray = ray_at(angle)) {
    EXPECT_NE(2 * ray->from, ray->to);
    EXPECT_NEAR(std::atan2(ray->to, ray->from), angle, 4 * tolerance::regime);
  }
}

}  // namespace
}  // namespace tact::detail
