#include "tact/geom/broad_phase.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/bounds.hpp"
#include "tact/geom/convex_hull.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

using Pairs = std::vector<IndexPair>;

Pairs brute_force(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  const int n = static_cast<int>(boxes.size());
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (overlap(boxes[i], boxes[j])) pairs.push_back({i, j});
    }
  }
  return pairs;
}

Pairs found(const std::vector<Bounds>& boxes) {
  static BroadPhaseWorkspace workspace;  // used again with whatever is in it
  Pairs pairs;
  overlapping_pairs(boxes, workspace, pairs);
  return pairs;
}

Vec3 random_vector(Rng& rng) {
  return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
}

std::vector<Bounds> random_boxes(Rng& rng, int count, double room, double small, double large) {
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = room * random_vector(rng);
    const Vec3 half = rng.log_uniform(small, large) * (random_vector(rng).cwiseAbs());
    boxes.push_back({at - half, at + half});
  }
  return boxes;
}

TEST(BroadPhase, AgreesWithBruteForceOverSizes) {
  Rng rng(41);
  for (int k = 0; k < 60; ++k) {
    const double spread = std::pow(10, k % 13);
    const int count = 1 + static_cast<int>(rng.below(300));
    const auto boxes = random_boxes(rng, count, 1, 1 / spread, 1);
    EXPECT_EQ(found(boxes), brute_force(boxes)) << "sizes differ by " << spread;
  }
}

TEST(BroadPhase, AgreesWithBruteForceInCrowds) {
  Rng rng(42);
  for (const double room : {0.5, 3.0, 20.0}) {
    const auto boxes = random_boxes(rng, 1500, room, 0.3, 0.6);
    const Pairs pairs = found(boxes);
    EXPECT_EQ(pairs, brute_force(boxes));
    EXPECT_GT(pairs.size(), 10U);
  }
}

TEST(BroadPhase, AgreesWithBruteForceOnHugeAndTinyCoordinates) {
  Rng rng(43);
  for (const double scale : {1e-300, 1e-30, 1e15, 1e100, 1e307}) {
    auto boxes = random_boxes(rng, 200, scale, 0.01 * scale, 0.5 * scale);
    EXPECT_EQ(found(boxes), brute_force(boxes)) << scale;
    // The same crowd far away from the origin, where cells can hardly be told apart.
    for (Bounds& box : boxes) {
      box.lower.array() += 1000 * scale;
      box.upper.array() += 1000 * scale;
      if (!box.upper.allFinite()) box.upper = box.lower = Vec3::Constant(scale);
    }
    if (scale < 1e300) {
      EXPECT_EQ(found(boxes), brute_force(boxes)) << scale;
    }
  }
}

// Boxes on a grid touch with whole sides, whole edges and corners: touching counts, exactly.
TEST(BroadPhase, SeesBoxesThatTouch) {
  std::vector<Bounds> boxes;
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y < 6; ++y) {
      for (int z = 0; z < 6; ++z) boxes.push_back({Vec3(x, y, z), Vec3(x + 1, y + 1, z + 1)});
    }
  }
  const Pairs pairs = found(boxes);
  EXPECT_EQ(pairs, brute_force(boxes));
  const int along = 3 * 6 - 2;  // ordered pairs of intervals that touch or agree
  EXPECT_EQ(std::ssize(pairs), (along * along * along - 216) / 2);
}

TEST(BroadPhase, OfCoincidentBoxesAndPointsIsEveryPair) {
  const std::vector<Bounds> same(50, Bounds{Vec3(1, 2, 3), Vec3(2, 3, 4)});
  EXPECT_EQ(found(same).size(), 50U * 49 / 2);
  const std::vector<Bounds> points(20, Bounds{Vec3(1, 2, 3), Vec3(1, 2, 3)});
  EXPECT_EQ(found(points).size(), 20U * 19 / 2);
  const std::vector<Bounds> zeros(20, Bounds{Vec3::Zero(), Vec3::Zero()});
  EXPECT_EQ(found(zeros).size(), 20U * 19 / 2);
}

TEST(BroadPhase, OfNothingIsNothing) {
  EXPECT_TRUE(found({}).empty());
  EXPECT_TRUE(found({{Vec3::Zero(), Vec3::Ones()}}).empty());
}

TEST(BroadPhase, MeetsUnboundedBoxes) {
  Rng rng(44);
  constexpr double inf = std::numeric_limits<double>::infinity();
  auto boxes = random_boxes(rng, 100, 1, 0.01, 0.1);
  boxes[7] = {Vec3(-inf, -inf, -inf), Vec3(inf, inf, 0)};
  boxes[50] = {Vec3(-inf, -inf, -inf), Vec3(inf, inf, inf)};
  boxes[99] = {Vec3(0.5, -inf, 0), Vec3(inf, inf, 1)};
  EXPECT_EQ(found(boxes), brute_force(boxes));
}

TEST(BroadPhase, RefusesNanAndBoxesInsideOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)found({{Vec3(0, nan, 0), Vec3::Ones()}}), ContractViolation);
  EXPECT_THROW((void)found({{Vec3::Ones(), Vec3::Zero()}}), ContractViolation);
}

TEST(BroadPhase, AsksTheFilterOnceForEachPair) {
  Rng rng(45);
  const auto boxes = random_boxes(rng, 200, 1, 0.1, 0.5);
  Pairs asked, kept, expected;
  BroadPhaseWorkspace workspace;
  overlapping_pairs(boxes, workspace, kept, [&](int i, int j) {
    asked.push_back({i, j});
    return (i + j) % 2 == 0;
  });
  EXPECT_EQ(asked, brute_force(boxes));
  for (const IndexPair& p : asked) {
    if ((p.first + p.second) % 2 == 0) expected.push_back(p);
  }
  EXPECT_EQ(kept, expected);
}

/// Boxes that creep, walk and leap, some of them infinite: what is kept never shows.
TEST(KeptPairs, AgreeWithBruteForceWhateverMoves) {
  Rng rng(47);
  constexpr double inf = std::numeric_limits<double>::infinity();
  KeptPairs kept;
  Pairs pairs;
  const auto all = [](int, int) { return true; };
  for (const int count : {200, 40, 300}) {
    auto boxes = random_boxes(rng, count, 1, 0.1, 0.3);
    boxes[3] = {Vec3(-inf, -inf, -inf), Vec3(inf, inf, 0)};
    int found_anew = 0;
    constexpr int calls = 60;
    for (int k = 0; k < calls; ++k) {
      const double step = k % 20 == 19 ? 0.1 : 1e-4;
      for (Bounds& box : boxes) {
        const Vec3 by = step * random_vector(rng);
        box = {box.lower + by, box.upper + by};
      }
      const Bounds* before = kept.held.data();
      overlapping_pairs(boxes, kept, pairs, all);
      found_anew += kept.held.data() != before ? 1 : 0;  // the two lists of boxes were swapped
      ASSERT_EQ(pairs, brute_force(boxes));
    }
    EXPECT_LT(found_anew, calls / 2);
    EXPECT_GT(found_anew, 2);
  }
}

TEST(KeptPairs, RefuseNanAndGoOn) {
  Rng rng(48);
  KeptPairs kept;
  Pairs pairs;
  const auto even = [](int i, int j) { return (i + j) % 2 == 0; };
  auto boxes = random_boxes(rng, 150, 1, 0.1, 0.3);
  overlapping_pairs(boxes, kept, pairs, even);
  const Pairs first = pairs;
  EXPECT_FALSE(first.empty());
  for (const IndexPair& p : first) EXPECT_EQ((p.first + p.second) % 2, 0);
  auto broken = boxes;
  broken[9].lower[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(overlapping_pairs(broken, kept, pairs, even), ContractViolation);
  broken[9] = boxes[9];
  broken[9].upper[2] = boxes[9].lower[2] - 1e-3;  // inside out along one axis, by little
  EXPECT_THROW(overlapping_pairs(broken, kept, pairs, even), ContractViolation);
  overlapping_pairs(boxes, kept, pairs, even);
  EXPECT_EQ(pairs, first);
}

/// The farthest point of a shape along a direction, written down once more, from the definitions.
double reach(const Shape& shape, const Vec3& d) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    return s->half_length * std::abs(d[2]) + s->radius;
  }
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return s->half_length * std::abs(d[2]) + s->radius * d.head<2>().norm();
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    return s->semi_axes.cwiseProduct(d).norm();
  }
  if (const auto* s = std::get_if<Box>(&shape)) return s->half_extents.dot(d.cwiseAbs());
  double far = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : std::get<ConvexMesh>(shape).polyhedron->vertices) {
    far = std::max(far, v.dot(d));
  }
  return far;
}

TEST(Bounds, ReachAsFarAsTheShapes) {
  Rng rng(46);
  std::vector<Vec3> cloud;
  for (int i = 0; i < 30; ++i) cloud.push_back(random_vector(rng));
  const std::vector<Shape> shapes{
      Sphere{0.4},          Capsule{0.2, 0.5},
      Cylinder{0.3, 0.7},   Ellipsoid{{0.1, 0.2, 0.9}},
      Box{{0.1, 0.5, 0.3}}, ConvexMesh{std::make_shared<Polyhedron>(*convex_hull(cloud))}};
  for (int k = 0; k < 20; ++k) {
    const Pose X{exp_so3(3 * random_vector(rng)), 2 * random_vector(rng)};
    for (const Shape& shape : shapes) {
      const Bounds box = bounds_of(shape, X, 0.25);
      for (Index i = 0; i < 3; ++i) {
        const Vec3 d = X.R.row(i).transpose();
        EXPECT_NEAR(box.upper[i], X.p[i] + reach(shape, d) + 0.25, tolerance::rounding * 4);
        EXPECT_NEAR(box.lower[i], X.p[i] - reach(shape, -d) - 0.25, tolerance::rounding * 4);
      }
    }
  }
}

TEST(Bounds, OfAHalfSpaceAreFiniteOnlyAlongAnAxis) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Bounds floor = bounds_of(HalfSpace{}, {Mat3::Identity(), {1, 2, 3}}, 0.5);
  EXPECT_EQ(floor.upper, Vec3(inf, inf, 3.5));
  EXPECT_EQ(floor.lower, Vec3::Constant(-inf));
  const Bounds slope = bounds_of(HalfSpace{}, {exp_so3({0.1, 0, 0}), Vec3::Zero()});
  EXPECT_EQ(slope.upper, Vec3::Constant(inf));
}

TEST(Bounds, OfAHeightFieldHoldItsCorners) {
  auto grid = std::make_shared<HeightGrid>();
  *grid = {2, 3, {3, 1}, 0.5, {0, 1, 2, 0.25, -0.25, 4}};
  const Bounds box = bounds_of(HeightField{grid}, {Mat3::Identity(), {10, 0, 0}});
  EXPECT_EQ(box.lower, Vec3(7, -1, -0.5));
  EXPECT_EQ(box.upper, Vec3(13, 1, 4));
}

}  // namespace
}  // namespace tact
