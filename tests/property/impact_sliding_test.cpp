// Impacts whose sliding contacts have their friction's direction decided: a smaller set of
// impulses, judged as any other.
#include <gtest/gtest.h>

#include "tact/impact/judge.hpp"
#include "tests/support/explained_impacts.hpp"
#include "tests/support/sliding_impacts.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-10;

TEST(Sliding, FrictionPointsAgainstTheMotion) {
  const std::vector<Law> laws{CoulombLaw{0.5, false}};
  const auto impact =
      impact_of(laws, 1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {3, 4, -1}, {2.7, 3.6, 0});
  const auto found = with_sliding(impact);
  EXPECT_EQ(found.sliding, std::vector<Index>{0});
  const auto& cone = found.impact.cone[0];
  ASSERT_TRUE(cone.polyhedral());
  const auto g = generator_of(cone, corners(cone)[0]);
  EXPECT_NEAR(g[0], -0.3, rounding);
  EXPECT_NEAR(g[1], -0.4, rounding);
  EXPECT_EQ(judge(found.impact).verdict, ImpactVerdict::consistent_strong);
}

TEST(Sliding, RestAndNormalLoadsKeepTheirCones) {
  const std::vector<Law> laws{CoulombLaw{0.5, false},
                              FrictionlessPatch{PatchShape{DiscShape{Vec2::Zero(), 0.5}}}};
  const std::vector<std::vector<double>> rows{{1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                              {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto impact = impact_of(laws, 1, rows, {0, 0, 0, 1, 1, 0}, {0.1, 0, -1}, {0, 0, 0});
  const auto found = with_sliding(impact);
  EXPECT_TRUE(found.sliding.empty());
  EXPECT_FALSE(found.impact.cone[0].polyhedral());
  EXPECT_FALSE(found.impact.cone[1].polyhedral());
}

TEST(Sliding, BoundsAreNestedInThoseOfTheCones) {
  Rng rng(17);
  const std::vector<Law> laws{CoulombLaw{0.5, false}, CoulombLaw{0.3, false},
                              RollingLaw{0.4, 0.1, 0.2}};
  int narrower = 0;
  for (int k = 0; k < 30; ++k) {
    SCOPED_TRACE(k);
    // An outcome of impulses against the motion it has itself: the excitation makes it so.
    auto impact = random_impact(laws, 6, false, rng).impact;
    const auto first = with_sliding(impact);
    ASSERT_EQ(first.sliding.size(), 3U);
    std::vector<double> lambda;
    for (const auto& cone : first.impact.cone) {
      const auto own = random_impulse(cone, false, rng);
      lambda.insert(lambda.end(), own.begin(), own.end());
    }
    // Move z, not u⁺, so that the directions stay.
    const auto force = generalised(impact, lambda);
    MatX mass(6, 6);
    for (Index r = 0; r < 6; ++r)
      for (Index c = 0; c < 6; ++c) mass(r, c) = impact.mass[r][c];
    const VecX change = mass.llt().solve(Eigen::Map<const VecX>(force.data(), 6));
    for (Index r = 0; r < 6; ++r) impact.before[r] = impact.after[r] - change[r];
    impact.free = impact.before;
    const auto some = with_sliding(impact).impact;
    const auto wide = judge(impact), tight = judge(some);
    EXPECT_EQ(refusal(some, tight), std::nullopt);
    ASSERT_NE(tight.minimum.end, WorkBound<double>::End::none);
    if (wide.minimum.end != WorkBound<double>::End::finite) continue;
    ASSERT_EQ(tight.minimum.end, WorkBound<double>::End::finite);
    const double scale = work_slack(impact, wide.after, wide.minimum.impulses, 1);
    EXPECT_GE(tight.minimum.high, wide.minimum.low - 1e-8 * scale);
    narrower += tight.minimum.low > wide.minimum.high + 1e-8 * scale ? 1 : 0;
  }
  EXPECT_GT(narrower, 0);
}

}  // namespace
}  // namespace tact
