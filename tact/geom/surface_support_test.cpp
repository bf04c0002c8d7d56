#include "tact/geom/surface_support.hpp"

#include <gtest/gtest.h>

#include "tests/support/surface_zoo.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr int trials = 50;
constexpr int first_bounded = 1;

bool bounded(const Surface& surface) {
  return std::isfinite(extent(surface));
}

TEST(SurfaceSupport, ConvexSurfaces) {
  Rng rng(1);
  for (int kind = 0; kind < surface_kinds; ++kind) {
    EXPECT_EQ(is_convex(random_surface(rng, kind)), kind < convex_surface_kinds);
    EXPECT_EQ(is_convex(random_surface(rng, kind, true)), kind == 0) << surface_name(kind);
  }
}

// No point of the surface is farther along d, and the normal at the support point is d.
TEST(SurfaceSupport, SupportPointsAreFarthest) {
  Rng rng(2);
  for (int kind = first_bounded; kind < convex_surface_kinds; ++kind)
    for (int i = 0; i < trials; ++i) {
      SCOPED_TRACE(surface_name(kind));
      const Surface surface = random_surface(rng, kind);
      if (!bounded(surface)) continue;
      const Vec3 d = rng.uniform(0.1, 10) * random_direction(rng);
      const auto p = support_point(surface, d);
      ASSERT_TRUE(p);
      SurfacePoint at;
      ASSERT_TRUE(project(surface, *p, at));
      EXPECT_LE((at.p - *p).norm(), rounding * p->norm());
      // Where a superellipsoid is flat its normal hardly depends on the place: not the reverse.
      EXPECT_LE((at.n - d.normalized()).norm(), 1e3 * rounding);
      for (const SurfacePoint& other : spread_points(surface, 100, Vec3::Zero(), 1))
        EXPECT_LE(d.dot(other.p), d.dot(*p) + rounding * d.norm() * p->norm());
    }
}

TEST(SurfaceSupport, OfUnboundedSurfacesOnlyWhereTheyHaveOne) {
  const Surface plane{PlaneSurface{Vec3::UnitZ(), 0.2}};
  EXPECT_FALSE(support_point(plane, Vec3(0.1, 0, 1)));
  EXPECT_FALSE(support_point(plane, Vec3(0, 0, -1)));
  EXPECT_EQ(*support_point(plane, Vec3(0, 0, 3)), Vec3(0, 0, 0.2));
  const Surface turned{PlaneSurface{Vec3::UnitZ(), 0.2}, true};
  EXPECT_FALSE(support_point(turned, Vec3(0, 0, 1)));
  EXPECT_EQ(*support_point(turned, Vec3(0, 0, -3)), Vec3(0, 0, 0.2));
  const Surface cylinder{CylinderSurface{0.5}};
  EXPECT_FALSE(support_point(cylinder, Vec3(1, 0, 0.1)));
  EXPECT_EQ(*support_point(cylinder, Vec3(0, 2, 0)), Vec3(0, 0.5, 0));
}

// A step out of the surface leaves the solid, a step in enters it; the middle is in or out.
TEST(SurfaceSupport, SolidsContainTheirInside) {
  Rng rng(4);
  for (int kind = 0; kind < surface_kinds; ++kind)
    for (int i = 0; i < trials / 5; ++i) {
      SCOPED_TRACE(surface_name(kind));
      const Surface surface = random_surface(rng, kind, i % 2 == 1);
      for (const SurfacePoint& at : some_points(surface, rng, 5)) {
        const double h = std::min(at.p.norm(), 1 / (1 + at.dn.norm())) / 100;
        EXPECT_EQ(contains(surface, at.p + h * at.n).value_or(false), false);
        EXPECT_EQ(contains(surface, at.p - h * at.n).value_or(true), true);
      }
    }
  EXPECT_EQ(contains({SphereSurface{}}, Vec3::Zero()), true);
  EXPECT_EQ(contains({SphereSurface{}, true}, Vec3::Zero()), false);
  EXPECT_EQ(contains({TorusSurface{2, 1}}, Vec3::Zero()), false);
  EXPECT_EQ(contains({TorusSurface{2, 1}}, Vec3(2, 0, 0)), true);
  EXPECT_EQ(contains({saddle_waves(0.01, 3, 4, 0.1)}, Vec3(9, 0, 0)), std::nullopt);
  EXPECT_EQ(contains({dented_ellipsoid(Vec3::Ones(), 0)}, Vec3(99, 0, 0)), std::nullopt);
}

TEST(SurfaceSupport, OfASuperellipsoidAlongItsAxes) {
  const Vec3 a(0.04, 0.03, 0.05);
  const Surface surface{SuperellipsoidSurface{a, 0.4, 0.9}};
  for (Index i = 0; i < 3; ++i)
    EXPECT_LE((*support_point(surface, -Vec3::Unit(i)) + a[i] * Vec3::Unit(i)).norm(), rounding);
}

TEST(SurfaceSupport, PointsSpreadOverTheSurfaceLieOnIt) {
  Rng rng(3);
  for (int kind = 0; kind < surface_kinds; ++kind)
    for (const bool inside_out : {false, true}) {
      SCOPED_TRACE(surface_name(kind));
      const Surface surface = random_surface(rng, kind, inside_out);
      const Vec3 centre = random_vec3(rng, 0.01);
      const auto points = spread_points(surface, 200, centre, 0.1);
      ASSERT_GE(points.size(), 100U);
      Vec3 low = points[0].p;
      Vec3 high = points[0].p;
      for (SurfacePoint at : points) {
        low = low.cwiseMin(at.p);
        high = high.cwiseMax(at.p);
        const SurfacePoint before = at;
        ASSERT_TRUE(project(surface, at.p, at));
        EXPECT_LE((at.p - before.p).norm(), 100 * rounding * (at.p.norm() + centre.norm()));
        EXPECT_GT(at.n.dot(before.n), 0);
        EXPECT_LE(at.p.norm(), extent(surface) * (1 + rounding));
      }
      EXPECT_GT((high - low).norm(), 0.03);  // not in a corner
    }
}

}  // namespace
}  // namespace tact
