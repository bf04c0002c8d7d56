#include "tact/geom/height_field.hpp"

#include <cmath>
#include <functional>
#include <memory>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

HeightField field_of(Index rows, Index columns, const std::function<double(double, double)>& h) {
  auto grid = std::make_shared<HeightGrid>();
  *grid = {rows, columns, {1, 1}, 1, {}};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      grid->heights.push_back(h(2.0 * static_cast<double>(j) / static_cast<double>(columns - 1) - 1,
                                2.0 * static_cast<double>(i) / static_cast<double>(rows - 1) - 1));
    }
  }
  return {grid};
}

Pose some_pose(Rng& rng) {
  return {exp_so3({rng.normal(), rng.normal(), rng.normal()}),
          {rng.normal(), rng.normal(), rng.normal()}};
}

/// Contacts of a shape placed in the frame of the field.
ContactBuffer contacts(const Shape& shape, const Pose& X_FS, const HeightField& field,
                       const Pose& X_WF, double margin = 0.01) {
  static HeightFieldWorkspace workspace;
  ContactBuffer out;
  collide_height_field(shape, X_WF * X_FS, field, X_WF, {margin}, workspace, out);
  return out;
}

TEST(HeightField, ABoxOnAFlatFieldHasOnePatch) {
  Rng rng(61);
  const HeightField flat = field_of(9, 7, [](double, double) { return 0.25; });
  for (int k = 0; k < 30; ++k) {
    const Pose X_WF = some_pose(rng);
    const double depth = rng.uniform(-0.005, 0.005);
    const Pose X_FS{exp_so3({0, 0, rng.uniform(0, 6)}),
                    {rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), 0.35 - depth}};
    const ContactBuffer out = contacts(Box{{0.3, 0.2, 0.1}}, X_FS, flat, X_WF);
    ASSERT_EQ(out.contacts.size(), 1U);
    const SurfaceContact& c = out.contacts[0];
    EXPECT_NEAR(c.X_WC.R.col(2).dot(X_WF.R.col(2)), 1, 1e-12) << "no ghosts at the seams";
    EXPECT_NEAR(c.distance, -depth, 1e-9);
    EXPECT_NEAR(patch_area(c, out), 0.24, 1e-6);
  }
}

/// A corner of the grid at the origin of its frame has no size to be near by.
TEST(HeightField, ABoxNextToTheOriginOfAFieldHasItsWholeFace) {
  Rng rng(62);
  const HeightField flat = field_of(5, 5, [](double, double) { return 0.0; });
  for (int k = 0; k < 200; ++k) {
    const double depth = k % 3 == 0 ? 0 : rng.uniform(-0.002, 0.002);
    const Pose X_FS{exp_so3({0, 0, k % 2 == 0 ? 0 : rng.uniform(0, 6)}),
                    {rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0.1 - depth}};
    const ContactBuffer out = contacts(Box{{0.1, 0.1, 0.1}}, X_FS, flat, Pose{});
    ASSERT_EQ(out.contacts.size(), 1U) << k;
    EXPECT_NEAR(out.contacts[0].distance, -depth, 1e-9) << k;
    EXPECT_NEAR(patch_area(out.contacts[0], out), 0.04, 1e-7) << k;
  }
}

// The way of a ball over the seams: always straight up, always the same distance.
TEST(HeightField, ABallRollsOverSeamsWithoutABump) {
  const HeightField slope = field_of(9, 9, [](double x, double y) { return 0.3 * x - 0.2 * y; });
  const Vec3 n = Vec3(-0.3, 0.2, 1).normalized();
  Rng rng(62);
  for (int k = 0; k < 200; ++k) {
    Vec3 foot(rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7), 0);
    if (k % 4 == 0) foot[0] = std::round(4 * foot[0]) / 4;  // on a seam
    if (k % 8 == 0) foot[1] = std::round(4 * foot[1]) / 4;  // on a corner
    foot[2] = 0.3 * foot[0] - 0.2 * foot[1];
    const double depth = rng.uniform(-0.005, 0.005);
    const Pose X_FS{Mat3::Identity(), foot + (0.1 - depth) * n};
    const ContactBuffer out = contacts(Sphere{0.1}, X_FS, slope, {});
    ASSERT_FALSE(out.contacts.empty());
    double least = 1;
    for (const SurfaceContact& c : out.contacts) {
      EXPECT_NEAR(c.X_WC.R.col(2).dot(n), 1, 1e-9) << k;
      least = std::min(least, c.distance);
    }
    EXPECT_NEAR(least, -depth, 1e-9) << k;
    EXPECT_EQ(out.contacts.size(), 1U) << k;
  }
}

// A roof: on its ridge the normal may be any between the two sides, above it straight up.
TEST(HeightField, ABallOnARidgeStandsOnTheRidge) {
  const HeightField roof = field_of(5, 5, [](double x, double) { return -std::abs(x); });
  const ContactBuffer out =
      contacts(Sphere{0.1}, {Mat3::Identity(), {0, 0.1, 0.099}}, roof, {}, 0.01);
  double least = 1;
  for (const SurfaceContact& c : out.contacts) {
    least = std::min(least, c.distance);
    EXPECT_LE(std::abs(c.X_WC.R(0, 2)), std::sqrt(0.5) + 1e-9);
  }
  EXPECT_NEAR(least, -0.001, 1e-9);
}

TEST(HeightField, ABallInAValleyTouchesBothSides) {
  const HeightField valley = field_of(5, 5, [](double x, double) { return std::abs(x); });
  const double r = 0.1;
  const ContactBuffer out =
      contacts(Sphere{r}, {Mat3::Identity(), {0, 0.1, std::sqrt(2.0) * r}}, valley, {}, 0.001);
  ASSERT_EQ(out.contacts.size(), 2U);
  for (const SurfaceContact& c : out.contacts) {
    EXPECT_NEAR(c.distance, 0, 1e-9);
    EXPECT_NEAR(std::abs(c.X_WC.R(0, 2)), std::sqrt(0.5), 1e-9);
  }
}

/// A peak under a flat face holds it up wherever it is under it, round faces as square ones.
TEST(HeightField, AFaceOverAPeakIsAsFarAsThePeakIs) {
  Rng rng(63);
  const HeightField peak =
      field_of(21, 21, [](double x, double y) { return std::hypot(x, y) < 1e-9 ? 0.05 : 0.0; });
  for (int k = 0; k < 100; ++k) {
    const double depth = rng.uniform(-0.001, 0.001);
    const double from = rng.uniform(0, 0.15), angle = rng.uniform(0, 6);
    const Pose X_FS{exp_so3({0, 0, rng.uniform(0, 6)}),
                    {from * std::cos(angle), from * std::sin(angle), 0.1 - depth}};
    double nearest[2] = {1, 1};
    const Shape shapes[2] = {Cylinder{0.2, 0.05}, Box{{0.2, 0.2, 0.05}}};
    for (int i = 0; i < 2; ++i) {
      const ContactBuffer out = contacts(shapes[i], X_FS, peak, Pose{});
      ASSERT_FALSE(out.contacts.empty()) << k;
      for (const SurfaceContact& c : out.contacts) {
        EXPECT_GT(c.X_WC.R(2, 2), 0.5) << k << ": up";
        nearest[i] = std::min(nearest[i], c.distance);
      }
      // Along the normals of a peak of one in two, not along the vertical.
      EXPECT_NEAR(nearest[i], -depth, 0.3 * std::abs(depth)) << k;
    }
    EXPECT_NEAR(nearest[0], nearest[1], 1e-12) << k;
  }
}

TEST(HeightField, FarShapesMeetNothing) {
  const HeightField flat = field_of(3, 3, [](double, double) { return 0.0; });
  EXPECT_TRUE(contacts(Sphere{0.1}, {Mat3::Identity(), {0, 0, 1}}, flat, {}).contacts.empty());
  EXPECT_TRUE(contacts(Sphere{0.1}, {Mat3::Identity(), {5, 0, 0}}, flat, {}).contacts.empty());
}

}  // namespace
}  // namespace tact
