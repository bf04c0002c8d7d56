#include "tact/impact/reflections.hpp"

#include <gtest/gtest.h>

#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

ImpactFrame walls(const Vec2& chi, double before, double e) {
  MatX W(1, 2);
  W << 1, -1;
  return *impact_frame(
      smooth_impact(MatX::Ones(1, 1), W, chi, VecX::Constant(1, before), VecX::Constant(2, e)));
}

TEST(Reflections, OneWallIsOneEvent) {
  const ImpactFrame f = walls({0, 10}, -1, 0.5);
  const ImpactOutcome together = reflect_together(f, 1, 100);
  EXPECT_EQ(together.status, ImpactStatus::solved);
  EXPECT_EQ(together.events, 1);
  EXPECT_NEAR(together.impulses[0], 2, 1e-15);
  const ImpactOutcome in_turn = reflect_in_turn(f, 1, 100);
  EXPECT_EQ(in_turn.events, 1);
  EXPECT_NEAR(in_turn.impulses[0], 1.5, 1e-15);
}

/// Two balls arrive together at a third: what rounding makes of their own contact is no approach.
TEST(Reflections, ApproachOfRoundingIsNoneFromTheFirstEventOn) {
  MatX W(3, 2);
  W << -1, 0, 1, -1, 0, 1;
  const ImpactFrame f = *impact_frame(
      smooth_impact(MatX::Identity(3, 3), W, Vec2(-1e-17, 0), Vec3(1, 1, 0), VecX::Ones(2)));
  ASSERT_LT(f.approach[0], 0);
  for (const auto reflect : {reflect_together, reflect_in_turn}) {
    const ImpactOutcome out = reflect(f, 1, 100);
    ASSERT_EQ(out.status, ImpactStatus::solved);
    EXPECT_EQ(out.events, 2);
    EXPECT_LT((f.velocity(f.columns * out.impulses) - Vec3(0, 1, 1)).norm(), 1e-12);
  }
}

TEST(Reflections, TheCapIsKept) {
  // Walls that recede from each other at 0.01: the ball needs a hundred events to be slow enough.
  const ImpactFrame f = walls({0, 0.01}, -1, 1);
  const ImpactOutcome few = reflect_in_turn(f, 1, 10);
  EXPECT_EQ(few.status, ImpactStatus::not_converged);
  EXPECT_EQ(few.events, 10);
  const ImpactOutcome all = reflect_in_turn(f, 1, 1000);
  EXPECT_EQ(all.status, ImpactStatus::solved);
  EXPECT_NEAR(all.events, 100, 1);
}

TEST(Reflections, ThinnessIsAboutTheInterior) {
  EXPECT_EQ(reflect_together(walls({0, 0.01}, -1, 1), 1, 1000).ray.size(), 0);
  const ImpactOutcome out = reflect_together(walls({-1, 1}, 0, 1), 1, 1000);
  EXPECT_EQ(out.status, ImpactStatus::does_not_end);
  const VecX& ray = out.ray;
  ASSERT_EQ(ray.size(), 2);
  EXPECT_NEAR(ray[0], ray[1], 1e-15);
  EXPECT_GT(ray[0], 0);
}

}  // namespace
}  // namespace tact
