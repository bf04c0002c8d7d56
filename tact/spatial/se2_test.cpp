#include "tact/spatial/se2.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::random_vec2;
using testing::rounding;

constexpr double pi = std::numbers::pi;
constexpr int trials = 200;

Pose2 random_pose2(Rng& rng) {
  const double angle = rng.uniform(-pi, pi);
  return {exp_so2(angle), random_vec2(rng)};
}
Twist2 random_twist2(Rng& rng) {
  const double w = rng.normal();
  return {w, random_vec2(rng)};
}
Wrench2 random_wrench2(Rng& rng) {
  const double m = rng.normal();
  return {m, random_vec2(rng)};
}

double size(const Pose2& X) {
  return 1 + X.p.norm();
}
double size(const Twist2& T) {
  return 1 + T.vec().norm();
}

/// The plane z = 0 inside space.
Pose in_space(const Pose2& X) {
  Pose Y;
  Y.R.topLeftCorner<2, 2>() = X.R;
  Y.p.head<2>() = X.p;
  return Y;
}
Twist in_space(const Twist2& T) {
  return {{0, 0, T.w}, {T.v[0], T.v[1], 0}};
}
Wrench in_space(const Wrench2& W) {
  return {{0, 0, W.m}, {W.f[0], W.f[1], 0}};
}

TEST(Se2, ARotationByTheAngleAndBack) {
  EXPECT_LE(max_error(exp_so2(pi / 2) * Vec2::UnitX(), Vec2::UnitY()), rounding);
  for (const double angle : {0.0, 1e-300, -1e-8, 0.5, -3.0, 3.141592, pi}) {
    EXPECT_NEAR(log_so2(exp_so2(angle)), angle, rounding * std::abs(angle));
  }
}

TEST(Se2, LogOfAHalfTurnIsPlusPi) {
  const Mat2 half_turn = -Mat2::Identity();
  EXPECT_EQ(log_so2(half_turn), pi);
  EXPECT_EQ(log_so2(exp_so2(0).transpose() * half_turn), pi);
  Mat2 minus_zero = half_turn;
  minus_zero(1, 0) = -0.0;
  minus_zero(0, 1) = 0.0;
  EXPECT_EQ(log_so2(minus_zero), pi);
}

TEST(Se2, LogUndoesExp) {
  Rng rng(1);
  for (const double angle : {0.0, 1e-300, 1e-9, 1e-3, 1.0, -2.0, 3.0, pi - 1e-9, -pi + 1e-9}) {
    for (int i = 0; i < 20; ++i) {
      const Twist2 T{angle, random_vec2(rng)};
      const Twist2 back = log(exp(T));
      EXPECT_NEAR(back.w, T.w, rounding * std::abs(angle));
      EXPECT_LE((back.v - T.v).norm(), rounding * T.v.norm());
    }
  }
}

TEST(Se2, ExpIsTheMatrixExponential) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const Twist2 T = random_twist2(rng);
    EXPECT_LE(max_error(matrix(exp(T)), testing::series_exp<3>(hat(T))), rounding * size(T));
    EXPECT_LE(max_error(adjoint(exp(T)), testing::series_exp<3>(ad(T))), rounding * size(T));
    EXPECT_EQ(vee_twist2(hat(T)), T);
  }
}

// Everything agrees with space restricted to the plane.
TEST(Se2, IsTheSubgroupOfSe3) {
  Rng rng(3);
  for (int i = 0; i < trials; ++i) {
    const Pose2 g = random_pose2(rng);
    const Pose2 h = random_pose2(rng);
    const Twist2 T = random_twist2(rng);
    const Twist2 U = random_twist2(rng);
    const Wrench2 W = random_wrench2(rng);
    const double bound = rounding * size(g) * size(g) * size(h) * size(T) * size(U);
    const auto same_pose = [&](const Pose2& a, const Pose& b) {
      EXPECT_LE(testing::pose_error(in_space(a), b), bound);
    };
    const auto same = [&](const auto& a, const auto& b) {
      EXPECT_LE(max_error(in_space(a).vec(), b.vec()), bound * (1 + W.vec().norm()));
    };
    same_pose(g * h, in_space(g) * in_space(h));
    same_pose(inverse(g), inverse(in_space(g)));
    same_pose(conjugate(g, h), conjugate(in_space(g), in_space(h)));
    same_pose(exp(T), exp(in_space(T)));
    same_pose(integrate_body(g, T, 0.3), integrate_body(in_space(g), in_space(T), 0.3));
    same_pose(integrate_spatial(g, T, 0.3), integrate_spatial(in_space(g), in_space(T), 0.3));
    same(log(g), log(in_space(g)));
    same(transform(g, T), transform(in_space(g), in_space(T)));
    same(transform(g, W), transform(in_space(g), in_space(W)));
    same(transform_inverse(g, T), transform_inverse(in_space(g), in_space(T)));
    same(transform_inverse(g, W), transform_inverse(in_space(g), in_space(W)));
    same(bracket(T, U), bracket(in_space(T), in_space(U)));
    same(dual_bracket(T, W), dual_bracket(in_space(T), in_space(W)));
  }
}

TEST(Se2, MatricesAreTheMaps) {
  Rng rng(4);
  for (int i = 0; i < trials; ++i) {
    const Pose2 X = random_pose2(rng);
    const Twist2 T = random_twist2(rng);
    const Twist2 U = random_twist2(rng);
    const Wrench2 W = random_wrench2(rng);
    const double bound = rounding * size(X) * size(X) * size(T) * size(U) * (1 + W.vec().norm());
    EXPECT_LE(max_error(adjoint(X) * T.vec(), transform(X, T).vec()), bound);
    EXPECT_LE(max_error(coadjoint(X) * W.vec(), transform(X, W).vec()), bound);
    EXPECT_LE(max_error(coadjoint(X).transpose() * adjoint(X), Mat3::Identity()), bound);
    EXPECT_LE(max_error(ad(T) * U.vec(), bracket(T, U).vec()), bound);
    EXPECT_NEAR(power(transform(X, T), transform(X, W)), power(T, W), bound);
    EXPECT_NEAR(power(U, dual_bracket(T, W)), -power(bracket(T, U), W), bound);
  }
}

TEST(Se2, VelocitiesOfACurveBothWays) {
  Rng rng(5);
  for (int i = 0; i < trials; ++i) {
    const Pose2 X = random_pose2(rng);
    const Twist2 V_b = random_twist2(rng);
    const Twist2 V_s = spatial_from_body(X, V_b);
    const PoseRate2 rate = rate_from_body(X, V_b);
    const double bound = rounding * size(X) * size(X) * size(V_b);
    EXPECT_LE(max_error(body_velocity(X, rate).vec(), V_b.vec()), bound);
    EXPECT_LE(max_error(spatial_velocity(X, rate).vec(), V_s.vec()), bound);
    EXPECT_LE(max_error(body_from_spatial(X, V_s).vec(), V_b.vec()), bound);
    EXPECT_LE(max_error(rate_from_spatial(X, V_s).p_dot, rate.p_dot), bound);
    EXPECT_LE(max_error(rate_from_spatial(X, V_s).R_dot, rate.R_dot), bound);
  }
}

TEST(Se2, PointsAreTranslatedAndVectorsAreNot) {
  const Pose2 X{exp_so2(pi / 2), {1, 2}};
  EXPECT_LE(max_error(transform_point(X, {1, 0}), Vec2(1, 3)), rounding);
  EXPECT_LE(max_error(transform_vector(X, {1, 0}), Vec2(0, 1)), rounding);
}

TEST(Se2, NormalizedUndoesDriftAndRefusesMirrors) {
  Rng rng(6);
  for (int i = 0; i < trials; ++i) {
    const Pose2 X = random_pose2(rng);
    EXPECT_LE(max_error(normalized(Pose2{1.5 * X.R, X.p}).R, X.R), rounding);
  }
  Pose2 mirror;
  mirror.R(1, 1) = -1;
  EXPECT_THROW((void)normalized(mirror), ContractViolation);
  EXPECT_THROW((void)normalized(Pose2{Mat2::Zero(), Vec2::Zero()}), ContractViolation);
}

}  // namespace
}  // namespace tact
