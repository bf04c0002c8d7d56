#include "tact/geom/join_patches.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/poly/polygon.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

/// A patch whose points and gaps are given in a common frame X: normal z, second surface at z = 0.
void add(ContactBuffer& buffer, const Pose& X, const std::vector<Vec2>& points, const Vec3& gap,
         const Vec2& shift, double turn, std::uint64_t feature = 1) {
  SurfaceContact c;
  const Mat3 R = exp_so3({0, 0, turn});
  const Mat2 r = R.topLeftCorner<2, 2>();
  const double gap_there = gap[0] + gap.tail<2>().dot(shift);
  c.kind = points.size() == 1 ? PatchKind::point
                              : (points.size() == 2 ? PatchKind::segment : PatchKind::polygon);
  c.first_point = std::ssize(buffer.points);
  c.point_count = std::ssize(points);
  c.gap << gap_there, r.transpose() * gap.tail<2>();
  c.distance = 1;
  c.feature = feature;
  for (const Vec2& p : points) {
    buffer.points.emplace_back(r.transpose() * (p - shift));
    buffer.point_features.push_back(static_cast<std::uint32_t>(buffer.points.size()));
    c.distance = std::min(c.distance, gap[0] + gap.tail<2>().dot(p));
  }
  c.X_WC = X * Pose{R, {shift[0], shift[1], c.distance / 2}};
  buffer.contacts.push_back(c);
}

std::vector<Vec2> square(const Vec2& at, double half) {
  return {at + Vec2(-half, -half), at + Vec2(half, -half), at + Vec2(half, half),
          at + Vec2(-half, half)};
}

double patch_area(const ContactBuffer& buffer, const SurfaceContact& c) {
  return area(std::span(buffer.points).subspan(c.first_point, c.point_count));
}

// The four feet of a table.
TEST(JoinPatches, MakesOnePatchOfFourFeet) {
  Rng rng(51);
  for (int k = 0; k < 20; ++k) {
    const Pose X{exp_so3({rng.normal(), rng.normal(), rng.normal()}),
                 {rng.normal(), rng.normal(), 100 * rng.normal()}};
    const Vec3 gap(0.001 * rng.normal(), 0, 0);
    ContactBuffer buffer;
    for (const Vec2& at : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)}) {
      add(buffer, X, square(at, 0.1), gap, at, rng.uniform(0, 6), 7);
    }
    JoinWorkspace w;
    JoinedParts parts;
    join_patches(buffer, 0, w, {}, &parts);
    ASSERT_EQ(buffer.contacts.size(), 1U);
    const SurfaceContact& c = buffer.contacts[0];
    EXPECT_EQ(c.kind, PatchKind::polygon);
    EXPECT_EQ(c.point_count, 4);
    EXPECT_EQ(buffer.points.size(), 4U);
    EXPECT_EQ(buffer.point_features.size(), 4U);
    EXPECT_NEAR(patch_area(buffer, c), 2.2 * 2.2, 1e-9);
    EXPECT_NEAR(c.gap[0], gap[0], 1e-12);
    EXPECT_NEAR(c.distance, gap[0], 1e-12);
    EXPECT_EQ(c.feature, 7U);
    ASSERT_EQ(parts.parts.size(), 4U);
    for (const PatchPart& part : parts.parts) {
      EXPECT_EQ(part.contact, 0);
      const auto own = std::span(parts.points).subspan(part.first_point, part.point_count);
      EXPECT_NEAR(area(own), 0.04, 1e-9);
    }
  }
}

// The gap is one affine function before and after, at every point of every part.
TEST(JoinPatches, KeepsAnAffineGap) {
  Rng rng(52);
  for (int k = 0; k < 20; ++k) {
    const Pose X{exp_so3({rng.normal(), rng.normal(), rng.normal()}), Vec3::Zero()};
    const Vec3 gap(0.01, 0.001 * rng.normal(), 0.001 * rng.normal());
    ContactBuffer buffer;
    std::vector<Vec2> corners;
    for (const Vec2& at : {Vec2(-1, 0), Vec2(1, 0.3), Vec2(0, 2)}) {
      const auto part = square(at, 0.2);
      corners.insert(corners.end(), part.begin(), part.end());
      add(buffer, X, part, gap, at, rng.uniform(0, 6));
    }
    JoinWorkspace w;
    join_patches(buffer, 0, w);
    ASSERT_EQ(buffer.contacts.size(), 1U);
    const SurfaceContact& c = buffer.contacts[0];
    EXPECT_NEAR((X.R.transpose() * c.X_WC.p)[2], c.distance / 2, 1e-12) << "midway";
    for (const Vec2& p : corners) {
      const Vec3 world = transform_point(X, {p[0], p[1], 0});
      const Vec2 x = (c.X_WC.R.transpose() * (world - c.X_WC.p)).head<2>();
      EXPECT_NEAR(c.gap[0] + c.gap.tail<2>().dot(x), gap[0] + gap.tail<2>().dot(p), 1e-12);
    }
  }
}

// Four balls under a plate: points, each with its own gap, make a polygon.
TEST(JoinPatches, MakesAPolygonOfPoints) {
  ContactBuffer buffer;
  const Vec3 gap(0.01, 0.002, -0.001);
  for (const Vec2& at : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)}) {
    add(buffer, {}, {at}, {gap[0] + gap.tail<2>().dot(at), 0, 0}, at, 0);
  }
  JoinWorkspace w;
  join_patches(buffer, 0, w);
  ASSERT_EQ(buffer.contacts.size(), 1U);
  EXPECT_EQ(buffer.contacts[0].point_count, 4);
  EXPECT_NEAR(buffer.contacts[0].gap[1], gap[1], 1e-12);
  EXPECT_NEAR(buffer.contacts[0].gap[2], gap[2], 1e-12);
}

TEST(JoinPatches, KeepsWhatIsNotInOnePlaneApart) {
  const Pose step{Mat3::Identity(), {0, 0, 0.01}};
  const Pose slope{exp_so3({0.01, 0, 0}), Vec3::Zero()};
  for (const Pose& other : {step, slope}) {
    ContactBuffer buffer;
    add(buffer, {}, square({0, 0}, 0.1), Vec3::Zero(), {0, 0}, 0);
    add(buffer, other, square({0, 1}, 0.1), Vec3::Zero(), {0, 1}, 0);
    add(buffer, {}, square({1, 0}, 0.1), Vec3::Zero(), {1, 0}, 0);
    const auto before = buffer.contacts[1].X_WC;
    JoinWorkspace w;
    join_patches(buffer, 0, w);
    ASSERT_EQ(buffer.contacts.size(), 2U) << "the first and the third are one";
    EXPECT_EQ(buffer.contacts[1].X_WC, before);
    EXPECT_NEAR(patch_area(buffer, buffer.contacts[0]), 0.24, 1e-9);
    EXPECT_NEAR(patch_area(buffer, buffer.contacts[1]), 0.04, 1e-9);
  }
}

// Same plane below, but one part floats: no affine function is the gap of all three.
TEST(JoinPatches, KeepsAnotherGapApart) {
  ContactBuffer buffer;
  for (const double x : {-1.0, 0.0, 1.0}) {
    add(buffer, {}, square({x, 0}, 0.1), {x == 0 ? 0.01 : 0.0, 0, 0}, {x, 0}, 0);
  }
  JoinWorkspace w;
  join_patches(buffer, 0, w);
  EXPECT_EQ(buffer.contacts.size(), 2U);
}

TEST(JoinPatches, LeavesRoundPatchesAndEarlierContactsAlone) {
  ContactBuffer buffer;
  add(buffer, {}, square({0, 0}, 0.1), Vec3::Zero(), {0, 0}, 0);
  add(buffer, {}, square({1, 0}, 0.1), Vec3::Zero(), {1, 0}, 0);
  add(buffer, {}, {{5, 0}}, Vec3::Zero(), {5, 0}, 0);
  buffer.contacts.back().kind = PatchKind::disc;
  buffer.contacts.back().radius = 0.5;
  add(buffer, {}, square({2, 0}, 0.1), Vec3::Zero(), {2, 0}, 0);
  JoinWorkspace w;
  join_patches(buffer, 1, w);
  ASSERT_EQ(buffer.contacts.size(), 3U);
  EXPECT_NEAR(patch_area(buffer, buffer.contacts[0]), 0.04, 1e-9);
  EXPECT_NEAR(patch_area(buffer, buffer.contacts[1]), 0.24, 1e-9);
  EXPECT_EQ(buffer.contacts[2].kind, PatchKind::disc);
  EXPECT_EQ(buffer.contacts[2].radius, 0.5);
  EXPECT_EQ(buffer.points.size(), buffer.point_features.size());
  EXPECT_EQ(std::ssize(buffer.points), buffer.contacts[2].first_point + 1);
}

}  // namespace
}  // namespace tact
