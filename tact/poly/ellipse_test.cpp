#include "tact/poly/ellipse.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/svd2.hpp"

namespace tact {
namespace {

EllipseForm random_ellipse(Rng& rng, double flattest) {
  const double a = rng.log_uniform(0.1, 10);
  return ellipse_form(Vec2(rng.normal(), rng.normal()), Vec2(a, a * rng.log_uniform(flattest, 1)),
                      rng.uniform(-4, 4));
}

Vec2 rim_point(const EllipseForm& e, double angle) {
  return e.center + e.axes * Vec2(std::cos(angle), std::sin(angle));
}

constexpr int samples = 2000;

TEST(Ellipse, SupportIsTheFarthestRimPoint) {
  Rng rng(1);
  for (int k = 0; k < 50; ++k) {
    const EllipseForm e = random_ellipse(rng, 1e-3);
    const Vec2 d(rng.normal(), rng.normal());
    const double h = support_value(e, d);
    EXPECT_NEAR(d.dot(support(e, d)), h, tolerance::rounding * 20 * d.norm());
    for (int i = 0; i < samples; ++i) EXPECT_LE(d.dot(rim_point(e, 0.01 * i)), h + 1e-12);
  }
  EXPECT_EQ(support(point_form(Vec2(1, 2)), Vec2(0, 1)), Vec2(1, 2));
  EXPECT_EQ(support(disc_form(Vec2(1, 2), 3), Vec2::Zero()), Vec2(1, 2));
}

/// Nearest and farthest points: the normal there points at x, and no sample does better.
TEST(Ellipse, NearestAndFarthestPoints) {
  Rng rng(2);
  for (int k = 0; k < 300; ++k) {
    const EllipseForm e = random_ellipse(rng, 1e-3);
    const double size = svd2(e.axes).sigma[0];
    const Vec2 x = e.center + size * rng.log_uniform(1e-3, 10) * Vec2(rng.normal(), rng.normal());
    const Vec2 near = nearest_on_boundary(e, x), far = farthest(e, x);
    for (int i = 0; i < samples; ++i) {
      const double distance = (rim_point(e, 2 * std::numbers::pi * i / samples) - x).norm();
      EXPECT_GE(distance, (near - x).norm() - 1e-12 * size);
      EXPECT_LE(distance, (far - x).norm() + 1e-12 * (size + x.norm()));
    }
    EXPECT_EQ(contains(e, x), (e.axes.inverse() * (x - e.center)).norm() <= 1);
  }
}

TEST(Ellipse, NearestFromTheAxes) {
  const EllipseForm e = ellipse_form(Vec2::Zero(), Vec2(2, 1), 0);
  EXPECT_NEAR(std::abs(nearest_on_boundary(e, Vec2::Zero())[1]), 1, tolerance::rounding);
  EXPECT_EQ(nearest_on_boundary(e, Vec2(1.9, 0)), Vec2(2, 0));
  EXPECT_EQ(nearest_on_boundary(e, Vec2(5, 0)), Vec2(2, 0));
  EXPECT_LE((nearest_on_boundary(e, Vec2(0, 7)) - Vec2(0, 1)).norm(), tolerance::rounding);
  EXPECT_NEAR(std::abs(farthest(e, Vec2::Zero())[0]), 2, tolerance::rounding);
  EXPECT_LE((farthest(e, Vec2(0, 10)) - Vec2(0, -1)).norm(), tolerance::rounding);
  EXPECT_EQ(farthest(point_form(Vec2(1, 1)), Vec2(4, 5)), Vec2(1, 1));
}

/// Every direction found has equal supports, and between neighbours the order is constant.
TEST(Ellipse, EqualSupportDirections) {
  Rng rng(3);
  for (int k = 0; k < 300; ++k) {
    const EllipseForm a = random_ellipse(rng, 1e-2);
    const EllipseForm b = k % 3 == 0 ? point_form(a.center + Vec2(rng.normal(), rng.normal()))
                                     : random_ellipse(rng, 1e-2);
    const auto directions = equal_support_directions(a, b);
    EXPECT_EQ(directions.size() % 2, 0U);
    EXPECT_LE(directions.size(), 4U);
    for (const Vec2& d : directions)
      EXPECT_NEAR(support_value(a, d), support_value(b, d), 1e-13 * 20);
    int changes = 0;
    bool before = support_value(a, Vec2(1, 0)) > support_value(b, Vec2(1, 0));
    for (int i = 1; i <= samples; ++i) {
      const double t = 2 * std::numbers::pi * i / samples;
      const Vec2 d(std::cos(t), std::sin(t));
      const bool now = support_value(a, d) > support_value(b, d);
      changes += now != before ? 1 : 0;
      before = now;
    }
    EXPECT_LE(changes, static_cast<int>(directions.size())) << "a sampled change was missed";
  }
}

TEST(Ellipse, EqualSupportOfTwoDiscsIsTheCommonTangent) {
  const auto directions =
      equal_support_directions(disc_form(Vec2(0, 0), 1), disc_form(Vec2(4, 0), 3));
  ASSERT_EQ(directions.size(), 2U);
  for (const Vec2& d : directions) EXPECT_NEAR(d[0], -0.5, tolerance::rounding);
  EXPECT_TRUE(equal_support_directions(disc_form(Vec2(0, 0), 1), disc_form(Vec2(1, 0), 3)).empty());
}

TEST(Ellipse, PointsAtInfinityDoNotKeepItBusy) {
  const EllipseForm e{Vec2(0.1, 0), Mat2(Vec2(2, 1).asDiagonal())};
  const double far = std::numeric_limits<double>::infinity();
  // Any answer will do, but there must be one.
  (void)farthest(e, Vec2(far, 1));
  (void)farthest(e, Vec2(far, -far));
  (void)nearest_on_boundary(e, Vec2(1, far));
  EXPECT_NEAR(farthest(e, Vec2(1e200, 0))[0], -1.9, 1e-12);
}

}  // namespace
}  // namespace tact
