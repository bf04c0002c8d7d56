#include "tact/soft/elliptic.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

constexpr double pi = std::numbers::pi;

/// The definitions as trapezoidal sums, which converge exponentially because the integrands are
/// periodic: n points leave ((1-k)/(1+k))^(2n).
EllipticIntegrals by_sums(double k, int n) {
  EllipticIntegrals sum;
  const double m = (1 - k) * (1 + k);
  for (int i = 0; i < n; ++i) {
    const double angle = (i + 0.5) * pi / (2 * n);
    const double s2 = std::pow(std::sin(angle), 2), c2 = std::pow(std::cos(angle), 2);
    const double root = std::sqrt(c2 + k * k * s2);
    sum.K += 1 / root;
    sum.E += root;
    sum.B += c2 / root;
    sum.D += s2 / root;
    sum.C += s2 * c2 / (root * root * root);
  }
  const double width = pi / (2 * n);
  EXPECT_GE(m, 0);
  return {sum.K * width, sum.E * width, sum.B * width, sum.D * width, sum.C * width};
}

TEST(EllipticIntegrals, AgreeWithTheirDefinitions) {
  const double bound = tolerance::rounding;
  for (const double k : {1.0, 1 - 1e-15, 1 - 1e-9, 0.999, 0.9, 0.5, 0.2, 0.05}) {
    const EllipticIntegrals e = elliptic_integrals(k), d = by_sums(k, 400);
    EXPECT_NEAR(e.K, d.K, bound * d.K) << k;
    EXPECT_NEAR(e.E, d.E, bound * d.E) << k;
    EXPECT_NEAR(e.B, d.B, bound * d.B) << k;
    EXPECT_NEAR(e.D, d.D, bound * d.D) << k;
    EXPECT_NEAR(e.C, d.C, bound * d.C) << k;
  }
}

TEST(EllipticIntegrals, LegendresRelationHoldsForAllModuli) {
  for (int i = 0; i <= 150; ++i) {
    const double angle = std::pow(10.0, -i / 15.0);  // k = sin, k' = cos
    const EllipticIntegrals e = elliptic_integrals(std::sin(angle));
    const EllipticIntegrals f = elliptic_integrals(std::cos(angle));
    const double size = e.K * f.K;
    EXPECT_NEAR(e.E * f.K + f.E * e.K - e.K * f.K, pi / 2, tolerance::rounding * size) << angle;
  }
}

TEST(EllipticIntegrals, OfACircleAreExact) {
  const EllipticIntegrals e = elliptic_integrals(1);
  EXPECT_DOUBLE_EQ(e.K, pi / 2);
  EXPECT_DOUBLE_EQ(e.E, pi / 2);
  EXPECT_DOUBLE_EQ(e.B, pi / 4);
  EXPECT_DOUBLE_EQ(e.D, pi / 4);
  EXPECT_DOUBLE_EQ(e.C, pi / 16);
}

TEST(EllipticIntegrals, OfALineAreRefused) {
  EXPECT_THROW((void)elliptic_integrals(0), ContractViolation);
  EXPECT_THROW((void)elliptic_integrals(1.5), ContractViolation);
}

}  // namespace
}  // namespace tact
