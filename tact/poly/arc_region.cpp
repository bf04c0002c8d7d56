// poly/arc_region.cpp - lines by intervals, circles by intervals of angles.
#include "tact/poly/arc_region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tact {
namespace {

constexpr double turn = 2 * std::numbers::pi;

struct Line {
  Vec2 normal;  ///< outward, of length one
  double offset;
};

struct Sets {
  std::vector<Line> lines;
  std::vector<Disc> discs;
  double slack = 0;
  bool empty = false;
};

double data_size(const Sets& sets) {
  double size = 0;
  for (const Disc& d : sets.discs) size = std::max(size, d.center.norm() + d.radius);
  if (sets.discs.empty())
    for (const Line& l : sets.lines) size = std::max(size, std::abs(l.offset));
  return size;
}

/// Normals of length one, every set once.
Sets tidy(std::span<const HalfPlane> half_planes, std::span<const Disc> discs, double relative) {
  Sets out;
  for (const HalfPlane& h : half_planes) {
    const double length = h.normal.norm();
    if (length > 0)
      out.lines.push_back({h.normal / length, h.offset / length});
    else if (h.offset < 0)
      out.empty = true;
  }
  for (const Disc& d : discs) {
    if (!(d.radius >= 0)) out.empty = true;
    out.discs.push_back(d);
  }
  out.slack = relative * data_size(out);
  const auto once = [](auto& list, const auto& same) {
    auto end = list.begin();
    for (auto it = list.begin(); it != list.end(); ++it)
      if (std::none_of(list.begin(), end, [&](const auto& kept) { return same(kept, *it); }))
        *end++ = *it;
    list.erase(end, list.end());
  };
  once(out.lines, [&](const Line& a, const Line& b) {
    return (a.normal - b.normal).norm() <= relative && std::abs(a.offset - b.offset) <= out.slack;
  });
  once(out.discs, [&](const Disc& a, const Disc& b) {
    return (a.center - b.center).norm() + std::abs(a.radius - b.radius) <= out.slack;
  });
  return out;
}

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// The part of x = start + s along (of length one) in a half-plane.
void meet(Interval& part, const Vec2& start, const Vec2& along, const Line& other, double slack) {
  const double rise = other.normal.dot(along), room = other.offset - other.normal.dot(start);
  if (std::abs(rise) <= tolerance::collinear) {
    if (room < -slack) part.high = -std::numeric_limits<double>::infinity();
  } else if (rise > 0) {
    part.high = std::min(part.high, room / rise);
  } else {
    part.low = std::max(part.low, room / rise);
  }
}

void meet(Interval& part, const Vec2& start, const Vec2& along, const Disc& disc) {
  const double middle = along.dot(disc.center - start);
  const double away = std::abs(cross(along, disc.center - start));
  const double half2 = (disc.radius - away) * (disc.radius + away);
  const double half = half2 >= 0 ? std::sqrt(half2) : -std::numeric_limits<double>::infinity();
  part.low = std::max(part.low, middle - half);
  part.high = std::min(part.high, middle + half);
}

void add_segment(const Sets& sets, std::size_t own, std::vector<ArcPiece>& out) {
  const Line& line = sets.lines[own];
  const Vec2 start = line.offset * line.normal, along(-line.normal[1], line.normal[0]);
  Interval part;
  for (std::size_t k = 0; k < sets.lines.size(); ++k)
    if (k != own) meet(part, start, along, sets.lines[k], sets.slack);
  for (const Disc& d : sets.discs) meet(part, start, along, d);
  const double length = part.high - part.low;
  if (!(length > sets.slack) || !std::isfinite(length)) return;
  out.push_back({start + part.low * along, start + part.high * along, Vec2::Zero(), 0});
}

/// Angles within `half` of `middle`; half >= π: all, negative: none.
struct AngleRange {
  double middle = 0, half = 0;

  [[nodiscard]] bool contains(double angle) const {
    return std::abs(std::remainder(angle - middle, turn)) <= half;
  }
};

/// Angles e with e.direction >= bound.
AngleRange facing(const Vec2& direction, double bound) {
  const double half = bound > 1 ? -1.0 : bound <= -1 ? turn : std::acos(bound);
  return {std::atan2(direction[1], direction[0]), half};
}

std::vector<AngleRange> ranges_on(const Sets& sets, std::size_t own) {
  const Disc& c = sets.discs[own];
  std::vector<AngleRange> out;
  for (const Line& l : sets.lines)
    out.push_back(facing(-l.normal, (l.normal.dot(c.center) - l.offset) / c.radius));
  for (std::size_t k = 0; k < sets.discs.size(); ++k) {
    if (k == own) continue;
    const Disc& d = sets.discs[k];
    const Vec2 between = d.center - c.center;
    const double distance = between.norm();
    if (distance <= sets.slack) {
      out.push_back({0, c.radius <= d.radius ? turn : -1.0});
      continue;
    }
    const double bound =
        (distance + (c.radius - d.radius) * (c.radius + d.radius) / distance) / (2 * c.radius);
    out.push_back(facing(between / distance, bound));
  }
  return out;
}

void add_arc(const Disc& c, double low, double high, std::vector<ArcPiece>& out) {
  const int parts = high - low > 0.4 * turn ? 3 : 1;
  const auto at = [&](double angle) {
    return Vec2(c.center + c.radius * Vec2(std::cos(angle), std::sin(angle)));
  };
  for (int i = 0; i < parts; ++i)
    out.push_back({at(low + (high - low) * i / parts), at(low + (high - low) * (i + 1) / parts),
                   c.center, c.radius});
}

void add_arcs(const Sets& sets, std::size_t own, std::vector<ArcPiece>& out) {
  const Disc& c = sets.discs[own];
  if (c.radius <= sets.slack) return;
  const auto ranges = ranges_on(sets, own);
  std::vector<double> ends;
  for (const AngleRange& r : ranges) {
    if (r.half < 0) return;
    if (2 * r.half >= turn) continue;
    for (const double side : {-r.half, r.half})
      ends.push_back(std::remainder(r.middle + side, turn));
  }
  if (ends.empty()) return add_arc(c, 0, turn, out);
  std::sort(ends.begin(), ends.end());
  ends.push_back(ends.front() + turn);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double middle = (ends[i] + ends[i + 1]) / 2;
    const bool inside = std::all_of(ranges.begin(), ranges.end(),
                                    [&](const AngleRange& r) { return r.contains(middle); });
    if (inside && c.radius * (ends[i + 1] - ends[i]) > sets.slack)
      add_arc(c, ends[i], ends[i + 1], out);
  }
}

/// Of the outward normal in the middle of a piece.
double normal_angle(const ArcPiece& p) {
  const Vec2 n = p.radius > 0 ? Vec2((p.from + p.to) / 2 - p.center) : perp(p.to - p.from);
  return std::atan2(n[1], n[0]);
}

}  // namespace

std::vector<ArcPiece> arc_region(std::span<const HalfPlane> half_planes,
                                 std::span<const Disc> discs, double relative) {
  const Sets sets = tidy(half_planes, discs, relative);
  std::vector<ArcPiece> out;
  if (sets.empty) return out;
  for (std::size_t k = 0; k < sets.lines.size(); ++k) add_segment(sets, k, out);
  for (std::size_t k = 0; k < sets.discs.size(); ++k) add_arcs(sets, k, out);
  std::stable_sort(out.begin(), out.end(), [](const ArcPiece& a, const ArcPiece& b) {
    return normal_angle(a) < normal_angle(b);
  });
  return out;
}

double area(std::span<const ArcPiece> boundary) {
  double twice = 0;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const ArcPiece& p = boundary[i];
    const ArcPiece& next = boundary[(i + 1) % boundary.size()];
    // The chord, the tiny gap to the next piece, and what the arc has beyond its chord.
    twice += cross(p.from, p.to) + cross(p.to, next.from);
    if (p.radius <= 0) continue;
    const double angle = 2 * std::asin(std::min(1.0, (p.to - p.from).norm() / (2 * p.radius)));
    twice += p.radius * p.radius * (angle - std::sin(angle));
  }
  return twice / 2;
}

}  // namespace tact
