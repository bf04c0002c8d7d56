#include "tact/cone/friction_bound.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

constexpr double pi = std::numbers::pi;

/// Positive definite with a condition number up to `spread`.
Mat2 random_metric(Rng& rng, double spread) {
  const double a = rng.uniform(0, pi);
  const Vec2 e(std::cos(a), std::sin(a));
  const double large = rng.log_uniform(0.1, 10), small = large / rng.log_uniform(1, spread);
  Mat2 m = large * e * e.transpose() + small * perp(e) * perp(e).transpose();
  m(0, 1) = m(1, 0);
  return m;
}

std::vector<Vec2> regular(int corners, double radius) {
  std::vector<Vec2> out;
  for (int k = 0; k < corners; ++k)
    out.emplace_back(radius * std::cos(2 * pi * k / corners),
                     radius * std::sin(2 * pi * k / corners));
  return out;
}

double square(const Mat2& D, const Vec2& x) {
  return x.dot(D * x);
}

TEST(FrictionBound, DiscByHand) {
  const Mat2 one = Mat2::Identity();
  EXPECT_EQ(project_on_disc(one, Vec2(0.3, 0.4), 0.5), Vec2(0.3, 0.4)) << "on the rim is inside";
  EXPECT_LE((project_on_disc(one, Vec2(3, 4), 1) - Vec2(0.6, 0.8)).norm(), tolerance::rounding);
  EXPECT_EQ(project_on_disc(one, Vec2(3, 4), 0), Vec2(0, 0));
  // |T| = 1 nearest to (2, 0) stays on the axis whatever the weights of the axes.
  const Mat2 weights = Vec2(1, 100).asDiagonal();
  EXPECT_LE((project_on_disc(weights, Vec2(2, 0), 1) - Vec2(1, 0)).norm(), tolerance::rounding);
}

/// The nearest point of a convex set is where D (y - T) is normal to it: for a disc along T.
TEST(FrictionBound, DiscMeetsItsOptimalityCondition) {
  Rng rng(1);
  for (int k = 0; k < 2000; ++k) {
    const Mat2 D = random_metric(rng, 1e6);
    const double mu = rng.log_uniform(1e-3, 10), n = rng.log_uniform(1e-3, 10);
    const Vec2 y = mu * n * rng.log_uniform(1e-2, 1e3) * Vec2(rng.normal(), rng.normal());
    const Vec2 T = project_on_disc(D, y, mu * n);
    EXPECT_EQ(T, project_on_disc(D, y, mu, n).T);
    ASSERT_LE(T.norm(), mu * n * (1 + tolerance::rounding));
    if (T == y) continue;
    const Vec2 pull = D * (y - T);
    EXPECT_NEAR(T.norm(), mu * n, tolerance::rounding * mu * n);
    EXPECT_GE(pull.dot(T), 0);
    const double condition = D.squaredNorm() / D.determinant();  // digits lost in a determinant
    EXPECT_LE(std::abs(cross(pull, T)),
              tolerance::rounding * (10 + condition) * D.norm() * y.norm() * T.norm());
  }
}

/// A guess is where the search begins, never where it ends.
TEST(FrictionBound, AGuessChangesNothing) {
  Rng rng(5);
  for (int k = 0; k < 2000; ++k) {
    const Mat2 D = random_metric(rng, 1e4);
    const Vec2 y = rng.log_uniform(1e-2, 1e3) * Vec2(rng.normal(), rng.normal());
    const Vec2 T = project_on_disc(D, y, 1);
    const double bound = tolerance::rounding * (10 + D.squaredNorm() / D.determinant());
    const double tiny = std::numeric_limits<double>::denorm_min();
    for (const Vec2& guess : {T, Vec2(-T), perp(T), Vec2(1e200 * y), Vec2(tiny, tiny),
                              Vec2(rng.normal(), rng.normal())}) {
      EXPECT_LE((project_on_disc(D, y, 1, guess) - T).norm(), bound);
      EXPECT_LE((project_on_disc(D, y, 2, 0.5, guess).T - T).norm(), bound);
    }
  }
}

/// From far away the disc is a point with a direction: T is along D y.
TEST(FrictionBound, FromFarAwayOnlyTheDirectionCounts) {
  Rng rng(6);
  for (int k = 0; k < 200; ++k) {
    const Mat2 D = random_metric(rng, 1e3);
    const double radius = rng.log_uniform(1e-140, 1e-100);
    const Vec2 y(rng.normal(), rng.normal());
    const BoundProjection p = project_on_disc(D, y, 1, radius);
    EXPECT_LE((p.T / radius - (D * y).normalized()).norm(), 10 * tolerance::rounding);
    EXPECT_TRUE(p.along_y.allFinite());
    EXPECT_LE((p.along_n - (D * y).normalized()).norm(), 10 * tolerance::rounding);
  }
}

TEST(FrictionBound, NoPointOfTheSetIsNearer) {
  Rng rng(2);
  for (int k = 0; k < 300; ++k) {
    const Mat2 D = random_metric(rng, 1e3);
    const double n = rng.uniform(0, 2);
    const Vec2 y(3 * rng.normal(), 3 * rng.normal());
    const int corners = 3 + static_cast<int>(rng.below(6));
    const std::vector<Vec2> polygon = regular(corners, 0.7);
    const Vec2 on_disc = project_on_disc(D, y, 0.7 * n);
    const Vec2 on_polygon = project_on_polygon(polygon, D, y, n).T;
    for (int j = 0; j < 100; ++j) {
      const double a = rng.uniform(0, 2 * pi), r = 0.7 * n * std::sqrt(rng.uniform());
      EXPECT_LE(square(D, on_disc - y),
                square(D, Vec2(r * std::cos(a), r * std::sin(a)) - y) * (1 + 1e-12));
      const std::size_t i = rng.below(static_cast<std::uint64_t>(corners));
      const Vec2 edge =
          polygon[i] + rng.uniform() * (polygon[(i + 1) % polygon.size()] - polygon[i]);
      EXPECT_LE(square(D, on_polygon - y), square(D, n * rng.uniform() * edge - y) * (1 + 1e-12));
    }
    for (std::size_t i = 0; i < polygon.size(); ++i)  // and it is a point of the set
      EXPECT_GE(cross(polygon[(i + 1) % polygon.size()] - polygon[i], on_polygon - n * polygon[i]),
                -1e-14);
  }
}

TEST(FrictionBound, PolygonByHand) {
  const std::vector<Vec2> box{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const Mat2 one = Mat2::Identity();
  EXPECT_EQ(project_on_polygon(box, one, Vec2(0.5, -1.5), 2).T, Vec2(0.5, -1.5));
  EXPECT_EQ(project_on_polygon(box, one, Vec2(0.5, -5), 2).T, Vec2(0.5, -2));
  EXPECT_EQ(project_on_polygon(box, one, Vec2(7, -5), 2).T, Vec2(2, -2));
  EXPECT_EQ(project_on_polygon(box, one, Vec2(7, -5), 0).T, Vec2(0, 0));
  // A point, and a segment: what a bound of no width becomes.
  const std::vector<Vec2> point{{0, 0}}, segment{{-1, 0}, {1, 0}};
  EXPECT_EQ(project_on_polygon(point, one, Vec2(3, 4), 2).T, Vec2(0, 0));
  EXPECT_EQ(project_on_polygon(segment, one, Vec2(0.5, 4), 2).T, Vec2(0.5, 0));
  EXPECT_EQ(project_on_polygon(segment, one, Vec2(5, 4), 2).T, Vec2(2, 0));
}

/// Central differences agree to the square of the step where nothing changes side within it.
template <class Project>
void expect_derivative(const Project& project, const Vec2& y, double n) {
  const BoundProjection at = project(y, n);
  constexpr double h = 1e-6;
  Mat2 along_y;
  for (Index c = 0; c < 2; ++c) {
    Vec2 step = Vec2::Zero();
    step[c] = h;
    along_y.col(c) = (project(y + step, n).T - project(y - step, n).T) / (2 * h);
  }
  const Vec2 along_n = (project(y, n + h).T - project(y, n - h).T) / (2 * h);
  EXPECT_LE((at.along_y - along_y).norm(), 1e-7 * (1 + along_y.norm()));
  EXPECT_LE((at.along_n - along_n).norm(), 1e-7 * (1 + along_n.norm()));
}

TEST(FrictionBound, DerivativesAreThoseOfTheMap) {
  Rng rng(3);
  const std::vector<Vec2> pentagon = regular(5, 0.7);
  for (int k = 0; k < 500; ++k) {
    const Mat2 D = random_metric(rng, 30);
    const Vec2 y(rng.normal(), rng.normal());
    const double n = rng.uniform(0.2, 2);
    if (std::abs(y.norm() - 0.6 * n) > 0.01)
      expect_derivative([&](const Vec2& x, double f) { return project_on_disc(D, x, 0.6, f); }, y,
                        n);
    // A kink of the polygon: the nearest point jumps from a corner to an edge.
    const auto polygon = [&](const Vec2& x, double f) {
      return project_on_polygon(pentagon, D, x, f);
    };
    const Mat2 here = polygon(y, n).along_y;
    bool kink = false;
    for (const double s : {-1e-4, 1e-4})
      for (const Vec2& e : {Vec2(s, 0), Vec2(0, s)})
        kink = kink || polygon(y + e, n).along_y != here || polygon(y, n + s).along_y != here;
    if (!kink) expect_derivative(polygon, y, n);
  }
}

TEST(FrictionBound, WithoutLoadTheDiscGrowsTowardsTheArgument) {
  const BoundProjection p = project_on_disc(Mat2::Identity(), Vec2(3, 4), 0.5, 0);
  EXPECT_EQ(p.T, Vec2(0, 0));
  EXPECT_LE((p.along_n - 0.5 * Vec2(0.6, 0.8)).norm(), tolerance::rounding);
  EXPECT_TRUE(p.along_y.isZero(0));
  const BoundProjection nothing = project_on_disc(Mat2::Identity(), Vec2(0, 0), 0, 0);
  EXPECT_EQ(nothing.T, Vec2(0, 0));
  EXPECT_EQ(project_on_disc(Mat2::Identity(), Vec2(3, 4), 0, 7).T, Vec2(0, 0)) << "no friction";
}

}  // namespace
}  // namespace tact
