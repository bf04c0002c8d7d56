// [Stramigioli] sec. 5 to 7: the elastic law, damping and slip; one test a claim, and for what is
// printed wrong one that shows it.
#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/soft/hertz.hpp"
#include "tact/soft/motion_split.hpp"
#include "tact/soft/normal_law.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/soft_pair.hpp"
#include "tact/soft/stiffness.hpp"
#include "tact/spatial/se2.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::rounding;

constexpr int trials = 100;

template <int N>
Eigen::Matrix<double, N, N> random_spd(Rng& rng, double scale) {
  using Matrix = Eigen::Matrix<double, N, N>;
  const Matrix m = Matrix::NullaryExpr([&] { return rng.normal(); });
  return scale * (m * m.transpose() + Matrix::Identity());
}

/// Tangents, normal and drilling without coupling.
Mat4 decoupled(Rng& rng, double scale) {
  Mat4 K = Mat4::Zero();
  K.topLeftCorner<2, 2>() = random_spd<2>(rng, scale);
  K(2, 2) = scale * rng.uniform(0.5, 5);
  K(3, 3) = scale * rng.uniform(0.5, 5) * 1e-4;
  return K;
}

MotionSplit random_split(Rng& rng) {
  const Pose X = random_pose(rng);
  return {X.R.leftCols<2>(), X.R.col(2), X.p};
}

double least_eigenvalue(const Mat4& m) {
  return Eigen::SelfAdjointEigenSolver<Mat4>((m + m.transpose()) / 2).eigenvalues()[0];
}

// [Stramigioli] (26), (27): the projection along the rolling motions, which does not depend on the
// axes that span them; its adjoint conserves power.
TEST(Stramigioli, Eq26Eq27SplitOfMotionsConservesPower) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const MotionSplit split = random_split(rng);
    const Twist T = random_twist(rng);
    const Vec4 w(rng.normal(), rng.normal(), rng.normal(), rng.normal());
    const double scale = w.norm() * T.vec().norm() * (1 + split.c.norm());
    EXPECT_NEAR(w.dot(strain_rate(split, T)), power(T, spring_wrench(split, w)), rounding * scale);
    // What P forgets is a rotation about an axis in the plane through c.
    const Vec4 xi = strain_rate(split, T);
    const Vec3 v_c = split.E * xi.head<2>() + xi[2] * split.n, w_n = xi[3] * split.n;
    const Twist kept{w_n, v_c - w_n.cross(split.c)};
    const Twist rolled = T - kept;
    EXPECT_LE(std::abs(rolled.w.dot(split.n)), rounding * scale);
    EXPECT_LE((rolled.v + rolled.w.cross(split.c)).norm(), 4 * rounding * (1 + scale));
  }
}

// [Stramigioli] (28): the relative patch adds quadratic forms, not radii: a plane adds nothing.
TEST(Stramigioli, Eq28RelativePatchAddsCurvatures) {
  const Mat2 ball = Mat2::Identity() / 0.02;
  const PatchEllipse on_plane = quadric_patch(relative_curvature(ball + Mat2::Zero()), 1e-4);
  EXPECT_NEAR(on_plane.a, std::sqrt(2 * 0.02 * 1e-4), rounding);
  const PatchEllipse on_ball = quadric_patch(relative_curvature(ball + ball), 1e-4);
  EXPECT_NEAR(on_ball.a, std::sqrt(0.02 * 1e-4), rounding);
  EXPECT_LT(on_ball.a, on_plane.a) << "a sum of radii would make it larger";
}

// [Stramigioli] (29), (30): of a soft and a hard body the soft one is left.
TEST(Stramigioli, Eq29Eq30StiffnessInSeries) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const Mat4 K1 = random_spd<4>(rng, 1e3), K2 = random_spd<4>(rng, 1e3);
    const Mat4 K = series(K1, K2);
    EXPECT_LE((K * (K1.inverse() + K2.inverse()) - Mat4::Identity()).norm(), 1e4 * rounding);
    EXPECT_GT(least_eigenvalue(K1 - K), -rounding * K1.norm()) << "softer than either";
    EXPECT_GT(least_eigenvalue(K2 - K), -rounding * K2.norm());
    EXPECT_LE((series(K1, 1e9 * K2) - K1).norm(), 1e-6 * K1.norm());
  }
}

// [Stramigioli] (31), (32): c is where the material does not move. Two springs in a row: their
// common point moves by the share of the first in the compliance. The printed share is above 1.
TEST(Stramigioli, Eq31Eq32CentreBetweenThePoints) {
  Rng rng(3);
  for (int i = 0; i < trials; ++i) {
    const Mat4 K1 = random_spd<4>(rng, 1e3), K2 = random_spd<4>(rng, 1e3);
    const double alpha = centre_share(K1, K2);
    EXPECT_GT(alpha, 0);
    EXPECT_LT(alpha, 1);
    EXPECT_NEAR(alpha + centre_share(K2, K1), 1, rounding);
    // A normal force f moves body 1's own spring by C1 f and both by (C1 + C2) f.
    const Vec4 f = Vec4::Unit(2);
    const double one = K1.inverse().col(2).dot(f), both = series(K1, K2).inverse().col(2).dot(f);
    EXPECT_NEAR(alpha, one / both, 1e4 * rounding);
    const double printed = K1(2, 2) / series(K1, K2)(2, 2);
    EXPECT_GT(printed, 1) << "c would lie outside of the two points";
  }
}

// [Stramigioli] (33)-(35): in the coordinates of N the stiffness is the unit and the relative
// curvature diagonal; N* conserves power. With the basis itself in the place of its inverse, as
// printed, N'N is not K.
TEST(Stramigioli, Eq33Eq34Eq35AnisotropyAsAMetric) {
  Rng rng(4);
  for (int i = 0; i < trials; ++i) {
    const Mat4 K = decoupled(rng, 2e3);
    const Mat2 A = random_spd<2>(rng, 20);
    const Mat4 N = stiffness_metric(K, A).N;
    EXPECT_LE((N.transpose() * N - K).norm(), rounding * K.norm());
    const Vec4 v(rng.normal(), rng.normal(), rng.normal(), rng.normal());
    const Vec4 f(rng.normal(), rng.normal(), rng.normal(), rng.normal());
    EXPECT_NEAR(f.dot(N * v), (N.transpose() * f).dot(v), rounding * f.norm() * (N * v).norm());
    const Mat4 basis = N.inverse();  // columns t_x, t_y, t_n, r_n, orthonormal in K
    EXPECT_LE((basis.transpose() * K * basis - Mat4::Identity()).norm(), 1e3 * rounding);
    EXPECT_GT((basis.transpose() * basis - K).norm(), 0.5 * K.norm()) << "printed";
  }
}

// [Stramigioli] (36): a spring pressed together pushes the bodies apart. W acts on the spring, on
// body 2 acts -W, and that body loses by it what the spring gains.
TEST(Stramigioli, Eq36SignOfTheWrench) {
  Rng rng(5);
  const MotionSplit split = random_split(rng);
  const Mat4 K = decoupled(rng, 2e3);
  const Vec4 pressed(0, 0, -1e-3, 0);
  const Wrench on_spring = spring_wrench(split, K * pressed);
  EXPECT_LT(on_spring.f.dot(split.n), 0);
  const Twist closing{Vec3::Zero(), -split.n};  // body 2 comes to body 1
  EXPECT_GT(power(closing, on_spring), 0) << "and stores energy";
}

// [Stramigioli] (37), (38): the damping of two bodies one after the other is that of each share of
// the motion, while the motion is slow; the printed series of the dampers is the other limit.
TEST(Stramigioli, Eq37Eq38DampingInSeries) {
  using Complex4 = Eigen::Matrix<std::complex<double>, 4, 4>;
  Rng rng(6);
  for (int i = 0; i < trials; ++i) {
    const Mat4 K1 = random_spd<4>(rng, 1e3), K2 = random_spd<4>(rng, 1e3);
    const Mat4 B1 = random_spd<4>(rng, 1), B2 = random_spd<4>(rng, 1);
    const auto impedance = [&](double omega) {
      const std::complex<double> iw(0, omega);
      const Complex4 Z1 = K1.cast<std::complex<double>>() + iw * B1.cast<std::complex<double>>();
      const Complex4 Z2 = K2.cast<std::complex<double>>() + iw * B2.cast<std::complex<double>>();
      return Complex4((Z1.inverse() + Z2.inverse()).inverse());
    };
    const Mat4 slow = impedance(1e-3).imag() / 1e-3;
    const Mat4 B = series_damping(K1, B1, K2, B2);
    EXPECT_LE((slow - B).norm(), 1e-6 * B.norm());
    const Mat4 fast = impedance(1e8).imag() / 1e8;
    EXPECT_LE((fast - series(B1, B2)).norm(), 1e-6 * fast.norm()) << "(38) as printed";
    EXPECT_GE(least_eigenvalue(B), 0);
  }
  const Mat4 I = Mat4::Identity();
  EXPECT_NEAR(series_damping(1000 * I, 10 * I, 3000 * I, 2 * I)(2, 2), 5.75, 1e-12);
  EXPECT_NEAR(series(Mat4(10 * I), Mat4(2 * I))(2, 2), 5.0 / 3, 1e-12) << "printed";
}

// [Stramigioli] (39), (40): damping that grows with the state never gives energy as a congruence
// with |s|^n; as printed, with the sign of the state and on one side only, it does.
TEST(Stramigioli, Eq39Eq40HuntCrossleyIsDissipative) {
  Rng rng(7);
  int active = 0;
  for (int i = 0; i < trials; ++i) {
    const Mat4 K = decoupled(rng, 2e3), B = decoupled(rng, 5);
    const Mat4 N = stiffness_metric(K, random_spd<2>(rng, 20)).N;
    Vec4 s(rng.normal(), rng.normal(), -std::abs(rng.normal()), rng.normal());
    for (const double n : {1.0, 1.5, 2.0}) {
      const Mat4 damping = state_damping(B, N, s, n);
      EXPECT_GE(least_eigenvalue(damping), -rounding * damping.norm());
    }
    const Mat4 printed = B * N.inverse() * s.asDiagonal() * N;
    active += least_eigenvalue(printed) < -rounding * printed.norm() ? 1 : 0;
  }
  EXPECT_EQ(active, trials) << "every compressed contact, n = 1";
  // With B ∝ K and one coordinate, the congruence is f_el (1 - d ġap), Hunt and Crossley's own.
  Mat4 K = 1e3 * Mat4::Identity();
  const Mat4 N = stiffness_metric(K, Mat2::Identity()).N;
  const Vec4 x(0, 0, -2e-3, 0);
  const Mat4 damping = state_damping(0.3 * K, N, N * x, 1);
  EXPECT_NEAR(damping(2, 2), 0.3 * std::sqrt(1e3) * 1e3 * 2e-3, 1e-12);
}

// [Stramigioli] (41)-(43): slip by a threshold that the compression sets: strictly decreasing in Δ
// and zero without contact (its Fig. 4). As an energy of an isotropic pair, (μ f_N)²/2k_t.
TEST(Stramigioli, Eq41Eq42Eq43ThresholdOfSlip) {
  const auto pair = elastic_pair(Material{1e6, 0.3, 0}, hard_material, 0.6);
  ASSERT_TRUE(pair);
  const auto at = [&](double gap) {
    SoftPlace place;
    place.gap = gap;
    place.A_rel = 50 * Mat2::Identity();
    return respond(*pair, place);
  };
  double before = 0;
  for (const double gap : {1e-3, 0.0, -1e-5, -1e-4, -5e-4, -1e-3, -2e-3}) {
    const SoftResponse r = at(gap);
    const double level = slip_level(r.normal.force);
    if (gap >= 0) {
      EXPECT_EQ(level, 0);
      continue;
    }
    EXPECT_GT(level, before);
    before = level;
    // On the threshold, along one tangent: s has the energy (μ f_N)²/2k_t.
    const double k_t = r.K_t(0, 0), most = 0.6 * r.normal.force / std::sqrt(k_t);
    EXPECT_NEAR(slip_potential(r.Q, Vec3(most, 0, 0)), level, rounding * level);
    EXPECT_FALSE(return_map(r.Q, r.normal.force, Vec3(0.999 * most, 0, 0)).slips);
    EXPECT_TRUE(return_map(r.Q, r.normal.force, Vec3(1.001 * most, 0, 0)).slips);
  }
  const auto energy = [&](double gap) {
    const SoftResponse r = at(gap);
    return std::pow(0.6 * r.normal.force, 2) / (2 * r.K_t(0, 0));
  };
  EXPECT_NEAR(std::log2(energy(-2e-3) / energy(-1e-3)), 2.5, 1e-9);
}

// [Stramigioli] sec. 5.2: the patch has the axes of the relative curvature, but not its shape.
TEST(Stramigioli, Sec52PatchIsNotTheQuadric) {
  const HertzShape shape = hertz_shape(5, 50);
  EXPECT_NEAR(shape.ratio, 0.22224951924622144, 1e-12);
  EXPECT_GT(std::sqrt(5.0 / 50) - shape.ratio, 0.09);
}

// [Stramigioli] remark 1: SE(2) × T is not commutative; the sum of the coordinates depends on the
// order in which a contact slides and drills.
TEST(Stramigioli, Remark1PlanarMotionsDoNotCommute) {
  const double x = 0.005, angle = 0.3;
  const Pose2 slide = exp(Twist2{0, Vec2(x, 0)}), drill = exp(Twist2{angle, Vec2::Zero()});
  const Vec2 first = (slide * drill).p, second = (drill * slide).p;
  EXPECT_LE((first - Vec2(0.005, 0)).norm(), 1e-15);
  EXPECT_LE((second - Vec2(0.00477668244562803, 0.001477601033306698)).norm(), 1e-15);
  const Vec2 both = exp(Twist2{angle, Vec2(x, 0)}).p;
  EXPECT_LE((both - Vec2(0.004925336777688993, 0.0007443918479065664)).norm(), 1e-15);
  EXPECT_NEAR((first - second).norm() / x, 0.2988762649471985, 1e-12);
}

// The same, as power. On the group ẋ = v + ωJx, and the pair of (v, ω) that gives the power of an
// anisotropic spring is V_x with V_θ + xV_y - yV_x, the translated differential. The plain gradient
// makes or loses energy.
TEST(Stramigioli, Remark1PlainGradientLeaks) {
  const Mat2 K = (Mat2() << 4000, 800, 800, 2500).finished();
  const double k_theta = 0.4;
  Vec2 x(0, 0);
  double theta = 0, right = 0, plain = 0;
  constexpr int steps = 200000;
  const double h = 2.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = (i + 0.5) * h;
    const Vec2 v(0.004 * std::cos(2 * t), 0.003 * std::sin(3 * t));
    const double w = 0.5 * std::cos(t);
    const auto rate = [&](const Vec2& at) { return Vec2(v + w * Vec2(-at[1], at[0])); };
    const Vec2 middle = x + h / 2 * rate(x);
    const Vec2 force = K * middle;
    const double torque = k_theta * (theta + h / 2 * w);
    plain += h * (force.dot(v) + torque * w);
    right += h * (force.dot(v) + (torque + middle[0] * force[1] - middle[1] * force[0]) * w);
    x += h * rate(middle);
    theta += h * w;
  }
  const double stored = x.dot(K * x) / 2 + k_theta * theta * theta / 2;
  EXPECT_NEAR(right, stored, 1e-8 * stored);
  EXPECT_GT(std::abs(plain - stored), 1e-3 * stored);
}

}  // namespace
}  // namespace tact
