#include "tact/cone/winkler.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-12;

Winkler grid(int n) {
  std::vector<Vec2> points;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) points.emplace_back(2.0 * i / n - 1, 2.0 * j / n - 1);
  const std::vector<double> areas(points.size(), 4.0 / static_cast<double>(points.size()));
  const std::vector<double> radii(points.size(), 0.1);
  return *Winkler::from_nodes(points, areas, radii);
}

/// Sum, moment, sign, and pressure affine where positive: the conditions of the minimum.
void expect_optimal(const Winkler& bed, const Vec2& c, const std::vector<double>& w) {
  double sum = 0;
  Vec2 mean = Vec2::Zero();
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_GE(w[i], 0);
    sum += w[i];
    mean += w[i] * bed.points()[i];
  }
  EXPECT_NEAR(sum, 1, rounding);
  EXPECT_LE((mean - c).norm(), 1e-10);
}

TEST(Winkler, CentredLoadIsEven) {
  const Winkler bed = grid(4);
  std::vector<double> w(bed.points().size());
  const WinklerReport report = winkler_weights(bed, Vec2::Zero(), w);
  EXPECT_TRUE(report.converged);
  for (const double x : w) EXPECT_NEAR(x, 1.0 / 25, rounding);
}

TEST(Winkler, InTheKernelThePressureIsLinear) {
  const Winkler bed = grid(4);
  std::vector<double> w(bed.points().size());
  const Vec2 c(0.1, -0.05);
  EXPECT_TRUE(winkler_weights(bed, c, w).converged);
  expect_optimal(bed, c, w);
  // Second moment of the grid is 1/2: ρ = (1 + 2 c.x)/25.
  for (std::size_t i = 0; i < w.size(); ++i)
    EXPECT_NEAR(w[i], (1 + 2 * c.dot(bed.points()[i])) / 25, rounding);
}

TEST(Winkler, BalancesEveryLoadUpToTheRim) {
  Rng rng(1);
  const Winkler bed = grid(5);
  std::vector<double> w(bed.points().size(), std::numeric_limits<double>::quiet_NaN());
  for (int i = 0; i < 300; ++i) {
    Vec2 c(rng.uniform(-1, 1), rng.uniform(-1, 1));
    if (i % 3 == 0) c[0] = 1 - rng.log_uniform(1e-12, 1);
    if (i % 5 == 0) c[1] = -1 + rng.log_uniform(1e-12, 1);
    const WinklerReport report = winkler_weights(bed, c, w);
    EXPECT_TRUE(report.converged) << c.transpose() << " residual " << report.residual;
    const double flat = 2 * tolerance::centre * bed.hull().radius();
    Vec2 mean = Vec2::Zero();
    for (std::size_t k = 0; k < w.size(); ++k) mean += w[k] * bed.points()[k];
    EXPECT_LE((mean - c).norm(), flat);
  }
}

TEST(Winkler, AtAnEdgeOnlyTheEdgeCarriesAndAtACornerOnlyTheCorner) {
  const Winkler bed = grid(4);
  std::vector<double> w(bed.points().size());
  EXPECT_TRUE(winkler_weights(bed, Vec2(1, 0.2), w).converged);
  for (std::size_t i = 0; i < w.size(); ++i)
    if (bed.points()[i][0] < 1) {
      EXPECT_EQ(w[i], 0);
    }
  EXPECT_TRUE(winkler_weights(bed, Vec2(1, 1), w).converged);
  EXPECT_NEAR(w.back(), 1, rounding);
  EXPECT_FALSE(winkler_weights(bed, Vec2(3, 3), w).converged) << "no node surrounds it";
  EXPECT_NEAR(w.back(), 1, rounding);
}

TEST(Winkler, APointAndALineAreBedsToo) {
  std::vector<double> w(1);
  EXPECT_TRUE(winkler_weights(Winkler(), Vec2(0, 0), w).converged);
  EXPECT_EQ(w[0], 1);
  const Winkler line = *Winkler::from_nodes({{0, 0}, {1, 1}, {2, 2}}, {1, 1, 1}, {0, 0, 0});
  w.resize(3);
  EXPECT_TRUE(winkler_weights(line, Vec2(1, 1), w).converged);
  for (const double x : w) EXPECT_NEAR(x, 1.0 / 3, rounding);
}

TEST(Winkler, RefusesUnusableData) {
  EXPECT_FALSE(Winkler::from_nodes({}, {}, {}));
  EXPECT_FALSE(Winkler::from_nodes({{0, 0}}, {1, 2}, {0}));
  EXPECT_FALSE(Winkler::from_nodes({{0, 0}}, {0}, {0}));
  EXPECT_FALSE(Winkler::from_nodes({{0, 0}}, {1}, {-1}));
  EXPECT_FALSE(Winkler::from_nodes({{std::numeric_limits<double>::quiet_NaN(), 0}}, {1}, {0}));
}

}  // namespace
}  // namespace tact
