#include "tact/geom/distance.hpp"

#include <algorithm>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/box_box.hpp"
#include "tact/geom/epa.hpp"
#include "tact/geom/gjk.hpp"
#include "tact/geom/refine_normal.hpp"
#include "tact/geom/round_depth.hpp"

namespace tact {

namespace {

using Core = Convex::Core;

/// Points of the cores that are `d.distance` apart along the normal: where one core has a single
/// point to offer it decides, else they lie about the middle of the points found.
void settle_points(const CorePair& pair, const Direction& best, ShapeDistance& d) {
  const auto single = [](const Convex& c) {
    return c.core == Core::point || c.core == Core::ellipsoid;
  };
  d.distance = best.separation;
  d.normal_W = best.n;
  const Vec3 apart = d.distance * best.n;
  if (single(pair.first)) {
    d.on_first_W = best.point.on_first;
    d.on_second_W = d.on_first_W - apart;
  } else if (single(pair.second)) {
    d.on_second_W = best.point.on_first - best.point.w;
    d.on_first_W = d.on_second_W + apart;
  } else {  // which may be off by rounding, or more where the normal was refined
    const Vec3 middle = (d.on_first_W + d.on_second_W) / 2;
    d.on_first_W = middle + apart / 2;
    d.on_second_W = middle - apart / 2;
  }
}

bool is_round(const Convex& c) {
  return c.core == Core::ellipsoid || c.core == Core::cylinder;
}

/// A simplex of three points of solids with flat faces has an exact normal, however near it is.
void take_normal_of_triangle(CorePair& pair, const GjkSimplex& s, Direction& best) {
  if (s.count != 3) return;
  const Vec3 n = (s.points[1].w - s.points[0].w).cross(s.points[2].w - s.points[0].w);
  const double length = n.norm();
  if (!(length > 0)) return;
  const Direction other = along(pair, n / (n.dot(best.n) > 0 ? length : -length));
  if (other.separation > best.separation) best = other;
}

/// Nearest points of overlapping cores: moved apart along the normal by the depth and a little more
/// they are the nearest points in the usual sense. The points given stay where that fails.
void points_of_overlap(const CorePair& pair, const Direction& best, ShapeDistance& d) {
  for (const double little : {1e-3, 1e-2, 1e-1}) {
    CorePair moved = pair;
    const Vec3 way = (little * pair.size - best.separation) * best.n;
    moved.first.X_W.p += way;
    const GjkResult g = gjk(moved, std::numeric_limits<double>::infinity(), best.n);
    if (g.verdict != GjkVerdict::apart) continue;
    d.on_first_W = g.on_first - way;
    d.on_second_W = g.on_second;
    return;
  }
}

/// The best direction of overlapping cores, and their nearest points in `d`.
Direction overlap(CorePair& pair, const GjkSimplex& simplex, ShapeDistance& d) {
  if (is_round(pair.first) || is_round(pair.second)) {
    const RoundDepth r = round_depth(pair);
    Direction best = faced(pair, r.best);
    d.on_first_W = r.has_points ? r.on_first : best.point.on_first;
    d.on_second_W = r.has_points ? r.on_second : Vec3(best.point.on_first - best.point.w);
    if (!r.has_points) points_of_overlap(pair, best, d);
    return best;
  }
  const EpaResult e = epa(pair, simplex, tolerance::distance / 8);
  Direction best = refined(pair, along(pair, e.normal), true);
  d.on_first_W = e.on_first;
  d.on_second_W = e.on_second;
  points_of_overlap(pair, best, d);
  return best;
}

BoundedDistance general_distance(const Convex& first, const Convex& second, double beyond,
                                 const Vec3& guess) {
  CorePair pair = core_pair(first, second);
  const GjkResult g = gjk(pair, beyond, guess);
  BoundedDistance out;
  if (g.verdict == GjkVerdict::beyond) {
    out.beyond = true;
    out.at.normal_W = g.normal;
    out.at.distance = g.distance;
    return out;
  }
  Direction best;
  if (g.verdict == GjkVerdict::apart) {
    out.at.on_first_W = g.on_first;
    out.at.on_second_W = g.on_second;
    best = along(pair, g.normal);
    // The direction of a short vector carries rounding over its length.
    const bool exact = g.distance > tolerance::unhidden * pair.size;
    if (!exact) take_normal_of_triangle(pair, g.simplex, best);
    best = refined(pair, best, exact);
  } else {
    best = overlap(pair, g.simplex, out.at);
  }
  settle_points(pair, best, out.at);
  return out;
}

/// Whether a face of `box` lies across n, which looks away from it, to the last digits; its centre.
bool face_across(const Convex& box, const Vec3& n, Vec3& centre) {
  const Vec3 local = box.X_W.R.transpose() * n;
  Index axis = 0;
  local.cwiseAbs().maxCoeff(&axis);
  const double reach = local.cwiseAbs().dot(box.size) - std::abs(local[axis]) * box.size[axis];
  if (reach > tolerance::rounding * box.size.sum()) return false;
  centre = box.X_W.p + std::copysign(box.size[axis], local[axis]) * box.X_W.R.col(axis);
  return true;
}

/// Where the two boxes face each other along the axis: true if the separation found there is their
/// distance even though they are apart.
bool faces_each_other(const Convex& first, const Convex& second, const BoxAxis& axis,
                      ShapeDistance& d) {
  int vertex = 0;
  const Vec3 x1 = core_support_world(first, -axis.normal_W, vertex);
  const Vec3 x2 = core_support_world(second, axis.normal_W, vertex);
  const auto over = [](const Convex& box, const Vec3& x, int axis_of_face) {
    Vec3 local = box.X_W.R.transpose() * (x - box.X_W.p);
    local[axis_of_face] = 0;
    return ((local.cwiseAbs() - box.size).array() <= 0).all();
  };
  d.distance = axis.separation;
  d.normal_W = axis.normal_W;
  if (axis.code < 3) {  // a face of the first, a corner of the second
    d.on_second_W = x2;
    d.on_first_W = x2 + d.distance * d.normal_W;
    if (over(first, x2, axis.code)) return true;
    // Of parallel faces any point will do.
    if (!face_across(second, d.normal_W, d.on_second_W)) return false;
    d.on_first_W = d.on_second_W + d.distance * d.normal_W;
    return over(first, d.on_second_W, axis.code);
  }
  if (axis.code < 6) {
    d.on_first_W = x1;
    d.on_second_W = x1 - d.distance * d.normal_W;
    if (over(second, x1, axis.code - 3)) return true;
    if (!face_across(first, -d.normal_W, d.on_first_W)) return false;
    d.on_second_W = d.on_first_W - d.distance * d.normal_W;
    return over(second, d.on_first_W, axis.code - 3);
  }
  // Two edges: the nearest points of the segments must lie inside both.
  d.on_first_W = x1;
  d.on_second_W = x1 - d.distance * d.normal_W;
  const int i = (axis.code - 6) / 3, j = (axis.code - 6) % 3;
  const Vec3 e1 = first.X_W.R.col(i), e2 = second.X_W.R.col(j);
  const double cosine = e1.dot(e2), sine2 = 1 - cosine * cosine;
  if (sine2 < tolerance::armijo) return false;
  const Vec3 l1 = first.X_W.R.transpose() * (x1 - first.X_W.p);
  const Vec3 l2 = second.X_W.R.transpose() * (x2 - second.X_W.p);
  const Vec3 m1 = x1 - l1[i] * e1, m2 = x2 - l2[j] * e2;  // middles of the two edges
  const Vec3 r = m1 - m2;
  const double s = (cosine * e2.dot(r) - e1.dot(r)) / sine2;
  const double t = e2.dot(r) + cosine * s;
  d.on_first_W = m1 + s * e1;
  d.on_second_W = m2 + t * e2;
  return std::abs(s) <= first.size[i] && std::abs(t) <= second.size[j];
}

BoundedDistance box_distance(const Convex& first, const Convex& second, double beyond,
                             const Vec3& guess, bool points) {
  const BoxAxis axis = box_axis(first, second, beyond);
  BoundedDistance out;
  if (axis.beyond) {
    out.beyond = true;
    out.at.normal_W = axis.normal_W;
    out.at.distance = axis.separation;
    return out;
  }
  const bool facing = faces_each_other(first, second, axis, out.at);
  if (axis.separation <= 0 && !facing && points) {
    CorePair pair = core_pair(first, second);
    const Direction best = along(pair, axis.normal_W);
    points_of_overlap(pair, best, out.at);
    settle_points(pair, best, out.at);
  }
  if (axis.separation <= 0 || facing) return out;
  return general_distance(first, second, beyond, guess.squaredNorm() > 0 ? guess : axis.normal_W);
}

BoundedDistance of_cores(const Convex& first, const Convex& second, double beyond,
                         const Vec3& guess, bool points) {
  if (second.core == Core::half_space) return {plane_distance(first, second), false};
  if (first.core == Core::half_space) return {swapped(plane_distance(second, first)), false};
  if (first.core == Core::box && second.core == Core::box)
    return box_distance(first, second, beyond, guess, points);
  if (first.core == Core::point)
    if (const auto d = point_distance(first, second)) return {*d, false};
  if (second.core == Core::point)
    if (const auto d = point_distance(second, first)) return {swapped(*d), false};
  if (first.core == Core::segment && second.core == Core::segment)
    return {segment_distance(first, second), false};
  return general_distance(first, second, beyond, guess);
}

}  // namespace

BoundedDistance convex_distance(const Convex& first, const Convex& second, double beyond,
                                const Vec3& guess, bool points) {
  BoundedDistance out =
      of_cores(first, second, beyond + first.radius + second.radius, guess, points);
  ShapeDistance& d = out.at;
  d.distance -= first.radius + second.radius;
  d.on_first_W -= first.radius * d.normal_W;
  d.on_second_W += second.radius * d.normal_W;
  out.beyond = d.distance > beyond;
  return out;
}

ShapeDistance distance(const Shape& first, const Pose& X_W1, const Shape& second,
                       const Pose& X_W2) {
  Convex one = convex_of(first, X_W1), two = convex_of(second, X_W2);
  TACT_EXPECTS(one.core != Core::half_space || two.core != Core::half_space);
  // Seen from the middle, so that a scene far from the origin loses no digits.
  const Vec3 middle = (one.core == Core::half_space ? two : one).X_W.p;
  one.X_W.p -= middle;
  two.X_W.p -= middle;
  ShapeDistance d = convex_distance(one, two).at;
  d.on_first_W += middle;
  d.on_second_W += middle;
  return d;
}

}  // namespace tact
