#include "tact/spatial/se3.hpp"

#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::pose_error;
using testing::random_direction;
using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::random_wrench;
using testing::rounding;
using testing::twist_error;

constexpr double pi = std::numbers::pi;
constexpr int trials = 200;

/// Bounds on the product of two or three poses or twists grow with the lengths in them.
double size(const Pose& X, double length = 1) {
  return 1 + X.p.norm() / length;
}
double size(const Twist& T, double length = 1) {
  return 1 + T.w.norm() + T.v.norm() / length;
}

TEST(Se3, CompositionIsTheProductOfHomogeneousMatrices) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Pose h = random_pose(rng);
    const double bound = rounding * size(g) * size(h);
    EXPECT_LE(max_error(matrix(g * h), matrix(g) * matrix(h)), bound);
    EXPECT_LE(pose_error(g * inverse(g), Pose{}), bound);
    EXPECT_LE(pose_error(inverse(g * h), inverse(h) * inverse(g)), bound);
    EXPECT_LE(max_error(matrix(conjugate(g, h)), matrix(g) * matrix(h) * matrix(inverse(g))),
              bound * size(g));
  }
}

TEST(Se3, PointsAreTranslatedAndVectorsAreNot) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const Pose X = random_pose(rng);
    const Vec3 a = random_vec3(rng);
    const Vec3 b = random_vec3(rng);
    EXPECT_LE(max_error(transform_vector(X, a - b), transform_point(X, a) - transform_point(X, b)),
              rounding * size(X) * (a.norm() + b.norm()));
    const Vec3 back = transform_point(inverse(X), transform_point(X, a));
    EXPECT_LE(max_error(back, a), rounding * size(X) * (1 + a.norm()));
  }
}

TEST(Se3, HatAndVeeAreInverse) {
  const Twist T{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(vee_twist(hat(T)), T);
}

TEST(Se3, ExpIsTheMatrixExponential) {
  Rng rng(3);
  for (int i = 0; i < trials; ++i) {
    const Twist T = random_twist(rng, 2);
    EXPECT_LE(max_error(matrix(exp(T)), testing::series_exp<4>(hat(T))), rounding * size(T));
  }
}

TEST(Se3, ExpOfAQuarterTurnAboutADisplacedAxis) {
  // Turning about the vertical axis through (1, 0): the origin moves to (1, -1).
  const Twist T = pi / 2 * Twist{{0, 0, 1}, Vec3(1, 0, 0).cross(Vec3(0, 0, 1))};
  EXPECT_LE(max_error(exp(T).p, Vec3(1, -1, 0)), rounding);
}

TEST(Se3, LogUndoesExpFromTinyAnglesUpToPi) {
  Rng rng(4);
  for (const double angle :
       {0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-3, 1.0, 3.0, pi - 1e-3, pi - 1e-7, pi - 1e-12}) {
    for (int i = 0; i < 50; ++i) {
      const double length = rng.log_uniform(1e-6, 1e6);
      const Twist T{angle * random_direction(rng), random_vec3(rng, length)};
      const Twist back = log(exp(T));
      EXPECT_LE((back.w - T.w).stableNorm(), rounding * angle) << "angle " << angle;
      EXPECT_LE((back.v - T.v).norm(), rounding * T.v.norm()) << "angle " << angle;
    }
  }
}

TEST(Se3, ExpUndoesLogAtAHalfTurnToo) {
  Rng rng(5);
  for (int i = 0; i < trials; ++i) {
    const Vec3 a = random_direction(rng);
    const Pose half_turn{2 * a * a.transpose() - Mat3::Identity(), random_vec3(rng)};
    EXPECT_LE(pose_error(exp(log(half_turn)), half_turn), rounding * size(half_turn));
    const Pose X = random_pose(rng);
    EXPECT_LE(pose_error(exp(log(X)), X), rounding * size(X));
  }
}

TEST(Se3, AdjointIsAHomomorphism) {
  Rng rng(6);
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Pose h = random_pose(rng);
    const double bound = rounding * size(g) * size(h);
    EXPECT_LE(max_error(adjoint(g * h), adjoint(g) * adjoint(h)), bound);
    EXPECT_LE(max_error(coadjoint(g * h), coadjoint(g) * coadjoint(h)), bound);
    EXPECT_LE(max_error(adjoint(g) * adjoint(inverse(g)), Mat6::Identity()), bound * size(g));
    EXPECT_LE(max_error(coadjoint(g).transpose() * adjoint(g), Mat6::Identity()), bound * size(g));
  }
}

TEST(Se3, AdjointIsConjugationOfTheAlgebra) {
  Rng rng(7);
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Twist T = random_twist(rng);
    const Mat4 conjugated = matrix(g) * hat(T) * matrix(inverse(g));
    const double bound = rounding * size(g) * size(T);
    EXPECT_LE(twist_error(transform(g, T), vee_twist(conjugated)), bound);
    EXPECT_LE(pose_error(exp(transform(g, T)), conjugate(g, exp(T))), bound * size(g));
  }
}

TEST(Se3, TransformsAreTheMatricesAndTheirInverses) {
  Rng rng(8);
  for (int i = 0; i < trials; ++i) {
    const Pose X = random_pose(rng);
    const Twist T = random_twist(rng);
    const Wrench W = random_wrench(rng);
    const double t = rounding * size(X) * size(X) * T.vec().norm();
    const double w = rounding * size(X) * size(X) * W.vec().norm();
    EXPECT_LE(max_error(transform(X, T).vec(), adjoint(X) * T.vec()), t);
    EXPECT_LE(max_error(transform(X, W).vec(), coadjoint(X) * W.vec()), w);
    EXPECT_LE(max_error(transform_inverse(X, transform(X, T)).vec(), T.vec()), t);
    EXPECT_LE(max_error(transform_inverse(X, transform(X, W)).vec(), W.vec()), w);
    EXPECT_LE(max_error(transform_inverse(X, W).vec(), adjoint(X).transpose() * W.vec()), w);
  }
}

TEST(Se3, AdjointOfExpIsExpOfAd) {
  Rng rng(9);
  for (int i = 0; i < trials; ++i) {
    const Twist T = random_twist(rng);
    EXPECT_LE(max_error(adjoint(exp(T)), testing::series_exp<6>(ad(T))), rounding * size(T));
  }
}

TEST(Se3, BracketIsALieBracket) {
  Rng rng(10);
  for (int i = 0; i < trials; ++i) {
    const Twist a = random_twist(rng);
    const Twist b = random_twist(rng);
    const Twist c = random_twist(rng);
    EXPECT_EQ(bracket(a, b), -bracket(b, a));
    EXPECT_EQ(bracket(a, a), Twist{});
    const Twist jacobi =
        bracket(a, bracket(b, c)) + bracket(b, bracket(c, a)) + bracket(c, bracket(a, b));
    const double bound = rounding * size(a) * size(b) * size(c);
    EXPECT_LE(twist_error(jacobi, Twist{}), bound);
    EXPECT_LE(max_error(ad(a) * b.vec(), bracket(a, b).vec()), bound);
    EXPECT_LE(max_error(hat(bracket(a, b)), hat(a) * hat(b) - hat(b) * hat(a)), bound);
    const Pose g = random_pose(rng);
    EXPECT_LE(twist_error(transform(g, bracket(a, b)), bracket(transform(g, a), transform(g, b))),
              rounding * size(a) * size(b) * size(g) * size(g));
  }
}

TEST(Se3, DualBracketIsDual) {
  Rng rng(11);
  for (int i = 0; i < trials; ++i) {
    const Twist a = random_twist(rng);
    const Twist b = random_twist(rng);
    const Wrench W = random_wrench(rng);
    EXPECT_NEAR(power(b, dual_bracket(a, W)), -power(bracket(a, b), W),
                rounding * size(a) * size(b) * W.vec().norm());
  }
}

TEST(Se3, VelocitiesOfACurveBothWays) {
  Rng rng(12);
  for (int i = 0; i < trials; ++i) {
    const Pose X = random_pose(rng);
    const Twist V_b = random_twist(rng);
    const Twist V_s = spatial_from_body(X, V_b);
    const PoseRate rate = rate_from_body(X, V_b);
    const double bound = rounding * size(X) * size(X) * size(V_b);
    EXPECT_LE(twist_error(body_velocity(X, rate), V_b), bound);
    EXPECT_LE(twist_error(spatial_velocity(X, rate), V_s), bound);
    EXPECT_LE(twist_error(body_from_spatial(X, V_s), V_b), bound);
    const PoseRate same = rate_from_spatial(X, V_s);
    EXPECT_LE(max_error(same.R_dot, rate.R_dot), bound);
    EXPECT_LE(max_error(same.p_dot, rate.p_dot), bound);
  }
}

TEST(Se3, TranslationsOfAVelocityAreMatrixProducts) {
  Rng rng(13);
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Pose X = random_pose(rng);
    const Twist V_b = random_twist(rng);
    const PoseRate rate = rate_from_body(X, V_b);
    // Left translation keeps the body velocity, right translation the spatial one.
    const double bound = rounding * size(g) * size(X) * size(g) * size(X) * size(V_b);
    EXPECT_LE(twist_error(body_velocity(g * X, left_translate(g, rate)), V_b), bound);
    EXPECT_LE(
        twist_error(spatial_velocity(X * g, right_translate(rate, g)), spatial_velocity(X, rate)),
        bound);
  }
}

TEST(Se3, IntegrationFollowsTheRate) {
  Rng rng(14);
  for (int i = 0; i < 50; ++i) {
    const Pose X = random_pose(rng);
    const Twist V = random_twist(rng);
    const double h = testing::difference_step;
    const Mat4 body =
        (matrix(integrate_body(X, V, h)) - matrix(integrate_body(X, V, -h))) / (2 * h);
    const PoseRate rate = rate_from_body(X, V);
    // The third derivative along the curve is of the order |V|³.
    const double bound = testing::difference_error * size(X) * std::pow(size(V), 3);
    EXPECT_LE((body.topLeftCorner<3, 3>() - rate.R_dot).norm(), bound);
    EXPECT_LE((body.topRightCorner<3, 1>() - rate.p_dot).norm(), bound);
    EXPECT_LE(
        pose_error(integrate_body(X, V, 0.7), integrate_spatial(X, spatial_from_body(X, V), 0.7)),
        rounding * size(X) * size(X) * size(V));
  }
}

TEST(Se3, NormalizedKeepsAThousandTurnsARotation) {
  Rng rng(15);
  const Pose step = exp(random_twist(rng));
  Pose X;
  for (int i = 0; i < 1000; ++i) {
    X = step * X;
    X.R *= 1 + 1e-6;  // a drift much faster than rounding
    X = normalized(X);
  }
  EXPECT_LE(max_error(X.R.transpose() * X.R, Mat3::Identity()), rounding);
  EXPECT_LE(max_error(X.R, exp(1000 * log(step)).R), 1000 * rounding);
}

// Lengths may be measured in any unit. With a power of two nothing is rounded, so every bit agrees.
TEST(Se3, UnitsOfLengthDoNotMatter) {
  Rng rng(16);
  const double unit = 1024;
  const auto in_units = [&](const Twist& T) { return Twist{T.w, unit * T.v}; };
  const auto pose_in_units = [&](const Pose& X) { return Pose{X.R, unit * X.p}; };
  for (int i = 0; i < trials; ++i) {
    const Twist T = random_twist(rng);
    const Twist U = random_twist(rng);
    const Pose X = random_pose(rng);
    EXPECT_EQ(exp(in_units(T)), pose_in_units(exp(T)));
    EXPECT_EQ(log(pose_in_units(X)), in_units(log(X)));
    EXPECT_EQ(transform(pose_in_units(X), in_units(T)), in_units(transform(X, T)));
    EXPECT_EQ(bracket(in_units(T), in_units(U)), in_units(bracket(T, U)));
  }
}

}  // namespace
}  // namespace tact
