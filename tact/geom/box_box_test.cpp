#include "tact/geom/box_box.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tact
