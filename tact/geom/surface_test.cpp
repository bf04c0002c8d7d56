#include "tact/geom/surface.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/geom/curvature.hpp"
#include "tact/geom/surface_forms.hpp"
#include "tests/support/surface_zoo.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr int trials = 20;
constexpr Index points_each = 10;

/// A tangent of length 1 at the point.
Vec3 random_tangent(Rng& rng, const SurfacePoint& at) {
  const Vec3 x = random_direction(rng);
  return (x - at.n.dot(x) * at.n).normalized();
}

/// Size of the features of a point: its radius of curvature or the place itself.
double feature(const SurfacePoint& at) {
  return std::min(at.p.norm(), 1 / std::max(at.dn.norm(), tolerance::smallest));
}

class EverySurface : public ::testing::TestWithParam<int> {
 protected:
  /// Calls f(surface, point) for many of both, inside out and not.
  template <class F>
  void for_points(std::uint64_t seed, F f) {
    Rng rng(seed);
    for (int i = 0; i < trials; ++i) {
      const Surface surface = random_surface(rng, GetParam(), i % 2 == 1);
      const auto points = some_points(surface, rng, points_each);
      ASSERT_EQ(static_cast<Index>(points.size()), points_each);
      for (const SurfacePoint& at : points) f(surface, at, rng);
    }
  }
};

TEST_P(EverySurface, TheGaussMapIsSymmetricAndTangent) {
  for_points(1, [](const Surface&, const SurfacePoint& at, Rng&) {
    const double bound = rounding * at.dn.norm();
    EXPECT_NEAR(at.n.norm(), 1, rounding);
    EXPECT_LE((at.dn - at.dn.transpose()).norm(), bound);
    EXPECT_LE((at.dn * at.n).norm(), bound);
  });
}

// n along the surface changes by dn: the fourth-order difference of n over slides.
TEST_P(EverySurface, TheGaussMapIsTheDerivativeOfTheNormal) {
  for_points(2, [](const Surface& surface, const SurfacePoint& at, Rng& rng) {
    const Vec3 t = random_tangent(rng, at);
    const double size = feature(at);
    const double h = size * std::pow(tolerance::epsilon, 0.2);
    const auto normal = [&](double step) {
      SurfacePoint there = at;
      EXPECT_TRUE(slide(surface, step * t, there));
      return there.n;
    };
    const Vec3 rate = (8 * (normal(h) - normal(-h)) - (normal(2 * h) - normal(-2 * h))) / (12 * h);
    // h⁴ times a fifth derivative, which is larger than 1/size⁵ where a surface is bumpy.
    const double bound = 1e5 * std::pow(tolerance::epsilon, 0.8) / size;
    EXPECT_LE((rate - at.dn * t).norm(), bound);
  });
}

TEST_P(EverySurface, APointOfTheSurfaceIsDrawnToItself) {
  for_points(3, [](const Surface& surface, const SurfacePoint& at, Rng&) {
    SurfacePoint again;
    again.uv = at.uv;
    ASSERT_TRUE(project(surface, at.p, again));
    // A chart's point is exact to rounding of uv, times the stretch of the chart.
    const double bound = 100 * rounding;
    EXPECT_LE((again.p - at.p).norm(), bound * at.p.norm());
    EXPECT_LE((again.n - at.n).norm(), bound * (1 + at.dn.norm() * at.p.norm()));
    EXPECT_EQ(again.n.dot(at.n) > 0, true);
  });
}

TEST_P(EverySurface, ASlideIsAStepToFirstOrder) {
  for_points(4, [](const Surface& surface, const SurfacePoint& at, Rng& rng) {
    const Vec3 t = random_tangent(rng, at);
    // The error is of second order, with a factor for charts that stretch unevenly.
    constexpr double uneven = 20;
    for (const double share : {1.0 / 64, 1.0 / 1024}) {
      const double h = share * feature(at);
      SurfacePoint there = at;
      ASSERT_TRUE(slide(surface, h * t, there));
      EXPECT_LE((there.p - at.p - h * t).norm(), uneven * share * h + rounding * at.p.norm());
      // And it ends on the surface.
      SurfacePoint again = there;
      ASSERT_TRUE(project(surface, there.p, again));
      EXPECT_LE((again.p - there.p).norm(), 100 * rounding * at.p.norm());
    }
  });
}

TEST_P(EverySurface, InsideOutTurnsNormalAndCurvature) {
  for_points(5, [](const Surface& surface, const SurfacePoint& at, Rng&) {
    const Surface other{surface.form, !surface.inside_out};
    SurfacePoint turned;
    turned.uv = at.uv;
    ASSERT_TRUE(project(other, at.p, turned));
    const double bound = 100 * rounding * (1 + at.dn.norm() * at.p.norm());
    EXPECT_LE((turned.n + at.n).norm(), bound);
    EXPECT_LE((turned.dn + at.dn).norm(), 1e3 * bound * at.dn.norm());
  });
}

TEST_P(EverySurface, TheNormalLeadsOutOfTheSolid) {
  for_points(6, [](const Surface& surface, const SurfacePoint& at, Rng&) {
    SurfacePoint outside = at;
    const double h = feature(at) / 100;
    if (!project(surface, at.p + h * at.n, outside)) return;
    EXPECT_GT((at.p + h * at.n - outside.p).dot(outside.n), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, EverySurface, ::testing::Range(0, surface_kinds),
                         [](const auto& test) { return surface_name(test.param); });

/// The same point on two surfaces that are one.
void expect_same(const Surface& a, const Surface& b, const Vec3& p) {
  SurfacePoint x;
  SurfacePoint y;
  ASSERT_TRUE(project(a, p, x));
  ASSERT_TRUE(project(b, x.p, y));
  const double scale = 1e3 * rounding;
  EXPECT_LE((x.p - y.p).norm(), scale * x.p.norm());
  EXPECT_LE((x.n - y.n).norm(), scale);
  EXPECT_LE((x.dn - y.dn).norm(), scale * x.dn.norm());
}

TEST(Surface, ASuperellipsoidWithExponentsOneIsAnEllipsoid) {
  Rng rng(11);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a(rng.uniform(0.01, 0.1), rng.uniform(0.01, 0.1), rng.uniform(0.01, 0.1));
    const Vec3 p = i < 3 ? Vec3(Vec3::Unit(i)) : random_direction(rng);
    expect_same({EllipsoidSurface{a}}, {SuperellipsoidSurface{a, 1, 1}}, p);
  }
}

TEST(Surface, ASuperellipsoidIsFlatWhereACoordinateVanishes) {
  const Vec3 a(0.04, 0.03, 0.05);
  const Surface surface{SuperellipsoidSurface{a, 0.5, 0.7}};
  for (Index i = 0; i < 3; ++i) {
    SurfacePoint at;
    ASSERT_TRUE(project(surface, Vec3(a[i] * Vec3::Unit(i)), at));
    EXPECT_TRUE(at.dn.isZero());
    EXPECT_TRUE(at.n.isApprox(Vec3(Vec3::Unit(i))));
    // Near a flat point curvature is small and finite.
    ASSERT_TRUE(project(surface, a[i] * Vec3::Unit(i) + Vec3(1e-9, 1e-9, 1e-9), at));
    EXPECT_TRUE(at.dn.allFinite());
    EXPECT_LE(at.dn.norm(), 1e-2 / a.minCoeff());
  }
}

TEST(Surface, AnImplicitEllipsoidIsAnEllipsoid) {
  Rng rng(12);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a(rng.uniform(0.01, 0.1), rng.uniform(0.01, 0.1), rng.uniform(0.01, 0.1));
    expect_same({EllipsoidSurface{a}}, {dented_ellipsoid(a, 0)}, random_direction(rng));
  }
}

TEST(Surface, ATorusChartIsATorus) {
  Rng rng(13);
  for (int i = 0; i < 100; ++i) {
    const double ring = rng.uniform(0.05, 0.1);
    const double tube = rng.uniform(0.01, 0.04);
    const Vec3 p = random_vec3(rng, ring);
    expect_same({TorusSurface{ring, tube}}, {torus_chart(ring, tube)}, p);
  }
}

TEST(Surface, ACapOfHeightsIsASphere) {
  const double r = 0.07;
  const HeightSurface cap{[=](double x, double y) {
    const double h = std::sqrt(r * r - x * x - y * y);
    const double h3 = h * h * h;
    return HeightJet{h, -x / h, -y / h, -(h * h + x * x) / h3, -x * y / h3, -(h * h + y * y) / h3};
  }};
  Rng rng(14);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p(rng.uniform(-0.6, 0.6) * r, rng.uniform(-0.6, 0.6) * r, 0.6 * r);
    expect_same({SphereSurface{r}}, {cap}, p);
  }
}

/// An eighth of a sphere as a rational patch of degree 2.
NurbsPatch octant(double r) {
  const double h = std::sqrt(0.5);
  NurbsPatch patch;
  patch.degree_u = patch.degree_v = 2;
  patch.count_u = patch.count_v = 3;
  patch.knots_u = patch.knots_v = {0, 0, 0, 1, 1, 1};
  for (const Vec2& across : {Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)})
    for (const Vec2& up : {Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)}) {
      patch.points.emplace_back(r * Vec3(up[0] * across[0], up[0] * across[1], up[1]));
      patch.weights.push_back((across == Vec2(1, 1) ? h : 1) * (up == Vec2(1, 1) ? h : 1));
    }
  return patch;
}

TEST(Surface, ARationalPatchIsAnOctantOfASphere) {
  const double r = 0.03;
  const Surface patch{NurbsSurface{std::make_shared<NurbsPatch>(octant(r))}};
  Rng rng(15);
  for (int i = 0; i < 100; ++i)
    expect_same({SphereSurface{r}}, patch,
                r * (random_direction(rng).cwiseAbs() + Vec3::Ones() / 9));
}

TEST(Surface, PointsOfAChartByTheirCoordinates) {
  const NurbsSurface patch{std::make_shared<NurbsPatch>(octant(0.03))};
  SurfacePoint at;
  ASSERT_TRUE(tact::detail::place_at(patch, Vec2(0.3, 0.6), at));
  EXPECT_EQ(at.uv, Vec2(0.3, 0.6));
  EXPECT_NEAR(at.p.norm(), 0.03, rounding);
  SurfacePoint found;
  ASSERT_TRUE(project({patch}, at.p, found));
  EXPECT_LE((found.uv - at.uv).norm(), 100 * rounding);
  EXPECT_FALSE(tact::detail::place_at(patch, Vec2(0.3, 1), at));  // the pole
}

TEST(Surface, APatchEnds) {
  const Surface patch{NurbsSurface{std::make_shared<NurbsPatch>(octant(1))}};
  SurfacePoint at;
  at.uv = {0.5, 0.5};
  EXPECT_FALSE(project(patch, Vec3(0.7, -0.3, 0.7), at));
  EXPECT_EQ(at.uv, Vec2(0.5, 0.5));
  ASSERT_TRUE(project(patch, Vec3(1, 1, 1), at));
  const SurfacePoint before = at;
  EXPECT_FALSE(slide(patch, Vec3(1, -1, 0), at));
  EXPECT_EQ(at.p, before.p);
  EXPECT_FALSE(project(patch, Vec3(0, 0, 1), at));  // fu vanishes: the chart says nothing there
}

TEST(Surface, HeightsEndWhereTheyAreSaidTo) {
  const Surface waves{saddle_waves(0.01, 3, 4, 0.1)};
  SurfacePoint at;
  EXPECT_TRUE(project(waves, Vec3(0.49, -0.49, 2), at));
  EXPECT_FALSE(project(waves, Vec3(0.51, 0, 0), at));
  EXPECT_FALSE(project(waves, Vec3(std::nan(""), 0, 0), at));
}

TEST(Surface, TheMiddleIsDrawnNowhere) {
  SurfacePoint at;
  for (const SurfaceForm& form : std::initializer_list<SurfaceForm>{
           SphereSurface{}, EllipsoidSurface{}, SuperellipsoidSurface{}, TorusSurface{},
           CylinderSurface{}, CapsuleSurface{}, dented_ellipsoid(Vec3::Ones(), 0)})
    EXPECT_FALSE(project({form}, Vec3::Zero(), at));
  EXPECT_FALSE(project({TorusSurface{}}, Vec3(2, 0, 0), at));  // on the circle inside the tube
}

TEST(Surface, SmoothSurfacesOfShapes) {
  EXPECT_EQ(std::get<SphereSurface>(smooth_surface(Sphere{0.3})->form).radius, 0.3);
  const auto capsule = std::get<CapsuleSurface>(smooth_surface(Capsule{0.1, 0.2})->form);
  EXPECT_EQ(capsule.radius, 0.1);
  EXPECT_EQ(capsule.half_length, 0.2);
  EXPECT_EQ(capsule.axis, Vec3(Vec3::UnitZ()));
  EXPECT_EQ(std::get<CylinderSurface>(smooth_surface(Cylinder{0.1, 9})->form).radius, 0.1);
  EXPECT_EQ(std::get<EllipsoidSurface>(smooth_surface(Ellipsoid{Vec3(1, 2, 3)})->form).semi_axes,
            Vec3(1, 2, 3));
  EXPECT_EQ(std::get<PlaneSurface>(smooth_surface(HalfSpace{})->form).offset, 0);
  EXPECT_FALSE(smooth_surface(Box{Vec3::Ones()}));
  EXPECT_FALSE(smooth_surface(ConvexMesh{}));
  EXPECT_FALSE(smooth_surface(HeightField{}));
}

TEST(Surface, WhatIsNoSurfaceIsSaid) {
  const auto message = [](const SurfaceForm& form) {
    const Result<Surface> surface = checked({form});
    return surface ? std::string("good") : surface.error().message;
  };
  EXPECT_EQ(message(SphereSurface{0}), "the radius of a sphere must be positive");
  EXPECT_EQ(message(SphereSurface{std::nan("")}), "the radius of a sphere must be positive");
  EXPECT_EQ(message(EllipsoidSurface{Vec3(1, 0, 1)}),
            "the semi-axes of an ellipsoid must be positive");
  EXPECT_NE(message(SuperellipsoidSurface{Vec3::Ones(), 1.5, 1}), "good");
  EXPECT_NE(message(SuperellipsoidSurface{Vec3::Zero(), 1, 1}), "good");
  EXPECT_NE(message(TorusSurface{1, 1}), "good");
  EXPECT_NE(message(TorusSurface{2, 1, Vec3(0, 0, 2)}), "good");
  EXPECT_NE(message(CylinderSurface{-1}), "good");
  EXPECT_NE(message(CylinderSurface{1, Vec3::Zero()}), "good");
  EXPECT_NE(message(CapsuleSurface{1, -1}), "good");
  EXPECT_NE(message(PlaneSurface{Vec3(0, 0, 1.1)}), "good");
  EXPECT_NE(message(HeightSurface{}), "good");
  EXPECT_NE(message(SplineHeightSurface{}), "good");
  EXPECT_NE(message(ParametricSurface{}), "good");
  EXPECT_NE(message(NurbsSurface{}), "good");
  EXPECT_NE(message(ImplicitSurface{}), "good");
  NurbsPatch patch = octant(1);
  patch.knots_u.pop_back();
  EXPECT_EQ(message(NurbsSurface{std::make_shared<NurbsPatch>(patch)}),
            "a patch has 5 knots in u, but control points + degree + 1 = 6 are needed");
}

}  // namespace
}  // namespace tact
