#include "tact/geom/curvature.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/surface_zoo.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr int trials = 100;

SurfacePoint point_of(const Surface& surface, const Vec3& near) {
  SurfacePoint at;
  EXPECT_TRUE(project(surface, near, at));
  return at;
}

TEST(Curvature, TangentBasis) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Vec3 n = i < 3   ? Vec3(Vec3::Unit(i))
                   : i < 6 ? Vec3(-Vec3::Unit(i - 3))
                           : random_direction(rng);
    const Mat32 E = tangent_basis(n);
    EXPECT_LE((E.transpose() * E - Mat2::Identity()).norm(), rounding);
    const Vec3 e1 = E.col(0);
    EXPECT_LE((e1.cross(Vec3(E.col(1))) - n).norm(), rounding);
  }
}

TEST(Curvature, OfAnEllipsoidInClosedForm) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const Vec3 a(rng.uniform(0.02, 0.1), rng.uniform(0.02, 0.1), rng.uniform(0.02, 0.1));
    const SurfacePoint at = point_of({EllipsoidSurface{a}}, random_direction(rng));
    const double h = 1 / at.p.cwiseQuotient(a).cwiseQuotient(a).norm();
    const double volume = a.prod() * a.prod();
    const double gauss = std::pow(h, 4) / volume;
    const double mean = h * h * h * (a.squaredNorm() - at.p.squaredNorm()) / volume / 2;
    const double bound = 100 * rounding * at.dn.squaredNorm();
    EXPECT_NEAR(gauss_curvature(at), gauss, bound);
    EXPECT_NEAR(mean_curvature(at), mean, bound / at.dn.norm());
  }
}

TEST(Curvature, OfATorusInClosedForm) {
  const double ring = 0.06;
  const double tube = 0.02;
  for (double v = 0.1; v < 6.2; v += 0.5) {
    const Vec3 p((ring + tube * std::cos(v)), 0, tube * std::sin(v));
    const SurfacePoint at = point_of({TorusSurface{ring, tube}}, p);
    const PrincipalCurvatures principal = principal_curvatures(at);
    const double around = std::cos(v) / (ring + tube * std::cos(v));
    EXPECT_NEAR(principal.kappa[0], around, rounding / tube);
    EXPECT_NEAR(principal.kappa[1], 1 / tube, rounding / tube);
    EXPECT_NEAR(std::abs(principal.e1[1]), 1, rounding);  // around the axis
  }
}

TEST(Curvature, PrincipalDirectionsDiagonaliseTheGaussMap) {
  Rng rng(3);
  for (int kind = 0; kind < surface_kinds; ++kind)
    for (int i = 0; i < trials / 10; ++i) {
      const Surface surface = random_surface(rng, kind, i % 2 == 0);
      for (const SurfacePoint& at : some_points(surface, rng, 5)) {
        const PrincipalCurvatures c = principal_curvatures(at);
        const double bound = rounding * at.dn.norm();
        EXPECT_LE(c.kappa[0], c.kappa[1]);
        EXPECT_LE((at.dn * c.e1 - c.kappa[0] * c.e1).norm(), bound);
        EXPECT_LE((at.dn * c.e2 - c.kappa[1] * c.e2).norm(), bound);
        EXPECT_LE((c.e1.cross(c.e2) - at.n).norm(), rounding);
        EXPECT_NEAR(mean_curvature(at), c.kappa.sum() / 2, bound);
        EXPECT_NEAR(gauss_curvature(at), c.kappa.prod(), bound * at.dn.norm());
      }
    }
}

// Points of the quadric satisfy xᵀ dn x = 1; flat directions reach to infinity, hollow ones
// nowhere.
TEST(Curvature, QuadricOfTheRadii) {
  const SurfacePoint round = point_of({EllipsoidSurface{Vec3(0.05, 0.03, 0.02)}}, Vec3(1, 2, 3));
  const CurvatureQuadric q = curvature_quadric(round);
  const Vec3 x = q.radii[0] * q.principal.e1;
  const Vec3 y = q.radii[1] * q.principal.e2;
  EXPECT_NEAR(x.dot(round.dn * x), 1, rounding);
  EXPECT_NEAR(y.dot(round.dn * y), 1, rounding);
  const CurvatureQuadric flat = curvature_quadric(point_of({PlaneSurface{}}, Vec3(1, 2, 3)));
  EXPECT_TRUE(std::isinf(flat.radii[0]) && std::isinf(flat.radii[1]));
  const SurfacePoint saddle = point_of({TorusSurface{0.06, 0.02}}, Vec3(0.04, 0, 0));
  EXPECT_TRUE(std::isnan(curvature_quadric(saddle).radii[0]));
  EXPECT_NEAR(curvature_quadric(saddle).radii[1], std::sqrt(0.02), rounding);
}

TEST(Curvature, Convexity) {
  const Surface ball{SphereSurface{0.02}};
  const Surface bowl{SphereSurface{0.08}, true};
  const Surface tight{SphereSurface{0.015}, true};
  const Surface plane{PlaneSurface{}};
  const SurfacePoint top = point_of(ball, Vec3::UnitZ());
  EXPECT_TRUE(absolutely_convex(top));
  EXPECT_FALSE(absolutely_convex(point_of(bowl, Vec3::UnitZ())));
  EXPECT_FALSE(absolutely_convex(point_of(plane, Vec3::Zero())));
  EXPECT_FALSE(absolutely_convex(point_of({CylinderSurface{}}, Vec3::UnitX())));
  EXPECT_FALSE(absolutely_convex(point_of({TorusSurface{0.06, 0.02}}, Vec3(0.04, 0, 0))));
  // The top of the ball, turned so that it faces the point whose normal is +z.
  Mat3 over = Mat3::Identity();
  over(1, 1) = over(2, 2) = -1;
  EXPECT_TRUE(relatively_convex(point_of(plane, Vec3::Zero()), top, over));
  EXPECT_TRUE(relatively_convex(point_of(bowl, -Vec3::UnitZ()), top, over));
  EXPECT_FALSE(relatively_convex(point_of(tight, -Vec3::UnitZ()), top, over));
  EXPECT_FALSE(
      relatively_convex(point_of(plane, Vec3::Zero()), point_of(plane, Vec3::Zero()), over));
}

class EveryCurvatureRate : public ::testing::TestWithParam<int> {};

TEST_P(EveryCurvatureRate, IsTheDifferenceOfGaussMaps) {
  Rng rng(4);
  for (int i = 0; i < 20; ++i) {
    const Surface surface = random_surface(rng, GetParam(), i % 2 == 1);
    for (const SurfacePoint& at : some_points(surface, rng, 5)) {
      const Vec3 t = tangent_basis(at.n) * random_vec2(rng);
      const Mat3 rate = curvature_rate(surface, at, t);
      // Fourth-order differences; with h⁴ of a bumpy surface's seventh derivative in it.
      const double size = std::min(at.p.norm(), 1 / std::max(at.dn.norm(), tolerance::smallest));
      const double h = size * std::pow(tolerance::epsilon, 0.2) / t.norm();
      const auto dn = [&](double step) {
        SurfacePoint there = at;
        EXPECT_TRUE(slide(surface, step * t, there));
        return there.dn;
      };
      const Mat3 slow = (8 * (dn(h) - dn(-h)) - (dn(2 * h) - dn(-2 * h))) / (12 * h);
      const double bound = 1e6 * std::pow(tolerance::epsilon, 0.8) * t.norm() / (size * size);
      EXPECT_LE((rate - slow).norm(), bound);
      EXPECT_LE((rate - rate.transpose()).norm(), rounding * (rate.norm() + bound));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryCurvatureRate, ::testing::Range(0, surface_kinds),
                         [](const auto& test) { return surface_name(test.param); });

// The same surface with and without a closed form: differences lose few digits.
TEST(Curvature, RatesByDifferencesAgreeWithClosedForms) {
  Rng rng(5);
  double worst = 0;
  for (int i = 0; i < trials; ++i) {
    const Vec3 a(rng.uniform(0.02, 0.1), rng.uniform(0.02, 0.1), rng.uniform(0.02, 0.1));
    const Surface closed{EllipsoidSurface{a}};
    const Surface open{SuperellipsoidSurface{a, 1, 1}};
    const SurfacePoint at = point_of(closed, random_direction(rng));
    const Vec3 t = tangent_basis(at.n) * random_vec2(rng);
    const Mat3 rate = curvature_rate(closed, at, t);
    const double error = (curvature_rate(open, at, t) - rate).norm();
    worst = std::max(worst, error / (at.dn.squaredNorm() * t.norm()));
  }
  EXPECT_LE(worst, 1e-10);  // Ridders' method leaves some 1e-11 to 1e-12
}

}  // namespace
}  // namespace tact
