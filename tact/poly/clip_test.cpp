#include "tact/poly/clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/poly/hull.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {
namespace {

using Points = std::vector<Vec2>;

const Points square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};

Points moved(Points p, const Vec2& shift) {
  for (Vec2& x : p) x += shift;
  return p;
}

Points random_polygon(Rng& rng, double size, const Vec2& centre) {
  Points cloud;
  const std::size_t n = 3 + rng.below(10);
  for (std::size_t i = 0; i < n; ++i) {
    cloud.emplace_back(centre + size * Vec2(rng.normal(), rng.normal()));
  }
  return convex_hull(cloud);
}

bool all_within(const Points& points, const Points& polygon, double slack) {
  return std::all_of(points.begin(), points.end(),
                     [&](const Vec2& p) { return contains(polygon, p, slack); });
}

/// Both contain each other's vertices: the sets agree up to slack.
bool same_set(const Points& a, const Points& b, double slack) {
  return !a.empty() && !b.empty() && all_within(a, b, slack) && all_within(b, a, slack);
}

TEST(Clip, CutsASquareByAHalfPlane) {
  const Points half = clip(square, {{2, 0}, 1});
  EXPECT_EQ(half, (Points{{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}}));
  EXPECT_EQ(clip(square, {{1, 1}, 3}), square);
  EXPECT_EQ(clip(square, {{1, 1}, 1}), (Points{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_TRUE(clip(square, {{1, 0}, -0.5}).empty());
}

TEST(Clip, LeavesTheEdgeOrVertexThatTouches) {
  EXPECT_EQ(clip(square, {{1, 0}, 0}), (Points{{0, 0}, {0, 1}}));
  EXPECT_EQ(clip(square, {{1, 1}, 0}), (Points{{0, 0}}));
  const double below = 0.5 * tolerance::collinear;
  EXPECT_EQ(clip(square, {{1, 0}, -below}), (Points{{0, 0}, {0, 1}}));
  EXPECT_EQ(clip(square, {{1, 0}, below}).size(), 2U) << "thinner than the slack";
  EXPECT_TRUE(clip(square, {{1, 0}, -9 * below}).empty());
}

TEST(Clip, CutsSegmentsAndPoints) {
  const Points segment{{0, 0}, {2, 2}}, point{{1, 0}};
  EXPECT_EQ(clip(segment, {{1, 0}, 1}), (Points{{0, 0}, {1, 1}}));
  EXPECT_EQ(clip(segment, {{-1, 0}, -1}), (Points{{1, 1}, {2, 2}}));
  EXPECT_EQ(clip(segment, {{1, 0}, 0}), (Points{{0, 0}}));
  EXPECT_EQ(clip(segment, {{1, -1}, 0}), segment);
  EXPECT_TRUE(clip(segment, {{1, 0}, -1}).empty());
  EXPECT_EQ(clip(point, {{1, 0}, 1}), point);
  EXPECT_TRUE(clip(point, {{1, 0}, 0.5}).empty());
}

TEST(Clip, TwoHalvesMakeTheWhole) {
  Rng rng(1);
  for (int k = 0; k < 500; ++k) {
    const double size = rng.log_uniform(1e-9, 1e6);
    const Points p = random_polygon(rng, size, Vec2(0, 0));
    const HalfPlane h{{rng.normal(), rng.normal()}, 0.5 * size * rng.normal()};
    const Points left = clip(p, h), right = clip(p, {-h.normal, -h.offset});
    const double parts = (left.empty() ? 0 : area(left)) + (right.empty() ? 0 : area(right));
    const double slack = point_set_slack(p, tolerance::collinear);
    EXPECT_NEAR(parts, area(p), 2 * slack * perimeter(p));
    EXPECT_TRUE(all_within(left, p, slack) && all_within(right, p, slack));
  }
}

TEST(Intersect, SquaresThatOverlapTouchOrMiss) {
  const double eps = 4 * tolerance::epsilon;
  const Points overlap = intersect(square, moved(square, {0.5, 0.25}));
  EXPECT_TRUE(same_set(overlap, {{0.5, 0.25}, {1, 0.25}, {1, 1}, {0.5, 1}}, eps));
  EXPECT_TRUE(same_set(intersect(square, moved(square, {1, 0.5})), {{1, 0.5}, {1, 1}}, eps));
  EXPECT_TRUE(same_set(intersect(square, moved(square, {1, 1})), {{1, 1}}, eps));
  EXPECT_EQ(intersect(square, moved(square, {1, 0.5})).size(), 2U);
  EXPECT_EQ(intersect(square, moved(square, {1, 1})).size(), 1U);
  EXPECT_TRUE(intersect(square, moved(square, {1.5, 0})).empty());
  EXPECT_TRUE(same_set(intersect(square, square), square, 0));
}

TEST(Intersect, SegmentsAndPoints) {
  const double eps = 4 * tolerance::epsilon;
  const Points diagonal{{0, 0}, {2, 2}}, other{{0, 2}, {2, 0}}, rest{{1, 1}, {5, 5}};
  EXPECT_TRUE(same_set(intersect(diagonal, other), {{1, 1}}, eps));
  EXPECT_TRUE(same_set(intersect(diagonal, rest), {{1, 1}, {2, 2}}, eps));
  EXPECT_EQ(intersect(diagonal, rest).size(), 2U);
  EXPECT_TRUE(intersect(diagonal, Points{{3, 3}, {4, 4}}).empty());
  EXPECT_TRUE(intersect(diagonal, moved(diagonal, {0, 1})).empty());
  EXPECT_TRUE(same_set(intersect(diagonal, square), {{0, 0}, {1, 1}}, eps));
  EXPECT_TRUE(same_set(intersect(square, diagonal), {{0, 0}, {1, 1}}, eps));
  EXPECT_EQ(intersect(square, Points{{1, 0.5}}), (Points{{1, 0.5}}));
  EXPECT_EQ(intersect(Points{{1, 1}}, diagonal), (Points{{1, 1}}));
  EXPECT_TRUE(intersect(Points{{1, 2}}, diagonal).empty());
  EXPECT_EQ(intersect(Points{{1, 2}}, Points{{1, 2}}), (Points{{1, 2}}));
  EXPECT_TRUE(intersect(Points{{1, 2}}, Points{{1, 3}}).empty());
}

/// Every vertex of c lies in a and b; sampled points of both lie in c.
void expect_intersection(const Points& a, const Points& b, const Points& c, Rng& rng) {
  const double slack = 2 * std::max(point_set_slack(a, tolerance::collinear),
                                    point_set_slack(b, tolerance::collinear));
  EXPECT_TRUE(all_within(c, a, slack) && all_within(c, b, slack));
  int missed = 0;
  for (int i = 0; i < 50; ++i) {
    const Vec2& corner = a[rng.below(a.size())];
    const Vec2 p = corner + rng.uniform() * (b[rng.below(b.size())] - corner);
    if (!contains(a, p) || !contains(b, p)) continue;
    missed += c.empty() || !contains(c, p, slack);
  }
  EXPECT_EQ(missed, 0);
}

TEST(Intersect, OfRandomPolygonsHoldsWhatBothHold) {
  Rng rng(2);
  for (int k = 0; k < 500; ++k) {
    const double size = rng.log_uniform(1e-9, 1e6);
    const Points a = random_polygon(rng, size, Vec2(0, 0));
    const Points b = random_polygon(rng, size, 2 * size * Vec2(rng.normal(), rng.normal()));
    const Points c = intersect(a, b), d = intersect(b, a);
    expect_intersection(a, b, c, rng);
    EXPECT_EQ(c.empty(), d.empty());
    if (c.empty() || d.empty()) continue;
    EXPECT_NEAR(area(c), area(d), 4 * tolerance::collinear * size * perimeter(a));
  }
}

TEST(Reflect, TurnsThePolygonByHalfARevolution) {
  const Points r = reflect(square, Vec2(1, 0.5));
  EXPECT_EQ(r, (Points{{2, 1}, {1, 1}, {1, 0}, {2, 0}}));
  EXPECT_EQ(area(r), 1);
}

TEST(SymmetricPart, OfASquareIsARectangleAboutTheCentre) {
  EXPECT_TRUE(same_set(symmetric_part(square, {0.5, 0.5}), square, 0));
  EXPECT_TRUE(same_set(symmetric_part(square, {0.25, 0.5}), {{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}},
                       tolerance::rounding));
  EXPECT_TRUE(symmetric_part(square, {1.25, 0.5}).empty());
}

class SymmetricPartNearTheBoundary : public ::testing::TestWithParam<double> {};

TEST_P(SymmetricPartNearTheBoundary, IsASegmentOnAnEdgeAndAPointAtAVertex) {
  const double off = GetParam() * tolerance::centre;
  const Points edge = symmetric_part(square, {0.25, off});
  EXPECT_EQ(edge.size(), 2U);
  EXPECT_TRUE(same_set(edge, {{0, 0}, {0.5, 0}}, 2 * tolerance::centre));
  const Points vertex = symmetric_part(square, {1 + off, 1 - off});
  EXPECT_EQ(vertex.size(), 1U);
  EXPECT_TRUE(same_set(vertex, {{1, 1}}, 2 * tolerance::centre));
}
INSTANTIATE_TEST_SUITE_P(Offsets, SymmetricPartNearTheBoundary, ::testing::Values(0, 0.1, -0.1));

TEST(SymmetricPart, IsEmptyOutsideAndHasAnAreaInside) {
  EXPECT_TRUE(symmetric_part(square, {0.25, -9 * tolerance::centre}).empty());
  EXPECT_EQ(symmetric_part(square, {0.25, 9 * tolerance::centre}).size(), 4U);
}

TEST(SymmetricPart, OfSegmentsAndPoints) {
  const Points segment{{0, 0}, {4, 0}}, point{{1, 1}};
  EXPECT_EQ(symmetric_part(segment, {1, 0}), (Points{{0, 0}, {2, 0}}));
  EXPECT_EQ(symmetric_part(segment, {3, 0}), (Points{{2, 0}, {4, 0}}));
  EXPECT_EQ(symmetric_part(segment, {4, 0}), (Points{{4, 0}}));
  EXPECT_TRUE(symmetric_part(segment, {1, 1}).empty());
  EXPECT_TRUE(symmetric_part(segment, {5, 0}).empty());
  EXPECT_EQ(symmetric_part(point, {1, 1}), point);
  EXPECT_TRUE(symmetric_part(point, {1, 2}).empty());
}

TEST(SymmetricPart, IsSymmetricAndAgreesWithTheIntersection) {
  Rng rng(3);
  for (int k = 0; k < 500; ++k) {
    const double size = rng.log_uniform(1e-9, 1e6);
    const Points p = random_polygon(rng, size, size * Vec2(rng.normal(), rng.normal()));
    const Vec2& corner = p[rng.below(p.size())];
    const Vec2 c = centroid(p) + rng.uniform() * (corner - centroid(p));
    const Points part = symmetric_part(p, c);
    const double slack = 4 * point_set_slack(p, tolerance::collinear);
    EXPECT_TRUE(same_set(part, reflect(part, c), slack));
    EXPECT_TRUE(same_set(part, intersect(p, reflect(p, c)), slack));
    EXPECT_TRUE(all_within(part, p, slack));
  }
}

TEST(SymmetricPart, DegeneratesOnRotatedEdgesOfEverySize) {
  Rng rng(4);
  for (int k = 0; k < 500; ++k) {
    const double size = rng.log_uniform(1e-9, 1e6);
    const Points p = random_polygon(rng, size, size * Vec2(rng.normal(), rng.normal()));
    const std::size_t i = rng.below(p.size());
    const Vec2& a = p[i];
    const Vec2& b = p[(i + 1) % p.size()];
    const double t = rng.uniform(0.1, 0.5);
    const Points edge = symmetric_part(p, a + t * (b - a));  // rounded to one side of the edge
    EXPECT_EQ(edge.size(), 2U);
    EXPECT_TRUE(same_set(edge, {a, a + 2 * t * (b - a)}, point_set_slack(p, tolerance::centre)));
    EXPECT_EQ(symmetric_part(p, a).size(), 1U);
  }
}

TEST(Clip, ReusesDirtyBuffersWithoutAllocating) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Points out(64, Vec2(nan, nan)), scratch(64, Vec2(nan, nan));
  const Vec2* const memory[] = {std::min(out.data(), scratch.data()),
                                std::max(out.data(), scratch.data())};
  const Points other = moved(square, {0.5, 0.5});
  for (int k = 0; k < 3; ++k) {
    intersect(square, other, tolerance::collinear, out, scratch);
    EXPECT_EQ(out, intersect(square, other));
    symmetric_part(square, {0.25, 0.25}, tolerance::centre, out, scratch);
    clip(square, {{1, 0}, 0.5}, tolerance::collinear, out);
    reflect(square, {0, 0}, out);
  }
  EXPECT_EQ(std::min(out.data(), scratch.data()), memory[0]);
  EXPECT_EQ(std::max(out.data(), scratch.data()), memory[1]);
}

TEST(Clip, NeedsVerticesAndANormal) {
  EXPECT_THROW((void)clip(Points{}, {{1, 0}, 0}), ContractViolation);
  EXPECT_THROW((void)clip(square, {{0, 0}, 1}), ContractViolation);
  EXPECT_THROW((void)intersect(square, Points{}), ContractViolation);
  EXPECT_THROW((void)symmetric_part(Points{}, {0, 0}), ContractViolation);
}

}  // namespace
}  // namespace tact
