// geom/difference_polytope.hpp - a polytope of points of the difference set that grows from within.
//
// Used by the expanding-polytope methods: each face's distance from the origin is a lower bound of
// the depth over the directions that pass through the face.
#pragma once

#include <array>

#include "tact/geom/gjk.hpp"

namespace tact {

struct DifferencePolytope {
  static constexpr int most_points = 160;
  static constexpr int most_faces = 3 * most_points;

  struct Point {
    Vec3 w, on_first;       ///< as in DifferencePoint
    Vec3 corner, corner_1;  ///< the same of the parts with corners; see round_depth
  };
  struct Face {  // NOLINT(cppcoreguidelines-pro-type-member-init): see below
    std::array<int, 3> corner;
    Vec3 normal;      ///< outward, unit; zero if the face is a sliver
    double distance;  ///< of its plane from the origin; infinite for a sliver
    double rank;      ///< the distance, or infinite for a face that is done with
  };

  // Not set to zero: only what is counted is ever read.
  std::array<Point, most_points> points;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::array<Face, most_faces> faces;     // NOLINT(cppcoreguidelines-pro-type-member-init)
  int point_count = 0, face_count = 0;

  DifferencePolytope() {}  // NOLINT(modernize-use-equals-default): = default would set it to zero

  [[nodiscard]] const Vec3& at(int i) const { return points[i].w; }
};

/// Any unit vector across d.
[[nodiscard]] Vec3 unit_across(const Vec3& d);

void add_face(DifferencePolytope& p, int i, int j, int k);

/// The face of least rank. Expects at least one.
[[nodiscard]] int nearest_face(const DifferencePolytope& p);

/// Takes away every face that the point sees from farther above than `above` and covers the hole
/// with a fan around the point. False, and nothing changed, if there is no room or no hole.
[[nodiscard]] bool grow(DifferencePolytope& p, int point, double above, int seen_for_sure);

/// Whether the point is a corner already.
[[nodiscard]] bool known(const DifferencePolytope& p, const Vec3& w);

/// Makes a tetrahedron out of the points that are there, less those that do not span, and of what
/// `farthest` says: a function from a direction to a Point. False if the set is flatter than
/// `thin`; the points that were found span it.
template <class Farthest>
[[nodiscard]] bool first_tetrahedron(DifferencePolytope& p, const Farthest& farthest, double thin);

// ---- implementation ----

namespace detail {

/// Adds the farther, by `measure`, of the extreme points along ±d, if that is more than thin.
template <class Farthest, class Measure>
bool add_farther(DifferencePolytope& p, const Farthest& farthest, const Vec3& d,
                 const Measure& measure, double thin) {
  const DifferencePolytope::Point plus = farthest(d), minus = farthest(Vec3(-d));
  const bool up = measure(plus.w) >= measure(minus.w);
  if (!(measure(up ? plus.w : minus.w) > thin)) return false;
  p.points[p.point_count++] = up ? plus : minus;
  return true;
}

/// Drops what does not span: a simplex from GJK may be thinner than rounding.
void drop_what_does_not_span(DifferencePolytope& p, double thin);

void make_faces(DifferencePolytope& p);

}  // namespace detail

template <class Farthest>
bool first_tetrahedron(DifferencePolytope& p, const Farthest& farthest, double thin) {
  if (p.point_count == 0) p.points[p.point_count++] = farthest(Vec3(Vec3::UnitX()));
  detail::drop_what_does_not_span(p, thin);
  const Vec3 a = p.at(0);
  if (p.point_count == 1) {
    const auto measure = [&](const Vec3& w) { return (w - a).norm(); };
    for (int axis = 0; axis < 3 && p.point_count == 1; ++axis)
      (void)detail::add_farther(p, farthest, Vec3::Unit(axis), measure, thin);
    if (p.point_count == 1) return false;
  }
  if (p.point_count == 2) {
    const Vec3 along = (p.at(1) - a).normalized(), u = unit_across(along), v = along.cross(u);
    const auto measure = [&](const Vec3& w) { return along.cross(w - a).norm(); };
    if (!detail::add_farther(p, farthest, u, measure, thin) &&
        !detail::add_farther(p, farthest, v, measure, thin))
      return false;
  }
  if (p.point_count == 3) {
    const Vec3 n = (p.at(1) - a).cross(p.at(2) - a).normalized();
    const auto measure = [&](const Vec3& w) { return std::abs(n.dot(w - a)); };
    if (!detail::add_farther(p, farthest, n, measure, thin)) return false;
  }
  detail::make_faces(p);
  return true;
}

}  // namespace tact
