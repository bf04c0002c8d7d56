#include "tact/poly/polygon.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/poly/hull.hpp"

namespace tact {
namespace {

using Points = std::vector<Vec2>;

/// Sums of up to a dozen terms of one sign, each a few roundings: see polygon.hpp.
constexpr double few_roundings = 64 * tolerance::epsilon;

Points rectangle(const Vec2& centre, double width, double height) {
  const Vec2 u(width / 2, 0), v(0, height / 2);
  return {centre - u - v, centre + u - v, centre + u + v, centre - u + v};
}

Points regular(std::size_t n, double radius) {
  Points p;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    p.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return p;
}

Mat2 turn(double angle) {
  return (Mat2() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle)).finished();
}

void expect_close(const Mat2& found, const Mat2& expected, double relative) {
  EXPECT_LE((found - expected).norm(), relative * expected.norm()) << found << "\nexpected\n"
                                                                   << expected;
}

class PolygonRectangle : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(PolygonRectangle, IsMeasuredOnTheScaleOfEachAxis) {
  const auto [w, aspect] = GetParam();
  const double h = aspect * w;
  const Points r = rectangle(Vec2(0, 0), w, h);
  EXPECT_NEAR(area(r), w * h, few_roundings * w * h);
  EXPECT_NEAR(perimeter(r), 2 * (w + h), few_roundings * w);
  EXPECT_LE(centroid(r).norm(), few_roundings * w);
  const Mat2 m = second_moment(r, Vec2(0, 0));
  EXPECT_NEAR(m(0, 0), w * w / 12, few_roundings * w * w);
  EXPECT_NEAR(m(1, 1), h * h / 12, few_roundings * h * h);
  EXPECT_NEAR(width(r), h, few_roundings * h);
  EXPECT_NEAR(diameter(r), std::hypot(w, h), few_roundings * w);
}
INSTANTIATE_TEST_SUITE_P(SizesAndAspects, PolygonRectangle,
                         ::testing::Combine(::testing::Values(1e-9, 1.0, 1e6),
                                            ::testing::Values(1.0, 1e-3, 1e-9)));

TEST(Polygon, MeasuresATriangle) {
  const Points t{{1, 1}, {4, 1}, {1, 3}};
  EXPECT_EQ(area(t), 3);
  EXPECT_TRUE(centroid(t).isApprox(Vec2(2, 5.0 / 3)));
  // A right triangle with legs b, h at the origin has means x² = b²/6, y² = h²/6, xy = bh/12.
  Mat2 expected;
  expected << 9.0 / 6, 6.0 / 12, 6.0 / 12, 4.0 / 6;
  expect_close(second_moment(t, Vec2(1, 1)), expected, few_roundings);
}

TEST(Polygon, MeasuresARegularPolygon) {
  for (const std::size_t n : {3U, 4U, 5U, 6U, 12U, 100U}) {
    const double r = 0.7, arc = 2 * std::numbers::pi / static_cast<double>(n);
    const Points p = regular(n, r);
    const double a = static_cast<double>(n) * r * r * std::sin(arc) / 2;
    EXPECT_NEAR(area(p), a, few_roundings * a);
    EXPECT_LE(centroid(p).norm(), few_roundings * r);
    // Isotropic: r² (2 + cos arc) / 12 on both axes.
    const Mat2 expected = r * r * (2 + std::cos(arc)) / 12 * Mat2::Identity();
    expect_close(second_moment(p, Vec2(0, 0)), expected, few_roundings);
  }
}

TEST(Polygon, MeasuresSegmentsAndPoints) {
  const Points segment{{1, 2}, {4, 6}}, point{{3, -1}};
  EXPECT_EQ(area(segment), 0);
  EXPECT_EQ(centroid(segment), Vec2(2.5, 4));
  const Mat2 along = Vec2(3, 4) * Vec2(3, 4).transpose() / 12;
  expect_close(second_moment(segment, Vec2(2.5, 4)), along, few_roundings);
  EXPECT_EQ(diameter(segment), 5);
  EXPECT_EQ(width(segment), 0);
  EXPECT_EQ(area(point), 0);
  EXPECT_EQ(centroid(point), point[0]);
  EXPECT_EQ(second_moment(point, point[0]), Mat2::Zero());
  EXPECT_EQ(diameter(point), 0);
  const Points flat{{0, 0}, {1, 1}, {3, 3}, {2, 2}};
  EXPECT_EQ(centroid(flat), Vec2(1.5, 1.5)) << "several vertices on a line are a segment";
  expect_close(second_moment(flat, Vec2(1.5, 1.5)), Mat2::Constant(9.0 / 12), few_roundings);
}

// Steiner: the moment about any point follows from the one about the centroid; far away as well.
TEST(Polygon, SecondMomentFollowsTheParallelAxisTheorem) {
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const double size = rng.log_uniform(1e-9, 1e6);
    Points cloud;
    for (int i = 0; i < 9; ++i) cloud.emplace_back(size * Vec2(rng.normal(), rng.normal()));
    const Points p = convex_hull(cloud);
    const Vec2 c = centroid(p);
    const Vec2 about = c + size * rng.log_uniform(1e-3, 1e6) * turn(rng.uniform(0, 6)).col(0);
    const Vec2 d = c - about;
    expect_close(second_moment(p, about), second_moment(p, c) + d * d.transpose(), few_roundings);
  }
}

/// Independent of polygon.cpp: cubature exact to degree 2 on the midpoints of triangle edges, in
/// long double, over a fan about the vertex mean.
Mat2 moment_by_cubature(const Points& p, const Vec2& about) {
  using Wide = Eigen::Matrix<long double, 2, 1>;
  Wide hub = Wide::Zero();
  for (const Vec2& v : p) hub += v.cast<long double>() / static_cast<long double>(p.size());
  Eigen::Matrix<long double, 2, 2> sum = Eigen::Matrix<long double, 2, 2>::Zero();
  long double total = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Wide a = p[i].cast<long double>(), b = p[(i + 1) % p.size()].cast<long double>();
    const Wide u = a - hub, v = b - hub;
    const long double weight = u[0] * v[1] - u[1] * v[0];
    for (const Wide& m : {Wide((a + b) / 2), Wide((a + hub) / 2), Wide((b + hub) / 2)}) {
      const Wide x = m - about.cast<long double>();
      sum += weight / 3 * x * x.transpose();
    }
    total += weight;
  }
  return (sum / total).cast<double>();
}

TEST(Polygon, SecondMomentOfRotatedSliversAgreesWithCubature) {
  Rng rng(2);
  for (int k = 0; k < 500; ++k) {
    const double aspect = rng.log_uniform(1e-9, 1), size = rng.log_uniform(1e-9, 1e6);
    const Mat2 r = turn(rng.uniform(0, 6));
    Points cloud;
    for (int i = 0; i < 8; ++i) {
      cloud.emplace_back(size * (r * Vec2(rng.normal(), aspect * rng.normal())));
    }
    const Points p = exact_hull(cloud);
    const Vec2 about = cloud[0];
    // The oracle's weights cancel, too: 64 bits of mantissa over the aspect.
    const double bound = few_roundings + 0x1p-60 / aspect;
    expect_close(second_moment(p, about), moment_by_cubature(p, about), bound);
  }
}

TEST(Polygon, ContainsIsExactOnTheBoundary) {
  const Points t{{0, 0}, {3, 1}, {1, 2}};
  const double ulp = tolerance::epsilon;
  EXPECT_TRUE(contains(t, Vec2(0, 0)));
  EXPECT_TRUE(contains(t, Vec2(1.5, 0.5)));
  EXPECT_TRUE(contains(t, Vec2(1.5, 0.5 + ulp)));
  EXPECT_FALSE(contains(t, Vec2(1.5, 0.5 - ulp / 2)));
  EXPECT_TRUE(contains(t, Vec2(1.5, 0.5 - ulp / 2), ulp));
  const Points segment{{0, 0}, {3, 1}}, point{{3, 1}};
  EXPECT_TRUE(contains(segment, Vec2(1.5, 0.5)));
  EXPECT_TRUE(contains(segment, Vec2(3, 1)));
  EXPECT_FALSE(contains(segment, Vec2(6, 2)));
  EXPECT_FALSE(contains(segment, Vec2(1.5, 0.5 + ulp)));
  EXPECT_TRUE(contains(point, Vec2(3, 1)));
  EXPECT_FALSE(contains(point, Vec2(3, 1 + ulp)));
  EXPECT_TRUE(contains(point, Vec2(3, 1.5), 0.5));
}

TEST(Polygon, BoundaryDistanceIsSignedAndNamesTheNearestPoint) {
  const Points r{{0, 0}, {4, 0}, {4, 2}, {0, 2}};
  const auto inside = boundary_distance(r, Vec2(3, 0.5));
  EXPECT_EQ(inside.distance, 0.5);
  EXPECT_EQ(inside.nearest, Vec2(3, 0));
  EXPECT_EQ(inside.edge, 0);
  const auto beside = boundary_distance(r, Vec2(5, 1));
  EXPECT_EQ(beside.distance, -1);
  EXPECT_EQ(beside.nearest, Vec2(4, 1));
  EXPECT_EQ(beside.edge, 1);
  const auto corner = boundary_distance(r, Vec2(-3, -4));
  EXPECT_EQ(corner.distance, -5);
  EXPECT_EQ(corner.nearest, Vec2(0, 0));
  EXPECT_EQ(boundary_distance(r, Vec2(4, 2)).distance, 0);
  const Points segment{{0, 0}, {4, 0}};
  EXPECT_EQ(boundary_distance(segment, Vec2(1, 1)).distance, -1);
  EXPECT_EQ(boundary_distance(segment, Vec2(1, 0)).distance, 0);
  EXPECT_EQ(boundary_distance(Points{{1, 1}}, Vec2(4, 5)).distance, -5);
}

TEST(Polygon, SupportNamesTheVertexOrTheEdge) {
  const Points r{{0, 0}, {4, 0}, {4, 2}, {0, 2}};
  using Places = std::vector<Index>;
  EXPECT_EQ(support(r, Vec2(1, 1)), Places{2});
  EXPECT_EQ(support(r, Vec2(0, -3)), (Places{0, 1}));
  EXPECT_EQ(support(r, Vec2(-1, 0.1 * tolerance::face)), (Places{0, 3}));
  EXPECT_EQ(support(r, Vec2(-1, 10 * tolerance::face)), Places{3});
  EXPECT_EQ(support(r, Vec2(-1, 10 * tolerance::face), 0.01), (Places{0, 3}));
  EXPECT_EQ(support(r, Vec2(0, 0)), (Places{0, 1, 2, 3}));
  EXPECT_EQ(support(Points{{7, 7}}, Vec2(1, 0)), Places{0});
}

TEST(Polygon, NeedsAVertex) {
  const Points none;
  EXPECT_THROW((void)area(none), ContractViolation);
  EXPECT_THROW((void)centroid(none), ContractViolation);
  EXPECT_THROW((void)second_moment(none, Vec2(0, 0)), ContractViolation);
  EXPECT_THROW((void)contains(none, Vec2(0, 0)), ContractViolation);
  EXPECT_THROW((void)support(none, Vec2(0, 0)), ContractViolation);
}

}  // namespace
}  // namespace tact
