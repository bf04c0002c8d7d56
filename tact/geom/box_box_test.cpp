#include "tact/geom/box_box.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/geom/distance.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

constexpr double far = std::numeric_limits<double>::infinity();

Convex box(const Vec3& half, const Vec3& turn, const Vec3& p) {
  return convex_of(Box{half}, {exp_so3(turn), p});
}

TEST(BoxBox, FaceOfTheFirstWinsAmongEquals) {
  const BoxAxis a = box_axis(box(Vec3(1, 1, 1), Vec3::Zero(), Vec3(0, 0, 1.5)),
                             box(Vec3(1, 1, 1), Vec3::Zero(), Vec3::Zero()), far);
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.separation, -0.5);
  EXPECT_EQ(a.normal_W, Vec3::UnitZ());
}

TEST(BoxBox, CrossedEdgesAreFound) {
  const double quarter = std::numbers::pi / 4;
  const BoxAxis a = box_axis(box(Vec3(1, 1, 1), Vec3(quarter, 0, 0), Vec3(0, 0, 2.5)),
                             box(Vec3(1, 1, 1), Vec3(0, quarter, 0), Vec3::Zero()), far);
  EXPECT_EQ(a.code, 6 + 3 * 0 + 1);
  EXPECT_NEAR(a.separation, 2.5 - 2 * std::numbers::sqrt2, 1e-14);
  EXPECT_TRUE(a.normal_W.isApprox(Vec3::UnitZ(), 1e-14));
}

TEST(BoxBox, StopsAtTheFirstAxisBeyondTheMargin) {
  const BoxAxis a = box_axis(box(Vec3(1, 1, 1), Vec3(1, 2, 3), Vec3(5, 0, 0)),
                             box(Vec3(1, 1, 1), Vec3::Zero(), Vec3::Zero()), 0.1);
  EXPECT_TRUE(a.beyond);
  EXPECT_GT(a.separation, 0.1);
}

TEST(BoxBox, NearlyParallelEdgesGiveNoWildNormal) {
  for (double angle = 1e-15; angle < 1e-6; angle *= 10) {
    const BoxAxis a = box_axis(box(Vec3(1, 1, 1), Vec3(angle, angle, 0.3), Vec3(0.1, 0.2, 2)),
                               box(Vec3(1, 1, 1), Vec3::Zero(), Vec3::Zero()), far);
    // Edges may win where they truly cross, but then with a normal that is off by no more than the
    // tilt: 1 - cos.
    EXPECT_NEAR(a.normal_W[2], 1, angle * angle + 1e-15) << angle;
    EXPECT_LE(a.separation, 1e-15) << angle;
    EXPECT_GE(a.separation, -2 * angle - 1e-15) << angle;
  }
}

/// Turned squares over each other, no corner of one over the other: their faces are as far apart as
/// their nearest points, which lie over both.
TEST(BoxBox, ParallelFacesApart) {
  const Convex lower = box(Vec3(1, 1, 1), Vec3::Zero(), Vec3::Zero());
  for (const double turn : {0.0, 0.05, 0.4, 0.7}) {
    const Convex upper = box(Vec3(1, 1, 0.5), Vec3(0, 0, turn), Vec3(0.01, -0.02, 1.75));
    for (const bool first : {true, false}) {
      const ShapeDistance d = first ? convex_distance(upper, lower, far, Vec3::Zero(), true).at
                                    : convex_distance(lower, upper, far, Vec3::Zero(), true).at;
      EXPECT_NEAR(d.distance, 0.25, 1e-15);
      EXPECT_LT((d.on_first_W - d.on_second_W - d.distance * d.normal_W).norm(), 1e-15);
      for (const Vec3& x : {d.on_first_W, d.on_second_W}) {
        EXPECT_LE(std::max(std::abs(x[0]), std::abs(x[1])), 1 + 1e-15);
        const Vec3 own = upper.X_W.R.transpose() * (x - upper.X_W.p);
        EXPECT_LE(std::max(std::abs(own[0]), std::abs(own[1])), 1 + 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace tact
