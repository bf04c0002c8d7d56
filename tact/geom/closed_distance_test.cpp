#include "tact/geom/closed_distance.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/geom/distance.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

Pose at(double x, double y, double z) {
  return {Mat3::Identity(), Vec3(x, y, z)};
}

TEST(ClosedDistance, PointsInAndAroundABox) {
  const Convex box = convex_of(Box{Vec3(1, 2, 3)}, {});
  const auto from = [&](double x, double y, double z) {
    return *point_distance(convex_of(Sphere{0.5}, at(x, y, z)), box);
  };
  EXPECT_EQ(from(0.9, 0, 0).distance, -0.09999999999999998);
  EXPECT_EQ(from(0.9, 0, 0).normal_W, Vec3::UnitX());
  EXPECT_EQ(from(4, 6, 0).distance, 5);
  EXPECT_EQ(from(0, 0, 0).distance, -1);
}

TEST(ClosedDistance, PointsInAndAroundACylinder) {
  const Convex cylinder = convex_of(Cylinder{1, 2}, {});
  const auto from = [&](double x, double y, double z) {
    return *point_distance(convex_of(Sphere{0.5}, at(x, y, z)), cylinder);
  };
  EXPECT_EQ(from(0, 0, 0).distance, -1);
  EXPECT_EQ(from(0, 4, 6).distance, 5);  // the rim
  EXPECT_EQ(from(0, 0, 2.5).distance, 0.5);
  EXPECT_EQ(from(0, 3, 1).normal_W, Vec3::UnitY());
}

// The foot satisfies y - x = t grad, lies on the surface, and no point of the surface is nearer.
TEST(ClosedDistance, TheFootOnAnEllipsoidIsNormalAndNearest) {
  Rng rng(1);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 a(rng.log_uniform(0.1, 1), rng.log_uniform(0.1, 1), rng.log_uniform(0.1, 1));
    Vec3 y = rng.uniform(0, 2) * Vec3(rng.normal(), rng.normal(), rng.normal());
    if (k % 3 == 0) y[k % 2] = 0;
    if (k % 11 == 0) y = Vec3::Zero();
    const EllipsoidFoot f = ellipsoid_foot(a, y);
    EXPECT_NEAR(f.foot.cwiseQuotient(a).norm(), 1, 1e-12);
    EXPECT_LE((y - f.foot - f.distance * f.normal).norm(), 1e-12);
    for (int m = 0; m < 20; ++m) {
      const Vec3 other =
          a.cwiseProduct(Vec3(rng.normal(), rng.normal(), rng.normal()).normalized());
      EXPECT_GE((y - other).norm(), std::abs(f.distance) - 1e-12);
    }
  }
}

TEST(ClosedDistance, SegmentsCrossedParallelAndCollinear) {
  const auto capsule = [](const Vec3& turn, const Vec3& p) {
    return convex_of(Capsule{0.1, 1}, {exp_so3(turn), p});
  };
  const Convex z = capsule(Vec3::Zero(), Vec3::Zero());
  const double right = std::acos(0.0);
  EXPECT_NEAR(segment_distance(capsule(Vec3(right, 0, 0), Vec3(0.5, 0, 0)), z).distance, 0.5,
              1e-15);
  EXPECT_NEAR(segment_distance(capsule(Vec3::Zero(), Vec3(0, 0.3, 0.5)), z).distance, 0.3, 1e-15);
  EXPECT_NEAR(segment_distance(capsule(Vec3::Zero(), Vec3(0, 0, 2.5)), z).distance, 0.5, 1e-15);
  const ShapeDistance same = segment_distance(z, z);
  EXPECT_EQ(same.distance, 0);
  EXPECT_EQ(same.normal_W[2], 0);
}

TEST(ClosedDistance, HalfSpacesAgainstEverythingButEachOther) {
  const Shape ground = HalfSpace{};
  EXPECT_EQ(distance(Sphere{1}, at(0, 0, 3), ground, {}).distance, 2);
  EXPECT_EQ(distance(ground, {}, Sphere{1}, at(0, 0, 3)).normal_W, -Vec3::UnitZ());
  EXPECT_EQ(distance(Ellipsoid{Vec3(1, 2, 3)}, at(0, 0, 3.5), ground, {}).distance, 0.5);
  EXPECT_THROW((void)distance(ground, {}, ground, {}), ContractViolation);
}

TEST(ClosedDistance, FarFromTheOriginNoDigitsAreLost) {
  const Vec3 away(1e6, -2e6, 3e6);
  const ShapeDistance d = distance(Box{Vec3(1, 1, 1)}, {Mat3::Identity(), away + Vec3(0, 0, 2.25)},
                                   Box{Vec3(1, 1, 1)}, {Mat3::Identity(), away});
  EXPECT_NEAR(d.distance, 0.25, 1e-14);
}

}  // namespace
}  // namespace tact
