#include "tact/poly/hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/poly/exact_sign.hpp"

namespace tact {
namespace {

using Points = std::vector<Vec2>;

bool lexicographically_less(const Vec2& a, const Vec2& b) {
  return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

double distance_to_segment(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 u = b - a;
  const double t = std::clamp(u.dot(p - a) / u.squaredNorm(), 0.0, 1.0);
  return t > 0 && t < 1 ? std::abs(orient(a, b, p)) / u.norm()
                        : std::min((p - a).norm(), (p - b).norm());
}

/// How far p lies outside the convex polygon h; zero inside.
double distance_outside(const Points& h, const Vec2& p) {
  if (h.size() == 1) return (p - h[0]).norm();
  double least = std::numeric_limits<double>::infinity();
  bool inside = h.size() > 2;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const Vec2& a = h[i];
    const Vec2& b = h[(i + 1) % h.size()];
    inside = inside && orient_sign(a, b, p) >= 0;
    least = std::min(least, distance_to_segment(a, b, p));
  }
  return inside ? 0 : least;
}

bool strictly_convex(const Points& h) {
  const std::size_t n = h.size();
  std::size_t left_turns = 0;
  for (std::size_t i = 0; i < n; ++i) {
    left_turns += orient_sign(h[i], h[(i + 1) % n], h[(i + 2) % n]) > 0;
  }
  return n < 3 || left_turns == n;
}

bool all_taken_from(const Points& points, const Points& h) {
  return std::all_of(h.begin(), h.end(), [&](const Vec2& v) {
    return std::find(points.begin(), points.end(), v) != points.end();
  });
}

/// The laws of both flavours: strictly convex, counter-clockwise, least vertex first, made of input
/// points, and no input point more than `outside` away.
void expect_hull_laws(const Points& points, const Points& h, double outside) {
  ASSERT_FALSE(h.empty());
  EXPECT_EQ(std::min_element(h.begin(), h.end(), lexicographically_less), h.begin());
  EXPECT_TRUE(strictly_convex(h));
  EXPECT_TRUE(all_taken_from(points, h));
  double farthest = 0;
  for (const Vec2& p : points) farthest = std::max(farthest, distance_outside(h, p));
  EXPECT_LE(farthest, outside);
}

/// The bound that convex_hull promises.
double promised(const Points& points, double relative = tolerance::collinear) {
  return 1.2 * point_set_slack(points, relative);
}

void shuffle(Points& points, Rng& rng) {
  for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[rng.below(i)]);
}

/// n^3: p is a strict vertex iff it lies in no triangle and on no segment of other points.
Points brute_force_hull(const Points& points) {
  Points vertices;
  for (const Vec2& p : points) {
    bool extreme = true;
    for (const Vec2& a : points) {
      if (a == p) continue;
      // p is extreme iff all others fit into an open half plane through p: look for a line p-a
      // with nobody on its right and nobody behind p on it.
      bool supports = true;
      for (const Vec2& b : points) {
        if (b == p) continue;
        const int side = orient_sign(p, a, b);
        supports = supports && (side > 0 || (side == 0 && dot_sign(a - p, b - p) > 0));
      }
      extreme = supports;
      if (supports) break;
    }
    if (extreme && std::find(vertices.begin(), vertices.end(), p) == vertices.end()) {
      vertices.push_back(p);
    }
  }
  return vertices;
}

Points integer_cloud(Rng& rng, std::size_t n, double range) {
  Points points;
  for (std::size_t i = 0; i < n; ++i) {
    points.emplace_back(std::floor(rng.uniform(0, range)), std::floor(rng.uniform(0, range)));
  }
  return points;
}

TEST(Hull, OfASquareWithMidpointsIsTheSquare) {
  const Points points{{1, 1}, {0, 0}, {0.5, 0}, {1, 0}, {0.5, 0.5}, {0, 1}, {1, 0.5}};
  const Points square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(exact_hull(points), square);
  EXPECT_EQ(convex_hull(points), square);
  EXPECT_EQ(convex_hull_indices(points), (std::vector<Index>{1, 3, 0, 5}));
  EXPECT_EQ(exact_hull_indices(points), (std::vector<Index>{1, 3, 0, 5}));
}

TEST(Hull, OfOnePointOrCoincidentPointsIsThatPoint) {
  const Points one{{0.1, -0.3}};
  const Points many(7, one[0]);
  EXPECT_EQ(exact_hull(one), one);
  EXPECT_EQ(convex_hull(many), one);
  EXPECT_EQ(exact_hull(many), one);
  EXPECT_EQ(exact_hull_indices(many), std::vector<Index>{0});
  EXPECT_EQ(convex_hull(Points{{0.0, 0.0}, {-0.0, -0.0}}), (Points{{0, 0}}));
}

TEST(Hull, OfCollinearPointsIsTheirEnds) {
  Rng rng(3);
  for (int k = 0; k < 100; ++k) {
    const Vec2 direction(std::floor(rng.uniform(-9, 9)), std::floor(rng.uniform(1, 9)));
    Points points;
    for (int i = 0; i < 20; ++i) points.emplace_back(i * direction);
    shuffle(points, rng);
    Points ends{Vec2(0, 0), 19 * direction};
    std::sort(ends.begin(), ends.end(), lexicographically_less);
    EXPECT_EQ(exact_hull(points), ends);
    EXPECT_EQ(convex_hull(points), ends);
  }
}

// Points rounded to a line are not on it: exactly they are a polygon, with a tolerance a segment.
TEST(Hull, WithToleranceSeesALineInRoundedPoints) {
  Rng rng(4);
  for (const double size : {1e-9, 1.0, 1e6}) {
    const Vec2 a = size * Vec2(rng.normal(), rng.normal());
    const Vec2 b = size * Vec2(rng.normal(), rng.normal());
    Points points{a, b};
    for (int i = 0; i < 50; ++i) points.emplace_back(a + rng.uniform() * (b - a));
    shuffle(points, rng);
    EXPECT_GT(exact_hull(points).size(), 2U);
    EXPECT_EQ(convex_hull(points).size(), 2U);
    expect_hull_laws(points, convex_hull(points), promised(points));
    expect_hull_laws(points, exact_hull(points), 0);
  }
}

TEST(Hull, AgreesWithBruteForceOnIntegerGrids) {
  Rng rng(5);
  for (int k = 0; k < 400; ++k) {
    const Points points = integer_cloud(rng, 1 + rng.below(16), static_cast<double>(2 + k % 9));
    Points h = exact_hull(points);
    expect_hull_laws(points, h, 0);
    EXPECT_EQ(convex_hull(points), h) << "integers stick out far more than the tolerance";
    Points expected = brute_force_hull(points);
    if (expected.empty()) expected = {points[0]};
    std::sort(h.begin(), h.end(), lexicographically_less);
    std::sort(expected.begin(), expected.end(), lexicographically_less);
    EXPECT_EQ(h, expected);
  }
}

TEST(Hull, DoesNotDependOnOrderOrDuplicates) {
  Rng rng(6);
  for (int k = 0; k < 100; ++k) {
    Points points = integer_cloud(rng, 40, 1000);
    const Points exact = exact_hull(points);
    const Points tolerant = convex_hull(points);
    points.insert(points.end(), points.begin(), points.begin() + 13);
    shuffle(points, rng);
    EXPECT_EQ(exact_hull(points), exact);
    EXPECT_EQ(convex_hull(points), tolerant);
  }
}

Points changed(Points points, double scale, const Vec2& shift) {
  for (Vec2& x : points) x = scale * (x + shift);
  return points;
}

TEST(Hull, MovesAndScalesWithThePoints) {
  Rng rng(7);
  const Vec2 shift(1 << 20, -(1 << 19));  // exact in binary
  for (int k = 0; k < 100; ++k) {
    const Points points = integer_cloud(rng, 40, 1000);
    const std::vector<Index> places = convex_hull_indices(points);
    EXPECT_EQ(convex_hull_indices(changed(points, 1, shift)), places);
    EXPECT_EQ(exact_hull_indices(changed(points, 1, shift)), places);
    EXPECT_EQ(convex_hull_indices(changed(points, 1e-9, Vec2(0, 0))), places);
    EXPECT_EQ(convex_hull_indices(changed(points, 1e6, shift)), places);
  }
}

TEST(Hull, KeepsEveryVertexOfACircleThatSticksOutByMoreThanTheTolerance) {
  for (const int n : {3, 4, 17, 1000, 100000}) {  // sagitta of 1e5 vertices: 5e-10 of the radius
    Points points;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      points.emplace_back(std::cos(angle), std::sin(angle));
    }
    EXPECT_EQ(exact_hull(points).size(), points.size());
    EXPECT_EQ(convex_hull(points).size(), points.size());
  }
}

TEST(Hull, SimplifiesACoarseCircleWithinThePromise) {
  const double relative = 0.01;
  Points points;
  for (int i = 0; i < 2000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 2000;
    points.emplace_back(std::cos(angle), std::sin(angle));
  }
  const Points h = convex_hull(points, relative);
  expect_hull_laws(points, h, promised(points, relative));
  // A chord of sagitta s spans 2 acos(1 - s); halving it stops between one half and the whole.
  const double arc = 2 * std::acos(1 - point_set_slack(points, relative));
  EXPECT_LE(static_cast<double>(h.size()), 2 * 2 * std::numbers::pi / arc);
  EXPECT_GE(static_cast<double>(h.size()), 2 * std::numbers::pi / arc);
}

TEST(Hull, DropsNoiseAtCornersAndAlongEdgesButNotMore) {
  Rng rng(7);
  for (int k = 0; k < 200; ++k) {
    const double angle = rng.uniform(0, 6), size = rng.log_uniform(1e-9, 1e6);
    const double noise = 0.1 * tolerance::collinear * size;
    Mat2 turn;
    turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    Points points;
    const double sides[4][4] = {{0, 0, 1, 0}, {1, 0, 1, 2}, {1, 2, 0, 2}, {0, 2, 0, 0}};
    for (const auto& s : sides) {
      for (int i = 0; i <= 12; ++i) {
        const double t = i / 12.0;
        const Vec2 p(s[0] + t * (s[2] - s[0]), s[1] + t * (s[3] - s[1]));
        points.emplace_back(size * (turn * p) +
                            noise * Vec2(rng.uniform(-1, 1), rng.uniform(-1, 1)));
      }
    }
    const Points h = convex_hull(points);
    EXPECT_EQ(h.size(), 4U);
    expect_hull_laws(points, h, promised(points));
  }
}

// The tip of a wedge lies on the line of its long sides: only an end of a longest chord saves it.
TEST(Hull, KeepsTheTipOfANeedle) {
  const double thickness = 1e-11;
  const Points needle{{-1, 0}, {0, 1e-13}, {0, -1e-13}, {10, thickness}, {10, -2 * thickness}};
  const Points h = convex_hull(needle);
  EXPECT_EQ(h.front(), Vec2(-1, 0));
  EXPECT_EQ(h.size(), 3U);
  expect_hull_laws(needle, h, promised(needle));
}

TEST(Hull, CollapsesAThinRectangleToASegmentAndKeepsAThickerOne) {
  const double thin = 0.5 * tolerance::collinear, thick = 3 * tolerance::collinear;
  EXPECT_EQ(convex_hull(Points{{0, 0}, {1, 0}, {1, thin}, {0, thin}}).size(), 2U);
  EXPECT_EQ(convex_hull(Points{{0, 0}, {1, 0}, {1, thick}, {0, thick}}).size(), 4U);
  EXPECT_EQ(exact_hull(Points{{0, 0}, {1, 0}, {1, thin}, {0, thin}}).size(), 4U);
}

TEST(Hull, TellsPointsApartOnlyAboveTheRoundingOfTheirCoordinates) {
  const double ulp = 1024 * tolerance::epsilon;
  const Points cluster{{1024, 1024}, {1024 + ulp, 1024}, {1024, 1024 + ulp}};
  EXPECT_EQ(convex_hull(cluster), (Points{{1024, 1024}}));
  EXPECT_EQ(exact_hull(cluster).size(), 3U);
}

TEST(Hull, KeepsItsPromiseForCloudsOfEveryAspect) {
  Rng rng(8);
  for (int k = 0; k < 300; ++k) {
    const double aspect = rng.log_uniform(1e-16, 1), angle = rng.uniform(0, 6);
    const double size = rng.log_uniform(1e-9, 1e6);
    const Vec2 u(std::cos(angle), std::sin(angle));
    Points points;
    for (int i = 0; i < 60; ++i) {
      points.emplace_back(size * (rng.normal() * u + aspect * rng.normal() * perp(u)));
    }
    const Points h = convex_hull(points);
    expect_hull_laws(points, h, promised(points));
    expect_hull_laws(points, exact_hull(points), 0);
    EXPECT_EQ(convex_hull(h), h) << "a hull is its own hull";
  }
}

TEST(Hull, NeedsFinitePoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)convex_hull(Points{}), ContractViolation);
  EXPECT_THROW((void)exact_hull(Points{}), ContractViolation);
  EXPECT_THROW((void)convex_hull(Points{{0, 0}, {nan, 1}}), ContractViolation);
  EXPECT_THROW((void)convex_hull(Points{{0, 0}}, -1), ContractViolation);
}

}  // namespace
}  // namespace tact
