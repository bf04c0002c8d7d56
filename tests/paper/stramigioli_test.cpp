// [Stramigioli] sec. 2.1 and 2.2: the Lie group of rigid motions; one test a claim.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/spatial/se3.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::pose_error;
using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::rounding;
using testing::twist_error;

constexpr int trials = 100;
constexpr double pi = std::numbers::pi;

double size(const Pose& X) {
  return 1 + X.p.norm();
}
double size(const Twist& T) {
  return 1 + T.vec().norm();
}

/// The factor I + x + x²/2 of the expansion in (8), with the square chosen freely.
Mat4 second_order(const Mat4& x, const Mat4& square) {
  return Mat4::Identity() + x + square / 2;
}

// [Stramigioli] (1), (2): the left and the right map, which are the matrix products G H and H G.
TEST(Stramigioli, Eq1Eq2LeftAndRightMapsAreMatrixProducts) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Pose G = random_pose(rng);
    const Pose H = random_pose(rng);
    const double bound = rounding * size(G) * size(H);
    EXPECT_LE(max_error(matrix(G * H), matrix(G) * matrix(H)), bound);
    EXPECT_LE(max_error(matrix(H * G), matrix(H) * matrix(G)), bound);
    EXPECT_EQ(G * Pose{}, G);
    EXPECT_EQ(Pose{} * G, G);
  }
}

// [Stramigioli] (3): the commutator is a skew operation, T1 T2 - T2 T1 among matrices.
TEST(Stramigioli, Eq3CommutatorIsSkew) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const Twist T1 = random_twist(rng);
    const Twist T2 = random_twist(rng);
    EXPECT_EQ(bracket(T1, T2), -bracket(T2, T1));
    EXPECT_LE(max_error(hat(bracket(T1, T2)), hat(T1) * hat(T2) - hat(T2) * hat(T1)),
              rounding * size(T1) * size(T2));
  }
}

// [Stramigioli] (4): the Jacobi identity.
TEST(Stramigioli, Eq4JacobiIdentity) {
  Rng rng(3);
  for (int i = 0; i < trials; ++i) {
    const Twist a = random_twist(rng);
    const Twist b = random_twist(rng);
    const Twist c = random_twist(rng);
    const Twist sum =
        bracket(a, bracket(b, c)) + bracket(b, bracket(c, a)) + bracket(c, bracket(a, b));
    EXPECT_LE(twist_error(sum, Twist{}), rounding * size(a) * size(b) * size(c));
  }
}

// [Stramigioli] sec. 2.1: velocities are translated as (L_G)_* = G Ḣ and (R_G)_* = Ḣ G.
TEST(Stramigioli, Sec21TranslationsOfVelocitiesAreMatrixProducts) {
  Rng rng(4);
  for (int i = 0; i < trials; ++i) {
    const Pose G = random_pose(rng);
    const Pose H = random_pose(rng);
    const PoseRate H_dot = rate_from_body(H, random_twist(rng));
    Mat4 m = Mat4::Zero();
    m.topLeftCorner<3, 3>() = H_dot.R_dot;
    m.topRightCorner<3, 1>() = H_dot.p_dot;
    const double bound = rounding * size(G) * (1 + m.norm());
    const PoseRate left = left_translate(G, H_dot);
    const PoseRate right = right_translate(H_dot, G);
    const Mat4 GH_dot = matrix(G) * m;
    const Mat4 H_dotG = m * matrix(G);
    EXPECT_LE(max_error(GH_dot.topLeftCorner<3, 3>(), left.R_dot), bound);
    EXPECT_LE(max_error(GH_dot.topRightCorner<3, 1>(), left.p_dot), bound);
    EXPECT_LE(max_error(H_dotG.topLeftCorner<3, 3>(), right.R_dot), bound);
    EXPECT_LE(max_error(H_dotG.topRightCorner<3, 1>(), right.p_dot), bound);
  }
}

/// The integral of Ġ = rate(G) over one second by the classical Runge-Kutta method.
template <class Rate>
Mat4 runge_kutta(Mat4 G, int steps, const Rate& rate) {
  const double h = 1.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const Mat4 k1 = rate(G);
    const Mat4 k2 = rate(G + h / 2 * k1);
    const Mat4 k3 = rate(G + h / 2 * k2);
    const Mat4 k4 = rate(G + h * k3);
    G += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return G;
}

// [Stramigioli] (5), (6): the integral curves of left- and right-invariant fields.
TEST(Stramigioli, Eq5Eq6IntegralCurvesOfInvariantFields) {
  Rng rng(5);
  const int steps = 1000;
  for (int i = 0; i < 10; ++i) {
    const Pose G = random_pose(rng);
    const Twist T = random_twist(rng);
    const Mat4 left =
        runge_kutta(matrix(G), steps, [&](const Mat4& X) -> Mat4 { return X * hat(T); });
    const Mat4 right =
        runge_kutta(matrix(G), steps, [&](const Mat4& X) -> Mat4 { return hat(T) * X; });
    // Local error (|T| h)⁵/5!, steps of it.
    const double truncation = std::pow(size(T), 5) / std::pow(steps, 4) / 120;
    const double bound = size(G) * size(T) * (truncation + steps * tolerance::epsilon);
    EXPECT_LE(max_error(matrix(integrate_body(G, T, 1)), left), bound);
    EXPECT_LE(max_error(matrix(integrate_spatial(G, T, 1)), right), bound);
    EXPECT_GT(pose_error(integrate_body(G, T, 1), integrate_spatial(G, T, 1)), bound);
  }
}

// [Stramigioli] (5), (6): through the identity both curves are the exponential.
TEST(Stramigioli, Eq5Eq6CurvesThroughTheIdentityCoincide) {
  Rng rng(6);
  for (int i = 0; i < trials; ++i) {
    const Twist T = random_twist(rng);
    EXPECT_EQ(integrate_body(Pose{}, T, 0.7), exp(0.7 * T));
    EXPECT_EQ(integrate_spatial(Pose{}, T, 0.7), exp(0.7 * T));
  }
}

// [Stramigioli] sec. 2.1: if [T1, T2] = 0 then e^T1 e^T2 = e^T2 e^T1. Twists about one axis
// commute.
TEST(Stramigioli, Sec21CommutingTwistsHaveCommutingMotions) {
  Rng rng(7);
  for (int i = 0; i < trials; ++i) {
    const Vec3 axis = random_vec3(rng);
    const Pose X{Mat3::Identity(), random_vec3(rng)};
    const Twist T1 = transform(X, Twist{axis, 0.3 * axis});
    const Twist T2 = transform(X, Twist{-0.4 * axis, 2 * axis});
    const double bound = rounding * size(T1) * size(T2) * size(X);
    EXPECT_LE(twist_error(bracket(T1, T2), Twist{}), bound);
    EXPECT_LE(pose_error(exp(T1) * exp(T2), exp(T2) * exp(T1)), bound);
  }
}

// [Stramigioli] sec. 2.1 says "iff": the converse fails for a full turn and a translation across
// it.
TEST(Stramigioli, Sec21CommutingMotionsMayHaveTwistsThatDoNotCommute) {
  const Twist full_turn{{0, 0, 2 * pi}, {0, 0, 0}};
  const Twist across{{0, 0, 0}, {1, 0, 0}};
  EXPECT_LE(pose_error(exp(full_turn) * exp(across), exp(across) * exp(full_turn)), rounding);
  EXPECT_LE(twist_error(bracket(full_turn, across), Twist{{0, 0, 0}, {0, 2 * pi, 0}}), rounding);
}

// [Stramigioli] sec. 2.1 also says that the curves through e^T1 of the invariant fields of T2
// coincide iff e^T1 e^T2 = e^T2 e^T1: one point of the curves is not enough, as T2 a full turn
// shows.
TEST(Stramigioli, Sec21CommutingEndPointsDoNotMakeTheCurvesCoincide) {
  const Twist across{{0, 0, 0}, {1, 0, 0}};
  const Twist full_turn{{0, 0, 2 * pi}, {0, 0, 0}};
  const Pose H = exp(across);
  EXPECT_LE(pose_error(integrate_body(H, full_turn, 1), integrate_spatial(H, full_turn, 1)),
            rounding);
  // Half way, the left curve turns in place at x = 1, the right curve has gone round to x = -1.
  EXPECT_LE(max_error(integrate_body(H, full_turn, 0.5).p, Vec3(1, 0, 0)), rounding);
  EXPECT_LE(max_error(integrate_spatial(H, full_turn, 0.5).p, Vec3(-1, 0, 0)), rounding);
}

// [Stramigioli] (7): the small loop along left-invariant fields moves by [T1, T2] s, up to s^(3/2).
TEST(Stramigioli, Eq7SmallLoopLeavesTheCommutator) {
  Rng rng(8);
  for (int i = 0; i < trials; ++i) {
    const Twist T1 = random_twist(rng);
    const Twist T2 = random_twist(rng);
    const auto leftover = [&](double root_s) {
      Pose G;
      for (const Twist& T : {T1, T2, -T1, -T2}) G = integrate_body(G, T, root_s);
      return twist_error(log(G) / (root_s * root_s), bracket(T1, T2));
    };
    // The next term of the series of Baker, Campbell and Hausdorff is ½ [T1 + T2, [T1, T2]] √s.
    const double next = 4 * size(T1 + T2) * size(bracket(T1, T2));
    const double root_s = 1e-3;
    EXPECT_LE(leftover(root_s), next * root_s);
    EXPECT_LE(leftover(root_s / 10), next * root_s / 10);
  }
}

// [Stramigioli] (7) along right-invariant fields leaves the opposite: [T1, T2]_R = -[T1, T2]_L.
TEST(Stramigioli, Eq7RightInvariantLoopLeavesTheOpposite) {
  Rng rng(9);
  for (int i = 0; i < trials; ++i) {
    const Twist T1 = random_twist(rng);
    const Twist T2 = random_twist(rng);
    const double root_s = 1e-4;
    Pose G;
    for (const Twist& T : {T1, T2, -T1, -T2}) G = integrate_spatial(G, T, root_s);
    EXPECT_LE(twist_error(log(G) / (root_s * root_s), -bracket(T1, T2)),
              4 * size(T1 + T2) * size(bracket(T1, T2)) * root_s);
  }
}

// [Stramigioli] (8): the product of the expansions is I + [T1, T2] s + o(s) when its last factor
// has T2²/2. As printed, with T1²/2 there, (T1² - T2²) s/2 is left over.
TEST(Stramigioli, Eq8LastFactorNeedsT2Squared) {
  Rng rng(10);
  for (int i = 0; i < trials; ++i) {
    const Mat4 T1 = hat(random_twist(rng));
    const Mat4 T2 = hat(random_twist(rng));
    const double root_s = 1e-4;
    const double s = root_s * root_s;
    const Mat4 first_three = second_order(T1 * root_s, T1 * T1 * s) *
                             second_order(T2 * root_s, T2 * T2 * s) *
                             second_order(-T1 * root_s, T1 * T1 * s);
    const auto leftover = [&](const Mat4& last_square) -> Mat4 {
      const Mat4 product = first_three * second_order(-T2 * root_s, last_square * s);
      return (product - Mat4::Identity()) / s - (T1 * T2 - T2 * T1);
    };
    // Twelve products of three factors make the term of order s^(3/2); rounding is divided by s.
    const double bound = 12 * std::pow(1 + T1.norm() + T2.norm(), 3) * root_s +
                         rounding / s * (1 + T1.norm() + T2.norm());
    EXPECT_LE(leftover(T2 * T2).norm(), bound);
    EXPECT_LE((leftover(T1 * T1) - (T1 * T1 - T2 * T2) / 2).norm(), bound);
    EXPECT_GT((T1 * T1 - T2 * T2).norm() / 2, bound) << "the case could not tell the two apart";
  }
}

// [Stramigioli] sec. 2.1: Q = H P, seen after a motion G of everything, is Q' = K_G(H) P'.
TEST(Stramigioli, Sec21ConjugationIsAChangeOfCoordinates) {
  Rng rng(11);
  for (int i = 0; i < trials; ++i) {
    const Pose G = random_pose(rng);
    const Pose H = random_pose(rng);
    const Vec3 P = random_vec3(rng);
    const Vec3 moved = transform_point(G, transform_point(H, P));
    EXPECT_LE(max_error(transform_point(conjugate(G, H), transform_point(G, P)), moved),
              rounding * size(G) * size(G) * size(H) * (1 + P.norm()));
  }
}

// [Stramigioli] (9): ad_T1 T2 = [T1, T2] is the derivative of Ad along e^(T1 s).
TEST(Stramigioli, Eq9AdIsTheDerivativeOfTheAdjoint) {
  Rng rng(12);
  for (int i = 0; i < trials; ++i) {
    const Twist T1 = random_twist(rng);
    const Twist T2 = random_twist(rng);
    const double h = testing::difference_step;
    const Twist rate = (transform(exp(h * T1), T2) - transform(exp(-h * T1), T2)) / (2 * h);
    const double bound = testing::difference_error * std::pow(size(T1), 3) * size(T2);
    EXPECT_LE(max_error(rate.vec(), ad(T1) * T2.vec()), bound);
    EXPECT_LE(twist_error(rate, bracket(T1, T2)), bound);
  }
}

// [Stramigioli] (10): rotations have R⁻¹ = Rᵀ and det R = 1; a mirror fails the second only.
TEST(Stramigioli, Eq10RotationsAreOrthogonalWithDeterminantOne) {
  Rng rng(13);
  for (int i = 0; i < trials; ++i) {
    const Mat3 R = exp_so3(random_vec3(rng));
    EXPECT_TRUE(is_rotation(R, {.rel = rounding}));
    EXPECT_FALSE(is_rotation(-R));
    EXPECT_FALSE(is_rotation(1.001 * R));
  }
}

// [Stramigioli] (11): the twist is Ḣ H⁻¹; its v is the velocity of the point of the body that
// passes through the origin, its ω that of the body.
TEST(Stramigioli, Eq11TwistByRightTranslation) {
  Rng rng(14);
  for (int i = 0; i < trials; ++i) {
    const Pose H = random_pose(rng);
    const PoseRate rate = rate_from_body(H, random_twist(rng));
    const Twist T = spatial_velocity(H, rate);
    const double bound = rounding * size(H) * size(H) * (1 + rate.R_dot.norm() + rate.p_dot.norm());
    Mat4 H_dot = Mat4::Zero();
    H_dot.topLeftCorner<3, 3>() = rate.R_dot;
    H_dot.topRightCorner<3, 1>() = rate.p_dot;
    EXPECT_LE(max_error(hat(T), H_dot * matrix(inverse(H))), bound);
    const Vec3 at_origin = transform_point(inverse(H), Vec3::Zero());  // fixed in the body
    EXPECT_LE(max_error(rate.R_dot * at_origin + rate.p_dot, T.v), bound);
    EXPECT_LE(max_error(rate.R_dot, hat(T.w) * H.R), bound);
  }
}

}  // namespace
}  // namespace tact
