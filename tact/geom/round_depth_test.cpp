#include "tact/geom/round_depth.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/geom/difference_polytope.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

CorePair pair_of(const Shape& first, const Vec3& p, const Shape& second) {
  return core_pair(convex_of(first, {Mat3::Identity(), p}), convex_of(second, Pose{}));
}

TEST(RoundDepth, OfBallsIsTheSumOfTheRadiiLessTheDistance) {
  CorePair pair = pair_of(Ellipsoid{Vec3::Ones()}, Vec3(0, 0.3, 0.4), Ellipsoid{2 * Vec3::Ones()});
  const RoundDepth r = round_depth(pair);
  EXPECT_NEAR(r.best.separation, -2.5, 1e-14);
  EXPECT_LE((r.best.n - Vec3(0, 0.6, 0.8)).norm(), 1e-8);
  EXPECT_TRUE(r.has_points);
  EXPECT_LE((r.on_first - r.on_second - r.best.separation * r.best.n).norm(), 1e-8);
}

TEST(RoundDepth, OfCoaxialCylindersIsThroughTheCapOrTheSide) {
  CorePair flat = pair_of(Cylinder{2, 0.1}, Vec3(0, 0, 0.05), Cylinder{1, 0.2});
  EXPECT_NEAR(round_depth(flat).best.separation, -0.25, 1e-14);
  CorePair tall = pair_of(Cylinder{0.1, 2}, Vec3(0.05, 0, 0), Cylinder{0.2, 1});
  EXPECT_NEAR(round_depth(tall).best.separation, -0.25, 1e-14);
}

/// Two cylinders with parallel axes differ by a cylinder of the sums of radii and lengths.
TEST(RoundDepth, OfParallelCylindersIsThroughACapOrTheMantle) {
  Rng rng(3);
  for (int k = 0; k < 300; ++k) {
    const double r1 = rng.uniform() + 0.1, r2 = rng.uniform() + 0.1;
    const double h1 = rng.uniform() + 0.1, h2 = rng.uniform() + 0.1;
    const double off = 0.95 * rng.uniform() * (r1 + r2);
    const double up = 0.95 * (2 * rng.uniform() - 1) * (h1 + h2);
    const Pose X = testing::random_pose(rng, 2);
    const Convex one = convex_of(Cylinder{r1, h1}, X * Pose{Mat3::Identity(), Vec3(off, 0, up)});
    CorePair pair = core_pair(one, convex_of(Cylinder{r2, h2}, X));
    const RoundDepth r = round_depth(pair);
    const double wanted = std::min(r1 + r2 - off, h1 + h2 - std::abs(up));
    EXPECT_NEAR(r.best.separation, -wanted, 1e-12 * pair.size);
    const bool cap = h1 + h2 - std::abs(up) < r1 + r2 - off;
    const Vec3 out = X.R * (cap ? Vec3(0, 0, up > 0 ? 1 : -1) : Vec3::UnitX());
    EXPECT_LE((r.best.n - out).norm(), 1e-9);
  }
}

TEST(DifferencePolytope, GrowsOverTheFacesThatAPointSees) {
  DifferencePolytope p;
  const auto corner = [](const Vec3& d) {
    return DifferencePolytope::Point{d.cwiseSign(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  };
  ASSERT_TRUE(first_tetrahedron(p, corner, 1e-12));
  EXPECT_EQ(p.face_count, 4);
  const int face = nearest_face(p);
  p.points[p.point_count++] = {3 * p.faces[face].normal, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  ASSERT_TRUE(grow(p, p.point_count - 1, 0, face));
  EXPECT_EQ(p.face_count, 2 * p.point_count - 4);  // Euler's formula for triangles
}

}  // namespace
}  // namespace tact
