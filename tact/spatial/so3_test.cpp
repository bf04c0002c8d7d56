#include "tact/spatial/so3.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::random_direction;
using testing::random_rotation_vector;
using testing::random_vec3;
using testing::rounding;

constexpr double pi = std::numbers::pi;

/// Angles where formulas break: nothing, less than its own square, the square root of rounding, the
/// switch of the series, and both sides of π.
std::vector<double> hard_angles() {
  std::vector<double> angles{0, 1e-300, 1e-160, 1e-20, 1e-16, 1e-8, 1e-4, 0.01, 1, pi / 2, 3, pi};
  for (double d = 0.1; d > 1e-17; d /= 10) angles.push_back(pi - d);
  return angles;
}

/// Of a and -a, the one log promises at π.
Vec3 leading_positive(const Vec3& a) {
  for (int i = 0; i < 3; ++i) {
    if (a[i] != 0) return a[i] > 0 ? a : Vec3(-a);
  }
  return a;
}

TEST(So3, HatIsTheCrossProductAndVeeItsInverse) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 w = random_vec3(rng);
    const Vec3 x = random_vec3(rng);
    EXPECT_EQ(vee(hat(w)), w);
    EXPECT_EQ(hat(w).transpose(), -hat(w));
    EXPECT_LE(max_error(hat(w) * x, w.cross(x)), rounding * w.norm() * x.norm());
  }
}

TEST(So3, VeeReadsTheSkewPart) {
  const Mat3 symmetric = (Mat3() << 1, 2, 3, 2, 4, 5, 3, 5, 6).finished();
  EXPECT_EQ(vee(symmetric + hat(Vec3(1, 2, 3))), Vec3(1, 2, 3));
}

TEST(So3, ExpTurnsCounterClockwise) {
  const Mat3 R = exp_so3({0, 0, pi / 2});
  EXPECT_LE(max_error(R * Vec3::UnitX(), Vec3::UnitY()), rounding);
}

TEST(So3, ExpIsTheMatrixExponential) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 w = random_vec3(rng, 3);
    EXPECT_LE(max_error(exp_so3(w), testing::series_exp<3>(hat(w))), rounding);
    EXPECT_TRUE(is_rotation(exp_so3(w), {.rel = rounding}));
  }
}

TEST(So3, LogUndoesExpAtEveryAngle) {
  Rng rng(3);
  for (const double angle : hard_angles()) {
    for (int i = 0; i < 200; ++i) {
      const Vec3 w = angle * random_direction(rng);
      const Vec3 back = log_so3(exp_so3(w));
      // At π both answers are right; how near "at" is, rounding of the matrix decides.
      const bool either = angle >= pi - rounding;
      const double error = either ? std::min((back - w).stableNorm(), (back + w).stableNorm())
                                  : (back - w).stableNorm();
      EXPECT_LE(error, 1e-14 * angle) << "angle " << angle << ", axis " << w.transpose();
      EXPECT_LE(back.norm(), pi * (1 + tolerance::epsilon));
    }
  }
}

TEST(So3, ExpUndoesLog) {
  Rng rng(4);
  for (int i = 0; i < 500; ++i) {
    const Mat3 R = exp_so3(random_vec3(rng, 10));  // many full turns
    EXPECT_LE(max_error(exp_so3(log_so3(R)), R), rounding);
  }
}

TEST(So3, LogOfAHalfTurnHasAPositiveFirstComponent) {
  Rng rng(5);
  std::vector<Vec3> axes{
      Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), {0, -0.6, 0.8}, {0.6, -0.8, 0}};
  for (int i = 0; i < 100; ++i) axes.push_back(random_direction(rng));
  for (const Vec3& axis : axes) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3 a = sign * axis;
      const Mat3 half_turn = 2 * a * a.transpose() - Mat3::Identity();  // exactly symmetric
      EXPECT_LE((log_so3(half_turn) - pi * leading_positive(a)).norm(), rounding * pi);
    }
  }
}

TEST(So3, LogOfAQuaternionIsTheSameForBothCovers) {
  Rng rng(6);
  for (int i = 0; i < 500; ++i) {
    const Vec3 w = random_rotation_vector(rng);
    const Quaternion q = exp_quaternion(w);
    const Quaternion minus{-q.w, -q.x, -q.y, -q.z};
    EXPECT_EQ(log_quaternion(q), log_quaternion(minus));
    EXPECT_EQ(to_matrix(q), to_matrix(minus));
    EXPECT_LE((log_quaternion(q) - w).norm(), rounding * w.norm());
  }
  EXPECT_EQ(log_quaternion({0, 0, -1, 0}), log_quaternion({0, 0, 1, 0}));
}

TEST(So3, AFullTurnIsMinusOneAmongQuaternions) {
  const Vec3 w = 2 * pi * Vec3(0.6, 0, 0.8);
  EXPECT_NEAR(exp_quaternion(w).w, -1, rounding);
  EXPECT_LE(max_error(exp_so3(w), Mat3::Identity()), rounding);
}

TEST(So3, QuaternionsAndMatricesConvertBothWays) {
  Rng rng(7);
  for (const double angle : hard_angles()) {
    for (int i = 0; i < 50; ++i) {
      const Vec3 w = angle * random_direction(rng);
      const Mat3 R = exp_so3(w);
      const Quaternion q = to_quaternion(R);
      EXPECT_NEAR(norm(q), 1, rounding);
      EXPECT_GE(q.w, 0);
      EXPECT_LE(max_error(to_matrix(q), R), rounding);
      EXPECT_LE(max_error(to_matrix(exp_quaternion(w)), R), rounding);
    }
  }
}

TEST(So3, QuaternionOrderIsScalarFirst) {
  const Quaternion q = to_quaternion(exp_so3({pi / 2, 0, 0}));
  EXPECT_NEAR(q.w, std::sqrt(0.5), rounding);
  EXPECT_NEAR(q.x, std::sqrt(0.5), rounding);
  EXPECT_EQ(q.y, 0);
  EXPECT_EQ(q.z, 0);
}

TEST(So3, QuaternionProductIsCompositionAndInverseTheWayBack) {
  Rng rng(8);
  for (int i = 0; i < 200; ++i) {
    const Quaternion a = exp_quaternion(random_rotation_vector(rng));
    const Quaternion b = exp_quaternion(random_rotation_vector(rng));
    EXPECT_LE(max_error(to_matrix(a * b), to_matrix(a) * to_matrix(b)), rounding);
    EXPECT_LE(max_error(to_matrix(inverse(a)), to_matrix(a).transpose()), rounding);
  }
}

TEST(So3, LengthOfAQuaternionDoesNotMatter) {
  const Quaternion q{0.1, -0.7, 0.5, 0.3};
  for (const double s : {1e-200, 1e-3, 7.0, 1e200}) {
    const Quaternion scaled{s * q.w, s * q.x, s * q.y, s * q.z};
    EXPECT_LE(max_error(to_matrix(scaled), to_matrix(q)), rounding);
    EXPECT_LE(max_error(log_quaternion(normalized(scaled)), log_quaternion(q)), rounding * pi);
  }
}

TEST(So3, JacobiansAreTheDerivativesOfExp) {
  Rng rng(9);
  for (int i = 0; i < 100; ++i) {
    const Vec3 w = random_rotation_vector(rng);
    const Vec3 d = random_direction(rng);
    const double h = testing::difference_step;
    const Mat3 rate = (exp_so3(w + h * d) - exp_so3(w - h * d)) / (2 * h);
    const Mat3 R = exp_so3(w);
    const double bound = testing::difference_error;
    EXPECT_LE((vee(rate * R.transpose()) - left_jacobian(w) * d).norm(), bound);
    EXPECT_LE((vee(R.transpose() * rate) - right_jacobian(w) * d).norm(), bound);
  }
}

TEST(So3, JacobiansHaveTheirInversesAndMirrorEachOther) {
  Rng rng(10);
  for (const double angle : hard_angles()) {
    const Vec3 w = angle * random_direction(rng);
    EXPECT_LE(max_error(left_jacobian(w) * left_jacobian_inverse(w), Mat3::Identity()), rounding);
    EXPECT_LE(max_error(right_jacobian(w) * right_jacobian_inverse(w), Mat3::Identity()), rounding);
    EXPECT_LE(max_error(right_jacobian(w), left_jacobian(w).transpose()), rounding);
    EXPECT_LE(max_error(left_jacobian(w), exp_so3(w) * right_jacobian(w)), rounding);
  }
}

TEST(So3, NearestRotationUndoesDriftAndKeepsRotations) {
  Rng rng(11);
  for (int i = 0; i < 200; ++i) {
    const Mat3 R = exp_so3(random_rotation_vector(rng));
    EXPECT_LE(max_error(nearest_rotation(R), R), rounding);
    // R times a symmetric positive stretch: R is its polar factor, whatever the stretch.
    const Mat3 V = exp_so3(random_rotation_vector(rng));
    const Vec3 stretch{rng.log_uniform(0.1, 10), rng.log_uniform(0.1, 10),
                       rng.log_uniform(0.1, 10)};
    const Mat3 drifted = R * V * stretch.asDiagonal() * V.transpose();
    // The polar factor moves by |Δ|/(σ_2 + σ_3) when the matrix moves by Δ.
    const double condition = stretch.maxCoeff() / stretch.minCoeff();
    EXPECT_LE(max_error(nearest_rotation(drifted), R), rounding * condition);
    EXPECT_TRUE(is_rotation(nearest_rotation(drifted), {.rel = rounding}));
  }
}

TEST(So3, NearestRotationSurvivesAThousandTimesAnyScale) {
  const Mat3 R = exp_so3({0.3, -0.2, 0.9});
  for (const double s : {1e-90, 1e-3, 1e3, 1e90}) {
    EXPECT_LE(max_error(nearest_rotation(s * R), R), rounding);
  }
}

TEST(So3, ContractsAreChecked) {
  const Mat3 mirror = Vec3(1, 1, -1).asDiagonal();
  EXPECT_THROW((void)nearest_rotation(mirror), ContractViolation);
  EXPECT_THROW((void)nearest_rotation(Mat3::Zero()), ContractViolation);
  EXPECT_THROW((void)nearest_rotation(Mat3::Constant(std::nan(""))), ContractViolation);
  EXPECT_THROW((void)normalized(Quaternion{0, 0, 0, 0}), ContractViolation);
  EXPECT_THROW((void)log_quaternion({0, 0, 0, 0}), ContractViolation);
  EXPECT_FALSE(is_rotation(mirror));
  EXPECT_FALSE(is_rotation(Mat3::Constant(std::nan(""))));
}

}  // namespace
}  // namespace tact
