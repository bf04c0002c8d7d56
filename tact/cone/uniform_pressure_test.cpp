#include "tact/cone/uniform_pressure.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

PlanarSet rectangle(double a, double b) {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{-a, -b}, {a, -b}, {a, b}, {-a, b}});
}

/// Torque over mu f of a patch that spins about its centre.
double spin_radius(const PlanarSet& hull) {
  return friction_support(uniform_pressure(hull, NormalLoad::at(Vec2::Zero(), 1), 1), {0, 0, 1});
}

TEST(UniformPressure, SpinRadiiOfKnownShapes) {
  EXPECT_NEAR(spin_radius(PlanarSet::ellipse(disc_form(Vec2::Zero(), 3))), 2, 1e-13);
  EXPECT_NEAR(spin_radius(PlanarSet::hull_of_points(std::vector<Vec2>{{-2, 0}, {2, 0}})), 1, 1e-13)
      << "a quarter of the length";
  EXPECT_NEAR(spin_radius(rectangle(0.5, 0.5)), 0.38260, 5e-6);
  const double a = 2, b = 0.7, d = std::hypot(a, b);
  EXPECT_NEAR(spin_radius(rectangle(a, b)),
              d / 3 + a * a / (6 * b) * std::asinh(b / a) + b * b / (6 * a) * std::asinh(a / b),
              1e-13);
}

TEST(UniformPressure, AgreesWithQuadrature) {
  Rng rng(1);
  const PlanarSet hull = rectangle(1.5, 1);
  constexpr int n = 400;
  for (int trial = 0; trial < 10; ++trial) {
    const Vec2 c(rng.uniform(-0.8, 0.8), rng.uniform(-0.5, 0.5));
    const Vec3 tau(rng.normal(), rng.normal(), rng.normal());
    const double a = 1.5 - std::abs(c[0]), b = 1 - std::abs(c[1]);
    double sigma = 0;
    Vec3 T = Vec3::Zero();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Vec2 x = c + Vec2(a * (2 * i + 1 - n) / n, b * (2 * j + 1 - n) / n);
        const Vec2 v(tau[0] - x[1] * tau[2], tau[1] + x[0] * tau[2]);
        sigma += v.norm();
        T -= Vec3(v[0], v[1], cross(x, v)) / v.norm();
      }
    const UniformPressure set = uniform_pressure(hull, NormalLoad::at(c, 1), 1);
    constexpr double midpoint = 20.0 / n / n;  // of the midpoint rule, with a kink at the pole
    EXPECT_NEAR(friction_support(set, tau), sigma / (n * n), midpoint);
    EXPECT_LE((friction_force(set, tau) - T / (n * n)).norm(), 40 * midpoint);
  }
}

TEST(UniformPressure, ForceIsTheGradientAndSeriesMeetClosedForms) {
  Rng rng(2);
  for (const PlanarSet& hull : {rectangle(1.5, 1), PlanarSet::ellipse(disc_form(Vec2::Zero(), 1)),
                                PlanarSet::hull_of_points(std::vector<Vec2>{{-2, 0}, {2, 0}})}) {
    const UniformPressure set = uniform_pressure(hull, NormalLoad::at(Vec2::Zero(), 1), 1);
    for (int trial = 0; trial < 60; ++trial) {
      const Vec3 tau(rng.normal(), rng.normal(), rng.normal() * rng.log_uniform(1e-5, 1e3));
      const Vec3 T = friction_force(set, tau);
      EXPECT_NEAR(T.dot(tau), -friction_support(set, tau), 1e-8 * tau.norm());
      for (Index i = 0; i < 3; ++i) {
        const double h = 1e-5 * (i < 2 ? tau.head<2>().norm() : std::max(std::abs(tau[2]), 1e-2));
        const Vec3 e = h * Vec3::Unit(i);
        const double slope =
            (friction_support(set, tau + e) - friction_support(set, tau - e)) / (2 * h);
        EXPECT_NEAR(-T[i], slope, 1e-4);
      }
    }
  }
  for (const double at : {1e-2, 1.0, 32.0}) {
    const Vec2 below = disc_force_and_torque(at * (1 - 1e-12));
    const Vec2 above = disc_force_and_torque(at * (1 + 1e-12));
    EXPECT_LE((below - above).norm(), 1e-8);
  }
}

TEST(UniformPressure, PointHasNoSpin) {
  const UniformPressure set = uniform_pressure(PlanarSet(), NormalLoad::at(Vec2::Zero(), 2), 0.5);
  EXPECT_DOUBLE_EQ(friction_support(set, {3, 4, 7}), 5);
  EXPECT_EQ(friction_support(set, {0, 0, 7}), 0);
  EXPECT_EQ(friction_force(set, Vec3::Zero()), Vec3::Zero());
}

}  // namespace
}  // namespace tact
