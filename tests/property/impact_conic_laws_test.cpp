// Laws of the contact work with round cones, on random impacts: brackets are narrow, certificates
// are accepted, and impulses that explain an outcome do a work between the ends.
#include <gtest/gtest.h>

#include "tact/impact/judge.hpp"
#include "tests/support/explained_impacts.hpp"

namespace tact {
namespace {

constexpr int impacts_each = 40;
/// Brackets, relative to what the work is made of.
constexpr double widest = 1e-8;
/// Exact brackets leave a little room for rounding data.
constexpr double widest_exact = 1e-7;

FrictionalPatch patch(PatchShape shape, double mu) {
  FrictionalPatch out;
  out.shape = std::move(shape);
  out.mu = mu;
  return out;
}

Law random_law(int kind, Rng& rng) {
  const Vec2 at(0.1 * rng.normal(), 0.1 * rng.normal());
  const double size = rng.uniform(0.1, 1), mu = rng.uniform(0.1, 1);
  switch (kind) {
    case 0:
      return CoulombLaw{mu, false};
    case 1:
      return RollingLaw{mu, rng.uniform(0.01, 0.2), rng.uniform(0.01, 0.2)};
    case 2:
      return FrictionlessPatch{PatchShape{DiscShape{at, size}}};
    case 3:
      return FrictionlessPatch{PatchShape{StadiumShape{at, Vec2(0.4, 0.2), size}}};
    case 4:
      return patch(PatchShape{PolygonShape{{{-0.3, -0.3}, {0.4, -0.2}, {0.3, 0.3}}}}, mu);
    case 5:
      return PyramidLaw{mu, 4, false};
    default:
      return Frictionless{};
  }
}
constexpr int kinds = 7;

struct Scene {
  std::vector<Law> laws;
  RandomImpact random;
};
/// Mostly of one kind, so that every kind meets itself and all others.
Scene scene(int kind, bool rim, Rng& rng) {
  Scene out;
  const auto contacts = 1 + rng.below(4);
  for (std::uint64_t i = 0; i < contacts; ++i)
    out.laws.push_back(
        random_law(rng.uniform() < 0.7 ? kind : static_cast<int>(rng.below(kinds)), rng));
  out.random = random_impact(out.laws, static_cast<Index>(3 + rng.below(7)), rim, rng);
  return out;
}

template <class T>
double width_of(const Impact<T>& impact, const ImpactCertificate<T>& c, const WorkBound<T>& b) {
  double high = 0;
  if constexpr (std::is_same_v<T, double>)
    high = b.high - b.low;
  else
    high = Exact(b.high - b.low).get_d();
  return high / work_slack(impact, c.after, b.impulses, 1);
}

class RoundCones : public ::testing::TestWithParam<int> {};

TEST_P(RoundCones, KnownImpulsesDoAWorkBetweenTheEnds) {
  Rng rng(11 + static_cast<std::uint64_t>(GetParam()));
  int bounded = 0;
  for (int k = 0; k < impacts_each; ++k) {
    SCOPED_TRACE(k);
    const auto [impact, lambda] = scene(GetParam(), false, rng).random;
    const auto c = judge(impact);
    EXPECT_EQ(refusal(impact, c), std::nullopt);
    EXPECT_NE(c.verdict, ImpactVerdict::kinetically_incompatible);
    const ActualWork actual = actual_work(impact, lambda);
    EXPECT_TRUE(actual.momentum);
    EXPECT_TRUE(actual.outside.empty());
    ASSERT_NE(c.minimum.end, WorkBound<double>::End::none);
    ASSERT_NE(c.maximum.end, WorkBound<double>::End::none);
    if (c.minimum.end == WorkBound<double>::End::finite) {
      ++bounded;
      EXPECT_LE(width_of(impact, c, c.minimum), widest);
      EXPECT_GE(actual.work,
                c.minimum.low - widest * work_slack(impact, c.after, c.minimum.impulses, 1));
    }
    if (c.maximum.end == WorkBound<double>::End::finite) {
      EXPECT_LE(width_of(impact, c, c.maximum), widest);
      EXPECT_LE(actual.work,
                c.maximum.high + widest * work_slack(impact, c.after, c.maximum.impulses, 1));
    }
  }
  EXPECT_GE(bounded, impacts_each / 4);
}

TEST_P(RoundCones, OutcomesOnTheRimAreAcceptedAndHardlyEverUndecided) {
  Rng rng(23 + static_cast<std::uint64_t>(GetParam()));
  int undecided = 0;
  for (int k = 0; k < impacts_each; ++k) {
    SCOPED_TRACE(k);
    const auto impact = scene(GetParam(), true, rng).random.impact;
    const auto c = judge(impact);
    EXPECT_EQ(refusal(impact, c), std::nullopt);
    EXPECT_NE(c.verdict, ImpactVerdict::kinetically_incompatible);
    undecided += c.verdict == ImpactVerdict::undecided ? 1 : 0;
  }
  EXPECT_LE(undecided, impacts_each / 20);
}

TEST_P(RoundCones, AnyVelocityIsExplainedOrSeparated) {
  Rng rng(37 + static_cast<std::uint64_t>(GetParam()));
  int separated = 0;
  for (int k = 0; k < impacts_each; ++k) {
    SCOPED_TRACE(k);
    auto impact = scene(GetParam(), false, rng).random.impact;
    for (double& u : impact.after) u = rng.normal();
    const auto c = judge(impact);
    EXPECT_EQ(refusal(impact, c), std::nullopt);
    EXPECT_NE(c.verdict, ImpactVerdict::undecided);
    separated += c.verdict == ImpactVerdict::kinetically_incompatible ? 1 : 0;
    // A separator that is turned around separates nothing.
    if (c.separator.empty()) continue;
    auto turned = c;
    for (double& v : turned.separator) v = -v;
    EXPECT_NE(refusal(impact, turned), std::nullopt);
  }
  EXPECT_GT(separated, 0);
}

TEST_P(RoundCones, RationalCertificatesAreAccepted) {
  Rng rng(41 + static_cast<std::uint64_t>(GetParam()));
  int exact_ones = 0;
  for (int k = 0; k < impacts_each / 4; ++k) {
    SCOPED_TRACE(k);
    const Scene s = scene(GetParam(), false, rng);
    const auto doubles = judge(s.random.impact);
    const auto impact = exactly(s.random.impact, s.laws);
    const auto c = judge(impact, doubles);
    EXPECT_EQ(refusal(impact, c), std::nullopt);
    exact_ones += c.tolerance == 0 ? 1 : 0;
    for (const auto* b : {&c.minimum, &c.maximum}) {
      if (b->end == WorkBound<Exact>::End::finite) {
        EXPECT_LE(width_of(impact, c, *b), widest_exact);
      }
    }
  }
  EXPECT_GT(exact_ones, 0);
}

INSTANTIATE_TEST_SUITE_P(Laws, RoundCones, ::testing::Range(0, 6));

}  // namespace
}  // namespace tact
