#include "tact/poly/arc_region.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

using Planes = std::vector<HalfPlane>;
using Discs = std::vector<Disc>;

/// Rounding of areas of a few units.
constexpr double close = 1e-12;

double area_of(const Planes& planes, const Discs& discs) {
  return area(arc_region(planes, discs));
}

TEST(ArcRegion, KnownAreas) {
  constexpr double pi = std::numbers::pi;
  EXPECT_NEAR(area_of({}, {{{3, 1}, 2}}), 4 * pi, close);
  EXPECT_NEAR(area_of({{{1, 0}, 3}}, {{{3, 1}, 2}}), 2 * pi, close);
  EXPECT_NEAR(area_of({{{2, 0}, 0}, {{0, 3}, 0}}, {{{0, 0}, 2}}), pi, close);
  const Planes square = {{{1, 0}, 1}, {{-1, 0}, 0}, {{0, 1}, 1}, {{0, -1}, 0}};
  EXPECT_NEAR(area_of(square, {}), 1, close);
  EXPECT_NEAR(area_of(square, {{{0.5, 0.5}, 1}}), 1, close);
  // The lens of two unit circles whose centres are one apart.
  EXPECT_NEAR(area_of({}, {{{0, 0}, 1}, {{1, 0}, 1}}), 2 * pi / 3 - std::sqrt(3.0) / 2, close);
  // A square with rounded corners: four pieces of a circle that the lines cut.
  const Planes shifted = {{{1, 0}, 1}, {{-1, 0}, 1}, {{0, 1}, 1}, {{0, -1}, 1}};
  const double r = 1.2, half = std::acos(1 / r), cap = r * r * half - std::sqrt(r * r - 1);
  EXPECT_NEAR(area_of(shifted, {{{0, 0}, r}}), pi * r * r - 4 * cap, close);
  EXPECT_EQ(arc_region(shifted, Discs{{{0, 0}, r}}).size(), 8U);
}

TEST(ArcRegion, NothingPointsAndSegments) {
  EXPECT_TRUE(arc_region({}, Discs{{{0, 0}, 1}, {{3, 0}, 1}}).empty());
  EXPECT_TRUE(arc_region({}, Discs{{{0, 0}, -1}}).empty());
  EXPECT_TRUE(arc_region(Planes{{{0, 0}, -1}}, Discs{{{0, 0}, 1}}).empty());
  EXPECT_TRUE(arc_region(Planes{{{1, 0}, -2}}, Discs{{{0, 0}, 1}}).empty());
  EXPECT_TRUE(arc_region({}, Discs{{{5, 5}, 0}}).empty());  // a point
  const auto segment = arc_region(Planes{{{1, 0}, 0}, {{-1, 0}, 0}}, Discs{{{0, 0}, 1}});
  ASSERT_EQ(segment.size(), 2U);
  EXPECT_NEAR((segment[0].to - segment[0].from).norm(), 2, close);
  EXPECT_EQ(segment[0].from, segment[1].to);
}

TEST(ArcRegion, SetsGivenTwiceCountOnce) {
  const Planes planes = {{{1, 0}, 0.5}, {{2, 0}, 1}};
  const Discs discs = {{{0, 0}, 1}, {{0, 0}, 1}, {{0, 0}, 2}};
  EXPECT_NEAR(area_of(planes, discs), area_of({{{1, 0}, 0.5}}, {{{0, 0}, 1}}), close);
}

/// Circles and lines through one point, as in a consistency set: the boundary closes, lies in every
/// set and holds the area that a fine grid counts.
TEST(ArcRegion, ManySetsThroughOnePoint) {
  Rng rng(11);
  int seen = 0;
  for (int n = 0; n < 300; ++n) {
    const Vec2 z(rng.normal(), rng.normal());
    Planes planes;
    Discs discs;
    for (int k = 0; k < 3; ++k) {
      const Vec2 b = z + Vec2(1 + rng.uniform(), rng.normal());
      discs.push_back({b, (b - z).norm()});
    }
    for (int k = 0; k < 2; ++k) {
      const Vec2 normal(-1, rng.normal());
      planes.push_back({normal, normal.dot(z)});
    }
    const auto pieces = arc_region(planes, discs);
    if (pieces.empty()) continue;
    ++seen;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_LE((pieces[i].to - pieces[(i + 1) % pieces.size()].from).norm(), 1e-7);
      for (const Vec2& x : {pieces[i].from, pieces[i].to}) {
        for (const Disc& d : discs) EXPECT_LE((x - d.center).norm(), d.radius + 1e-7);
        for (const HalfPlane& h : planes) EXPECT_LE(h.normal.dot(x), h.offset + 1e-7);
      }
    }
    constexpr int grid = 200;
    const double side = 2 * discs[0].radius;
    int inside = 0;
    for (int i = 0; i < grid * grid; ++i) {
      const Vec2 x = discs[0].center +
                     side * (Vec2(i % grid, i / grid).array() / grid - 0.5 + 0.5 / grid).matrix();
      bool in = true;
      for (const Disc& d : discs) in = in && (x - d.center).norm() <= d.radius;
      for (const HalfPlane& h : planes) in = in && h.normal.dot(x) <= h.offset;
      inside += in ? 1 : 0;
    }
    // A cell is miscounted only at the boundary, shorter than 4 sides: 4 grid cells of error.
    EXPECT_NEAR(area(pieces), inside * side * side / (grid * grid), 4 * side * side / grid);
  }
  EXPECT_GT(seen, 200);
}

}  // namespace
}  // namespace tact
