#include "tact/poly/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/poly/calipers.hpp"
#include "tact/poly/exact_sign.hpp"
#include "tact/poly/hull.hpp"

namespace tact {

namespace {

std::size_t after(std::span<const Vec2> p, std::size_t i) {
  return i + 1 == p.size() ? 0 : i + 1;
}

/// Calls visit(a, b, c, doubled area) for the triangles of the fan about the first vertex.
template <class Visit>
double for_each_triangle(std::span<const Vec2> p, Visit visit) {
  double doubled = 0;
  for (std::size_t i = 2; i < p.size(); ++i) {
    const double cr = orient(p[0], p[i - 1], p[i]);
    doubled += cr;
    visit(p[0], p[i - 1], p[i], cr);
  }
  return doubled;
}

/// The ends of the segment that vertices on a line span.
struct Ends {
  Vec2 a;
  Vec2 b;
};

Ends ends(std::span<const Vec2> p) {
  const auto less = [](const Vec2& x, const Vec2& y) {
    return x[0] != y[0] ? x[0] < y[0] : x[1] < y[1];
  };
  const auto [a, b] = std::minmax_element(p.begin(), p.end(), less);
  return {*a, *b};
}

Mat2 square(const Vec2& x) {
  return x * x.transpose();
}

bool has_area(std::span<const Vec2> p) {
  for (std::size_t i = 2; i < p.size(); ++i) {
    if (orient_sign(p[0], p[i - 1], p[i]) > 0) return true;
  }
  return false;
}

/// Exactly.
bool holds(std::span<const Vec2> polygon, const Vec2& p) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (orient_sign(polygon[i], polygon[after(polygon, i)], p) < 0) return false;
  }
  if (has_area(polygon)) return true;
  const auto [a, b] = ends(polygon);  // p is on their line: is it between them?
  return (a.cwiseMin(b).array() <= p.array()).all() && (p.array() <= a.cwiseMax(b).array()).all();
}

/// The point of the edge nearest to p, and its distance.
BoundaryDistance edge_distance(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 u = b - a;
  const double length = u.norm();
  const double along = u.dot(p - a);
  if (!(along > 0)) return {(p - a).norm(), a, 0};  // also when a = b
  if (along >= length * length) return {(p - b).norm(), b, 0};
  return {std::abs(orient(a, b, p)) / length, a + (along / length) * (u / length), 0};
}

}  // namespace

double area(std::span<const Vec2> polygon) {
  TACT_EXPECTS(!polygon.empty());
  return for_each_triangle(polygon, [](const auto&...) {}) / 2;
}

double perimeter(std::span<const Vec2> polygon) {
  TACT_EXPECTS(!polygon.empty());
  double length = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    length += (polygon[after(polygon, i)] - polygon[i]).norm();
  }
  return length;
}

Vec2 centroid(std::span<const Vec2> polygon) {
  TACT_EXPECTS(!polygon.empty());
  Vec2 sum = Vec2::Zero();  // relative to the first vertex: a far origin costs nothing
  const double doubled =
      for_each_triangle(polygon, [&](const Vec2& a, const Vec2& b, const Vec2& c, double cr) {
        sum += cr * ((b - a) + (c - a));
      });
  if (doubled > 0) return polygon[0] + sum / (3 * doubled);
  const auto [a, b] = ends(polygon);
  return a + (b - a) / 2;
}

Mat2 second_moment(std::span<const Vec2> polygon, const Vec2& about) {
  TACT_EXPECTS(!polygon.empty());
  Mat2 sum = Mat2::Zero();
  const double doubled =
      for_each_triangle(polygon, [&](const Vec2& a, const Vec2& b, const Vec2& c, double cr) {
        const Vec2 x = a - about;
        const Vec2 y = b - about;
        const Vec2 z = c - about;
        sum += cr * (square(x) + square(y) + square(z) + square(x + y + z));
      });
  if (doubled > 0) return sum / (12 * doubled);
  const auto [a, b] = ends(polygon);
  const Vec2 x = a - about;
  const Vec2 y = b - about;
  return (square(x) + square(y) + square(x + y)) / 6;
}

bool contains(std::span<const Vec2> polygon, const Vec2& p, double slack) {
  TACT_EXPECTS(!polygon.empty());
  TACT_EXPECTS(slack >= 0);
  return holds(polygon, p) || (slack > 0 && boundary_distance(polygon, p).distance >= -slack);
}

BoundaryDistance boundary_distance(std::span<const Vec2> polygon, const Vec2& p) {
  TACT_EXPECTS(!polygon.empty());
  BoundaryDistance nearest{std::numeric_limits<double>::infinity(), polygon[0], 0};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const BoundaryDistance d = edge_distance(polygon[i], polygon[after(polygon, i)], p);
    if (d.distance < nearest.distance) nearest = {d.distance, d.nearest, static_cast<Index>(i)};
  }
  if (!has_area(polygon) || !holds(polygon, p)) nearest.distance = -nearest.distance;
  return nearest;
}

void support(std::span<const Vec2> polygon, const Vec2& direction, double relative,
             std::vector<Index>& places) {
  TACT_EXPECTS(!polygon.empty());
  TACT_EXPECTS(relative >= 0);
  const double slack = relative * point_set_size(polygon) * direction.norm();
  const auto reach = [&](const Vec2& p) { return direction.dot(p - polygon[0]); };
  double most = 0;
  for (const Vec2& p : polygon) most = std::max(most, reach(p));
  places.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (reach(polygon[i]) >= most - slack) places.push_back(static_cast<Index>(i));
  }
}

std::vector<Index> support(std::span<const Vec2> polygon, const Vec2& direction, double relative) {
  std::vector<Index> places;
  support(polygon, direction, relative, places);
  return places;
}

// Clipped polygons are convex only up to rounding, and the calipers want it exact.
double diameter(std::span<const Vec2> polygon) {
  const std::vector<Vec2> hull = exact_hull(polygon);
  const auto [from, to] = longest_chord(hull);
  return (hull[static_cast<std::size_t>(to)] - hull[static_cast<std::size_t>(from)]).norm();
}

double width(std::span<const Vec2> polygon) {
  return least_width(exact_hull(polygon));
}

}  // namespace tact
