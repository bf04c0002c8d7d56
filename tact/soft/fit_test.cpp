// soft/fit_test.cpp - parameters found again, and inside their intervals as often as they say.
#include "tact/soft/fit.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

struct Truth {
  double stiffness = 6e4, exponent = 1.5, damping = 0.6, tangential = 3000, friction = 0.45;
};

/// Pressed in and out three times with more and more depth, and dragged to and fro meanwhile. The
/// tangential stiffness is that at the depth x_ref the fit will take; `noise` of the forces.
SoftTrace press_and_drag(const Truth& p, double noise, Rng& rng, double open = 1e-4) {
  SoftTrace t;
  Vec2 s = Vec2::Zero();
  double logs = 0;
  Index touching = 0;
  constexpr int samples = 400;
  const auto gap_at = [&](double time) {
    return open - 1.5e-3 * (0.4 + 0.6 * time) * std::pow(std::sin(9.5 * time), 2);
  };
  for (int i = 0; i < samples; ++i) {
    const double time = i / 400.0, gap = gap_at(time);
    if (gap < 0) logs += std::log(-gap), ++touching;
  }
  const double reference = std::exp(logs / static_cast<double>(touching));
  for (int i = 0; i < samples; ++i) {
    const double time = i / 400.0, step = 1e-7, gap = gap_at(time);
    const double rate = (gap_at(time + step) - gap_at(time - step)) / (2 * step);
    const Vec2 slide(4e-4 * std::sin(40 * time), 1e-4 * std::sin(25 * time));
    const double x = -gap;
    double normal = 0;
    Vec2 shear = Vec2::Zero();
    if (x > 0) {
      normal = p.stiffness * std::pow(x, p.exponent) * std::max(0.0, 1 - p.damping * rate);
      const double root = std::sqrt(p.tangential * std::pow(x / reference, p.exponent - 1));
      if (i > 0 && t.gap_m.back() < 0) s += root * (slide - t.slide_m.back());
      const double limit = p.friction * normal / root;
      if (s.norm() > limit) s *= limit / s.norm();
      shear = root * s;
    } else {
      s.setZero();
    }
    t.time_s.push_back(time);
    t.gap_m.push_back(gap);
    t.gap_rate_m_per_s.push_back(rate);
    t.normal_force_N.push_back(normal);
    t.slide_m.push_back(slide);
    t.shear_force_N.push_back(shear);
  }
  for (std::size_t i = 0; i < t.time_s.size(); ++i) {
    t.normal_force_N[i] += noise * rng.normal();
    t.shear_force_N[i] += noise * Vec2(rng.normal(), rng.normal());
  }
  return t;
}

bool inside(const FittedNumber& n, double truth) {
  return n.low <= truth && truth <= n.high;
}

TEST(SoftFit, ExactTracesGiveTheirParametersBack) {
  Rng rng(1);
  for (const double exponent : {1.0, 1.5, 2.0}) {
    Truth truth;
    truth.exponent = exponent;
    truth.stiffness = 2 * std::pow(1e-3, -exponent);
    const auto fit = fit_soft_pair(press_and_drag(truth, 0, rng));
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_TRUE(fit->converged);
    EXPECT_NEAR(fit->exponent.value, exponent, 1e-6);
    EXPECT_NEAR(fit->stiffness.value, truth.stiffness, 1e-5 * truth.stiffness);
    EXPECT_NEAR(fit->damping_s_per_m.value, truth.damping, 1e-5);
    ASSERT_TRUE(fit->tangent);
    EXPECT_NEAR(fit->tangent->stiffness_N_per_m.value, truth.tangential, 1e-3 * truth.tangential);
    EXPECT_NEAR(fit->tangent->friction.value, truth.friction, 1e-3 * truth.friction);
  }
}

// 95 % intervals hold the truth in at least 180 of 200 traces, every parameter for itself.
TEST(SoftFit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  Rng rng(2);
  const Truth truth;
  constexpr int traces = 200, least = 180;
  int stiffness = 0, exponent = 0, damping = 0, tangential = 0, friction = 0;
  for (int i = 0; i < traces; ++i) {
    const auto fit = fit_soft_pair(press_and_drag(truth, 0.05, rng));
    ASSERT_TRUE(fit) << fit.error().message;
    stiffness += inside(fit->stiffness, truth.stiffness);
    exponent += inside(fit->exponent, truth.exponent);
    damping += inside(fit->damping_s_per_m, truth.damping);
    tangential += inside(fit->tangent->stiffness_N_per_m, truth.tangential);
    friction += inside(fit->tangent->friction, truth.friction);
    EXPECT_LT(fit->exponent.error, 0.1);
  }
  EXPECT_GE(stiffness, least);
  EXPECT_GE(exponent, least);
  EXPECT_GE(damping, least);
  EXPECT_GE(tangential, least);
  EXPECT_GE(friction, least);
}

TEST(SoftFit, RatesAreTakenFromGapsWhereTheyAreMissing) {
  Rng rng(3);
  const Truth truth;
  SoftTrace trace = press_and_drag(truth, 0, rng);
  trace.gap_rate_m_per_s.clear();
  const auto fit = fit_soft_pair(trace);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->damping_s_per_m.value, truth.damping, 0.02 * truth.damping);
}

TEST(SoftFit, FrictionThatNeverSlipsIsOnlyBounded) {
  Rng rng(4);
  Truth truth;
  truth.friction = 50;
  const auto fit = fit_soft_pair(press_and_drag(truth, 0.01, rng, -1e-3));
  ASSERT_TRUE(fit);
  ASSERT_TRUE(fit->tangent);
  EXPECT_EQ(fit->tangent->slipping, 0);
  EXPECT_TRUE(std::isinf(fit->tangent->friction.high));
  EXPECT_LE(fit->tangent->friction.low, 50);
}

TEST(SoftFit, AnotherTraceOfThePairIsExplainedAndOneOfAnotherPairIsNot) {
  Rng rng(5);
  const Truth truth;
  const auto fit = fit_soft_pair(press_and_drag(truth, 0.05, rng));
  ASSERT_TRUE(fit);
  const auto same = check_fit(*fit, press_and_drag(truth, 0.05, rng));
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->explains);
  Truth other = truth;
  other.stiffness *= 1.3;
  const auto wrong = check_fit(*fit, press_and_drag(other, 0.05, rng));
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->explains);
}

TEST(SoftFit, TracesWithoutInformationAreRefused) {
  Rng rng(6);
  const SoftTrace good = press_and_drag(Truth{}, 0, rng);
  SoftTrace bad = good;
  bad.time_s[3] = bad.time_s[2];
  EXPECT_FALSE(fit_soft_pair(bad));
  bad = good;
  bad.gap_m.pop_back();
  EXPECT_FALSE(fit_soft_pair(bad));
  bad = good;
  for (double& gap : bad.gap_m) gap = std::abs(gap);
  EXPECT_FALSE(fit_soft_pair(bad));
  bad = good;
  for (double& gap : bad.gap_m) gap = -1e-3;
  EXPECT_FALSE(fit_soft_pair(bad));
  bad = good;
  for (Vec2& slide : bad.slide_m) slide.setZero();
  EXPECT_FALSE(fit_soft_pair(bad));
}

}  // namespace
}  // namespace tact
