#include "tact/soft/hertz.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/soft/patch_ellipse.hpp"

namespace tact {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double modulus = 2e6, depth = 3e-4;
constexpr double exact = 4 * tolerance::rounding;

Mat2 turned(double ka, double kb, double angle) {
  const Mat2 R = Eigen::Rotation2Dd(angle).toRotationMatrix();
  return R * Vec2(ka, kb).asDiagonal() * R.transpose();
}

TEST(Hertz, CircleIsTheClosedForm) {
  const double radius = 0.02;
  const HertzContact c = hertz_contact(modulus, depth, Mat2::Identity() / radius);
  EXPECT_NEAR(c.K_h, 4.0 / 3 * modulus * std::sqrt(radius), exact * c.K_h);
  EXPECT_NEAR(c.patch.a, std::sqrt(radius * depth), exact * c.patch.a);
  EXPECT_NEAR(c.patch.b, c.patch.a, exact * c.patch.a);
  EXPECT_NEAR(c.energy, 0.4 * c.K_h * std::pow(depth, 2.5), exact * c.energy);
  EXPECT_NEAR(c.peak_pressure, 2 * modulus * c.patch.a / (pi * radius), exact * c.peak_pressure);
  const HertzShape round = circular_shape(1 / radius);
  EXPECT_NEAR(modulus * round.stiffness, c.K_h, exact * c.K_h);
}

/// The pressure p_0 √(1 - x²/a² - y²/b²) on a half space, by the potential of an ellipsoid: the
/// surface sinks by (p_0 ab/2E*) ∫ (1 - x²/(a²+w) - y²/(b²+w)) dw / √((a²+w)(b²+w)w), and that must
/// be the depth less the gap ½(κ_a x² + κ_b y²) wherever the bodies touch.
TEST(Hertz, PressureMakesTheSurfacesMeet) {
  for (const double kb : {50.0, 60.0, 200.0, 2000.0}) {
    const double ka = 50;
    const HertzContact c = hertz_contact(modulus, depth, Vec2(ka, kb).asDiagonal());
    const double a = c.patch.a, b = c.patch.b;
    EXPECT_NEAR(c.patch.long_axis[1], 0, exact);
    for (const Vec2& share : {Vec2(0, 0), Vec2(0.9, 0), Vec2(0, 0.7), Vec2(0.5, -0.5)}) {
      const double x = share[0] * a, y = share[1] * b;
      double sum = 0;
      constexpr int n = 4000;  // w = b² e^(2z), trapezoid over all z: exponential convergence
      const double z0 = -40, z1 = 40, width = (z1 - z0) / n;
      for (int i = 0; i <= n; ++i) {
        const double w = b * b * std::exp(2 * (z0 + i * width));
        const double A = a * a + w, B = b * b + w;
        sum += (1 - x * x / A - y * y / B) / std::sqrt(A * B) * 2 * std::sqrt(w);
      }
      const double sinks = c.peak_pressure * a * b / (2 * modulus) * sum * width;
      EXPECT_NEAR(sinks, depth - (ka * x * x + kb * y * y) / 2, 1e-12 * depth) << kb << share;
    }
    EXPECT_NEAR(c.force, 2 * pi / 3 * a * b * c.peak_pressure, exact * c.force);
  }
}

TEST(Hertz, DerivativeByCurvatureIsThatOfTheEnergy) {
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const double ka = rng.uniform(1, 100);
    const double kb = ka * (1 + std::pow(10.0, rng.uniform(-9, 2)));
    const Mat2 A = turned(ka, kb, rng.uniform(0, pi));
    const Mat2 derivative = hertz_contact(modulus, depth, A).dU_dA;
    EXPECT_EQ(derivative(0, 1), derivative(1, 0));
    const double h = std::cbrt(tolerance::epsilon) * ka;
    for (const Mat2& d : {Mat2(Vec2(1, 0).asDiagonal()), Mat2(Vec2(0, 1).asDiagonal()),
                          Mat2((Mat2() << 0, 1, 1, 0).finished())}) {
      const double change = (hertz_contact(modulus, depth, A + h * d).energy -
                             hertz_contact(modulus, depth, A - h * d).energy) /
                            (2 * h);
      const double scale = derivative.cwiseAbs().maxCoeff();
      EXPECT_NEAR(change, derivative.cwiseProduct(d).sum(), 1e-8 * scale) << ka << " " << kb;
    }
  }
}

TEST(Hertz, StiffnessByCurvatureIsItsDerivative) {
  for (const double kb : {20.0, 20.001, 35.0, 900.0}) {
    const double ka = 20, h = 1e-4;
    const Vec2 said = stiffness_by_curvature(modulus, hertz_shape(ka, kb));
    const auto K = [&](double a, double b) {
      return modulus * hertz_shape(std::min(a, b), std::max(a, b)).stiffness;
    };
    EXPECT_NEAR(said[0], (K(ka + h, kb) - K(ka - h, kb)) / (2 * h), 1e-7 * std::abs(said[0]));
    EXPECT_NEAR(said[1], (K(ka, kb + h) - K(ka, kb - h)) / (2 * h), 1e-7 * std::abs(said[0]));
  }
}

TEST(Hertz, NothingJumpsWhereTheEllipseBecomesACircle) {
  const HertzContact circle = hertz_contact(modulus, depth, 50 * Mat2::Identity());
  // K_h is even in κ_b - κ_a at a given mean: its error is of the second order, that of a and of
  // the derivative of the first.
  for (int e = 1; e <= 16; ++e) {
    const double share = std::pow(10.0, -e);
    const HertzContact c =
        hertz_contact(modulus, depth, turned(50 * (1 - share), 50 * (1 + share), 0.7));
    EXPECT_NEAR(c.K_h, circle.K_h, (share * share + exact) * circle.K_h);
    EXPECT_NEAR(c.patch.a, circle.patch.a, (share + exact) * circle.patch.a);
    EXPECT_LE((c.dU_dA - circle.dU_dA).norm(), (2 * share + exact) * circle.dU_dA.norm());
  }
  EXPECT_EQ(circle.dU_dA(0, 1), 0);
  EXPECT_EQ(circle.dU_dA(0, 0), circle.dU_dA(1, 1));
}

TEST(Hertz, DependsOnTheTangentBasisAsATensor) {
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    const double ka = rng.uniform(0.1, 100), kb = ka * rng.uniform(1, 1000);
    const double angle = rng.uniform(-pi, pi);
    const Mat2 R = Eigen::Rotation2Dd(angle).toRotationMatrix();
    const HertzContact straight = hertz_contact(modulus, depth, turned(ka, kb, 0));
    const HertzContact other = hertz_contact(modulus, depth, turned(ka, kb, angle));
    // κ_a is what is left of entries of the size of κ_b.
    const double bound = exact * kb / ka;
    EXPECT_NEAR(other.K_h, straight.K_h, bound * straight.K_h);
    EXPECT_LE((other.dU_dA - R * straight.dU_dA * R.transpose()).norm(),
              bound * straight.dU_dA.norm());
    EXPECT_NEAR(std::abs(other.patch.long_axis.dot(R.col(0))), 1, bound);
  }
}

TEST(Hertz, ScalesWithLength) {
  // K_h ∝ κ^(-½), so that κ:dU/dκ = -U/2: what makes κ_a a² + κ_b b² = 2δ.
  for (const double kb : {10.0, 10.5, 40.0, 1e4, 1e9}) {
    const Mat2 A = Vec2(10, kb).asDiagonal();
    const HertzContact c = hertz_contact(modulus, depth, A);
    EXPECT_NEAR(c.dU_dA.cwiseProduct(A).sum(), -c.energy / 2, 1e-13 * c.energy) << kb;
    const HertzContact large = hertz_contact(modulus, 7 * depth, A / 7);
    EXPECT_NEAR(large.energy, std::pow(7, 3) * c.energy, 1e-13 * large.energy);
  }
}

TEST(Hertz, ApproachesTheLineWithoutBreaking) {
  double before = 0;
  for (int e = 0; e <= 12; ++e) {
    const double k_h =
        hertz_contact(modulus, depth, Vec2(50 * std::pow(10.0, -e), 50).asDiagonal()).K_h;
    EXPECT_TRUE(std::isfinite(k_h));
    EXPECT_GT(k_h, before);
    before = k_h;
  }
  EXPECT_THROW((void)hertz_contact(modulus, depth, Vec2(0, 50).asDiagonal()), ContractViolation);
  EXPECT_THROW((void)hertz_contact(modulus, depth, Vec2(-1, 50).asDiagonal()), ContractViolation);
}

TEST(Hertz, ApartNothingActs) {
  const HertzContact c = hertz_contact(modulus, 0, 50 * Mat2::Identity());
  EXPECT_EQ(c.force, 0);
  EXPECT_EQ(c.energy, 0);
  EXPECT_EQ(c.patch.a, 0);
}

// [Stramigioli] (28): the patch from the relative curvature has Hertz's axes and another shape.
TEST(Hertz, QuadricHasTheSameAxesAndAnotherShape) {
  const RelativeCurvature c = relative_curvature(turned(5, 50, 0.4));
  const PatchEllipse quadric = quadric_patch(c, depth);
  const PatchEllipse hertz = hertz_patch(hertz_shape(5, 50), c, depth);
  EXPECT_LE((quadric.long_axis - hertz.long_axis).norm(), exact);
  EXPECT_NEAR(std::abs(quadric.long_axis.dot(Vec2(std::cos(0.4), std::sin(0.4)))), 1, exact);
  EXPECT_NEAR(quadric.b / quadric.a, std::sqrt(0.1), exact);
  EXPECT_NEAR(quadric.a * quadric.a * 5, 2 * depth, exact * depth);
  EXPECT_NEAR(hertz.b / hertz.a, 0.222, 5e-4);
}

}  // namespace
}  // namespace tact
