#include "tact/poly/roots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

using Numbers = std::vector<double>;

/// Coefficients of scale Π (x - root), lowest first.
Numbers with_roots(const Numbers& roots, double scale = 1) {
  Numbers c{scale};
  for (const double r : roots) {
    c.insert(c.begin(), 0.0);
    for (std::size_t i = 0; i + 1 < c.size(); ++i) c[i] -= r * c[i + 1];
  }
  return c;
}

Numbers found(const Numbers& c, double low, double high) {
  const RootList roots = real_roots(c, low, high);
  return {roots.begin(), roots.end()};
}

void expect_roots(const Numbers& c, double low, double high, const Numbers& expected,
                  double relative) {
  const Numbers roots = found(c, low, high);
  ASSERT_EQ(roots.size(), expected.size());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    EXPECT_NEAR(roots[i], expected[i], relative * std::abs(expected[i]));
  }
}

/// "To a unit or two in the last place", as the header says.
constexpr double full_precision = 2 * tolerance::epsilon;

TEST(Roots, OfLinearAndQuadraticPolynomials) {
  EXPECT_EQ(found({-6, 3}, -10, 10), Numbers{2});
  EXPECT_EQ(found({2, -3, 1}, -10, 10), (Numbers{1, 2}));
  EXPECT_TRUE(found({1, 0, 1}, -10, 10).empty());
  expect_roots({-2, 0, 1}, 0, 2, {std::sqrt(2.0)}, full_precision);
  // b² >> 4ac: the textbook formula loses the small root.
  expect_roots({1, -1e8, 1}, 0, 1e9, {1e-8 * (1 + 1e-16), 1e8 * (1 - 1e-16)}, full_precision);
}

TEST(Roots, IncludesTheEndsAndNothingBeyond) {
  const Numbers c = with_roots({-1, 0, 3});
  EXPECT_EQ(found(c, -1, 3), (Numbers{-1, 0, 3}));
  EXPECT_EQ(found(c, -0.5, 2.5), Numbers{0});
  EXPECT_EQ(found(c, 3, 3), Numbers{3});
  EXPECT_TRUE(found(c, 1, 2).empty());
}

TEST(Roots, OfModerateWilkinsonPolynomialsAreExact) {
  Numbers roots;
  for (int n = 1; n <= 8; ++n) {
    roots.push_back(n);
    expect_roots(with_roots(roots, 3), 0, 10, roots, full_precision);
  }
}

TEST(Roots, OfRandomIntegersAtEveryScale) {
  Rng rng(1);
  for (int k = 0; k < 2000; ++k) {
    Numbers roots;
    const std::size_t degree = 1 + rng.below(8);
    while (roots.size() < degree) {
      const double r = std::floor(rng.uniform(-30, 30));  // coefficients stay exact: 30^8 < 2^53
      if (std::find(roots.begin(), roots.end(), r) == roots.end()) roots.push_back(r);
    }
    const Numbers c = with_roots(roots, std::exp2(std::floor(rng.uniform(-60, 60))));
    std::sort(roots.begin(), roots.end());
    expect_roots(c, -31, 31, roots, full_precision);
  }
}

TEST(Roots, SeparatesClustersThatTheCoefficientsDetermine) {
  // 1 and 1 + 2^-20: the coefficients are exact, so the roots are, too.
  const double near = 1 + 0x1p-20;
  expect_roots(with_roots({1, near}), -5, 5, {1, near}, full_precision);
  expect_roots(with_roots({0.5, 1, near}), -5, 5, {0.5, 1, near}, full_precision);
}

TEST(Roots, ReportsExactDoubleRootsOnce) {
  EXPECT_EQ(found(with_roots({1, 1}), -5, 5), Numbers{1});
  EXPECT_EQ(found(with_roots({2, 2, 2}), -5, 5), Numbers{2});
  EXPECT_EQ(found(with_roots({-1, -1, 2, 2}), -5, 5), (Numbers{-1, 2}));
}

TEST(Roots, NeverMissesADoubleRootWithRoundedCoefficients) {
  Rng rng(2);
  for (int k = 0; k < 2000; ++k) {
    const double twice = rng.uniform(0.1, 1), once = rng.uniform(-1, -0.1);
    const Numbers roots = found(with_roots({twice, twice, once}), -2, 2);
    EXPECT_TRUE(roots.size() == 2 || roots.size() == 3) << roots.size();
    // p = (x - twice)² (x - once) + e with |e| of a few eps moves a double root by sqrt(e / 0.2).
    const double bound = std::sqrt(16 * tolerance::epsilon / 0.2);
    EXPECT_NEAR(roots.back(), twice, bound);
    EXPECT_NEAR(roots[roots.size() - 2], roots.size() == 3 ? twice : once, bound);
  }
}

TEST(Roots, IgnoresLeadingZerosAndToleratesTinyLeadingCoefficients) {
  EXPECT_EQ(found({2, -3, 1, 0, 0, 0, 0, 0, 0, 0, 0}, -10, 10), (Numbers{1, 2}));
  expect_roots({2, -3, 1, 1e-200, -1e-300}, -10, 10, {1, 2}, full_precision);
  EXPECT_TRUE(found({}, -1, 1).empty());
  EXPECT_TRUE(found({0, 0}, -1, 1).empty());
  EXPECT_TRUE(found({5}, -1, 1).empty());
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_LE(found(Numbers(9, least), -0.5, 0.5).size(), 8U) << "all values underflow";
}

TEST(Roots, ComparesWellWithChebyshevPolynomials) {
  // T8 has the roots cos((2k + 1) π / 16): clustered towards the ends.
  const Numbers t8{1, 0, -32, 0, 160, 0, -256, 0, 128};
  Numbers expected;
  for (int k = 7; k >= 0; --k) expected.push_back(std::cos((2 * k + 1) * std::numbers::pi / 16));
  expect_roots(t8, -1, 1, expected, 4 * tolerance::epsilon);
}

TEST(Roots, EvaluateSeesThroughCancellation) {
  // (x - 1)^5 near 1: Horner alone would return noise of 1e-15.
  const double h = 0x1p-10;
  EXPECT_NEAR(evaluate(with_roots({1, 1, 1, 1, 1}), 1 + h), std::pow(h, 5),
              4 * tolerance::epsilon * std::pow(h, 5));
}

TEST(Roots, NeedsAFiniteIntervalAndASmallDegree) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)real_roots(Numbers{1, 1}, -infinity, 1), ContractViolation);
  EXPECT_THROW((void)real_roots(Numbers{1, 1}, 1, 0), ContractViolation);
  EXPECT_THROW((void)real_roots(Numbers(10, 1.0), 0, 1), ContractViolation);
  EXPECT_THROW((void)real_roots(Numbers{1, infinity}, 0, 1), ContractViolation);
}

}  // namespace
}  // namespace tact
