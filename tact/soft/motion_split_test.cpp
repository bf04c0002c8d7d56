#include "tact/soft/motion_split.hpp"

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::rounding;

PairGeometry random_geometry(Rng& rng) {
  const Pose X = random_pose(rng);
  PairGeometry g;
  g.E = X.R.leftCols<2>();
  g.n = X.R.col(2);
  g.p1 = X.p;
  g.gap = rng.uniform(-0.1, 0.1);
  g.p2 = g.p1 + g.gap * g.n;
  return g;
}

// [Stramigioli] (26), (27): P and its adjoint conserve power.
TEST(MotionSplit, PowerIsTheSameOnBothSides) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const MotionSplit split = motion_split(random_geometry(rng), rng.uniform(0, 1));
    const Twist T = random_twist(rng);
    const Vec4 w(rng.normal(), rng.normal(), rng.normal(), rng.normal());
    const double inside = w.dot(strain_rate(split, T));
    const double outside = power(T, spring_wrench(split, w));
    EXPECT_NEAR(inside, outside, rounding * w.norm() * T.vec().norm() * (1 + split.c.norm()));
    EXPECT_LE((projection(split) * T.vec() - strain_rate(split, T)).norm(),
              rounding * T.vec().norm() * (1 + split.c.norm()));
    EXPECT_LE((projection(split).transpose() * w - spring_wrench(split, w).vec()).norm(),
              rounding * w.norm() * (1 + split.c.norm()));
  }
}

TEST(MotionSplit, RollingAboutTheCentreStrainsNothing) {
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    const MotionSplit split = motion_split(random_geometry(rng), 0.3);
    const Vec3 w = split.E * Vec2(rng.normal(), rng.normal());
    const Twist roll{w, split.c.cross(w)};  // the point c rests: v + ω × c = 0
    EXPECT_LE(strain_rate(split, roll).norm(), rounding * w.norm() * (1 + split.c.norm()));
  }
}

TEST(MotionSplit, CentreLiesBetweenThePointsAtTheHarderBody) {
  Rng rng(3);
  const PairGeometry g = random_geometry(rng);
  EXPECT_EQ(contact_centre(g, centre_share(0, 1)), g.p1) << "body 1 is hard";
  EXPECT_LE((contact_centre(g, centre_share(1, 0)) - g.p2).norm(), rounding) << "body 2 is hard";
  EXPECT_DOUBLE_EQ(centre_share(3e-4, 1e-4), 0.75);
  EXPECT_THROW((void)centre_share(0, 0), ContractViolation);
}

TEST(MotionSplit, TangentBasisOnlyTurnsTheFirstTwoRows) {
  Rng rng(4);
  const PairGeometry g = random_geometry(rng);
  PairGeometry turned = g;
  const Mat2 R = (Mat2() << 0.6, -0.8, 0.8, 0.6).finished();
  turned.E = g.E * R;
  const Twist T = random_twist(rng);
  const Vec4 a = strain_rate(motion_split(g, 0.4), T),
             b = strain_rate(motion_split(turned, 0.4), T);
  EXPECT_LE((R.transpose() * a.head<2>() - b.head<2>()).norm(), rounding * T.vec().norm() * 4);
  EXPECT_EQ(a.tail<2>(), b.tail<2>());
}

}  // namespace
}  // namespace tact
