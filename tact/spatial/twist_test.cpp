#include "tact/spatial/twist.hpp"

#include <type_traits>

#include <gtest/gtest.h>

#include "tact/spatial/se2.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::random_wrench;
using testing::rounding;

// The kinds are apart: no conversion between them, none from raw rows. (What must not compile has
// its twins in tests/compile_fail.)
static_assert(!std::is_convertible_v<Twist, Wrench> && !std::is_convertible_v<Wrench, Twist>);
static_assert(!std::is_convertible_v<Vec6, Twist> && !std::is_convertible_v<Vec6, Wrench>);
static_assert(!std::is_convertible_v<Twist, Vec6> && !std::is_convertible_v<Wrench, Vec6>);
static_assert(!std::is_convertible_v<Twist2, Wrench2> && !std::is_convertible_v<Vec3, Twist2>);

TEST(Twist, RowsAreInTheOrderOfTheContactFrame) {
  const Vec6 rows = (Vec6() << 1, 2, 3, 4, 5, 6).finished();
  const Twist twist = Twist::from(rows);
  EXPECT_EQ(twist.w_t(), Vec2(1, 2));
  EXPECT_EQ(twist.w_n(), 3);
  EXPECT_EQ(twist.v_t(), Vec2(4, 5));
  EXPECT_EQ(twist.v_n(), 6);
  EXPECT_EQ(twist.vec(), rows);
  const Wrench wrench = Wrench::from(rows);
  EXPECT_EQ(wrench.m_t(), Vec2(1, 2));
  EXPECT_EQ(wrench.m_n(), 3);
  EXPECT_EQ(wrench.f_t(), Vec2(4, 5));
  EXPECT_EQ(wrench.f_n(), 6);
  EXPECT_EQ(wrench.vec(), rows);
}

TEST(Twist, StartsAtRest) {
  EXPECT_EQ(Twist{}.vec(), Vec6::Zero());
  EXPECT_EQ(Wrench{}.vec(), Vec6::Zero());
  EXPECT_EQ(Twist2{}.vec(), Vec3::Zero());
  EXPECT_EQ(Wrench2{}.vec(), Vec3::Zero());
}

TEST(Twist, AddsAndScalesWithinItsKind) {
  const Twist a{{1, 2, 3}, {4, 5, 6}};
  const Twist b{{6, 5, 4}, {3, 2, 1}};
  Twist c = a + 2 * b;
  EXPECT_EQ(c, (Twist{{13, 12, 11}, {10, 9, 8}}));
  c -= b * 2;
  EXPECT_EQ(c, a);
  c += -a;
  EXPECT_EQ(c, Twist{});
  c = a / 2;
  c *= 2;
  EXPECT_EQ(c - a, Twist{});
  EXPECT_EQ((Wrench2{1, {2, 3}} + Wrench2{1, {1, 1}}), (Wrench2{2, {3, 4}}));
}

TEST(Twist, PowerOfAForceIsForceTimesTheVelocityOfItsPoint) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Twist twist = random_twist(rng);
    const Vec3 r = random_vec3(rng);
    const Vec3 f = random_vec3(rng);
    const Wrench force_at_r{r.cross(f), f};
    const double scale = twist.vec().norm() * force_at_r.vec().norm();
    EXPECT_NEAR(power(twist, force_at_r), f.dot(twist.v + twist.w.cross(r)), rounding * scale);
  }
}

TEST(Twist, ShiftKeepsThePowerAndComesBack) {
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    const Twist twist = random_twist(rng);
    const Wrench wrench = random_wrench(rng);
    const Vec3 r = random_vec3(rng, 10);
    const double scale = twist.vec().norm() * wrench.vec().norm() * (1 + r.squaredNorm());
    EXPECT_NEAR(power(shift(twist, r), shift(wrench, r)), power(twist, wrench), rounding * scale);
    EXPECT_LE(testing::twist_error(shift(shift(twist, r), -r), twist),
              rounding * twist.vec().norm() * r.norm());
  }
}

TEST(Twist, ShiftIsVarignon) {
  // A force of 2 N along y at x = 3 m: moment 6 N m about the origin, none about its own point.
  const Wrench at_origin{{0, 0, 6}, {0, 2, 0}};
  EXPECT_EQ(shift(at_origin, {3, 0, 0}), (Wrench{{0, 0, 0}, {0, 2, 0}}));
  const Wrench2 planar{6, {0, 2}};
  EXPECT_EQ(shift(planar, {3, 0}), (Wrench2{0, {0, 2}}));
  // A wheel turning about the origin: its point at x = 3 m moves along y.
  EXPECT_EQ(shift(Twist{{0, 0, 2}, {0, 0, 0}}, {3, 0, 0}).v, Vec3(0, 6, 0));
  EXPECT_EQ(shift(Twist2{2, {0, 0}}, {3, 0}).v, Vec2(0, 6));
}

TEST(Twist, ShiftIsTheChangeToATranslatedFrame) {
  Rng rng(3);
  for (int i = 0; i < 50; ++i) {
    const Pose X_AB{Mat3::Identity(), random_vec3(rng)};
    const Twist T_A = random_twist(rng);
    const Wrench W_A = random_wrench(rng);
    EXPECT_LE(testing::twist_error(shift(T_A, X_AB.p), transform_inverse(X_AB, T_A)),
              rounding * T_A.vec().norm() * (1 + X_AB.p.norm()));
    EXPECT_LE(testing::max_error(shift(W_A, X_AB.p).vec(), transform_inverse(X_AB, W_A).vec()),
              rounding * W_A.vec().norm() * (1 + X_AB.p.norm()));
  }
}

TEST(Twist, ChangeOfFrameKeepsThePowerAtEveryScale) {
  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    const double length = rng.log_uniform(1e-6, 1e6);
    const Pose X = random_pose(rng, length);
    const Twist T = random_twist(rng, length);
    const Wrench W = random_wrench(rng, length);
    // Each term of ω·m + v·f is of the order of length; the frames differ by lever arms of |p|.
    const double scale = (T.w.norm() + T.v.norm() / length) * (W.m.norm() / length + W.f.norm()) *
                         (1 + X.p.squaredNorm() / (length * length)) * length;
    EXPECT_NEAR(power(transform(X, T), transform(X, W)), power(T, W), rounding * scale);
    EXPECT_NEAR(power(transform_inverse(X, T), transform_inverse(X, W)), power(T, W),
                rounding * scale);
  }
}

}  // namespace
}  // namespace tact
