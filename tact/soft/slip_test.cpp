#include "tact/soft/slip.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::random_vec3;

/// Symmetric positive definite with the given condition number; a block beside a number, as that of
/// a contact, or anything.
Mat3 random_q(Rng& rng, double condition, bool block) {
  Mat3 V = exp_so3(testing::random_rotation_vector(rng));
  if (block) {
    V.setIdentity();
    V.topLeftCorner<2, 2>() = Eigen::Rotation2Dd(rng.uniform(0, 3)).toRotationMatrix();
  }
  const double scale = std::pow(10.0, rng.uniform(-3, 6));
  const Vec3 q = scale * Vec3(std::pow(condition, -rng.uniform(0, 1)), 1, 1 / condition);
  const Mat3 Q = V * q.asDiagonal() * V.transpose();
  return (Q + Q.transpose()) / 2;
}

double gauge(const Mat3& Q, const Vec3& s) {
  return std::sqrt(s.dot(Q * s));
}

/// s is the nearest point iff it lies on the boundary and s_trial - s = λQs with λ >= 0.
void expect_nearest(const Mat3& Q, double limit, const Vec3& trial, const ReturnMap& map,
                    double condition) {
  ASSERT_TRUE(map.slips);
  const double bound = condition * 16 * tolerance::rounding;
  EXPECT_NEAR(gauge(Q, map.s), limit, bound * limit);
  EXPECT_GE(map.lambda, 0);
  EXPECT_LE((map.s + map.lambda * (Q * map.s) - trial).norm(), bound * trial.norm());
}

TEST(ReturnMap, GivesTheNearestPoint) {
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const double condition = std::pow(10.0, rng.uniform(0, 6));
    const Mat3 Q = random_q(rng, condition, i % 2 == 0);
    const Vec3 trial = random_vec3(rng, std::pow(10.0, rng.uniform(-6, 3)));
    const double limit = gauge(Q, trial) * std::pow(10.0, rng.uniform(-12, -0.001));
    const ReturnMap map = return_map(Q, limit, trial);
    EXPECT_LE(map.iterations, 30);
    // (I + λQ)s = trial is written with numbers as large as the condition of Q.
    expect_nearest(Q, limit, trial, map, condition);
  }
}

TEST(ReturnMap, IsThatOfABallWhereQIsRound) {
  const Vec3 trial(3, -4, 12);
  const ReturnMap map = return_map(25 * Mat3::Identity(), 10, trial);
  EXPECT_LE((map.s - trial * 2 / 13).norm(), tolerance::rounding);
}

TEST(ReturnMap, LeavesAloneWhatSticks) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    const Mat3 Q = random_q(rng, 1e3, true);
    const Vec3 s = random_vec3(rng);
    const ReturnMap map = return_map(Q, gauge(Q, s) * (1 + 1e-12), s);
    EXPECT_FALSE(map.slips);
    EXPECT_EQ(map.s, s);
    EXPECT_EQ(map.lambda, 0);
    const ReturnMap slid = return_map(Q, gauge(Q, s) / 2, s);
    const ReturnMap again = return_map(Q, gauge(Q, s) / 2 * (1 + 1e-12), slid.s);
    EXPECT_EQ(again.s, slid.s) << "a projection is its own repetition";
  }
}

TEST(ReturnMap, WithoutLoadNothingIsHeld) {
  Rng rng(3);
  const Mat3 Q = random_q(rng, 1e6, true);
  const Vec3 trial = random_vec3(rng);
  EXPECT_EQ(return_map(Q, 0, trial).s, Vec3::Zero());
  EXPECT_EQ(return_map(Q, 0, Vec3::Zero()).s, Vec3::Zero());
  for (const double limit : {1e-320, 1e-300, 1e-150, 1e-100, 1e-90, 1e-20}) {
    const ReturnMap map = return_map(Q, limit, trial);
    EXPECT_TRUE(map.s.allFinite());
    EXPECT_LE(gauge(Q, map.s), limit * (1 + 1e-9));
  }
}

TEST(ReturnMap, WithoutFrictionLimitsNothingSlips) {
  const Vec3 s(1, 2, 3);
  EXPECT_EQ(return_map(Mat3::Zero(), 0, s).s, s);
  // Only the tangents are limited: drilling keeps its own.
  const Mat3 Q = Vec3(4, 4, 0).asDiagonal();
  const ReturnMap map = return_map(Q, 0, s);
  EXPECT_EQ(map.s, Vec3(0, 0, 3));
  EXPECT_NEAR(return_map(Q, 1, s).s[2], 3, 0);
  EXPECT_NEAR(return_map(Q, 1, s).s.head<2>().norm(), 0.5, 1e-15);
}

TEST(ReturnMap, NeverMovesTwoStatesApart) {
  Rng rng(4);
  for (int i = 0; i < 500; ++i) {
    const Mat3 Q = random_q(rng, 1e4, i % 2 == 0);
    const double limit = std::sqrt(Q.trace());
    const Vec3 a = random_vec3(rng, 3),
               b = a + random_vec3(rng, std::pow(10.0, rng.uniform(-9, 1)));
    const double after = (return_map(Q, limit, a).s - return_map(Q, limit, b).s).norm();
    EXPECT_LE(after, (a - b).norm() + 1e-9 * tolerance::rounding + 1e-12 * a.norm());
  }
}

TEST(ReturnMap, IsHomogeneousAndCovariant) {
  Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    const Mat3 Q = random_q(rng, 100, true);
    const Vec3 trial = random_vec3(rng);
    const double limit = gauge(Q, trial) / 3;
    const Vec3 s = return_map(Q, limit, trial).s;
    EXPECT_LE((return_map(Q, 7 * limit, 7 * trial).s - 7 * s).norm(), 1e-12 * trial.norm());
    Mat3 R = Mat3::Identity();
    R.topLeftCorner<2, 2>() = Eigen::Rotation2Dd(rng.uniform(0, 6)).toRotationMatrix();
    const Vec3 turned = return_map(R * Q * R.transpose(), limit, R * trial).s;
    EXPECT_LE((turned - R * s).norm(), 1e-11 * trial.norm());
    EXPECT_LE((return_map(Q, limit, -trial).s + s).norm(), 0);
  }
}

TEST(SlipStep, LossIsWhatTheLedgerSays) {
  Rng rng(6);
  for (int i = 0; i < 2000; ++i) {
    const Mat3 Q = random_q(rng, 1e4, true);
    const Vec3 s0 = random_vec3(rng), ds = random_vec3(rng, std::pow(10.0, rng.uniform(-4, 1)));
    const double limit = std::sqrt(Q.trace()) * std::pow(10.0, rng.uniform(-2, 1));
    const double theta = i % 3 == 0 ? 1 : (i % 3 == 1 ? 0.5 : rng.uniform(0.5, 1));
    const double drilling = i % 2 == 0 ? theta : rng.uniform(0.5, 2);
    const SlipStep step = slip_step(Q, limit, 1, true, s0, ds, Vec3(theta, theta, drilling));
    // The work that came in, σ·ds, is stored or lost.
    const double work = step.force_state.dot(ds);
    const double stored = (step.s1.squaredNorm() - s0.squaredNorm()) / 2;
    const double scale = s0.squaredNorm() + ds.squaredNorm() + step.s1.squaredNorm();
    EXPECT_NEAR(work, stored + step.loss, 1e-13 * scale);
    EXPECT_GE(step.loss, 0);
    EXPECT_LE(gauge(Q, step.force_state), limit * (1 + 1e-9));
  }
}

TEST(SlipStep, SticksWithoutLossAtThetaOneHalf) {
  const Mat3 Q = Mat3::Identity();
  const Vec3 s0(0.1, 0.2, 0.3), ds(1e-3, -2e-3, 5e-4);
  const SlipStep step = slip_step(Q, 1, s0, ds, 0.5);
  EXPECT_FALSE(step.slips);
  EXPECT_EQ(step.s1, s0 + ds);
  EXPECT_EQ(step.loss, 0);
  EXPECT_THROW((void)slip_step(Q, 1, s0, ds, 0.4), ContractViolation);
}

TEST(SlipStep, ExtensionIsKeptAndSticksAgain) {
  const Mat3 Q = Mat3::Identity();
  const SlipStep slid = slip_step(Q, 1, Vec3::Zero(), Vec3(5, 0, 0), 1);
  EXPECT_TRUE(slid.slips);
  EXPECT_LE((slid.s1 - Vec3(1, 0, 0)).norm(), tolerance::rounding);
  const SlipStep back = slip_step(Q, 1, slid.s1, Vec3(-0.5, 0, 0), 1);
  EXPECT_FALSE(back.slips);
  EXPECT_LE((back.s1 - Vec3(0.5, 0, 0)).norm(), tolerance::rounding);
}

TEST(SlipStep, StaticFrictionHoldsMoreAndSlipGainsNothing) {
  const Mat3 Q = Mat3::Identity();
  const Vec3 s0(0.9, 0, 0), ds(0.2, 0, 0);
  EXPECT_FALSE(slip_step(Q, 1, 1.5, false, s0, ds, Vec3::Ones()).slips) << "1.1 is held at rest";
  EXPECT_TRUE(slip_step(Q, 1, 1.5, true, s0, ds, Vec3::Ones()).slips) << "and not while it slides";
  const SlipStep off = slip_step(Q, 1, 1.5, false, s0, Vec3(0.7, 0, 0), Vec3::Ones());
  EXPECT_TRUE(off.slips);
  EXPECT_LE((off.s1 - Vec3(1, 0, 0)).norm(), tolerance::rounding) << "falls to what slides";
  EXPECT_GE(off.loss, 0.6 - tolerance::rounding);
}

// [Stramigioli] (41)-(43): slip where V_slip > S, and S falls to zero as the bodies part.
TEST(Slip, ThresholdsOfTheSource) {
  Rng rng(7);
  for (int i = 0; i < 200; ++i) {
    const Mat3 Q = random_q(rng, 100, true);
    const Vec3 s = random_vec3(rng);
    const double f = gauge(Q, s) * rng.uniform(0.5, 1.5);
    EXPECT_EQ(slip_potential(Q, s) > slip_level(f), return_map(Q, f, s).slips);
  }
  EXPECT_EQ(slip_level(0), 0);
  EXPECT_EQ(slip_level(-3), 0);
  // Hertz: f_N = K_h|Δ|^(3/2), so that S = ½ f_N² goes with the cube of the depth.
  const auto level = [](double depth) { return slip_level(2e5 * std::pow(depth, 1.5)); };
  EXPECT_NEAR(level(2e-3) / level(1e-3), 8, 1e-12);
}

/// The force of all cells after the tangential displacement is led through the points of a path.
std::vector<double> cell_forces(const SlipCells& cells, double stiffness, double limit,
                                const std::vector<double>& path, double theta,
                                double* loss = nullptr) {
  const Mat3 Q = stiffness * Mat3::Identity();  // μ = 1
  std::vector<Vec3> s(static_cast<std::size_t>(cells.count), Vec3::Zero()), next = s;
  std::vector<double> forces;
  double at = 0, lost = 0;
  for (const double x : path) {
    const Vec3 increment(std::sqrt(stiffness) * (x - at), 0, 0);
    const SlipStep step = slip_step(cells, Q, limit, s, increment, theta, next);
    forces.push_back(std::sqrt(stiffness) * step.force_state[0]);
    lost += step.loss;
    s = next;
    at = x;
  }
  if (loss) *loss = lost;
  return forces;
}

TEST(SlipCells, ShareStiffnessAndStrength) {
  for (const int n : {1, 2, 7, 64}) {
    const SlipCells cells = mindlin_cells(n);
    double stiffness = 0, strength = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      stiffness += cells.stiffness[i];
      strength += cells.strength[i];
      EXPECT_GT(cells.strength[i], 0);
    }
    EXPECT_NEAR(stiffness, 1, 1e-14);
    EXPECT_NEAR(strength, 1, 1e-14);
  }
  EXPECT_THROW((void)mindlin_cells(0), ContractViolation);
  EXPECT_THROW((void)mindlin_cells(65), ContractViolation);
}

TEST(SlipCells, FollowMindlinsBackbone) {
  const double k = 5000, limit = 2, slide = 1.5 * limit / k;
  for (const int n : {4, 16, 64}) {
    std::vector<double> path;
    for (int i = 1; i <= 50; ++i) path.push_back(slide * i / 40);
    const std::vector<double> forces = cell_forces(mindlin_cells(n), k, limit, path, 1);
    for (std::size_t i = 0; i < path.size(); ++i) {
      const double x = std::min(1.0, path[i] / slide);
      const double expected = limit * (1 - std::pow(1 - x, 1.5));
      EXPECT_NEAR(forces[i], expected, limit / (2.0 * n * n)) << n << " " << x;
    }
  }
}

/// The loss of a cycle between ±x δ_s, in units of μP δ_s. The branches are the backbone T twice as
/// large (Masing's rule): 8∫T - 4xT(x).
double mindlin_loss(double x) {
  const double integral = x - 0.4 * (1 - std::pow(1 - x, 2.5));
  return 8 * integral - 4 * x * (1 - std::pow(1 - x, 1.5));
}

TEST(SlipCells, LoseInACycleWhatMindlinsContactLoses) {
  const double k = 5000, limit = 2, slide = 1.5 * limit / k;
  const auto loss_of = [&](int n, double x) {
    constexpr int steps = 2000;
    std::vector<double> path;
    const auto lead = [&](double from, double to) {
      for (int i = 1; i <= steps; ++i) path.push_back(slide * (from + (to - from) * i / steps));
    };
    lead(0, x);
    double first = 0, all = 0;
    (void)cell_forces(mindlin_cells(n), k, limit, path, 0.5, &first);
    lead(x, -x);
    lead(-x, x);
    (void)cell_forces(mindlin_cells(n), k, limit, path, 0.5, &all);
    return (all - first) / (limit * slide);
  };
  // What a step is off by at each turn of a cell, one step of 2x/2000, is all that time leaves.
  const double time = 2e-3;
  for (const int n : {2, 4, 16}) EXPECT_NEAR(loss_of(n, 1), mindlin_loss(1), time) << n;
  for (const double x : {0.5, 0.7, 0.9})
    for (const int n : {4, 16, 64})
      EXPECT_NEAR(loss_of(n, x), mindlin_loss(x), 0.5 / (n * n) + time) << n << " " << x;
  EXPECT_NEAR(loss_of(1, 0.6), 0, time) << "one cell loses nothing below gross slip";
  EXPECT_GT(mindlin_loss(0.6), 0.1);
}

}  // namespace
}  // namespace tact
