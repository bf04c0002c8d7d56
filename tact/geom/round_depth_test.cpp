#include "tact/geom/round_depth.hpp"

#include <gtest/gtest.h>

#include "tact/geom/difference_polytope.hpp"

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
