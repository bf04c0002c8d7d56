#include "tact/cone/vertex_friction.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/poly/hull.hpp"

namespace tact {
namespace {

const std::vector<Vec2> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

Vec3 random_vector(Rng& rng) {
  return {rng.normal(), rng.normal(), rng.normal()};
}

std::vector<Vec2> random_polygon(Rng& rng) {
  std::vector<Vec2> cloud;
  for (std::size_t i = 0; i < 3 + rng.below(9); ++i) cloud.emplace_back(rng.normal(), rng.normal());
  return convex_hull(cloud);
}

Vec2 random_point(Rng& rng, const std::vector<Vec2>& corners) {
  Vec2 sum = Vec2::Zero();
  double total = 0;
  for (const Vec2& x : corners) {
    const double w = rng.uniform();
    sum += w * x;
    total += w;
  }
  return sum / total;
}

/// Every triangle of corners that holds c: the slow truth.
double envelope_by_enumeration(const std::vector<Vec2>& x, const std::vector<double>& g,
                               const Vec2& c) {
  double best = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i + 1; j < x.size(); ++j)
      for (std::size_t k = j + 1; k < x.size(); ++k) {
        const double a = cross(x[j] - c, x[k] - c), b = cross(x[k] - c, x[i] - c);
        const double d = cross(x[i] - c, x[j] - c), sum = a + b + d;
        if (std::min({a, b, d}) / sum < -1e-12) continue;
        best = std::max(best, (a * g[i] + b * g[j] + d * g[k]) / sum);
      }
  return best;
}

TEST(VertexFriction, EnvelopeIsTheBestTriangle) {
  Rng rng(1);
  std::vector<double> weights;
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<Vec2> x = random_polygon(rng);
    if (x.size() < 3) continue;
    std::vector<double> g;
    for (std::size_t i = 0; i < x.size(); ++i) g.push_back(rng.uniform());
    const Vec2 c = random_point(rng, x);
    envelope_weights(x, g, c, weights);
    double value = 0, sum = 0;
    Vec2 mean = Vec2::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_GE(weights[i], 0);
      value += weights[i] * g[i];
      sum += weights[i];
      mean += weights[i] * x[i];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LE((mean - c).norm(), 1e-11);
    EXPECT_NEAR(value, envelope_by_enumeration(x, g, c), 1e-11);
  }
}

TEST(VertexFriction, OverestimatesSpin) {
  const VertexFriction centred{square, Vec2::Zero(), 1};
  EXPECT_NEAR(friction_support(centred, {0, 0, 1}), std::numbers::sqrt2, 1e-14);
  // Source figure: a square under unit load moving with (.6, .2, .8) dissipates at most 1.271.
  EXPECT_NEAR(friction_support(centred, {0.6, 0.2, 0.8}), 1.271, 5e-4);
}

TEST(VertexFriction, SolutionIsOptimal) {
  Rng rng(2);
  FrictionWorkspace work;
  constexpr double accuracy = 1e-7;  // root of the interior-point gap would be 1e-5; it does better
  int slips = 0, sticks = 0;
  for (int trial = 0; trial < 200; ++trial) {
    VertexFriction set{random_polygon(rng), Vec2::Zero(), rng.log_uniform(0.01, 10)};
    set.c = random_point(rng, set.corners);
    Mat3 B;
    for (Index i = 0; i < 9; ++i) B(i) = rng.normal();
    const Mat3 G = B * B.transpose() + 0.05 * Mat3::Identity();
    const Vec3 b = random_vector(rng);
    const FrictionSolution s = solve_friction(set, G, b, work);
    ASSERT_EQ(s.status, FrictionStatus::converged) << trial << " residual " << s.residual;
    (s.mode == FrictionMode::slip ? slips : sticks) += 1;
    const double size = b.norm();
    EXPECT_LE((s.tau - (G * s.T + b)).norm(), accuracy * size);
    EXPECT_NEAR(friction_support(set, s.tau) + s.T.dot(s.tau), 0,
                accuracy * (size * s.T.norm() + size));
    for (int i = 0; i < 20; ++i) {
      const Vec3 d = random_vector(rng);
      EXPECT_LE(s.T.dot(d), friction_support(set, d) * (1 + 1e-9) + 1e-12);
    }
    EXPECT_LE(friction_gauge(set, s.T), 1 + 1e-7);
  }
  EXPECT_GT(slips, 20);
  EXPECT_GT(sticks, 20);
}

TEST(VertexFriction, GaugeScalesAndMarksTheBoundary) {
  Rng rng(3);
  for (int trial = 0; trial < 50; ++trial) {
    VertexFriction set{square, Vec2(rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9)), 2};
    const Vec3 T = friction_force(set, random_vector(rng));
    EXPECT_NEAR(friction_gauge(set, T), 1, 1e-7);
    EXPECT_NEAR(friction_gauge(set, 3 * T), 3, 3e-7);
  }
}

}  // namespace
}  // namespace tact
