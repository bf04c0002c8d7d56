#include "tact/cone/friction_nodes.hpp"

#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

using Nodes = std::vector<FrictionNode>;

Vec3 random_vector(Rng& rng) {
  return {rng.normal(), rng.normal(), rng.normal()};
}

Mat3 random_metric(Rng& rng) {
  Mat3 b;
  for (Index i = 0; i < 9; ++i) b(i) = rng.normal();
  return b * b.transpose() + 0.01 * Mat3::Identity();
}

/// T in F, τ = G T + b, T.τ = -σ(τ): judged by support values only, not by the solver's own
/// numbers.
void expect_optimal(const Nodes& nodes, const Mat3& G, const Vec3& b, const FrictionSolution& s,
                    Rng& rng) {
  // Sums of up to 26 nodes in a metric of condition up to 1e4.
  constexpr double accuracy = 1e-11;
  ASSERT_EQ(s.status, FrictionStatus::converged);
  const double energy = b.dot(G.inverse() * b);
  const Vec3 mismatch = s.tau - (G * s.T + b);
  EXPECT_LE(std::sqrt(mismatch.dot(G.inverse() * mismatch)), accuracy * std::sqrt(energy));
  EXPECT_NEAR(friction_support(nodes, s.tau) + s.T.dot(s.tau), 0, accuracy * energy);
  for (int i = 0; i < 20; ++i) {
    const Vec3 d = i == 0 ? s.direction : random_vector(rng);
    const double reach = friction_support(nodes, d);
    const double rounding = 8 * tolerance::epsilon * s.T.norm() * d.norm();  // of the product
    EXPECT_LE(-s.T.dot(d), reach * (1 + accuracy) + rounding);
    EXPECT_LE(s.T.dot(d), reach * (1 + accuracy) + rounding);
  }
  EXPECT_LE(friction_gauge(nodes, s.T), 1 + accuracy);
}

enum class Kind { smooth, no_radius, any_radius, mixed, cluster, coincident, any_bound, line };

Nodes random_nodes(Rng& rng, Kind kind) {
  Nodes nodes;
  const std::size_t count = kind == Kind::smooth ? 7 : 2 + rng.below(24);
  for (std::size_t i = 0; i < count; ++i) {
    FrictionNode n{Vec2(rng.normal(), rng.normal()), rng.uniform(), 0.3};
    if (kind == Kind::no_radius || kind == Kind::line) n.r = 0;
    if (kind == Kind::any_radius) n.r = rng.log_uniform(1e-12, 1);
    if (kind == Kind::mixed && rng.uniform() < 0.5) n.r = 0;
    if (kind == Kind::cluster) n.x = Vec2(3, 4) + 1e-9 * n.x;
    if (kind == Kind::coincident && i % 2 == 1) n.x = nodes.back().x;
    if (kind == Kind::coincident && rng.uniform() < 0.2) n.k = 0;
    if (kind == Kind::any_bound) n.k = rng.log_uniform(1e-12, 1e3);
    if (kind == Kind::line) n.x[1] = 0;
    nodes.push_back(n);
  }
  return nodes;
}

/// A load around the limit of stick: inside, on it to the last digits, a little outside, far
/// outside; with a direction of motion that may turn about a node.
Vec3 random_load(Rng& rng, const Nodes& nodes) {
  Vec3 d = random_vector(rng);
  if (rng.uniform() < 0.3) {
    const Vec2& x = nodes[rng.below(nodes.size())].x;
    d = d[2] * Vec3(x[1], -x[0], 1);
  }
  const Vec3 limit = friction_force(nodes, d);
  switch (rng.below(6)) {
    case 0:
      return rng.uniform() * limit;
    case 1:
      return (1 + 1e-12) * limit;
    case 2:
      return (1 - 1e-12) * limit;
    case 3:
      return (1 + 1e-6 * rng.uniform()) * limit;
    case 4:
      return limit + rng.log_uniform(0.1, 1e5) * random_vector(rng);
    default:
      return limit - rng.log_uniform(1e-9, 10) * d;
  }
}

TEST(FrictionNodes, OneNodeIsCoulombWithSpin) {
  const Nodes nodes{{{0, 0}, 2, 0.5}};
  EXPECT_DOUBLE_EQ(friction_support(nodes, {3, 4, 0}), 10);
  EXPECT_DOUBLE_EQ(friction_support(nodes, {0, 0, -2}), 2);
  EXPECT_TRUE(friction_force(nodes, {3, 4, 0}).isApprox(Vec3(-1.2, -1.6, 0)));
  EXPECT_TRUE(friction_force(nodes, {0, 0, 3}).isApprox(Vec3(0, 0, -1)));
  EXPECT_EQ(friction_force(nodes, Vec3::Zero()), Vec3::Zero());
  EXPECT_DOUBLE_EQ(friction_gauge(nodes, {2, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(friction_gauge(nodes, {0, 0, 2}), 2);
}

TEST(FrictionNodes, SticksExactlyUpToTheBound) {
  const Nodes nodes{{{0, 0}, 2, 0.5}};
  FrictionWorkspace work;
  const FrictionSolution stick = solve_friction(nodes, Mat3::Identity(), {2, 0, 0}, work);
  EXPECT_EQ(stick.mode, FrictionMode::stick);
  EXPECT_EQ(stick.tau, Vec3::Zero());
  EXPECT_TRUE(stick.T.isApprox(Vec3(-2, 0, 0)));
  const FrictionSolution slip = solve_friction(nodes, Mat3::Identity(), {2.5, 0, 0}, work);
  EXPECT_EQ(slip.mode, FrictionMode::slip);
  EXPECT_TRUE(slip.tau.isApprox(Vec3(0.5, 0, 0)));
}

TEST(FrictionNodes, WithoutBoundThereIsNoForce) {
  FrictionWorkspace work;
  for (const Nodes& nodes : {Nodes{}, Nodes{{{1, 2}, 0, 0.5}, {{3, 2}, 0, 0}}}) {
    const FrictionSolution s = solve_friction(nodes, Mat3::Identity(), {1, 2, 3}, work);
    EXPECT_EQ(s.T, Vec3::Zero());
    EXPECT_EQ(s.tau, Vec3(1, 2, 3));
    EXPECT_EQ(friction_gauge(nodes, Vec3::Zero()), 0);
    EXPECT_EQ(friction_gauge(nodes, {1, 0, 0}), std::numeric_limits<double>::infinity());
  }
}

TEST(FrictionNodes, APointCarriesNoSpin) {
  Rng rng(1);
  FrictionWorkspace work;
  const Nodes nodes{{{1, 2}, 0.5, 0}, {{1, 2}, 1.5, 0}};
  for (int i = 0; i < 50; ++i) {
    const Mat3 G = random_metric(rng);
    const Vec3 b = rng.log_uniform(1e-3, 1e3) * random_vector(rng);
    const FrictionSolution s = solve_friction(nodes, G, b, work);
    EXPECT_NEAR(s.T[2], cross(Vec2(1, 2), Vec2(s.T.head<2>())), 1e-13);
    expect_optimal(nodes, G, b, s, rng);
  }
  EXPECT_EQ(friction_gauge(nodes, {0, 0, 1}), std::numeric_limits<double>::infinity());
}

TEST(FrictionNodes, SolveIsOptimalFarFromAndAtTheLimitOfStick) {
  Rng rng(2);
  FrictionWorkspace work;
  for (const Kind kind : {Kind::smooth, Kind::no_radius, Kind::any_radius, Kind::mixed,
                          Kind::cluster, Kind::coincident, Kind::any_bound, Kind::line}) {
    for (int i = 0; i < 300; ++i) {
      const Nodes nodes = random_nodes(rng, kind);
      const Mat3 G = random_metric(rng);
      const Vec3 T0 = random_load(rng, nodes);
      const FrictionSolution s = project_on_friction(nodes, G, T0, work);
      expect_optimal(nodes, G, -(G * T0), s, rng);
      EXPECT_LE(s.iterations, 60);
      // The gauge of the load decides between stick and slip.
      const double gauge = friction_gauge(nodes, T0);
      if (std::abs(gauge - 1) > 1e-10) {
        EXPECT_EQ(s.mode == FrictionMode::stick, gauge < 1);
      }
      if (s.mode == FrictionMode::stick) {
        EXPECT_EQ(s.T, T0);
      }
      ASSERT_FALSE(HasFailure()) << "kind " << static_cast<int>(kind) << ", draw " << i;
    }
  }
}

TEST(FrictionNodes, TinySetsPivotLikePointsWithoutLosingDigits) {
  Rng rng(5);
  FrictionWorkspace work;
  for (const double size : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    for (int i = 0; i < 200; ++i) {
      const Vec2 c(0.9, 0.4);
      const double thin = rng.log_uniform(1e-9, 1);
      Nodes nodes;
      for (int k = 0; k < 7; ++k) {
        const Vec2 at(k == 0 ? 0 : thin * std::cos(k), k == 0 ? 0 : std::sin(k));
        nodes.push_back({c + size * at, 0.1, 0.3 * size});
      }
      const Mat3 G = random_metric(rng);
      Vec3 T0 = 0.7 * rng.log_uniform(0.1, 10) * random_vector(rng);
      if (i % 2 == 0) T0[2] = cross(c, Vec2(T0.head<2>())) + size * T0[2];
      const FrictionSolution s = project_on_friction(nodes, G, T0, work);
      EXPECT_EQ(s.status, FrictionStatus::converged) << size << " " << s.residual;
      EXPECT_LE(s.iterations, 60);
    }
  }
}

TEST(FrictionNodes, BothEntriesAndEveryStartGiveTheSame) {
  Rng rng(3);
  FrictionWorkspace work;
  for (int i = 0; i < 200; ++i) {
    const Nodes nodes = random_nodes(rng, Kind::smooth);
    const Mat3 G = random_metric(rng);
    const Vec3 T0 = 3 * random_load(rng, nodes);
    const FrictionSolution cold = project_on_friction(nodes, G, T0, work);
    const FrictionSolution solved = solve_friction(nodes, G, -(G * T0), work);
    const FrictionSolution warm = project_on_friction(nodes, G, T0, work, cold.direction);
    const FrictionSolution odd = project_on_friction(nodes, G, T0, work, random_vector(rng));
    const double accuracy = 1e-11 * (1 + T0.norm());
    EXPECT_LE((cold.T - solved.T).norm(), accuracy);
    EXPECT_LE((cold.T - warm.T).norm(), accuracy);
    EXPECT_LE((cold.T - odd.T).norm(), accuracy);
    EXPECT_LE(warm.iterations, std::max(cold.iterations, 2));
  }
}

TEST(FrictionNodes, DoNotDependOnUnitsOrFrame) {
  Rng rng(4);
  FrictionWorkspace work;
  for (int i = 0; i < 100; ++i) {
    const Nodes nodes = random_nodes(rng, Kind::mixed);
    const Mat3 G = random_metric(rng);
    const Vec3 b = 5 * random_vector(rng);
    const FrictionSolution s = solve_friction(nodes, G, b, work);
    // x' = λ Q (x - o), forces times κ: τ' = S τ, T' = κ λ S^-T T.
    const double scale = rng.log_uniform(1e-9, 1e6), kappa = rng.log_uniform(1e-6, 1e6);
    const double angle = rng.uniform(0, 7);
    const Vec2 o(rng.normal(), rng.normal());
    Mat2 q;
    q << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    Mat3 S = Mat3::Zero();
    S.topLeftCorner<2, 2>() = scale * q;
    S.topRightCorner<2, 1>() = scale * q * Vec2(-o[1], o[0]);
    S(2, 2) = 1;
    Nodes moved = nodes;
    for (FrictionNode& n : moved) n = {scale * q * (n.x - o), kappa * n.k, scale * n.r};
    const Mat3 G2 = S * G * S.transpose() / (kappa * scale);
    const FrictionSolution t = solve_friction(moved, G2, S * b, work);
    EXPECT_EQ(s.mode, t.mode);
    const Vec3 back = S.transpose() * t.T / (kappa * scale);
    EXPECT_LE((back - s.T).norm(), 1e-10 * s.T.norm());
  }
}

TEST(FrictionNodes, RefuseWhatIsNotANodeOrAMetric) {
  FrictionWorkspace work;
  const Nodes good{{{0, 0}, 1, 1}, {{1, 0}, 1, 1}};
  const Nodes negative{{{0, 0}, -1, 1}};
  const Nodes infinite{{{0, 0}, 1, std::numeric_limits<double>::infinity()}};
  EXPECT_THROW((void)solve_friction(negative, Mat3::Identity(), {1, 0, 0}, work),
               ContractViolation);
  EXPECT_THROW((void)solve_friction(infinite, Mat3::Identity(), {1, 0, 0}, work),
               ContractViolation);
  EXPECT_THROW((void)solve_friction(good, -Mat3::Identity(), {1, 0, 0}, work), ContractViolation);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)solve_friction(good, Mat3::Identity(), {nan, 0, 0}, work), ContractViolation);
}

}  // namespace
}  // namespace tact
