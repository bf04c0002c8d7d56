#include "tact/geom/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/merge_facets.hpp"
#include "tact/geom/polyhedron.hpp"
#include "tact/geom/qhull_facets.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

using Points = std::vector<Vec3>;

/// What convex_hull promises about the distance of points to the hull.
double promised(const Points& points) {
  return 8 * tolerance::coplanar * point_set_size(points);
}

/// Every law that does not need to know the answer; points inside by brute force.
void expect_hull_laws(const Points& points, const Polyhedron& body) {
  Index sides = 0;
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    const Polyhedron::Face& face = body.faces[f];
    const std::size_t n = face.corners.size();
    ASSERT_GE(n, 3U);
    ASSERT_EQ(face.across.size(), n);
    sides += std::ssize(face.corners);
    EXPECT_NEAR(face.normal.norm(), 1, tolerance::rounding);
    EXPECT_EQ(*std::min_element(face.corners.begin(), face.corners.end()), face.corners[0]);
    if (f > 0) {
      EXPECT_LT(body.faces[f - 1].corners, face.corners);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto& other = body.faces[face.across[i]].corners;
      const auto at = std::find(other.begin(), other.end(), face.corners[(i + 1) % n]);
      ASSERT_NE(at, other.end());
      const std::size_t next = static_cast<std::size_t>(at - other.begin() + 1) % other.size();
      EXPECT_EQ(other[next], face.corners[i]) << "the other face runs the other way";
    }
    double above = 0;
    for (const Vec3& p : points) above = std::max(above, face.normal.dot(p) - face.offset);
    EXPECT_LE(above, promised(points));
  }
  EXPECT_EQ(std::ssize(body.vertices) - sides / 2 + std::ssize(body.faces), 2);
  for (std::size_t v = 0; v < body.vertices.size(); ++v) {
    EXPECT_NE(std::find(points.begin(), points.end(), body.vertices[v]), points.end());
    EXPECT_TRUE(std::is_sorted(body.neighbours[v].begin(), body.neighbours[v].end()));
    EXPECT_TRUE(std::is_sorted(body.faces_at[v].begin(), body.faces_at[v].end()));
    EXPECT_EQ(body.neighbours[v].size(), body.faces_at[v].size());
  }
}

void shuffle(Points& points, Rng& rng) {
  for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[rng.below(i)]);
}

Points cloud(Rng& rng, int count) {
  Points points;
  for (int i = 0; i < count; ++i) points.emplace_back(rng.normal(), rng.normal(), rng.normal());
  return points;
}

/// A regular prism over n corners, with points all over its faces.
Points prism(int n, Rng& rng) {
  Points points;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    const double b = 2 * std::numbers::pi * (i + 1) / n;
    const Vec3 at(std::cos(a), std::sin(a), 0);
    const Vec3 next(std::cos(b), std::sin(b), 0);
    for (int k = 0; k < 6; ++k) {
      const double s = k < 2 ? 0 : rng.uniform();
      const double z = k < 4 ? (k % 2 == 0 ? -0.5 : 0.5) : rng.uniform(-0.5, 0.5);
      points.emplace_back(at + s * (next - at) + z * Vec3::UnitZ());
    }
    const double r = rng.uniform();
    points.emplace_back(r * at + 0.5 * Vec3::UnitZ());
  }
  return points;
}

Mat3 some_rotation(Rng& rng) {
  return exp_so3(Vec3(rng.normal(), rng.normal(), rng.normal()));
}

TEST(Polyhedron, OfABoxHasSixFacesAndItsHullIsTheSame) {
  const Polyhedron box = box_polyhedron({1, 2, 3});
  ASSERT_EQ(box.faces.size(), 6U);
  for (const auto& face : box.faces) {
    Index axis = 0;
    EXPECT_EQ(face.normal.cwiseAbs().maxCoeff(&axis), 1);
    EXPECT_EQ(face.offset, static_cast<double>(axis + 1));
    EXPECT_EQ(face.corners.size(), 4U);
  }
  expect_hull_laws(box.vertices, box);
  const auto hull = convex_hull(box.vertices);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices, box.vertices);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(hull->faces[f].corners, box.faces[f].corners);
}

TEST(Polyhedron, RefusesAnOpenSurfaceAndLooseVertices) {
  const Points corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::vector<int>> closed{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  EXPECT_TRUE(polyhedron_from_faces(corners, closed));
  auto open = closed;
  open.pop_back();
  EXPECT_EQ(polyhedron_from_faces(corners, open).error().code, Errc::geometry);
  Points loose = corners;
  loose.emplace_back(5, 5, 5);
  EXPECT_EQ(polyhedron_from_faces(loose, closed).error().code, Errc::geometry);
}

TEST(Polyhedron, SeesADent) {
  Points corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  auto body = *polyhedron_from_faces(corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}});
  EXPECT_FALSE(convexity_fault(body, 0));
  const auto inside_out =
      *polyhedron_from_faces(corners, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}});
  EXPECT_TRUE(convexity_fault(inside_out, 0.1));
}

TEST(Polyhedron, TheWalkFindsTheFarthestPointAsBruteForceDoes) {
  Rng rng(11);
  for (int k = 0; k < 20; ++k) {
    const Polyhedron body = *convex_hull(cloud(rng, 200));
    const Points probes{Vec3(3 * rng.normal(), rng.normal(), rng.normal())};
    double brute = -std::numeric_limits<double>::infinity();
    for (const auto& face : body.faces) {
      brute = std::max(brute, face.normal.dot(probes[0]) - face.offset);
    }
    // The face in front need not be the one farthest below, but the sign is the same.
    EXPECT_EQ(farthest_outside(body, probes) > 0, brute > 0);
    EXPECT_LE(farthest_outside(body, probes), brute);
  }
}

TEST(ConvexHull, OfPrismsHasTheFacesOfThePrism) {
  Rng rng(12);
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const int n : {3, 4, 6, 17, 64}) {
      const Mat3 R = some_rotation(rng);
      const Vec3 shift(rng.normal(), rng.normal(), rng.normal());
      Points points = prism(n, rng);
      for (Vec3& p : points) p = scale * (R * p + shift);
      const auto body = convex_hull(points);
      ASSERT_TRUE(body) << body.error().message;
      EXPECT_EQ(std::ssize(body->faces), n + 2);
      EXPECT_EQ(std::ssize(body->vertices), 2 * n);
      expect_hull_laws(points, *body);
    }
  }
}

// The facets of a mesh stored in single precision lie in one plane to 1e-7 of its size.
TEST(ConvexHull, SeesThroughSinglePrecision) {
  Rng rng(13);
  for (int k = 0; k < 20; ++k) {
    Points points = prism(8, rng);
    const Mat3 R = some_rotation(rng);
    for (Vec3& p : points) p = (R * p).cast<float>().cast<double>();
    const auto body = convex_hull(points);
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(body->faces.size(), 10U);
    EXPECT_EQ(body->vertices.size(), 16U);
    expect_hull_laws(points, *body);
  }
}

TEST(ConvexHull, DoesNotDependOnOrderNorDuplicates) {
  Rng rng(14);
  for (int k = 0; k < 10; ++k) {
    Points points = k % 2 == 0 ? cloud(rng, 100) : prism(5 + k, rng);
    const Polyhedron first = *convex_hull(points);
    points.insert(points.end(), points.begin(), points.begin() + 7);
    shuffle(points, rng);
    const Polyhedron second = *convex_hull(points);
    EXPECT_EQ(first.vertices, second.vertices);
    ASSERT_EQ(first.faces.size(), second.faces.size());
    for (std::size_t f = 0; f < first.faces.size(); ++f) {
      EXPECT_EQ(first.faces[f].corners, second.faces[f].corners);
      EXPECT_EQ(first.faces[f].normal, second.faces[f].normal);
    }
  }
}

TEST(ConvexHull, OfRandomCloudsKeepsTheLaws) {
  Rng rng(15);
  for (int k = 0; k < 60; ++k) {
    Points points = cloud(rng, 4 + static_cast<int>(rng.below(200)));
    const Vec3 stretch(rng.log_uniform(1e-4, 1), 1, rng.log_uniform(1e-2, 1));
    for (Vec3& p : points) p = p.cwiseProduct(stretch);
    const auto body = convex_hull(points);
    ASSERT_TRUE(body) << body.error().message;
    expect_hull_laws(points, *body);
  }
}

// Integer grids: all the coincidences at once. Brute force knows the number of faces: the number of
// different supporting planes through three points.
TEST(ConvexHull, OfIntegerCloudsHasAsManyFacesAsSupportingPlanes) {
  Rng rng(16);
  for (int k = 0; k < 60; ++k) {
    Points points;
    for (int i = 0; i < 14; ++i) {
      const auto digit = [&] { return static_cast<double>(rng.below(4)); };
      points.emplace_back(digit(), digit(), digit());
    }
    Points planes;
    for (const Vec3& a : points) {
      for (const Vec3& b : points) {
        for (const Vec3& c : points) {
          const Vec3 n = (b - a).cross(c - a);
          const bool supporting =
              n.norm() > 0 && std::all_of(points.begin(), points.end(),
                                          [&](const Vec3& p) { return n.dot(p - a) <= 0; });
          const auto same = [&](const Vec3& m) { return m.cross(n).norm() == 0 && m.dot(n) > 0; };
          if (supporting && std::none_of(planes.begin(), planes.end(), same)) planes.push_back(n);
        }
      }
    }
    const auto body = convex_hull(points);
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(body->faces.size(), planes.size());
    expect_hull_laws(points, *body);
  }
}

TEST(ConvexHull, OfFlatPointsHasTwoFaces) {
  Rng rng(17);
  for (int k = 0; k < 20; ++k) {
    const Mat3 R = some_rotation(rng);
    Points points{{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    for (int i = 0; i < 30; ++i) points.emplace_back(rng.uniform(-1, 1), rng.uniform(-1, 1), 0);
    for (Vec3& p : points) p = R * p + Vec3(5, 6, 7);
    const auto body = convex_hull(points);
    ASSERT_TRUE(body) << body.error().message;
    ASSERT_EQ(body->faces.size(), 2U);
    EXPECT_EQ(body->vertices.size(), 4U);
    EXPECT_NEAR(body->faces[0].normal.dot(body->faces[1].normal), -1, tolerance::rounding);
    expect_hull_laws(points, *body);
  }
}

TEST(ConvexHull, RefusesWhatHasNoFace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto code = [](const Points& points) { return convex_hull(points).error().code; };
  EXPECT_EQ(code({}), Errc::geometry);
  EXPECT_EQ(code({{1, 2, 3}}), Errc::geometry);
  EXPECT_EQ(code({{1, 2, 3}, {1, 2, 3}}), Errc::geometry);
  EXPECT_EQ(code({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {0.5, 1, 1.5}}), Errc::geometry);
  EXPECT_EQ(code({{0, 0, 0}, {1, 0, 0}, {0, 1, nan}, {0, 0, 1}}), Errc::value);
  EXPECT_NE(convex_hull(Points{{1, 2, 3}}).error().message.find("capsule"), std::string::npos);
}

TEST(ConvexHull, OfAFineSphereIsSound) {
  Points points;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {  // a spiral from pole to pole
    const double z = 1 - (2.0 * i + 1) / n;
    const double a = std::numbers::pi * (1 + std::sqrt(5.0)) * i;
    points.emplace_back(std::sqrt(1 - z * z) * std::cos(a), std::sqrt(1 - z * z) * std::sin(a), z);
  }
  const auto body = convex_hull(points);
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_LE(farthest_outside(*body, points), promised(points));
  EXPECT_FALSE(convexity_fault(*body, promised(points)));
  EXPECT_GT(body->vertices.size(), 0.5 * n);
}

/// Rings of points one above the other: rows of them lie on one line, so joggled facets may be
/// slivers that lie either way round.
Points rings(int count, int around, double bulge) {
  Points points;
  for (int i = 0; i < count; ++i) {
    const double z = -1 + 2.0 * i / (count - 1);
    const double r = std::sqrt(1 - bulge * z * z);
    for (int k = 0; k < around; ++k) {
      const double a = 2 * std::numbers::pi * k / around;
      points.emplace_back(r * std::cos(a), r * std::sin(a), z);
    }
  }
  return points;
}

TEST(ConvexHull, OfRingsOfPointsIsThatOfTheirFaces) {
  const auto straight = convex_hull(rings(10, 300, 0));
  ASSERT_TRUE(straight) << straight.error().message;
  EXPECT_EQ(straight->vertices.size(), 600U);
  EXPECT_EQ(straight->faces.size(), 302U);
  const Points ball = rings(60, 80, 1);  // the first and the last ring are a point each
  const auto round = convex_hull(ball);
  ASSERT_TRUE(round) << round.error().message;
  EXPECT_EQ(round->vertices.size(), 58U * 80 + 2);
  EXPECT_EQ(round->faces.size(), 59U * 80);
  EXPECT_LE(farthest_outside(*round, ball), promised(ball));
}

/// Every edge of a closed surface is run along once in each direction.
TEST(QhullFacets, JoggledCloseUpWhereManyPointsLieOnLines) {
  for (const double bulge : {0.0, 1.0}) {
    const auto facets = qhull_facets(rings(9, 500, bulge), QhullPrecision::joggled);
    ASSERT_TRUE(facets);
    std::map<std::pair<int, int>, int> runs;
    for (const auto& loop : *facets)
      for (std::size_t i = 0; i < loop.size(); ++i) ++runs[{loop[i], loop[(i + 1) % loop.size()]}];
    for (const auto& [edge, count] : runs) {
      EXPECT_EQ(count, 1);
      EXPECT_TRUE(runs.contains({edge.second, edge.first}));
    }
  }
}

TEST(QhullFacets, OfATetrahedronAreItsFourSides) {
  const Points corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto precision : {QhullPrecision::merged, QhullPrecision::joggled}) {
    const auto facets = qhull_facets(corners, precision);
    ASSERT_TRUE(facets);
    ASSERT_EQ(facets->size(), 4U);
    for (const auto& loop : *facets) {
      EXPECT_GT(loop_normal(corners, loop).dot(corners[loop[0]] - Vec3::Constant(0.1)), 0);
    }
  }
  EXPECT_FALSE(
      qhull_facets(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, QhullPrecision::merged));
}

// A square pyramid whose base is split, and one of whose sides is split by a corner on an edge.
TEST(MergeFacets, JoinsCoplanarTrianglesAndDropsCornersOnEdges) {
  const Points v{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}, {0, -1, 0}};
  const std::vector<std::vector<int>> split{{0, 3, 5}, {5, 3, 2}, {5, 2, 1}, {0, 5, 4},
                                            {5, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const auto faces = merge_facets(v, split, tolerance::coplanar);
  ASSERT_TRUE(faces);
  EXPECT_EQ(faces->size(), 5U);
  for (const auto& loop : *faces) EXPECT_EQ(std::find(loop.begin(), loop.end(), 5), loop.end());
  auto open = split;
  open.pop_back();
  EXPECT_FALSE(merge_facets(v, open, tolerance::coplanar));
}

}  // namespace
}  // namespace tact
