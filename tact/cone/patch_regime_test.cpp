#include "tact/cone/patch_regime.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tact {
namespace {

PlanarSet square(const Vec2& at) {
  return PlanarSet::hull_of_points(
      std::vector<Vec2>{at + Vec2(-1, -1), at + Vec2(1, -1), at + Vec2(1, 1), at + Vec2(-1, 1)});
}

TEST(PatchRegime, TheFastestCornerByHand) {
  // Turning at 2 rad/s and moving at 3 m/s: v_T(x) = v - ω x^perp, [3 - 2y, 2x] at (x, y).
  const Twist twist{{0, 0, 2}, {3, 0, 0}};
  EXPECT_NEAR(largest_tangential_velocity(square({0, 0}), twist), std::hypot(5, 2), 1e-14);
  EXPECT_NEAR(largest_tangential_velocity(square({4, 1}), twist), std::hypot(3, 10), 1e-13);
  EXPECT_EQ(largest_tangential_velocity(square({0, 0}), {{0, 0, 0}, {3, 4, 7}}), 5);
  EXPECT_EQ(largest_tangential_velocity(square({0, 0}), Twist{}), 0);
}

/// Squares of such velocities are zero, and the centre of rotation is where no square is finite.
TEST(PatchRegime, VelocitiesNextToZeroHaveASizeToo) {
  const double smallest = std::numeric_limits<double>::denorm_min();
  for (int power = -100; power >= -308; power -= 4) {
    const double v = std::pow(10, power);
    for (const double spin : {v, v * v, 1 / std::pow(10, 150) * v, smallest}) {
      const double most = largest_tangential_velocity(square({0, 0}), {{0, 0, spin}, {v, 0, 0}});
      EXPECT_GE(most, 0.99 * v) << power;
      EXPECT_LE(most, 1.01 * (v + std::sqrt(2) * spin)) << power;
    }
  }
}

}  // namespace
}  // namespace tact
