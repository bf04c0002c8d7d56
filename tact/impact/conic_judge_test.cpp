// Brackets of the contact work for round cones: closed forms, what is not closed, and certificates
// in rationals.
#include "tact/impact/conic_judge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/impact/certificate.hpp"
#include "tests/support/explained_impacts.hpp"

namespace tact {
namespace {

using Bound = WorkBound<double>;

/// Rows [t1, t2, n] of a block whose velocity is the contact's.
std::vector<std::vector<double>> unit_rows(int contacts) {
  std::vector<std::vector<double>> out;
  for (int i = 0; i < contacts; ++i) {
    out.push_back({1, 0, 0});
    out.push_back({0, 1, 0});
    out.push_back({0, 0, 1});
  }
  return out;
}

/// Of brackets of well-posed impacts, relative to the work of order one.
constexpr double width = 1e-10;

TEST(JudgeRound, UniformBeltHasOneWork) {
  // A block lands with speed w on a belt with velocity v: W = m/2 ((u⁺-v)² - (u⁻-v)² - w²).
  const std::vector<Law> laws{CoulombLaw{0.5, false}};
  const auto impact = impact_of(laws, 1, unit_rows(1), {-2, 0, 0}, {0, 0, -1}, {0.5, 0, 0});
  const auto certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::consistent_strong);
  for (const Bound* b : {&certificate.minimum, &certificate.maximum}) {
    EXPECT_NEAR(b->low, -1.375, width);
    EXPECT_NEAR(b->high, -1.375, width);
  }
}

TEST(JudgeRound, TwoBeltsShareTheLoad) {
  // W in [c - h, c + h]: c = T⁺ - T⁻ - (v1 + v2) p / 2, h = |v1 - v2| μ m w / 2.
  const double m = 2, v1 = 2, v2 = -1, mu = 0.3, w = 1, before = 1, after = 0.8;
  const std::vector<Law> laws{CoulombLaw{mu, false}, CoulombLaw{mu, false}};
  const auto impact =
      impact_of(laws, m, unit_rows(2), {-v1, 0, 0, -v2, 0, 0}, {before, 0, -w}, {after, 0, 0});
  const auto certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  const double c =
      0.5 * m * (after * after - before * before - w * w) - 0.5 * (v1 + v2) * m * (after - before);
  const double h = 0.5 * std::abs(v1 - v2) * mu * m * w;
  EXPECT_NEAR(certificate.minimum.low, c - h, width);
  EXPECT_NEAR(certificate.minimum.high, c - h, width);
  EXPECT_NEAR(certificate.maximum.low, c + h, width);
  EXPECT_NEAR(certificate.maximum.high, c + h, width);
}

TEST(JudgeRound, NothingHappenedNothingDone) {
  const std::vector<Law> laws{CoulombLaw{0.5, false}};
  const auto impact = impact_of(laws, 1, unit_rows(1), {-2, 0, 0}, {0, 0, 1}, {0, 0, 1});
  const auto certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::consistent_strong);
  EXPECT_EQ(certificate.minimum.low, 0);
  EXPECT_EQ(certificate.maximum.high, 0);
}

TEST(JudgeRound, FrictionBeyondTheConeIsSeparated) {
  const std::vector<Law> laws{CoulombLaw{0.5, false}};
  const auto impact = impact_of(laws, 1, unit_rows(1), {0, 0, 0}, {1, 1, -1}, {0.5, 0.5, 0});
  const auto certificate = judge(impact);  // |T| = 0.7 N
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::kinetically_incompatible);
}

TEST(JudgeRound, SlidingIsOnTheRim) {
  // What a solver gives: T = μ N against the motion, nothing to spare on any side.
  const double mu = 0.3, angle = 0.7;
  const std::vector<Law> laws{CoulombLaw{mu, false}};
  const auto impact =
      impact_of(laws, 1, unit_rows(1), {0, 0, 0}, {std::cos(angle), std::sin(angle), -1},
                {(1 - mu) * std::cos(angle), (1 - mu) * std::sin(angle), 0});
  const auto certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::consistent_strong);
  const double work = 0.5 * ((1 - mu) * (1 - mu) - 1 - 1);
  EXPECT_NEAR(certificate.minimum.low, work, width);
  EXPECT_NEAR(certificate.maximum.high, work, width);
}

/// K = { N >= |T| } and generalised force (N - T1, T2): the image { a > 0 } with 0 is not closed.
Impact<double> not_closed(double a) {
  const std::vector<Law> laws{CoulombLaw{1, false}};
  return impact_of(laws, 1, {{-1, 0}, {0, 1}, {1, 0}}, {0, 0, 0}, {0, 0}, {a, 1});
}

TEST(JudgeRound, WhatIsOnlyApproachedIsUndecided) {
  const auto limit = not_closed(0);
  const auto certificate = judge(limit);
  EXPECT_EQ(refusal(limit, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::undecided);
  EXPECT_EQ(certificate.minimum.end, Bound::End::none);
  EXPECT_TRUE(certificate.separator.empty());
  const auto exact = exactly(limit, {CoulombLaw{1, false}});
  const auto rational = judge(exact, certificate);
  EXPECT_EQ(refusal(exact, rational), std::nullopt);
  EXPECT_EQ(rational.verdict, ImpactVerdict::undecided);
  // On either side of it there is an answer.
  EXPECT_EQ(judge(not_closed(-0.01)).verdict, ImpactVerdict::kinetically_incompatible);
  const auto reached = not_closed(0.01);
  const auto bounds = judge(reached);
  EXPECT_EQ(refusal(reached, bounds), std::nullopt);
  EXPECT_EQ(bounds.minimum.end, Bound::End::finite);
}

TEST(JudgeRound, MissingBoundsAreNoProof) {
  const auto impact = not_closed(0.01);
  auto certificate = judge(impact);
  certificate.minimum = {};
  EXPECT_NE(refusal(impact, certificate), std::nullopt);
  certificate.verdict = ImpactVerdict::undecided;
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  // What an undecided certificate does carry must be true.
  certificate.maximum.high -= 1;
  EXPECT_NE(refusal(impact, certificate), std::nullopt);
}

TEST(JudgeRound, BeltsThatCloseOnADiscJam) {
  // Two disc patches push a body from both sides, towards each other.
  const std::vector<Law> laws{FrictionlessPatch{DiscShape{Vec2::Zero(), 0.5}},
                              FrictionlessPatch{DiscShape{Vec2::Zero(), 0.5}}};
  const std::vector<std::vector<double>> rows{{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                              {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  auto impact = impact_of(laws, 1, rows, {0, 0, -1, 0, 0, -1}, {0, 0, 0}, {0, 0, 0});
  auto certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::kinematically_infeasible);
  EXPECT_EQ(certificate.minimum.end, Bound::End::unbounded);
  // Moving apart there is room; a body that follows neither penetrates nowhere.
  impact.excitation = {0, 0, 1, 0, 0, 1};
  certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::consistent_weak);
  EXPECT_EQ(certificate.maximum.end, Bound::End::unbounded);
}

TEST(JudgeRound, PolygonPatchIsItsCorners) {
  Rng rng(3);
  const std::vector<Vec2> corners{{-0.5, -0.3}, {0.6, -0.2}, {0.4, 0.5}, {-0.3, 0.4}};
  const std::vector<Law> patch{FrictionlessPatch{PolygonShape{corners}}, CoulombLaw{0.4, false}};
  const auto whole = random_impact(patch, 6, false, rng).impact;
  // The same corners as points: γ = v_N + ω_T.(x^⊥).
  std::vector<Law> points(corners.size(), Frictionless{});
  points.emplace_back(CoulombLaw{0.4, false});
  auto apart = impact_with<double>(points);
  const auto combined = [](const std::vector<std::vector<double>>& rows, const Vec2& x) {
    std::vector<double> out = rows[2];
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += x[1] * rows[0][k] - x[0] * rows[1][k];
    return out;
  };
  const auto& chi = whole.excitation;
  for (const Vec2& x : corners) {
    apart.rows.push_back(combined(whole.rows, x));
    apart.excitation.push_back(chi[2] + x[1] * chi[0] - x[0] * chi[1]);
  }
  apart.rows.insert(apart.rows.end(), whole.rows.begin() + 3, whole.rows.end());
  apart.excitation.insert(apart.excitation.end(), chi.begin() + 3, chi.end());
  apart.mass = whole.mass;
  apart.before = apart.free = whole.before;
  apart.impulse = whole.impulse;
  apart.after = whole.after;
  const auto a = judge(whole), b = judge(apart);
  EXPECT_EQ(refusal(whole, a), std::nullopt);
  EXPECT_EQ(refusal(apart, b), std::nullopt);
  EXPECT_EQ(a.verdict, b.verdict);
  const double scale = work_slack(whole, a.after, a.minimum.impulses, 1);
  ASSERT_EQ(a.minimum.end, Bound::End::finite);
  EXPECT_NEAR(a.minimum.low, b.minimum.low, width * scale);
  ASSERT_EQ(a.maximum.end, b.maximum.end);
  EXPECT_NEAR(a.maximum.high, b.maximum.high, width * scale);
}

TEST(JudgeRound, PyramidsReachTheConeFromInside) {
  Rng rng(8);
  const auto round = random_impact({CoulombLaw{0.5, false}, CoulombLaw{0.3, false}}, 5, false, rng);
  const auto cone = judge(round.impact);
  ASSERT_EQ(cone.minimum.end, Bound::End::finite);
  ASSERT_EQ(cone.maximum.end, Bound::End::finite);
  double below = 0, above = 0;
  for (const int edges : {16, 64, 256}) {
    auto impact = round.impact;
    for (std::size_t i = 0; i < 2; ++i)
      impact.cone[i] = impulse_cone<double>(PyramidLaw{1, edges, false}, i == 0 ? 0.5 : 0.3);
    const auto pyramid = judge(impact);
    EXPECT_EQ(refusal(impact, pyramid), std::nullopt);
    ASSERT_EQ(pyramid.minimum.end, Bound::End::finite);
    below = pyramid.minimum.low - cone.minimum.high;
    above = cone.maximum.low - pyramid.maximum.high;
    EXPECT_GE(below, -width);
    EXPECT_GE(above, -width);
  }
  // An inscribed polygon misses (π/256)²/2 of the radius; the work is steeper than one by no more
  // than a hundred.
  EXPECT_LE(below, 0.01);
  EXPECT_LE(above, 0.01);
}

TEST(JudgeRound, RationalBracketsHoldWithoutRounding) {
  const double m = 2;
  const std::vector<Law> laws{CoulombLaw{0.5, false}, CoulombLaw{0.25, false}};
  const auto impact =
      impact_of(laws, m, unit_rows(2), {-1, 0.5, 0, 1, 0, 0}, {1, 0, -1}, {0.875, 0.0625, 0});
  const auto doubles = judge(impact);
  const auto exact = exactly(impact, laws);
  const auto certificate = judge(exact, doubles);
  EXPECT_EQ(refusal(exact, certificate), std::nullopt);
  EXPECT_EQ(certificate.tolerance, 0);
  EXPECT_EQ(certificate.verdict, doubles.verdict);
  for (const auto* b : {&certificate.minimum, &certificate.maximum}) {
    ASSERT_EQ(b->end, WorkBound<Exact>::End::finite);
    EXPECT_LE(b->low, b->high);
    EXPECT_LE(b->high - b->low, Exact(width));
  }
  // A bracket that is made too narrow is refused without any slack.
  auto narrow = certificate;
  narrow.minimum.low += Exact(1) / Exact(1000000000000);
  EXPECT_NE(refusal(exact, narrow), std::nullopt);
}

TEST(JudgeRound, RationalSeparatorHoldsWithoutRounding) {
  const std::vector<Law> laws{CoulombLaw{0.5, false}};
  const auto impact = impact_of(laws, 1, unit_rows(1), {0, 0, 0}, {1, 1, -1}, {0.5, 0.5, 0});
  const auto exact = exactly(impact, laws);
  const auto certificate = judge(exact, judge(impact));
  EXPECT_EQ(certificate.verdict, ImpactVerdict::kinetically_incompatible);
  EXPECT_EQ(certificate.tolerance, 0);
  EXPECT_EQ(refusal(exact, certificate), std::nullopt);
}

TEST(JudgeRound, RimOfDoublesIsJudgedWithATolerance) {
  const double mu = 0.3, angle = 0.7;
  const std::vector<Law> laws{CoulombLaw{mu, false}};
  const auto impact =
      impact_of(laws, 1, unit_rows(1), {0, 0, 0}, {std::cos(angle), std::sin(angle), -1},
                {(1 - mu) * std::cos(angle), (1 - mu) * std::sin(angle), 0});
  const auto exact = exactly(impact, laws);
  const auto certificate = judge(exact, judge(impact));
  EXPECT_EQ(refusal(exact, certificate), std::nullopt);
  EXPECT_EQ(certificate.verdict, ImpactVerdict::consistent_strong);
}

TEST(ActualWork, ImpulsesOutsideOfTheirCones) {
  const std::vector<Law> laws{CoulombLaw{0.5, false}, CoulombLaw{0.5, false}, Frictionless{}};
  auto rows = unit_rows(2);
  rows.push_back({0, 0, 1});
  const auto impact = impact_of(laws, 1, rows, {0, 0, 0, 0, 0, 0, 0}, {0, 0, -1}, {0, 0, 0});
  const auto outside = [&](const std::vector<double>& lambda) {
    return actual_work(impact, lambda).outside;
  };
  using Contacts = std::vector<Index>;
  EXPECT_EQ(outside({0.3, 0.4, 1, 0, 0, 0, 0}), Contacts{});
  EXPECT_EQ(outside({0.3, 0.41, 1, 0, 0, 0, 0}), Contacts{0});
  EXPECT_EQ(outside({0, 0, 1, 0, -0.1, 0, -1}), (Contacts{1, 2}));
  // Noise of a solver at an open contact is no pull.
  EXPECT_EQ(outside({0, 0, 1, 0, 1e-14, -1e-14, -1e-14}), Contacts{});
}

}  // namespace
}  // namespace tact
