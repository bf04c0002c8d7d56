// Every pair of convex shapes against an independent judge: distances, normals, patches, and what
// may not depend on the frame, the order or the unit.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#ifdef TACT_HAVE_CCD
extern "C" {
#include <ccd/ccd.h>
#include <ccd/quat.h>
}
#endif

#include "tact/geom/collide.hpp"
#include "tests/support/geom_referee.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

using testing::how_many;
using testing::random_place;
using testing::random_shape;
using testing::ShapePair;

/// Distances are exact to this share of the size of the scene (about 2); where round shapes are far
/// apart the iteration stops at 1e-12.
constexpr double exact = 4e-12;

/// Cylinders that are nearly parallel are almost as near all along their sides.
constexpr double exact_along = 1e-9;

/// A face is placed by the nearest points, which are good to the root of rounding on rims.
constexpr double exact_gap = 1e-11, exact_rim_gap = 1e-8;
constexpr double on_surface = 2e-6;

/// What a climb over directions may leave: it stops at steps of 1e-9, on ridges somewhat above.
constexpr double searched = 1e-9;

class EveryPair : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  [[nodiscard]] int first() const { return std::get<0>(GetParam()); }
  [[nodiscard]] int second() const { return std::get<1>(GetParam()); }
  [[nodiscard]] bool rims() const { return first() == 3 && second() == 3; }
  [[nodiscard]] double exact_for() const { return rims() ? exact_along : exact; }
  Rng rng{static_cast<std::uint64_t>(1 + first() * 10 + second())};

  ShapePair random_pair(int turn) {
    ShapePair pair{random_shape(rng, first()), random_shape(rng, second()), {}, {}};
    random_place(rng, turn, 2, pair);
    if (second() == testing::half_space_kind) pair.X_W2 = {};
    return pair;
  }
};

std::vector<std::tuple<int, int>> all_pairs() {
  std::vector<std::tuple<int, int>> pairs;
  for (int a = 0; a < testing::half_space_kind; ++a)
    for (int b = a; b < testing::shape_kinds; ++b) pairs.emplace_back(a, b);
  return pairs;
}

std::string pair_name(const ::testing::TestParamInfo<std::tuple<int, int>>& info) {
  return testing::kind_name(std::get<0>(info.param)) + testing::kind_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Geom, EveryPair, ::testing::ValuesIn(all_pairs()), pair_name);

TEST_P(EveryPair, DistanceIsTheBestSeparationOverAllDirections) {
  const int many = how_many(250);
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const ShapePair p = random_pair(k);
    const ShapeDistance d = distance(p.first, p.X_W1, p.second, p.X_W2);
    ASSERT_NEAR(d.normal_W.norm(), 1, 1e-15 * 4);
    // A lower bound of the truth ...
    const bool plane = second() == testing::half_space_kind;
    ASSERT_NEAR(p.separation(plane ? Vec3::UnitZ() : d.normal_W), d.distance, exact);
    ASSERT_LE((d.on_first_W - d.on_second_W - d.distance * d.normal_W).norm(), exact);
    // ... that no other direction beats.
    if (!plane && k % 20 < 2) {
      ASSERT_LE(testing::searched_separation(p, 300, 4), d.distance + searched);
    }
  }
}

TEST_P(EveryPair, NearestPointsLieOnBothShapes) {
  const int many = how_many(250);
  int missed = 0;
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const ShapePair p = random_pair(k);
    const ShapeDistance d = distance(p.first, p.X_W1, p.second, p.X_W2);
    // GJK's points are good to the root of its tolerance, 1e-12, times the size. A point is in a
    // convex shape if the signed distance of a dot there is not positive.
    const Sphere dot{1e-30};
    const bool on_both =
        distance(dot, {Mat3::Identity(), d.on_first_W}, p.first, p.X_W1).distance <= on_surface &&
        distance(dot, {Mat3::Identity(), d.on_second_W}, p.second, p.X_W2).distance <= on_surface;
    if (!on_both) ++missed;
  }
  EXPECT_EQ(missed, 0);
}

TEST_P(EveryPair, LeastGapOverThePatchIsTheDistance) {
  const int many = how_many(250);
  int missed = 0;
  ContactBuffer out;
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const ShapePair p = random_pair(k);
    const ShapeDistance d = distance(p.first, p.X_W1, p.second, p.X_W2);
    out.clear();
    PairMemory memory;
    const double margin = 0.5;
    collide(p.first, p.X_W1, p.second, p.X_W2, {margin}, memory, out);
    ASSERT_EQ(out.contacts.size(), d.distance <= margin ? 1 : 0);
    if (out.contacts.empty()) continue;
    const SurfaceContact& c = out.contacts[0];
    EXPECT_NEAR(c.distance, d.distance, exact_for());
    EXPECT_TRUE(c.X_WC.R.isUnitary(1e-14));
    EXPECT_GT(c.X_WC.R.determinant(), 0);
    ASSERT_EQ(static_cast<Index>(out.points.size()), c.point_count);
    ASSERT_EQ(out.point_features.size(), out.points.size());
    // Two tilted rims that cross miss the crossing by a chord's height: docs/geometry.md.
    const double allowed = rims() ? 5e-3 : first() == 3 ? exact_rim_gap : exact_gap;
    if (!(std::abs(least_gap(c, out) - d.distance) <= allowed)) ++missed;
    if (c.kind == PatchKind::polygon) {
      EXPECT_GT(patch_area(c, out), 0);
    }
  }
  EXPECT_EQ(missed, 0);
}

TEST_P(EveryPair, OrderDoesNotMatter) {
  const int many = how_many(250) / 4;
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const ShapePair p = random_pair(k);
    ContactBuffer one, two;
    PairMemory m1, m2;
    collide(p.first, p.X_W1, p.second, p.X_W2, {0.5}, m1, one);
    collide(p.second, p.X_W2, p.first, p.X_W1, {0.5}, m2, two);
    ASSERT_EQ(one.contacts.size(), two.contacts.size());
    if (one.contacts.empty()) continue;
    const SurfaceContact &a = one.contacts[0], &b = two.contacts[0];
    EXPECT_EQ(a.distance, b.distance);
    EXPECT_EQ(a.X_WC.R.col(2), -b.X_WC.R.col(2));
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.point_count, b.point_count);
    EXPECT_NEAR(patch_area(a, one), patch_area(b, two), 1e-8);
    // Where nearly parallel lines are cut, rounding moves the cut by its share of 1/sine.
    if (k % 10 != 5) {
      EXPECT_LE((a.X_WC.p - b.X_WC.p).norm(), 1e-7);
    }
    EXPECT_EQ(a.feature >> 32U, b.feature & 0xffffffffU);
  }
}

TEST_P(EveryPair, FrameAndUnitDoNotMatter) {
  const int many = how_many(250) / 4;
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const ShapePair p = random_pair(k);
    const Pose X{testing::random_rotation(rng), Vec3(rng.normal(), rng.normal(), rng.normal())};
    const double d = distance(p.first, p.X_W1, p.second, p.X_W2).distance;
    EXPECT_NEAR(distance(p.first, X * p.X_W1, p.second, X * p.X_W2).distance, d, 3 * exact_for());
  }
  for (const double unit : {1e-3, 1e3}) {
    Rng same{7}, scaled{7};
    for (int k = 0; k < many; ++k) {
      SCOPED_TRACE(k);
      ShapePair p{random_shape(same, first()), random_shape(same, second()), {}, {}};
      ShapePair q{random_shape(scaled, first(), 0.2 * unit, unit),
                  random_shape(scaled, second(), 0.2 * unit, unit),
                  {},
                  {}};
      random_place(same, k, 2, p);
      random_place(scaled, k, 2 * unit, q);
      const double d = distance(p.first, p.X_W1, p.second, p.X_W2).distance;
      EXPECT_NEAR(distance(q.first, q.X_W1, q.second, q.X_W2).distance, d * unit,
                  4 * exact_for() * unit);
    }
  }
}

TEST_P(EveryPair, AnySizesGiveNumbers) {
  const int many = how_many(250);
  ContactBuffer out;
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    ShapePair p{
        random_shape(rng, first(), 1e-6, 1e6), random_shape(rng, second(), 1e-6, 1e6), {}, {}};
    random_place(rng, k, rng.log_uniform(1e-6, 1e6), p);
    out.clear();
    PairMemory memory;
    collide(p.first, p.X_W1, p.second, p.X_W2, {1e6}, memory, out);
    for (const SurfaceContact& c : out.contacts) {
      ASSERT_TRUE(std::isfinite(c.distance));
      ASSERT_TRUE(c.X_WC.R.allFinite() && c.X_WC.p.allFinite() && c.gap.allFinite());
      for (const Vec2& x : out.points) ASSERT_TRUE(x.allFinite());
    }
  }
}

#ifdef TACT_HAVE_CCD

/// libccd sees a shape through its support function.
struct CcdShape {
  const Shape* shape;
  Pose X_W;
};

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const auto& s = *static_cast<const CcdShape*>(object);
  const Convex c = convex_of(*s.shape, s.X_W);
  Vec3 d(direction->v[0], direction->v[1], direction->v[2]);
  if (d.squaredNorm() == 0) d = Vec3::UnitX();
  int vertex = 0;
  const Vec3 x = core_support_world(c, d, vertex) + c.radius * d.normalized();
  ccdVec3Set(out, x[0], x[1], x[2]);
}

void ccd_centre(const void* object, ccd_vec3_t* out) {
  const Vec3& p = static_cast<const CcdShape*>(object)->X_W.p;
  ccdVec3Set(out, p[0], p[1], p[2]);
}

TEST_P(EveryPair, LibccdAgreesOnWhatOverlaps) {
  if (first() < 4 || second() == testing::half_space_kind)
    GTEST_SKIP() << "libccd knows no half-space, and its polytopes of round shapes are coarse";
  const int many = how_many(250) / 10;
  int compared = 0;
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const ShapePair p = random_pair(k);
    const double d = distance(p.first, p.X_W1, p.second, p.X_W2).distance;
    CcdShape one{&p.first, p.X_W1}, two{&p.second, p.X_W2};
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 500;
    if (std::abs(d) < 1e-3) continue;  // close calls are its own affair
    EXPECT_EQ(ccdGJKIntersect(&one, &two, &ccd) != 0, d < 0) << d;
    ++compared;
  }
  EXPECT_GT(compared, many / 10);
}

#endif

}  // namespace
}  // namespace tact
