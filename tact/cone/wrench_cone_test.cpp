#include "tact/cone/wrench_cone.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/cone/polyhedral.hpp"

namespace tact {
namespace {

PlanarSet rectangle(double x, double y) {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{-x, -y}, {x, -y}, {x, y}, {-x, y}});
}

/// How far w violates the half-spaces; <= 0 inside.
double violation(const HalfSpaces& rows, const Vec6& w) {
  return (rows * w).maxCoeff();
}

/// In the cone of the rays, decided by non-negative least squares.
double distance(const MatX& rays, const Vec6& w) {
  return (PolyhedralCone::from_rays(rays).project(VecX(w)) - w).norm();
}

Vec6 random_wrench(Rng& rng) {
  Vec6 w;
  for (Index i = 0; i < 6; ++i) w[i] = 0.3 * rng.normal();
  w[5] = rng.uniform(0, 1);
  return w;
}

TEST(WrenchCone, RectangleHasTheClosedFormOfAFoot) {
  const double X = 0.11, Y = 0.05, mu = 0.6;
  const HalfSpaces closed = rectangle_half_spaces(X, Y, mu);
  ASSERT_EQ(closed.rows(), 16);
  const MatX rays = *frictional_rays(rectangle(X, Y), mu);
  // Every force at a corner is admissible, and every half-space is touched by five of them or more.
  EXPECT_LE((closed * rays).maxCoeff(), 1e-15);
  for (Index i = 0; i < closed.rows(); ++i)
    EXPECT_GE(((closed.row(i) * rays).array().abs() < 1e-12).count(), 5);
  // The faces found by enumeration are the same half-spaces.
  const HalfSpaces faces = *frictional_half_spaces(rectangle(X, Y), mu);
  EXPECT_EQ(faces.rows(), closed.rows());
  for (Index i = 0; i < closed.rows(); ++i) {
    const Vec6 row = closed.row(i).transpose().normalized();
    double nearest = 2;
    for (Index j = 0; j < faces.rows(); ++j)
      nearest = std::min(nearest, (faces.row(j).transpose().normalized() - row).norm());
    EXPECT_LE(nearest, 1e-12);
  }
}

TEST(WrenchCone, RectangleDecidesMembershipLikeVertexForces) {
  Rng rng(1);
  const double X = 1.1, Y = 0.5, mu = 0.6;
  const HalfSpaces closed = rectangle_half_spaces(X, Y, mu);
  const MatX rays = *frictional_rays(rectangle(X, Y), mu);
  int inside = 0, outside = 0;
  for (int i = 0; i < 2000; ++i) {
    Vec6 w = random_wrench(rng);
    if (i % 2 == 0) {  // a member by construction, then perhaps pushed out
      VecX weights(rays.cols());
      for (Index k = 0; k < rays.cols(); ++k) weights[k] = rng.uniform() < 0.3 ? rng.uniform() : 0;
      w = rays * weights;
      EXPECT_LE(violation(closed, w), 1e-13);
      w += 0.02 * w.norm() * random_wrench(rng);
    }
    const double by_half_spaces = violation(closed, w);
    const double by_forces = distance(rays, w);
    if (std::abs(by_half_spaces) < 1e-9) continue;
    EXPECT_EQ(by_half_spaces < 0, by_forces < 1e-10) << w.transpose();
    (by_half_spaces < 0 ? inside : outside) += 1;
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(outside, 300);
}

TEST(WrenchCone, EnumerationServesAnyPolygonAndPyramid) {
  Rng rng(2);
  const PlanarSet triangle =
      PlanarSet::hull_of_points(std::vector<Vec2>{{0.2, 0.1}, {1.4, 0.3}, {0.5, 1.2}});
  const LinearFrictionOptions pyramid{LinearFriction::pyramid, 5};
  const HalfSpaces faces = *frictional_half_spaces(triangle, 0.7, pyramid);
  const MatX rays = *frictional_rays(triangle, 0.7, pyramid);
  EXPECT_EQ(rays.cols(), 15);
  EXPECT_LE((faces * rays).maxCoeff(), 1e-12);
  int inside = 0;
  for (int i = 0; i < 500; ++i) {
    Vec6 w = random_wrench(rng);
    if (i % 2 == 0) {
      w.setZero();
      for (Index k = 0; k < rays.cols(); ++k) w += rng.uniform() * rays.col(k);
      w += 0.1 * w.norm() * random_wrench(rng);
    }
    const double v = violation(faces, w);
    if (std::abs(v) < 1e-9) continue;
    EXPECT_EQ(v < 0, distance(rays, w) < 1e-9);
    inside += v < 0;
  }
  EXPECT_GT(inside, 50);
}

TEST(WrenchCone, CornerConesAddUpToTheWrenchOfPointForces) {
  const PlanarSet square = rectangle(1, 1);
  const auto cones = *corner_cones(square, 0.5);
  ASSERT_EQ(cones.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 force(0.1, -0.2, 0.7);
    const Vec6 expected = wrench_of(PointForce{square.vertices()[i], force}).vec();
    EXPECT_LE((cones[i].map * force - expected).norm(), 1e-15);
  }
}

TEST(WrenchCone, FrictionlessPartIsThePatchCone) {
  Rng rng(3);
  const PlanarSet square = rectangle(1, 0.5);
  const PlanarSet ellipse = PlanarSet::ellipse(ellipse_form({0.3, -0.2}, {1, 0.4}, 0.5));
  const HalfSpaces rows = *normal_half_spaces(square);
  const SecondOrderCone soc = *normal_second_order_cone(ellipse);
  for (int i = 0; i < 500; ++i) {
    const Vec6 w = random_wrench(rng);
    const Vec3 n(w[0], w[1], w[5]);
    const double by_polygon = PatchCone(square).margin(n),
                 by_ellipse = PatchCone(ellipse).margin(n);
    EXPECT_EQ(violation(rows, w) < 0, by_polygon > 0);
    EXPECT_EQ((soc.B * w).norm() < soc.d.dot(w), by_ellipse > 0);
  }
  // Of a segment and a point: only their own forces.
  const PlanarSet segment = PlanarSet::hull_of_points(std::vector<Vec2>{{0, 0}, {2, 0}});
  const Vec6 on = wrench_of(PointForce{{1, 0}, {0, 0, 1}}).vec();
  const Vec6 off = wrench_of(PointForce{{1, 0.1}, {0, 0, 1}}).vec();
  EXPECT_LE(violation(*normal_half_spaces(segment), on), 1e-15);
  EXPECT_GT(violation(*normal_half_spaces(segment), off), 0.05);
  EXPECT_GT(violation(*normal_half_spaces(PlanarSet()), on), 0.5);
  EXPECT_GT(violation(*normal_half_spaces(PlanarSet()), Vec6(-Vec6::Unit(5))), 0.5);
}

TEST(WrenchCone, RefusesWhatItCannotExport) {
  const PlanarSet disc = PlanarSet::ellipse(disc_form(Vec2::Zero(), 1));
  EXPECT_FALSE(normal_half_spaces(disc));
  EXPECT_FALSE(frictional_half_spaces(disc, 0.5));
  EXPECT_FALSE(corner_cones(disc, 0.5));
  EXPECT_FALSE(normal_second_order_cone(rectangle(1, 1)));
  EXPECT_FALSE(frictional_half_spaces(rectangle(1, 1), 0.5, {LinearFriction::pyramid, 16}));
}

}  // namespace
}  // namespace tact
