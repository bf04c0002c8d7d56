#include "tact/soft/pair_geometry.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/soft/track.hpp"
#include "tests/support/facing_pairs.hpp"

namespace tact {
namespace {

using namespace testing;

/// Central differences of the fourth order of what track() finds around the pose.
struct Differences {
  Vec3 p1, p2;
  double gap;
  Vec2 kappa;  ///< of A1 + A2
};

Differences at_time(const FacingPair& pair, const Twist& T, double t) {
  FacingPoints facing = pair.facing;
  const Pose X = integrate_spatial(pair.X_12, T, t);
  EXPECT_EQ(track(pair.one, pair.two, X, facing), TrackStatus::tracked);
  const PairGeometry g = pair_geometry(facing, X);
  const Eigen::SelfAdjointEigenSolver<Mat2> eigen(g.A1 + g.A2);
  return {facing.one.p, facing.two.p, facing.gap, eigen.eigenvalues()};
}

Differences rates_by_differences(const FacingPair& pair, const Twist& T, double h) {
  const auto a = at_time(pair, T, h);
  const auto b = at_time(pair, T, -h);
  const auto c = at_time(pair, T, 2 * h);
  const auto d = at_time(pair, T, -2 * h);
  const auto rate = [&](const auto& near, const auto& far) { return (8 * near - far) / (12 * h); };
  return {rate(Vec3(a.p1 - b.p1), Vec3(c.p1 - d.p1)), rate(Vec3(a.p2 - b.p2), Vec3(c.p2 - d.p2)),
          rate(a.gap - b.gap, c.gap - d.gap),
          rate(Vec2(a.kappa - b.kappa), Vec2(c.kappa - d.kappa))};
}

class EveryPair : public ::testing::TestWithParam<int> {};

// A fourth-order difference with steps of 1e-3 of the size: 1e-12 times a fifth derivative, which
// for points that run fast over flat places is large.
constexpr double step = 1e-3;
constexpr double difference_bar = 1e-7;

TEST_P(EveryPair, RatesAreDifferencesOfTrackedPoints) {
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const PointRates rates = point_rates(g, pair.X_12.R);
    const Twist T = slow_twist(rng, g, rates);
    const Differences d = rates_by_differences(pair, T, step);
    const double speed = (rates.J1 * T.vec()).norm() + (rates.J2 * T.vec()).norm() + T.v.norm();
    EXPECT_LE((rates.J1 * T.vec() - d.p1).norm(), difference_bar * speed);
    EXPECT_LE((rates.J2 * T.vec() - d.p2).norm(), difference_bar * speed);
    EXPECT_NEAR(gap_rate(g, T), d.gap, difference_bar * speed);
  }
}

// Eigenvalues of A1 + A2 move by v_iᵀ (rate) v_i: rolling, and turning of one body's axes against
// the other's.
TEST_P(EveryPair, RelativeCurvatureRates) {
  Rng rng(2);
  for (int i = 0; i < 20; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const Eigen::SelfAdjointEigenSolver<Mat2> eigen(g.A1 + g.A2);
    const double scale = eigen.eigenvalues()[1];
    if (eigen.eigenvalues()[1] - eigen.eigenvalues()[0] < 0.1 * scale) continue;
    const PointRates rates = point_rates(g, pair.X_12.R);
    const Twist T = slow_twist(rng, g, rates);
    const Vec3 rows =
        relative_curvature_rates(pair.one, pair.two, pair.facing, pair.X_12, g, rates) * T.vec();
    Mat2 rate;
    rate << rows[0], rows[1], rows[1], rows[2];
    const Differences d = rates_by_differences(pair, T, step);
    for (Index k = 0; k < 2; ++k) {
      const Vec2 v = eigen.eigenvectors().col(k);
      EXPECT_NEAR(v.dot(rate * v), d.kappa[k], 100 * difference_bar * scale);
    }
  }
}

TEST_P(EveryPair, IdentitiesOfTheRates) {
  Rng rng(3);
  for (int i = 0; i < 50; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const PointRates rates = point_rates(g, pair.X_12.R);
    const Twist T = slow_twist(rng, g, rates);
    const Vec2 tilt = g.E.transpose() * T.w.cross(g.n);
    const Vec2 drift = g.E.transpose() * (T.v + T.w.cross(g.p1));
    const Vec2 z1 = g.E.transpose() * (rates.J1 * T.vec());
    const Vec2 z2 = g.E.transpose() * (pair.X_12.R * (rates.J2 * T.vec()));
    const double bound = 1e4 * rounding * (1 + z1.norm() + z2.norm() + drift.norm());
    const double curve = 1 + g.A1.norm() + g.A2.norm();
    EXPECT_LE((g.A1 * z1 + g.A2 * z2 - tilt).norm(), bound * curve);
    EXPECT_LE((z1 - z2 - g.gap * g.A2 * z2 - drift).norm(), bound * curve);
    EXPECT_LE((z2 - z1 - g.gap * g.A1 * z1 + drift + g.gap * tilt).norm(), bound * curve);
  }
}

// det M = det(A1 + A2) det(1 + gap C): M is singular at both ends of the window.
TEST_P(EveryPair, TheMatrixIsSingularAtTheEndsOfTheWindow) {
  Rng rng(4);
  for (int i = 0; i < 50; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const auto window = gap_window(g.A1, g.A2);
    ASSERT_TRUE(window);
    EXPECT_TRUE(window->contains(g.gap));
    EXPECT_TRUE(window->contains(0));
    for (const double end : {window->least, window->most}) {
      if (!std::isfinite(end)) continue;
      g.gap = end;
      const Mat2 M = facing_matrix(g);
      const double size = (g.A1 + g.A2).norm() + std::abs(end) * g.A1.norm() * g.A2.norm();
      EXPECT_LE(std::abs(M.determinant()), 100 * rounding * size * size);
    }
  }
}

// Bodies exchanged: X_21, T_21 = -Ad T, and the same points, rates and window.
TEST_P(EveryPair, BodiesMayBeExchanged) {
  Rng rng(5);
  for (int i = 0; i < 50; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const Pose X_21 = inverse(pair.X_12);
    const FacingPoints turned{pair.facing.two, pair.facing.one, pair.facing.gap};
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const PairGeometry h = pair_geometry(turned, X_21);
    const PointRates a = point_rates(g, pair.X_12.R);
    const Twist T = slow_twist(rng, g, a);
    const Twist S = transform(X_21, -T);
    const PointRates b = point_rates(h, X_21.R);
    const double speed = (a.J1 * T.vec()).norm() + (a.J2 * T.vec()).norm() + T.v.norm();
    const double bound = 1e4 * rounding * speed;
    EXPECT_LE((a.J1 * T.vec() - b.J2 * S.vec()).norm(), bound);
    EXPECT_LE((a.J2 * T.vec() - b.J1 * S.vec()).norm(), bound);
    EXPECT_NEAR(gap_rate(g, T), gap_rate(h, S), bound);
    const auto v = gap_window(g.A1, g.A2);
    const auto w = gap_window(h.A1, h.A2);
    ASSERT_TRUE(v && w);
    if (std::isfinite(v->least)) {
      EXPECT_NEAR(v->least, w->least, 1e4 * rounding * std::abs(v->least));
    }
    if (std::isfinite(v->most)) {
      EXPECT_NEAR(v->most, w->most, 1e4 * rounding * std::abs(v->most));
    }
  }
}

// Another tangent basis, turned by any angle, changes nothing that a body could feel.
TEST_P(EveryPair, AnyTangentBasisDoes) {
  Rng rng(6);
  for (int i = 0; i < 50; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const double angle = rng.uniform(-3, 3);
    Mat2 turn;
    turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    PairGeometry h = g;
    h.E = g.E * turn;
    h.A1 = turn.transpose() * g.A1 * turn;
    h.A2 = turn.transpose() * g.A2 * turn;
    const PointRates a = point_rates(g, pair.X_12.R);
    const PointRates b = point_rates(h, pair.X_12.R);
    EXPECT_LE((a.J1 - b.J1).norm(), 1e4 * rounding * (a.J1.norm() + a.J2.norm()));
    EXPECT_LE((a.J2 - b.J2).norm(), 1e4 * rounding * (a.J1.norm() + a.J2.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPair, ::testing::Range(0, pair_kinds),
                         [](const auto& test) { return pair_name(test.param); });

TEST(GapWindow, OfConvexBodiesIsTheLeastRadiusOfTheirSum) {
  Rng rng(7);
  for (int i = 0; i < 100; ++i) {
    const auto random_spd = [&] {
      const Mat2 x = (Mat2() << rng.normal(), rng.normal(), rng.normal(), rng.normal()).finished();
      return Mat2(x * x.transpose() + 0.1 * Mat2::Identity());
    };
    const Mat2 A1 = random_spd();
    const Mat2 A2 = random_spd();
    const Eigen::SelfAdjointEigenSolver<Mat2> radii(Mat2(A1.inverse() + A2.inverse()));
    const auto window = gap_window(A1, A2);
    ASSERT_TRUE(window);
    EXPECT_NEAR(window->least, -radii.eigenvalues()[0], 1e3 * rounding * radii.eigenvalues()[1]);
    EXPECT_TRUE(std::isinf(window->most));
    const Eigen::SelfAdjointEigenSolver<Mat2> one(A1);
    const Eigen::SelfAdjointEigenSolver<Mat2> two(A2);
    const double safe = 1 / one.eigenvalues()[1] + 1 / two.eigenvalues()[1];
    EXPECT_LE(window->least, -safe * (1 - 1e3 * rounding));
  }
}

TEST(GapWindow, OfABallOnAPlaneAndInABowl) {
  const double r = 0.02;
  const double R = 0.08;
  const Mat2 ball = Mat2::Identity() / r;
  const auto plane = gap_window(Mat2::Zero(), ball);
  ASSERT_TRUE(plane);
  EXPECT_TRUE(std::isinf(plane->least) && std::isinf(plane->most));
  const auto bowl = gap_window(-Mat2::Identity() / R, ball);
  ASSERT_TRUE(bowl);
  EXPECT_TRUE(std::isinf(bowl->least));
  EXPECT_NEAR(bowl->most, R - r, rounding);
}

TEST(GapWindow, NoneOfLinesFacesAndHollows) {
  const Mat2 line = Vec2(0, 50).asDiagonal();
  EXPECT_FALSE(gap_window(Mat2::Zero(), line));
  EXPECT_FALSE(gap_window(line, line));
  EXPECT_FALSE(gap_window(Mat2::Zero(), Mat2::Zero()));
  EXPECT_FALSE(gap_window(-Mat2::Identity(), Mat2::Identity() / 2));
  EXPECT_TRUE(gap_window(Vec2(50, 0).asDiagonal(), line));  // crossed cylinders touch in a point
}

}  // namespace
}  // namespace tact
