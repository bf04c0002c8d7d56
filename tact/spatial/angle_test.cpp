#include "tact/spatial/angle.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

// Each function is a quotient of a few operations, each good to half a unit; t - sin t loses three
// bits at one radian, where it is worst.
constexpr double few_units = 8 * tolerance::epsilon;

long double factorial(int n) {
  long double f = 1;
  for (int k = 2; k <= n; ++k) f *= static_cast<long double>(k);
  return f;
}

/// Σ (-t²)^k/(2k + first)! in extended precision: good to rounding of a double for |t| <= 3.
double alternating_series(double t, int first) {
  const long double x = -static_cast<long double>(t) * static_cast<long double>(t);
  long double sum = 0;
  for (int k = 24; k >= 0; --k) sum = sum * x + 1 / factorial(2 * k + first);
  return static_cast<double>(sum);
}

void expect_relative(double value, double truth, double t) {
  EXPECT_NEAR(value, truth, few_units * std::abs(truth)) << "t = " << t;
}

TEST(Angle, FunctionsHaveTheirLimitsAtZero) {
  EXPECT_EQ(sinc(0), 1);
  EXPECT_EQ(versine_ratio(0), 0.5);
  EXPECT_EQ(sine_lag_ratio(0), 1.0 / 6);
  EXPECT_NEAR(cotangent_ratio(0), 1.0 / 12, few_units / 12);
}

TEST(Angle, FunctionsAgreeWithTheirSeriesFromTinyToThreeRadians) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const double t = rng.log_uniform(1e-160, 3);
    expect_relative(sinc(t), alternating_series(t, 1), t);
    expect_relative(versine_ratio(t), alternating_series(t, 2), t);
    expect_relative(sine_lag_ratio(t), alternating_series(t, 3), t);
    // 1 - h cot h = (sin h - h cos h)/sin h, and sin h - h cos h = h³ (c - s) with the two above.
    const double h = t / 2;
    const double truth =
        (alternating_series(h, 2) - alternating_series(h, 3)) / alternating_series(h, 1) / 4;
    expect_relative(cotangent_ratio(t), truth, t);
  }
}

TEST(Angle, FunctionsAreClosedFormsBeyondThreeRadians) {
  Rng rng(2);
  for (int i = 0; i < 2000; ++i) {
    const double t = rng.log_uniform(3, 1e6);
    const auto x = static_cast<long double>(t);
    expect_relative(sinc(t), static_cast<double>(std::sin(x) / x), t);
    // Relative even where 1 - cos t vanishes, at the multiples of 2π.
    const long double half = std::sin(x / 2);
    expect_relative(versine_ratio(t), static_cast<double>(2 * half * half / (x * x)), t);
    expect_relative(sine_lag_ratio(t), static_cast<double>((x - std::sin(x)) / (x * x * x)), t);
  }
}

TEST(Angle, CotangentRatioAtPiIsOneOverPiSquared) {
  const double pi = std::numbers::pi;
  expect_relative(cotangent_ratio(pi), 1 / (pi * pi), pi);
}

TEST(Angle, FunctionsAreEvenBitForBit) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const double t = rng.log_uniform(1e-9, 6);
    EXPECT_EQ(sinc(t), sinc(-t));
    EXPECT_EQ(versine_ratio(t), versine_ratio(-t));
    EXPECT_EQ(sine_lag_ratio(t), sine_lag_ratio(-t));
    EXPECT_EQ(cotangent_ratio(t), cotangent_ratio(-t));
  }
}

TEST(Angle, NotANumberStaysNotANumber) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(sinc(nan)));
  EXPECT_TRUE(std::isnan(versine_ratio(nan)));
  EXPECT_TRUE(std::isnan(sine_lag_ratio(nan)));
  EXPECT_TRUE(std::isnan(cotangent_ratio(nan)));
}

}  // namespace
}  // namespace tact
