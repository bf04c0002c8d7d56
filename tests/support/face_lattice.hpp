// tests/support/face_lattice.hpp - convex hulls of points and their face lattices, exactly.
#pragma once

#include <bitset>
#include <unordered_set>

#include "tests/support/whole.hpp"

namespace tact::testing {

constexpr std::size_t most_points = 768;
using PointSet = std::bitset<most_points>;  ///< of points by number; small sets of small scenes

/// Points as rays of a pointed cone: (1, p) for a point p, or any positive multiple.
struct Hull {
  WholeRows points;
  std::size_t width = 0;         ///< of a ray
  std::vector<PointSet> facets;  ///< every point on it, vertex or not
};

namespace detail {

struct FacetRay {
  WholeRow normal;  ///< normal . point >= 0 for the points seen so far
  PointSet on;      ///< where it is 0
};

/// The facets of the cone of `count` independent points are opposite to one point each.
inline std::vector<FacetRay> simplex(const WholeRows& points,
                                     const std::vector<std::size_t>& base) {
  std::vector<FacetRay> rays;
  for (const std::size_t opposite : base) {
    WholeRows others;
    FacetRay ray;
    for (const std::size_t k : base) {
      if (k == opposite) continue;
      others.push_back(points[k]);
      ray.on.set(k);
    }
    ray.normal = null_space(others, points[opposite].size()).at(0);
    if (dot(ray.normal, points[opposite]).sign() < 0) ray.normal = negated(ray.normal);
    rays.push_back(ray);
  }
  return rays;
}

/// Two facets meet in a ridge iff no third one holds all they share.
inline bool adjacent(const std::vector<FacetRay>& rays, std::size_t a, std::size_t b,
                     std::size_t dim) {
  const PointSet shared = rays[a].on & rays[b].on;
  if (shared.count() + 2 < dim) return false;
  for (std::size_t k = 0; k < rays.size(); ++k)
    if (k != a && k != b && (shared & ~rays[k].on).none()) return false;
  return true;
}

/// Adds one point: facets that see it give way to those through it and a ridge.
inline std::vector<FacetRay> with_point(const std::vector<FacetRay>& rays, const WholeRow& point,
                                        std::size_t number) {
  WholeRow side;
  for (const FacetRay& ray : rays) side.push_back(dot(ray.normal, point));
  std::vector<FacetRay> next;
  for (std::size_t a = 0; a < rays.size(); ++a) {
    if (side[a].sign() < 0) continue;
    next.push_back(rays[a]);
    if (side[a].sign() == 0) next.back().on.set(number);
    if (side[a].sign() == 0) continue;
    for (std::size_t b = 0; b < rays.size(); ++b) {
      if (side[b].sign() >= 0 || !adjacent(rays, a, b, point.size())) continue;
      FacetRay ray{{}, rays[a].on & rays[b].on};
      for (std::size_t k = 0; k < point.size(); ++k)
        ray.normal.push_back(side[a] * rays[b].normal[k] - side[b] * rays[a].normal[k]);
      ray.normal = reduced(ray.normal);
      ray.on.set(number);
      next.push_back(ray);
    }
  }
  return next;
}

/// Coordinates enough to tell the points apart, and a maximal independent set of points.
struct Span {
  WholeRows points;
  std::vector<std::size_t> base;
};

inline Span span_of(const WholeRows& points, std::size_t width) {
  const std::vector<std::size_t> columns = echelon(points, width).pivots;
  Span span;
  WholeRows transposed(columns.size());
  for (const WholeRow& point : points) {
    WholeRow p;
    for (const std::size_t c : columns) p.push_back(point[c]);
    for (std::size_t k = 0; k < p.size(); ++k) transposed[k].push_back(p[k]);
    span.points.push_back(p);
  }
  span.base = echelon(transposed, points.size()).pivots;
  return span;
}

}  // namespace detail

/// The double description method, point by point, within the span of the points: what [Huang20]
/// calls the projection to the affine subspace.
inline Hull hull_of(WholeRows points, std::size_t width) {
  if (points.size() > most_points) throw std::length_error("too many points");
  Hull hull{points, width, {}};
  if (points.empty()) return hull;
  const detail::Span span = detail::span_of(points, width);
  std::vector<detail::FacetRay> rays = detail::simplex(span.points, span.base);
  for (std::size_t k = 0; k < points.size(); ++k)
    if (std::ranges::find(span.base, k) == span.base.end())
      rays = detail::with_point(rays, span.points[k], k);
  for (const detail::FacetRay& ray : rays) {
    PointSet on;  // rays remember only the points seen after they were made
    for (std::size_t k = 0; k < points.size(); ++k)
      on.set(k, dot(ray.normal, span.points[k]).sign() == 0);
    hull.facets.push_back(on);
  }
  return hull;
}

inline PointSet all_points(const Hull& hull) {
  PointSet all;
  for (std::size_t k = 0; k < hull.points.size(); ++k) all.set(k);
  return all;
}

/// The smallest face that holds the points: the meet of all facets through them.
inline PointSet closure(const Hull& hull, const PointSet& points) {
  PointSet face = all_points(hull);
  for (const PointSet& facet : hull.facets)
    if ((points & ~facet).none()) face &= facet;
  return face;
}

/// One more than its dimension: 0 for the empty face.
inline std::size_t rank_of_face(const Hull& hull, const PointSet& face) {
  WholeRows on;
  for (std::size_t k = 0; k < hull.points.size(); ++k)
    if (face[k]) on.push_back(hull.points[k]);
  return rank_of(on, hull.width);
}

/// Whether a point is a corner and not in the middle of others.
inline bool is_vertex(const Hull& hull, std::size_t k) {
  return rank_of_face(hull, closure(hull, PointSet().set(k))) == 1;
}

/// Every face, from the empty one to the whole, as closed sets after Kaibel and Pfetsch: the faces
/// over a face are among the closures of it and one more point.
inline std::vector<PointSet> faces_of(const Hull& hull) {
  std::vector<PointSet> faces{closure(hull, {})};
  std::unordered_set<PointSet> seen{faces.front()};
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (std::size_t k = 0; k < hull.points.size(); ++k) {
      if (faces[i][k]) continue;
      PointSet more = faces[i];
      const PointSet above = closure(hull, more.set(k));
      if (seen.insert(above).second) faces.push_back(above);
    }
  return faces;
}

/// How many faces of each rank, the empty face first.
inline std::vector<int> face_numbers(const Hull& hull) {
  std::vector<int> numbers;
  for (const PointSet& face : faces_of(hull)) {
    const std::size_t rank = rank_of_face(hull, face);
    if (numbers.size() <= rank) numbers.resize(rank + 1);
    ++numbers[rank];
  }
  return numbers;
}

}  // namespace tact::testing
