#include "tact/impact/cone_pieces.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/impact/impulse_cone.hpp"
#include "tests/support/explained_impacts.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-12;

TEST(ConePieces, CoarseOnesAreInsideWithoutRounding) {
  const auto cone = impulse_cone<Exact>(RollingLaw{0.5, 0.1, 0.2}, Exact(1, 2));
  const auto pieces = coarse_pieces(cone);
  EXPECT_EQ(pieces.size(), 5U * 5U * 2U);
  for (const auto& piece : pieces) EXPECT_TRUE(admissible(cone, piece, 0));
}

TEST(ConePieces, MergedOnTheRimBetweenTwo) {
  const std::vector<ConePiece<double>> two{{1, {0}, {{1, 0}}}, {1, {0}, {{0, 1}}}};
  const auto one = merged_on_rim(two);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].weight, 2);
  EXPECT_NEAR(one[0].s[0][0], std::sqrt(0.5), rounding);
  EXPECT_NEAR(one[0].s[0][1], std::sqrt(0.5), rounding);
}

TEST(ConePieces, NewtonFindsTheRim) {
  // A target on the rim, from pieces that are off by a tenth.
  const std::vector<Law> laws{CoulombLaw{0.5, false}};
  const double angle = 0.3;
  const auto impact = impact_of(laws, 2, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {0, 0, -1},
                                {0.5 * std::cos(angle), 0.5 * std::sin(angle), 0});
  const EnergyForm form(impact);
  const Distribution<double> start{{{1.8, {0}, {{std::cos(0.4), std::sin(0.4)}}}}};
  const auto found = moved_to(impact, form, start, form.change);
  ASSERT_EQ(found[0].size(), 1U);
  EXPECT_NEAR(found[0][0].weight, 2, rounding);
  EXPECT_NEAR(found[0][0].s[0][0], std::cos(angle), rounding);
  EXPECT_TRUE(admissible(impact.cone[0], found[0][0], 0));
}

TEST(ConePieces, MembershipOnEitherSideOfEveryRim) {
  Rng rng(5);
  const double off = 1e-6;
  const std::vector<Law> laws{CoulombLaw{0.3, false}, RollingLaw{0.5, 0.1, 0.2},
                              FrictionlessPatch{PatchShape{DiscShape{Vec2(0.2, 0.1), 0.4}}},
                              PyramidLaw{0.4, 6, false}};
  for (const Law& law : laws) {
    SCOPED_TRACE(law.index());
    const auto cone = impulse_cone<double>(law, friction_of(law));
    for (int k = 0; k < 50; ++k) {
      // On the boundary: the worst generator of any velocity.
      VecX gamma(cone.rows);
      for (double& g : gamma) g = rng.normal();
      const auto rim = generator_of(cone, worst_piece(cone, values(gamma)));
      EXPECT_TRUE(in_cone(cone, rim, rounding * impulse_size(cone, rim)));
      VecX out = view(rim);
      VecX push = -gamma;
      push[cone.normal] = 0;
      out += off * push / push.norm();
      EXPECT_FALSE(in_cone(cone, values(out), rounding * impulse_size(cone, rim)));
    }
  }
}

}  // namespace
}  // namespace tact
