#include "tact/poly/planar_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

Vec2 unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

std::vector<EllipseForm> random_parts(Rng& rng) {
  std::vector<EllipseForm> parts;
  const auto count = 1 + rng.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec2 at(2 * rng.normal(), 2 * rng.normal());
    switch (rng.below(3)) {
      case 0:
        parts.push_back(point_form(at));
        break;
      case 1:
        parts.push_back(disc_form(at, rng.uniform(0.1, 2)));
        break;
      default:
        parts.push_back(
            ellipse_form(at, Vec2(rng.uniform(0.1, 2), rng.uniform(0.1, 2)), rng.uniform(0, 6)));
    }
  }
  return parts;
}

/// The hull's support function is the largest of its parts', and its arcs tile all directions.
TEST(PlanarSet, HullReachesAsFarAsItsParts) {
  Rng rng(1);
  for (int k = 0; k < 300; ++k) {
    const auto parts = random_parts(rng);
    const PlanarSet set = PlanarSet::hull_of(parts);
    for (int i = 0; i < 200; ++i) {
      const Vec2 d = unit(0.0314 * i);
      double reach = -1e300;
      for (const auto& part : parts) reach = std::max(reach, support_value(part, d));
      EXPECT_NEAR(set.support_value(d), reach, 1e-12 * (1 + std::abs(reach)));
      EXPECT_NEAR(d.dot(set.support(d)), reach, 1e-12 * (1 + std::abs(reach)));
      const auto owners = std::count_if(set.arcs().begin(), set.arcs().end(), [&](const auto& arc) {
        return normal_violation(arc, d) <= -1e-9 || arc.full_turn;
      });
      const auto near_owners =
          std::count_if(set.arcs().begin(), set.arcs().end(),
                        [&](const auto& arc) { return normal_violation(arc, d) <= 1e-9; });
      EXPECT_LE(owners, 1);
      EXPECT_GE(near_owners, 1);
    }
  }
}

/// Membership, distance and nearest point agree with each other and with min over n of h(n) - n.x.
TEST(PlanarSet, DistanceIsTheLeastClearanceOverAllDirections) {
  Rng rng(2);
  for (int k = 0; k < 100; ++k) {
    const PlanarSet set = PlanarSet::hull_of(random_parts(rng));
    for (int j = 0; j < 10; ++j) {
      const Vec2 x =
          set.center() + 1.5 * set.radius() * Vec2(rng.uniform(-1, 1), rng.uniform(-1, 1));
      constexpr int directions = 20000;
      double least = 1e300;
      for (int i = 0; i < directions; ++i) {
        const Vec2 n = unit(2 * std::numbers::pi * i / directions);
        least = std::min(least, set.support_value(n) - n.dot(x));
      }
      // A direction is at most half a step away from the best one: the error is of second order.
      const double step = std::numbers::pi / directions;
      const double bound = (set.radius() + (x - set.center()).norm()) * step;
      EXPECT_NEAR(set.signed_distance(x), least, bound);
      EXPECT_LE(set.signed_distance(x), least + 1e-12);
      EXPECT_TRUE(!set.has_interior() || set.contains(x) == (set.signed_distance(x) >= 0));
      EXPECT_LE((set.nearest(x) - x).norm(), std::max(0.0, -set.signed_distance(x)) + 1e-12);
    }
  }
}

TEST(PlanarSet, MappedSetHasMappedSupport) {
  Rng rng(3);
  for (int k = 0; k < 100; ++k) {
    const PlanarSet set = PlanarSet::hull_of(random_parts(rng));
    Mat2 a;
    for (Index i = 0; i < 4; ++i) a.data()[i] = rng.normal();
    if (std::abs(cross(a.col(0), a.col(1))) < 0.1) continue;
    const Vec2 b(rng.normal(), rng.normal());
    const PlanarSet image = set.mapped(a, b);
    for (int i = 0; i < 50; ++i) {
      const Vec2 d = unit(0.13 * i);
      EXPECT_NEAR(image.support_value(d), set.support_value(a.transpose() * d) + d.dot(b),
                  1e-12 * 30);
      const bool owned =
          std::any_of(image.arcs().begin(), image.arcs().end(),
                      [&](const auto& arc) { return normal_violation(arc, d) <= 1e-9; });
      EXPECT_TRUE(owned);
    }
  }
}

TEST(PlanarSet, FacesOfASquareAndAStadium) {
  const PlanarSet square =
      PlanarSet::hull_of_points(std::vector<Vec2>{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, 0}});
  EXPECT_EQ(square.vertices().size(), 4U);
  const SupportFace right = square.support_face(Vec2(2, 0), tolerance::face);
  EXPECT_TRUE(right.is_edge());
  EXPECT_EQ(right.first, Vec2(1, -1));
  EXPECT_EQ(right.last, Vec2(1, 1));
  EXPECT_FALSE(square.support_face(Vec2(1, 1), tolerance::face).is_edge());

  const std::vector<EllipseForm> ends{disc_form(Vec2(-1, 0), 0.5), disc_form(Vec2(1, 0), 0.5)};
  const PlanarSet stadium = PlanarSet::hull_of(ends);
  EXPECT_EQ(stadium.kind(), PlanarSet::Kind::arcs);
  const SupportFace top = stadium.support_face(Vec2(0, 1), tolerance::face);
  EXPECT_TRUE(top.is_edge());
  EXPECT_LE((top.first - Vec2(1, 0.5)).norm(), 1e-12);
  EXPECT_LE((top.last - Vec2(-1, 0.5)).norm(), 1e-12);
  EXPECT_FALSE(stadium.support_face(Vec2(1, 0), tolerance::face).is_edge());
  EXPECT_NEAR(stadium.signed_distance(Vec2(0, 0)), 0.5, 1e-14);
  EXPECT_NEAR(stadium.signed_distance(Vec2(2, 0)), -0.5, 1e-14);
}

TEST(PlanarSet, DegenerateEllipsesAreSegmentsAndPoints) {
  EXPECT_EQ(PlanarSet::ellipse(ellipse_form(Vec2(1, 2), Vec2(3, 0), 0)).vertices().size(), 2U);
  EXPECT_EQ(PlanarSet::ellipse(disc_form(Vec2(1, 2), 0)).vertices().size(), 1U);
  EXPECT_FALSE(PlanarSet().has_interior());
  const std::vector<EllipseForm> swallowed{disc_form(Vec2(0, 0), 2), point_form(Vec2(1, 0)),
                                           disc_form(Vec2(0.5, 0), 1)};
  EXPECT_EQ(PlanarSet::hull_of(swallowed), PlanarSet::ellipse(disc_form(Vec2(0, 0), 2)));
}

/// Two ellipses in a cross: their hull has four straight edges.
TEST(PlanarSet, CrossedEllipsesHaveFourEdges) {
  const std::vector<EllipseForm> parts{ellipse_form(Vec2::Zero(), Vec2(2, 0.5), 0),
                                       ellipse_form(Vec2::Zero(), Vec2(0.5, 2), 0)};
  const PlanarSet set = PlanarSet::hull_of(parts);
  EXPECT_EQ(set.arcs().size(), 4U);
  EXPECT_FALSE(set.contains(Vec2(1.4, 1.4)));
  EXPECT_TRUE(set.contains(Vec2(1, 1)));
}

TEST(PlanarSet, OutlineStaysOnTheRim) {
  const std::vector<EllipseForm> parts{disc_form(Vec2(-1, 0), 0.5), point_form(Vec2(2, 1))};
  const PlanarSet set = PlanarSet::hull_of(parts);
  for (const Vec2& x : set.outline(64)) EXPECT_NEAR(set.signed_distance(x), 0, 1e-12);
}

/// A polygon that is convex already becomes the same set without a hull being made, bits included.
TEST(PlanarSet, AssignedPolygonIsTheHullOfItsCorners) {
  Rng rng(11);
  PlanarSet set;
  for (int k = 0; k < 300; ++k) {
    const int count = 3 + k % 6;
    std::vector<Vec2> corners;
    const double first = rng.uniform(0, 6);
    for (int i = 0; i < count; ++i) {
      const double angle = first + 2 * std::numbers::pi * (i + rng.uniform(0.1, 0.9)) / count;
      corners.emplace_back(0.3 + std::cos(angle), 2 * std::sin(angle) - 1);
    }
    const PlanarSet hull = PlanarSet::hull_of_points(corners);
    if (hull.vertices().size() != corners.size()) continue;
    ASSERT_TRUE(set.assign_polygon(corners));
    EXPECT_TRUE(set == hull);
    PlanarSet turned;
    Mat2 turn;
    turn << 0, 1, -1, 0;
    turned.assign_mapped(set, turn, Vec2::Zero());
    EXPECT_TRUE(turned == hull.mapped(turn, Vec2::Zero()));
  }
}

TEST(PlanarSet, AssignRefusesWhatIsNotClearlyConvex) {
  const PlanarSet before = PlanarSet::hull_of_points(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}});
  PlanarSet set = before;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<Vec2>> refused{
      {{0, 0}},                                     // a point
      {{0, 0}, {1e-8, 0}, {3, 4}, {0, 1}},          // two corners in one place
      {{0, 0}, {0, 1}, {1, 1}, {1, 0}},             // clockwise
      {{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}},         // a dent
      {{0, 0}, {1, 0}, {2, 1e-9}, {2, 1}, {0, 1}},  // a corner on a line
      {{0, 0}, {1, 0}, {nan, 1}},
      {{1, 0}, {-0.8, 0.6}, {0.3, -0.95}, {0.3, 0.95}, {-0.8, -0.6}},  // a star: twice around
  };
  for (const auto& corners : refused) {
    EXPECT_FALSE(set.assign_polygon(corners));
    EXPECT_TRUE(set == before);
  }
  EXPECT_FALSE(set.assign_ellipse({Vec2(1, 1), Mat2::Zero()}));
  EXPECT_TRUE(set == before);
  ASSERT_TRUE(set.assign_ellipse(disc_form({1, 1}, 2)));
  EXPECT_TRUE(set == PlanarSet::ellipse(disc_form({1, 1}, 2)));
  ASSERT_TRUE(set.assign_polygon(std::vector<Vec2>{{1, 0}, {0, 0}}));
  EXPECT_TRUE(set == PlanarSet::hull_of_points(std::vector<Vec2>{{1, 0}, {0, 0}}));
}

}  // namespace
}  // namespace tact
