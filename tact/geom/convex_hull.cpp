#include "tact/geom/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/merge_facets.hpp"
#include "tact/geom/polyhedron.hpp"
#include "tact/geom/qhull_facets.hpp"
#include "tact/poly/hull.hpp"

namespace tact {

namespace {

using Loops = std::vector<std::vector<int>>;

/// Merging leaves corners within one slack of the plane of a face's first facet; the plane through
/// the corners that stay may be tilted against that by a few more.
constexpr double slacks_of_a_face = 8;

/// Ascending and without copies: what follows sees the same points whatever their order.
std::vector<Vec3> sorted(std::span<const Vec3> points) {
  std::vector<Vec3> result;
  result.reserve(points.size());
  for (const Vec3& p : points) result.emplace_back(p.array() + 0.0);  // -0 becomes 0
  const auto less = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  };
  std::sort(result.begin(), result.end(), less);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// The point with the largest measure and that measure; of equals the first.
template <class Measure>
std::pair<Vec3, double> farthest(const std::vector<Vec3>& points, Measure measure) {
  std::pair<Vec3, double> best{points[0], measure(points[0])};
  for (const Vec3& p : points) {
    const double d = measure(p);
    if (d > best.second) best = {p, d};
  }
  return best;
}

/// How far the points reach along a line, across it, and out of a plane, and the normal of that.
struct Extent {
  double length, width, thickness;
  Vec3 normal;
};

Extent extent_of(const std::vector<Vec3>& points) {
  const Vec3& a = points[0];
  const auto [b, length] = farthest(points, [&](const Vec3& p) { return (p - a).norm(); });
  if (!(length > 0)) return {0, 0, 0, Vec3::UnitZ()};
  const Vec3 along = (b - a) / length;
  const auto across = [&](const Vec3& p) { return Vec3(along.cross(p - a)); };
  const auto [c, width] = farthest(points, [&](const Vec3& p) { return across(p).norm(); });
  if (!(width > 0)) return {length, 0, 0, along.unitOrthogonal()};
  const Vec3 normal = across(c).normalized();
  const auto out = [&](const Vec3& p) { return std::abs(normal.dot(p - a)); };
  return {length, width, farthest(points, out).second, normal};
}

/// Only the vertices that loops use, in their order.
Result<Polyhedron> assembled(const std::vector<Vec3>& points, Loops loops) {
  std::vector<int> place(points.size(), -1);
  for (const auto& loop : loops) {
    for (const int v : loop) place[v] = 0;
  }
  std::vector<Vec3> vertices;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<int>(vertices.size());
    vertices.push_back(points[i]);
  }
  for (auto& loop : loops) {
    for (int& v : loop) v = place[v];
  }
  return polyhedron_from_faces(std::move(vertices), std::move(loops));
}

Error too_thin(const char* what) {
  return {Errc::geometry, std::string("hull: the points lie ")
                              .append(what)
                              .append("; a body needs at least a face, give three points that are "
                                      "not on a line or use a capsule or a sphere")};
}

/// One face for each side of a plane.
Result<Polyhedron> flat_hull(const std::vector<Vec3>& points, const Vec3& normal) {
  const Vec3 x = normal.unitOrthogonal();
  const Vec3 y = normal.cross(x);
  std::vector<Vec2> flat;
  flat.reserve(points.size());
  for (const Vec3& p : points) {
    const Vec3 r = p - points[0];
    flat.emplace_back(x.dot(r), y.dot(r));
  }
  const std::vector<Index> hull = convex_hull_indices(flat, tolerance::coplanar);
  if (hull.size() < 3) return too_thin("on a line");
  const std::vector<int> upper(hull.begin(), hull.end());
  return assembled(points, {upper, {upper.rbegin(), upper.rend()}});
}

/// The hull with one choice of precision and slack, or what is wrong with it.
Result<Polyhedron> checked_hull(const std::vector<Vec3>& points, const Loops& facets, double slack,
                                double size) {
  std::optional<Loops> faces = merge_facets(points, facets, slack);
  if (!faces) {
    return Error{Errc::geometry,
                 "hull: the facets of these points do not close up; check them for near copies"};
  }
  Result<Polyhedron> body = assembled(points, *std::move(faces));
  if (!body) return body;
  const double allowed = slacks_of_a_face * tolerance::coplanar * size;
  if (std::optional<Error> fault = convexity_fault(*body, allowed)) return *std::move(fault);
  if (!(farthest_outside(*body, points) <= allowed)) {
    return Error{Errc::geometry,
                 "hull: points stay outside of the hull found; check them for wild coordinates"};
  }
  return body;
}

Result<Polyhedron> solid_hull(const std::vector<Vec3>& points) {
  const double size = point_set_size(points);
  std::vector<Vec3> unit;
  unit.reserve(points.size());
  for (const Vec3& p : points) unit.emplace_back((p - points[0]) / size);

  Result<Polyhedron> last = too_thin("in no order that Qhull can see");
  for (const QhullPrecision precision : {QhullPrecision::merged, QhullPrecision::joggled}) {
    Result<Loops> facets = qhull_facets(unit, precision);
    if (!facets) {
      last = facets.error();
      continue;
    }
    Loops ordered = *std::move(facets);
    for (auto& loop : ordered) {
      std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    }
    std::sort(ordered.begin(), ordered.end());
    for (const double share : {1.0, 0.01, 0.0}) {
      last = checked_hull(points, ordered, share * tolerance::coplanar * size, size);
      if (last) return last;
    }
  }
  return last;
}

}  // namespace

Result<Polyhedron> convex_hull(std::span<const Vec3> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].allFinite()) continue;
    return Error{Errc::value, std::string("hull: point ")
                                  .append(std::to_string(i))
                                  .append(" is not finite; give numbers")};
  }
  if (points.empty()) return too_thin("nowhere, there are none");
  const std::vector<Vec3> distinct = sorted(points);
  const Extent extent = extent_of(distinct);
  if (!(extent.length > 0)) return too_thin("in one place");
  if (!(extent.width > tolerance::coplanar * extent.length)) return too_thin("on a line");
  if (!(extent.thickness > tolerance::coplanar * extent.length)) {
    return flat_hull(distinct, extent.normal);
  }
  return solid_hull(distinct);
}

}  // namespace tact
