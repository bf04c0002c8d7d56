#include "tact/geom/clip_faces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

constexpr std::uint32_t crossing = 3, on_rim = 4, on_rim_deepest = 5, rim_edge = 6;
constexpr double full_turn = 2 * std::numbers::pi;
/// A line nearer to a tangent than this share of the radius is one.
constexpr double grazing = tolerance::parallel;

/// Of two edges, whichever is told first.
std::uint32_t crossing_name(std::uint32_t a, std::uint32_t b) {
  return feature_name(crossing, std::min(a, b), std::max(a, b));
}

/// The corner where the clipping polygon's edge `edge` meets its edge `other`, else the crossing.
std::uint32_t name_of_crossing(const PatchCorner& from, const NamedPolygon& clip, int edge) {
  if (from.clip_edge < 0) return crossing_name(from.edge, clip[edge].edge);
  const int last = static_cast<int>(clip.size()) - 1;
  return from.clip_edge == 0 && edge == last ? clip[0].name : clip[edge].name;
}

/// A point in the frame in which the ellipse is the unit disc, and on which side of the rim it is.
struct DiscPoint {
  Vec2 at;
  bool inside;

  explicit DiscPoint(const Vec2& x) : at(x), inside(x.squaredNorm() <= 1) {}
};

/// The parameters t in [0, 1] for which a + t (b - a) lies in the unit disc. An end that is inside
/// bounds them at itself: two edges that share a corner agree about it whatever the rounding.
struct Range {
  double from = 0, to = 0;
  bool empty = true;
};
Range within_unit_disc(const DiscPoint& a, const DiscPoint& b) {
  const Vec2 d = b.at - a.at;
  const double dd = d.squaredNorm(), ad = a.at.dot(d);
  if (a.inside && b.inside) return {0, 1, false};
  if (!(dd > 0)) return {0, 1, !(a.inside || b.inside)};
  // The line's distance from the centre, not a · a - 1: no cancellation for long edges.
  const double off = cross(a.at, d);
  const double room = dd - off * off;
  if (room <= 0 && !a.inside && !b.inside) return {};
  const double root = std::sqrt(std::max(0.0, room));
  Range r{std::clamp((-ad - root) / dd, 0.0, 1.0), std::clamp((-ad + root) / dd, 0.0, 1.0), false};
  if (a.inside) r.from = 0;
  if (b.inside) r.to = 1;
  r.empty = !a.inside && !b.inside && !(r.from < r.to);
  return r;
}

double angle_of(const Vec2& x) {
  return std::atan2(x[1], x[0]);
}
double turn_from(double from, double to) {
  const double d = std::fmod(to - from, full_turn);
  return d < 0 ? d + full_turn : d;
}

/// An ellipse and how its rim is sampled.
struct Rim {
  Vec2 centre;
  Mat2 U;
  double turn, deepest;

  [[nodiscard]] Vec2 at(double angle) const {
    return centre + U * Vec2(std::cos(angle), std::sin(angle));
  }
};

/// Points of the rim strictly between two angles, counter-clockwise. One that is known to be less
/// than half a turn and seems more is none at all: rounding exchanged its ends.
void add_arc(const Rim& rim, double from, double to, bool less_than_half, NamedPolygon& out) {
  constexpr double pitch = full_turn / rim_points, ends = 1e-3 * pitch;
  const double span = turn_from(from, to);
  if (less_than_half && span > full_turn / 2) return;
  const double deep = turn_from(from, rim.deepest);
  bool deep_put = !(deep > ends && deep < span - ends);
  const auto put_deepest = [&] {
    out.push_back({rim.at(rim.deepest), feature_name(on_rim_deepest, 0, 0), rim_edge, -1});
    deep_put = true;
  };
  for (double k = std::ceil(from / pitch); k * pitch < from + span; ++k) {
    const double step = k * pitch - from;
    if (step <= ends || step >= span - ends) continue;
    if (!deep_put && deep < step) put_deepest();
    const auto number = static_cast<long>(rim.turn * k);
    const long around = ((number % rim_points) + rim_points) % rim_points;
    out.push_back({rim.at(k * pitch), feature_name(on_rim, static_cast<std::uint32_t>(around), 0),
                   rim_edge, -1});
  }
  if (!deep_put) put_deepest();
}

/// The half-plane in front of an edge, widened by a slack.
struct Side {
  Vec2 inward;
  double limit, slack;

  [[nodiscard]] double height(const PatchCorner& c) const { return inward.dot(c.at) - limit; }
};

/// Takes off what lies behind edge `e` of the clipping polygon.
void cut_off(NamedPolygon& subject, const Side& side, const NamedPolygon& clip, int e,
             NamedPolygon& scratch) {
  if (std::all_of(subject.begin(), subject.end(),
                  [&](const PatchCorner& c) { return side.height(c) >= -side.slack; }))
    return;
  // Every corner leaves at most itself and one crossing: room for all, and no looks at it.
  if (scratch.size() < 2 * subject.size()) scratch.resize(2 * subject.size());
  PatchCorner* put = scratch.data();
  const PatchCorner* from = &subject.back();
  double here = side.height(*from);
  for (const PatchCorner& to : subject) {
    const double there = side.height(to);
    const bool from_in = here >= -side.slack, to_in = there >= -side.slack;
    if (from_in != to_in) {
      const double t = std::clamp(here / (here - there), 0.0, 1.0);
      put->at = from->at + t * (to.at - from->at);
      put->name = name_of_crossing(*from, clip, e);
      put->edge = from_in ? clip[e].edge : from->edge;
      put->clip_edge = from_in ? e : from->clip_edge;
      ++put;
    }
    if (to_in) *put++ = to;
    from = &to;
    here = there;
  }
  scratch.resize(static_cast<std::size_t>(put - scratch.data()));
  subject.swap(scratch);
}

bool holds(const NamedPolygon& polygon, const Vec2& x) {
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (cross(polygon[i].at - x, polygon[(i + 1) % polygon.size()].at - x) < 0) return false;
  return !polygon.empty();
}

}  // namespace

std::uint32_t feature_name(std::uint32_t kind, std::uint32_t a, std::uint32_t b) {
  std::uint64_t z = (std::uint64_t{kind} << 56) ^ (std::uint64_t{a} << 24) ^
                    (std::uint64_t{b} * 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return static_cast<std::uint32_t>(z >> 32);
}

std::uint32_t edge_name(std::uint32_t shape, std::uint32_t a, std::uint32_t b) {
  return feature_name(16 + shape, std::min(a, b), std::max(a, b));
}

void clip_polygon(NamedPolygon& subject, const NamedPolygon& clip, double same,
                  NamedPolygon& scratch) {
  const int edges = static_cast<int>(clip.size());
  // Points on the line to rounding count as inside: equal faces keep their corners.
  const double slack = same * tolerance::unhidden;
  for (int e = 0; e < edges && !subject.empty(); ++e) {
    const Vec2& q = clip[e].at;
    const Vec2 along = clip[e + 1 == edges ? 0 : e + 1].at - q;
    const double length = along.norm();
    if (!(length > 0)) continue;
    const double inverse = 1 / length;
    const Vec2 inward(-along[1] * inverse, along[0] * inverse);
    cut_off(subject, {inward, inward.dot(q), slack}, clip, e, scratch);
  }
  unite_neighbours(subject, same);
}

void unite_neighbours(NamedPolygon& polygon, double same) {
  const auto near = [&](const PatchCorner& a, const PatchCorner& b) {
    return (a.at - b.at).squaredNorm() <= same * same;
  };
  if (polygon.size() < 2) return;
  // Seldom are two so near: where none are, nothing is moved.
  bool any = near(polygon.back(), polygon.front());
  for (std::size_t i = 1; i < polygon.size(); ++i) any = any || near(polygon[i - 1], polygon[i]);
  if (!any) return;
  std::size_t left = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (left > 0 && near(polygon[left - 1], polygon[i])) {
      const std::uint32_t name = std::min(polygon[left - 1].name, polygon[i].name);
      polygon[left - 1].name = name;
      continue;
    }
    polygon[left++] = polygon[i];
  }
  while (left > 1 && near(polygon[left - 1], polygon[0])) --left;
  polygon.resize(left);
}

bool clip_segment(NamedPolygon& subject, const NamedPolygon& clip, double slack) {
  const Vec2 a = subject[0].at, d = subject[1].at - subject[0].at;
  double from = 0, to = 1;
  std::size_t edge_from = clip.size(), edge_to = clip.size();
  for (std::size_t e = 0; e < clip.size(); ++e) {
    const Vec2 along = clip[(e + 1) % clip.size()].at - clip[e].at;
    const double length = along.norm();
    if (!(length > 0)) continue;
    // Distances from a line that lies outside the edge by the slack.
    const double at_start = cross(along, a - clip[e].at) / length + slack;
    const double rate = cross(along, d) / length;
    if (at_start >= 0 && at_start + rate >= 0) continue;
    if (at_start < 0 && at_start + rate < 0) return false;
    const double t = -at_start / rate;
    if (rate > 0 && t > from) from = t, edge_from = e;
    if (rate < 0 && t < to) to = t, edge_to = e;
  }
  if (!(from <= to)) return false;
  const std::uint32_t line = subject[0].edge;
  if (edge_to < clip.size()) {
    subject[1].at = a + to * d;
    subject[1].name = crossing_name(line, clip[edge_to].edge);
  }
  if (edge_from < clip.size()) {
    subject[0].at = a + from * d;
    subject[0].name = crossing_name(line, clip[edge_from].edge);
  }
  return true;
}

bool clip_segment(NamedPolygon& subject, const Vec2& centre, const Mat2& U) {
  const Mat2 inverse = U.inverse();
  const DiscPoint a(inverse * (subject[0].at - centre)), b(inverse * (subject[1].at - centre));
  const Range r = within_unit_disc(a, b);
  // A line that grazes the rim touches it in a point: half the chord is the root of twice the
  // height, which for lines that are tangent is rounding and nothing else.
  const double off = cross(a.at, Vec2(b.at - a.at)), length = (b.at - a.at).norm();
  if (r.empty || std::abs(off) >= (1 - grazing) * length) return false;
  const Vec2 p = subject[0].at, d = subject[1].at - p;
  const std::uint32_t line = subject[0].edge;
  if (!b.inside) {
    subject[1].at = p + r.to * d;
    subject[1].name = feature_name(crossing, line, rim_edge + 1);
  }
  if (!a.inside) {
    subject[0].at = p + r.from * d;
    subject[0].name = feature_name(crossing, line, rim_edge);
  }
  return true;
}

EllipseClip clip_ellipse(const Vec2& centre, const Mat2& U, double turn, double deepest,
                         const NamedPolygon& clip, NamedPolygon& out) {
  const Mat2 inverse = U.inverse();
  const Rim rim{centre, U, turn, deepest};
  out.clear();
  if (clip.empty()) return EllipseClip::empty;
  const std::size_t n = clip.size(), none = n;
  double first_entry = 0, last_exit = 0;
  std::size_t entered_first = none, left = none;  // by which edges
  bool has_piece = false;
  // Between an edge that leaves and the next one that enters a corner stands out of the rim.
  const auto around_corner = [&](std::size_t enters) { return enters == (left + 1) % n; };
  DiscPoint b(inverse * (clip[0].at - centre));
  for (std::size_t e = 0; e < n; ++e) {
    const DiscPoint a = b;
    b = DiscPoint(inverse * (clip[(e + 1) % n].at - centre));
    const Range r = within_unit_disc(a, b);
    if (r.empty) continue;
    const Vec2 enter = a.at + r.from * (b.at - a.at), leave = a.at + r.to * (b.at - a.at);
    if (!a.inside) {
      const double angle = angle_of(enter);
      if (left != none) add_arc(rim, last_exit, angle, around_corner(e), out);
      if (!has_piece) first_entry = angle, entered_first = e;
      out.push_back({centre + U * enter, feature_name(on_rim, clip[e].edge, 1), clip[e].edge, -1});
      left = none;
    } else {
      out.push_back({clip[e].at, clip[e].name, clip[e].edge, -1});
    }
    has_piece = true;
    if (!b.inside) {
      out.push_back({centre + U * leave, feature_name(on_rim, clip[e].edge, 2), rim_edge, -1});
      last_exit = angle_of(leave);
      left = e;
    }
  }
  if (left != none) add_arc(rim, last_exit, first_entry, around_corner(entered_first), out);
  if (has_piece) return EllipseClip::polygon;
  return holds(clip, centre) ? EllipseClip::whole : EllipseClip::empty;
}

AreaCentre area_centre(const NamedPolygon& polygon) {
  AreaCentre r;
  if (polygon.empty()) return r;
  const Vec2 o = polygon[0].at;
  Vec2 moment = Vec2::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Vec2 a = polygon[i].at - o, b = polygon[i + 1].at - o;
    const double twice = cross(a, b);
    r.area += twice / 2;
    moment += twice / 6 * (a + b);
  }
  r.centre = r.area > 0 ? Vec2(o + moment / r.area) : o;
  return r;
}

}  // namespace tact
