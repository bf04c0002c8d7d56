#include "tact/cone/planar_cone.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

const std::vector<Vec2> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

TEST(PlanarCone, ProjectionByHandOnASquare) {
  const Mat3 euclid = Mat3::Identity();
  const auto p = [&](double x, double y, double z) {
    return project_on_polygon_cone(square, euclid, Vec3(x, y, z));
  };
  EXPECT_EQ(p(0.3, -0.2, 1), Vec3(0.3, -0.2, 1)) << "inside";
  EXPECT_EQ(p(0.3, 0.2, -1), Vec3::Zero()) << "polar";
  EXPECT_LE((p(2, 0, 0) - Vec3(1, 0, 1)).norm(), tolerance::rounding) << "facet x = z";
  EXPECT_LE((p(3, 3, 0) - Vec3(2, 2, 2)).norm(), tolerance::rounding) << "corner ray (1, 1, 1)";
}

TEST(PlanarCone, RoundConeAgainstItsClosedForm) {
  Rng rng(1);
  for (const double radius : {1e-9, 0.3, 1.0, 7.0, 1e6}) {
    const EllipseForm disc = disc_form(Vec2::Zero(), radius);
    for (int k = 0; k < 200; ++k) {
      const Vec3 z(rng.normal(), rng.normal(), rng.normal());
      const double t = z.head<2>().norm();
      Vec3 expected = z;
      if (t > radius * z[2]) {
        const double f = std::max(0.0, (z[2] + radius * t) / (1 + radius * radius));
        expected << radius * f * z.head<2>() / t, f;
      }
      const Vec3 found = project_on_ellipse_cone(disc, Mat3::Identity(), z);
      EXPECT_LE((found - expected).norm(), tolerance::rounding * z.norm()) << radius;
    }
  }
}

/// Very flat ellipses seen at a grazing angle, where Newton must give way to bisection: the
/// optimality conditions hold all the same.
TEST(PlanarCone, FlatEllipsesInSkewMetrics) {
  Rng rng(2);
  for (int k = 0; k < 4000; ++k) {
    const EllipseForm e = ellipse_form(Vec2(3 * rng.normal(), 3 * rng.normal()),
                                       Vec2(1, rng.log_uniform(1e-9, 1)), rng.uniform(0, 7));
    Mat3 upper = Mat3::Zero();
    upper << rng.log_uniform(0.01, 100), 3 * rng.normal(), 3 * rng.normal(), 0,
        rng.log_uniform(0.01, 100), 3 * rng.normal(), 0, 0, rng.log_uniform(0.01, 100);
    const Vec3 z(rng.normal(), rng.normal(), rng.normal());
    const Vec3 y = project_on_ellipse_cone(e, upper, z);
    const Vec3 rest = upper * (y - z);
    const double size = (upper * z).norm();
    EXPECT_NEAR(rest.dot(upper * y), 0, 1e-12 * size * size);
    const Vec3 d = upper.transpose() * rest;
    const Vec2 worst = support(e, -d.head<2>());
    const Vec3 generator(worst[0], worst[1], 1);
    EXPECT_GE(generator.dot(d), -1e-12 * size * (upper * generator).norm());
  }
}

TEST(PlanarCone, MarginsOfASquare) {
  const PlanarSet set = PlanarSet::hull_of_points(square);
  EXPECT_NEAR(planar_cone_margin(set, Vec3(0, 0, 2)), 2, tolerance::rounding);
  EXPECT_NEAR(planar_cone_margin(set, Vec3(1, 0, 2)), 1, tolerance::rounding);
  EXPECT_NEAR(planar_cone_margin(set, Vec3(5, 0, 2)), -3, tolerance::rounding);
  EXPECT_EQ(planar_cone_margin(set, Vec3::Zero()), 0);
  EXPECT_LT(planar_cone_margin(set, Vec3(0, 0, -1)), 0);
  EXPECT_EQ(planar_cone_margin(set, Vec3(3, 4, 0)), -5);
  EXPECT_EQ(planar_dual_margin(set, Vec3(0.5, 0.25, 1)), 0.25);
  EXPECT_EQ(planar_cone_support(set, Vec3(1, 2, 5)), Vec3(1, 1, 1));
}

TEST(PlanarCone, TheFaceOfAProjectionIsNamed) {
  const std::vector<Vec2> corners{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const Mat3 plain = Mat3::Identity();
  ConeFace face;
  EXPECT_EQ(project_on_polygon_cone(corners, plain, {0.2, 0.1, 1}, face), Vec3(0.2, 0.1, 1));
  EXPECT_EQ(face.kind, ConeFace::Kind::inside);
  EXPECT_EQ(project_on_polygon_cone(corners, plain, {0.1, 0.2, -3}, face), Vec3(0, 0, 0));
  EXPECT_EQ(face.kind, ConeFace::Kind::tip);
  EXPECT_TRUE(project_on_polygon_cone(corners, plain, {3, 0, 1}, face).isApprox(Vec3(2, 0, 2)));
  EXPECT_EQ(face.kind, ConeFace::Kind::plane);
  EXPECT_EQ(face.first, 1U);
  EXPECT_EQ(face.second, 2U);
  EXPECT_TRUE(project_on_polygon_cone(corners, plain, {5, 5, -1}, face).isApprox(Vec3(3, 3, 3)));
  EXPECT_EQ(face.kind, ConeFace::Kind::ray);
  EXPECT_EQ(face.first, 2U);
}

}  // namespace
}  // namespace tact
