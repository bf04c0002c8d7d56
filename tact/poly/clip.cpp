#include "tact/poly/clip.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tact/base/expects.hpp"
#include "tact/poly/exact_sign.hpp"
#include "tact/poly/hull.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {

namespace {

/// Appends unless the last vertex is as good.
void append(std::vector<Vec2>& out, const Vec2& p, double slack) {
  if (out.empty() || (p - out.back()).norm() > slack) out.push_back(p);
}

/// Sutherland and Hodgman with a thick line: outside(x) is the signed distance of x beyond it.
template <class Outside>
void cut(std::span<const Vec2> polygon, Outside outside, double slack, std::vector<Vec2>& out) {
  out.clear();
  const std::size_t n = polygon.size();
  const std::size_t edges = n > 2 ? n : n - 1;  // a segment has one edge, a point none
  double at_a = outside(polygon[0]);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[i + 1 == n ? 0 : i + 1];
    const double at_b = outside(b);
    if (at_a <= slack) append(out, a, slack);
    const bool leaves = at_a < -slack && at_b > slack;
    const bool enters = at_a > slack && at_b < -slack;
    // From the inner end, so that both directions of an edge give the same point.
    if (i < edges && leaves) append(out, a + (at_a / (at_a - at_b)) * (b - a), slack);
    if (i < edges && enters) append(out, b + (at_b / (at_b - at_a)) * (a - b), slack);
    at_a = at_b;
  }
  if (out.size() > 1 && (out.back() - out.front()).norm() <= slack) out.pop_back();
}

/// Cuts `polygon` in place, by way of scratch; false when nothing is left.
template <class Outside>
bool cut_again(std::vector<Vec2>& polygon, Outside outside, double slack,
               std::vector<Vec2>& scratch) {
  cut(polygon, outside, slack, scratch);
  polygon.swap(scratch);
  return !polygon.empty();
}

/// The vertex farthest from p.
const Vec2& farthest(std::span<const Vec2> polygon, const Vec2& p) {
  return *std::max_element(polygon.begin(), polygon.end(), [&](const Vec2& a, const Vec2& b) {
    return (a - p).squaredNorm() < (b - p).squaredNorm();
  });
}

/// What is thinner than slack becomes a segment, what is smaller than slack a point.
void flatten(std::vector<Vec2>& polygon, double slack) {
  if (polygon.size() < 2) return;
  const Vec2 a = farthest(polygon, polygon[0]);
  const Vec2 b = farthest(polygon, a);
  const double length = (b - a).norm();
  if (length <= slack) {
    polygon.assign(1, a + (b - a) / 2);
    return;
  }
  const bool flat = std::all_of(polygon.begin(), polygon.end(), [&](const Vec2& p) {
    return std::abs(orient(a, b, p)) <= slack * length;
  });
  if (flat && polygon.size() > 2) polygon.assign({a, b});
}

/// Distance beyond the line a -> b, whose left side is the inside.
auto right_of(const Vec2& a, const Vec2& b) {
  return [&a, &b, length = (b - a).norm()](const Vec2& x) { return -orient(a, b, x) / length; };
}

/// Cuts by the line of the segment from both sides, and by the two lines across its ends.
void cut_by_segment(const Vec2& a, const Vec2& b, double slack, std::vector<Vec2>& out,
                    std::vector<Vec2>& scratch) {
  const Vec2 u = (b - a).normalized();
  (void)(cut_again(out, right_of(a, b), slack, scratch) &&
         cut_again(out, right_of(b, a), slack, scratch) &&
         cut_again(
             out, [&](const Vec2& x) { return u.dot(a - x); }, slack, scratch) &&
         cut_again(
             out, [&](const Vec2& x) { return u.dot(x - b); }, slack, scratch));
}

void symmetric_part_of_segment(const Vec2& a, const Vec2& b, const Vec2& c,
                               std::vector<Vec2>& out) {
  const double length = (b - a).norm();
  const Vec2 u = (b - a) / length;
  const double from_a = std::clamp(u.dot(c - a), 0.0, length);
  const double from_b = std::clamp(u.dot(b - c), 0.0, length);
  const double reach = std::min(from_a, from_b);
  const Vec2 middle = from_a < from_b ? Vec2(a + from_a * u) : Vec2(b - from_b * u);
  out.assign({middle - reach * u, middle + reach * u});
}

}  // namespace

void clip(std::span<const Vec2> polygon, const HalfPlane& h, double slack, std::vector<Vec2>& out) {
  TACT_EXPECTS(!polygon.empty());
  TACT_EXPECTS(slack >= 0);
  const double norm = h.normal.norm();
  TACT_EXPECTS(norm > 0 && std::isfinite(norm));
  cut(
      polygon, [&](const Vec2& x) { return (h.normal.dot(x) - h.offset) / norm; }, slack, out);
  flatten(out, slack);
}

std::vector<Vec2> clip(std::span<const Vec2> polygon, const HalfPlane& h, double relative) {
  std::vector<Vec2> out;
  clip(polygon, h, point_set_slack(polygon, relative), out);
  return out;
}

void intersect(std::span<const Vec2> a, std::span<const Vec2> b, double slack,
               std::vector<Vec2>& out, std::vector<Vec2>& scratch) {
  TACT_EXPECTS(!a.empty() && !b.empty());
  TACT_EXPECTS(slack >= 0);
  if (b.size() < 3 && b.size() < a.size()) std::swap(a, b);  // cut what has the lesser dimension
  out.assign(a.begin(), a.end());
  if (b.size() == 1) {
    if ((a[0] - b[0]).norm() > slack) out.clear();
    return;
  }
  if (b.size() == 2) {
    cut_by_segment(b[0], b[1], slack, out, scratch);
  } else {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Vec2& next = b[i + 1 == b.size() ? 0 : i + 1];
      if (b[i] != next && !cut_again(out, right_of(b[i], next), slack, scratch)) return;
    }
  }
  flatten(out, slack);
}

std::vector<Vec2> intersect(std::span<const Vec2> a, std::span<const Vec2> b, double relative) {
  std::vector<Vec2> out;
  std::vector<Vec2> scratch;
  const double slack = std::max(point_set_slack(a, relative), point_set_slack(b, relative));
  intersect(a, b, slack, out, scratch);
  return out;
}

void reflect(std::span<const Vec2> polygon, const Vec2& c, std::vector<Vec2>& out) {
  out.clear();
  for (const Vec2& p : polygon) out.emplace_back(c + (c - p));
}

std::vector<Vec2> reflect(std::span<const Vec2> polygon, const Vec2& c) {
  std::vector<Vec2> out;
  reflect(polygon, c, out);
  return out;
}

// x is in 2c - C iff its depth below every edge of C is at most twice the depth of c: the part is
// an intersection of strips about c, and c on an edge makes that strip a line.
void symmetric_part(std::span<const Vec2> polygon, const Vec2& c, double slack,
                    std::vector<Vec2>& out, std::vector<Vec2>& scratch) {
  TACT_EXPECTS(!polygon.empty());
  TACT_EXPECTS(slack >= 0);
  out.clear();
  if (!contains(polygon, c, slack)) return;
  out.assign(polygon.begin(), polygon.end());
  if (polygon.size() == 2) symmetric_part_of_segment(polygon[0], polygon[1], c, out);
  // The cuts themselves are fine, so that the part is symmetric to rounding; slack decides what is
  // too thin to have an area.
  const double fine = std::min(slack, point_set_slack(polygon, tolerance::collinear));
  for (std::size_t i = 0; polygon.size() > 2 && i < polygon.size(); ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    if (a == b) continue;
    const double length = (b - a).norm();
    const double strip = 2 * std::max(0.0, orient(a, b, c) / length);
    const auto outside = [&](const Vec2& x) { return orient(a, b, x) / length - strip; };
    if (!cut_again(out, outside, fine, scratch)) return;
  }
  flatten(out, slack);
}

std::vector<Vec2> symmetric_part(std::span<const Vec2> polygon, const Vec2& c, double relative) {
  std::vector<Vec2> out;
  std::vector<Vec2> scratch;
  symmetric_part(polygon, c, point_set_slack(polygon, relative), out, scratch);
  return out;
}

}  // namespace tact
