// io/consistency_plane.cpp - the picture in the plane: circles are circles, arcs are arcs.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tact/io/consistency_parts.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/plot_frame.hpp"
#include "tact/poly/arc_region.hpp"

namespace tact {
namespace {

using Mark = LegendEntry::Mark;

Vec2 flat(const VecX& x) {
  return x.head<2>();
}

std::vector<HalfPlane> half_planes(const std::vector<SliceHalfSpace>& sets) {
  std::vector<HalfPlane> out;
  out.reserve(sets.size());
  for (const SliceHalfSpace& h : sets) out.push_back({-flat(h.normal), -h.offset});
  return out;
}

Disc disc(const SliceBall& b) {
  return {flat(b.center), b.radius2 < 0 ? -1.0 : std::sqrt(b.radius2)};
}

std::vector<HalfPlane> possible(const SliceView& view) {
  std::vector<HalfPlane> out = half_planes(view.opening);
  const auto reach = half_planes(view.reach);
  out.insert(out.end(), reach.begin(), reach.end());
  return out;
}

/// The boundary of I.
std::vector<ArcPiece> consistent(const SliceView& view) {
  std::vector<Disc> discs;
  for (const SliceBall& b : view.corners) discs.push_back(disc(b));
  if (discs.empty()) return {};
  return arc_region(possible(view), discs);
}

Vec2 middle_of(const ArcPiece& p) {
  Vec2 chord = (p.from + p.to) / 2;
  if (p.radius <= 0) return chord;
  return p.center + p.radius * (chord - p.center).normalized();
}

/// The point of the line of a half-plane that is nearest to x.
Vec2 foot_of(const SliceHalfSpace& h, const Vec2& x) {
  return x + (h.offset - flat(h.normal).dot(x)) * flat(h.normal);
}

/// Everything with a name, the corners and the set itself.
PlotFrame frame_of(const SliceView& view, const std::vector<ArcPiece>& set) {
  Vec2 low = flat(view.free), high = low;
  const auto show = [&](const Vec2& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  };
  for (const NamedPoint& p : named_points(view)) show(flat(p.at));
  for (const SliceBall& b : view.corners) show(flat(b.center));
  if (view.jammed)
    for (const SliceHalfSpace& h : view.opening) show(foot_of(h, flat(view.free)));
  for (const ArcPiece& p : set) {
    show(p.from);
    show(middle_of(p));
  }
  double size = (high - low).maxCoeff();
  if (!(size > 0)) size = 1;
  const Vec2 rim = Vec2::Constant(0.28 * size);
  return equal_frame(panel_corner, panel_size, low - rim, high + rim);
}

std::vector<Vec2> rectangle(const PlotFrame& f) {
  return {f.low, {f.high[0], f.low[1]}, f.high, {f.low[0], f.high[1]}};
}

/// A length that leaves the frame from anywhere in it.
double beyond(const PlotFrame& f) {
  return 2 * (f.high - f.low).norm();
}

std::vector<Vec2> visible(const PlotFrame& frame, const std::vector<HalfPlane>& sets) {
  std::vector<Vec2> out = rectangle(frame);
  for (const HalfPlane& h : sets)
    if (!out.empty()) out = clip(out, h);
  return out;
}

/// I without balls: friction that pulls against itself can take any energy.
std::vector<ArcPiece> unbounded(const SliceView& view, const PlotFrame& f) {
  std::vector<HalfPlane> sets = possible(view);
  for (int k = 0; k < 2; ++k) {
    sets.push_back({Vec2::Unit(k), f.high[k]});
    sets.push_back({-Vec2::Unit(k), -f.low[k]});
  }
  return arc_region(sets, {});
}

std::vector<OutlineStep> outline(const PlotFrame& f, const std::vector<ArcPiece>& pieces) {
  std::vector<OutlineStep> out;
  out.reserve(pieces.size());
  for (const ArcPiece& p : pieces)
    out.push_back({f(p.from), f(p.to), p.radius * f.scale(), out.empty()});
  return out;
}

void draw_polyhedron(ConsistencyDrawing& d, const PlotFrame& f) {
  const auto shape = visible(f, half_planes(d.view.opening));
  const std::string_view rim = d.view.friction ? "patch" : "";
  if (shape.size() > 2)
    d.canvas.polyline(f(shape), {.stroke = rim, .fill = "patch", .opacity = 0.3}, true);
  if (!d.view.jammed)
    d.legend.push_back({Mark::area, "patch", std::string(admissible_words(d.view))});
  if (d.view.friction && !d.view.corners.empty())
    d.legend.push_back({Mark::line, "ink", "P\u207a: in the dual cones; its corners decide"});
}

void draw_polyhedron_edges(ConsistencyDrawing& d, const PlotFrame& f, const Vec2& shift,
                           const Paint& paint) {
  for (const auto& [a, b] : d.view.edges)
    d.canvas.line(f(flat(a) + shift), f(flat(b) + shift), paint);
  for (const auto& [a, way] : d.view.rays)
    d.canvas.line(f(flat(a) + shift), f(flat(a) + shift + beyond(f) * flat(way)), paint);
}

void draw_reach(ConsistencyDrawing& d, const PlotFrame& f) {
  const auto shape = visible(f, half_planes(d.view.reach));
  if (shape.size() > 2) d.canvas.polyline(f(shape), {.fill = "force", .opacity = 0.1}, true);
  d.legend.push_back({Mark::area, "force", "z + cone M\u207b\u00b9W: what impulses reach"});
}

void draw_reach_edges(ConsistencyDrawing& d, const PlotFrame& f) {
  const auto sets = half_planes(d.view.reach);
  const Vec2 z = flat(d.view.free);
  for (const HalfPlane& h : sets)
    for (const double side : {-1.0, 1.0}) {
      const Vec2 way = side * perp(h.normal).normalized();
      const bool edge = std::all_of(sets.begin(), sets.end(), [&](const HalfPlane& other) {
        return other.normal.dot(way) <= tolerance::face * other.normal.norm();
      });
      if (edge)
        d.canvas.line(f(z), f(z + beyond(f) * way),
                      {.stroke = "force", .width = 1.2, .dash = "7 4"});
    }
}

void draw_balls(ConsistencyDrawing& d, const PlotFrame& f) {
  for (const SliceBall& b : d.view.corners) {
    if (b.radius2 < 0) continue;
    d.canvas.circle(f(flat(b.center)), std::sqrt(b.radius2) * f.scale(),
                    {.stroke = b.best ? "base" : "tip", .width = b.best ? 1.8 : 1.1});
  }
  if (d.view.corners.empty()) return;
  const std::string bound = sgn(d.set.alpha) == 0
                                ? "no energy given, seen from a corner b of P\u207a"
                                : concat({"at most ", short_number(nearest(d.set.alpha)),
                                          " J given, seen from a corner"});
  d.legend.push_back({Mark::circle, "tip", bound});
}

void draw_consistent(ConsistencyDrawing& d, const PlotFrame& f, const std::vector<ArcPiece>& set) {
  const auto steps = outline(f, set);
  // A set without area is a line or a point.
  const double size = (f.high - f.low).norm();
  const bool thin = area(set) <= tolerance::face * size * size;
  d.canvas.outline(
      steps, {.stroke = "stick", .fill = "stick", .width = thin ? 7.0 : 2.0, .opacity = 0.32});
  if (set.empty() && d.view.projection && d.view.projection_inside)
    d.canvas.circle(f(flat(*d.view.projection)), 9, {.fill = "stick"});
  if (!d.view.jammed)
    d.legend.push_back({Mark::area, "stick", "I: the consistency set, all three at once"});
  std::vector<OutlineStep> strong;
  for (const SliceBall& b : d.view.closing) {
    // Inside P⁺ and reachable; I holds them all.
    const std::vector<Disc> one{disc(b)};
    const auto part = outline(f, arc_region(possible(d.view), one));
    strong.insert(strong.end(), part.begin(), part.end());
  }
  if (strong.empty()) return;
  d.canvas.outline(strong, {.fill = "stick", .opacity = 0.4});
  d.legend.push_back({Mark::line, "stick", "darker: no impulses whatever give energy"});
}

/// The directions of a cone in the plane as one range of angles.
struct Sector {
  double from = 0, sweep = 0;

  explicit Sector(const std::vector<VecX>& directions) {
    std::vector<double> angles;
    angles.reserve(directions.size() + 1);
    for (const VecX& v : directions) angles.push_back(std::atan2(v[1], v[0]));
    if (angles.empty()) return;
    std::sort(angles.begin(), angles.end());
    angles.push_back(angles.front() + 2 * std::numbers::pi);
    std::size_t widest = 0;
    for (std::size_t i = 0; i + 1 < angles.size(); ++i)
      if (angles[i + 1] - angles[i] > angles[widest + 1] - angles[widest]) widest = i;
    from = angles[widest + 1];
    sweep = 2 * std::numbers::pi - (angles[widest + 1] - angles[widest]);
  }
};

void draw_normal_cones(ConsistencyDrawing& d, const PlotFrame& f) {
  constexpr double radius = 34;  // [px]
  for (const SliceBall& b : d.view.corners) {
    const Sector sector(b.normal_cone);
    const Vec2 at = f(flat(b.center));
    const auto rim = [&](double share) {
      const double angle = sector.from + share * sector.sweep;
      return Vec2(at + radius * Vec2(std::cos(angle), -std::sin(angle)));
    };
    const std::vector<OutlineStep> steps = {
        {at, rim(0), 0, true}, {rim(0), rim(0.5), radius}, {rim(0.5), rim(1), radius}};
    d.canvas.outline(steps, {.stroke = b.best ? "base" : "line",
                             .fill = b.best ? "base" : "line",
                             .width = 1,
                             .opacity = 0.25});
    d.canvas.circle(at, 3.5, {.fill = "line"});
    if (b.best) d.canvas.circle(at, 8, {.stroke = "base", .width = 2.5});
  }
  if (!d.view.corners.empty())
    d.legend.push_back({Mark::area, "line", "normal cone of P\u207a at a corner"});
}

void draw_motion(ConsistencyDrawing& d, const PlotFrame& f) {
  const Vec2 z = flat(d.view.free);
  if (d.view.excited)
    draw_move(d.canvas, f(flat(d.view.before)), f(z), {.stroke = "soft", .width = 1.5});
  if (d.view.projection)
    d.canvas.line(f(z), f(flat(*d.view.projection)),
                  {.stroke = "dual", .width = 1.2, .dash = "2 3"});
  if (!d.view.after) return;
  const std::string_view color = d.view.verdict->inside() ? "stick" : "bad";
  draw_move(d.canvas, f(z), f(flat(*d.view.after)), {.stroke = color, .width = 2});
}

/// The part of an edge that is in the frame, for its label.
void label_edge(ConsistencyDrawing& d, const PlotFrame& f, LabelPlacer& labels,
                const SliceHalfSpace& h) {
  const auto near = [&](const Vec2& x) {
    return std::abs(flat(h.normal).dot(x) - h.offset) <= tolerance::face * (f.high - f.low).norm();
  };
  Vec2 sum = Vec2::Zero();
  int count = 0;
  for (const Vec2& x : visible(f, half_planes(d.view.opening)))
    if (near(x)) {
      sum += x;
      ++count;
    }
  if (count < 2 && !d.view.jammed) return;
  if (count < 2) {
    // An empty P⁺ has no edges; the line itself is labelled where it crosses the frame.
    sum = Vec2::Zero();
    count = 0;
    for (const Vec2& x : clip(rectangle(f), HalfPlane{flat(h.normal), h.offset}))
      if (near(x)) {
        sum += x;
        ++count;
      }
    if (count < 2) return;
  }
  const Vec2 at = f(sum / count);
  labels.place(d.canvas, at, contact_name(d.shown, h.contact), {.color = "soft", .size = 12});
}

/// A length is an energy: ½|x|² is what its difference of velocities weighs.
void draw_energy_bar(SvgCanvas& canvas, const PlotFrame& f) {
  const double wanted = (f.high[0] - f.low[0]) / 8;
  const double energy = round_step(wanted * wanted / 2);
  const double pixels = std::sqrt(2 * energy) * f.scale();
  const Vec2 right = f.corner + f.size - Vec2(14, 14), left = right - Vec2(pixels, 0);
  const Paint bar{.stroke = "ink", .width = 2};
  canvas.line(left, right, bar);
  for (const Vec2& end : {left, right}) canvas.line(end - Vec2(0, 4), end + Vec2(0, 4), bar);
  canvas.text({right[0], right[1] - 8},
              concat({"\u00bd|\u0394u|\u00b2 = ", short_number(energy), " J"}),
              {.size = 11, .anchor = "end", .halo = true});
}

/// Lines of contacts where there is no P⁺ to bound.
void draw_empty_lines(ConsistencyDrawing& d, const PlotFrame& f) {
  for (const SliceHalfSpace& h : d.view.opening) {
    const Vec2 foot = foot_of(h, flat(d.view.free));
    const Vec2 along = beyond(f) * perp(flat(h.normal));
    d.canvas.line(f(foot - along), f(foot + along), {.stroke = "ink", .width = 1.8});
    d.canvas.arrow(f(foot), f(foot) + 26 * Vec2(h.normal[0], -h.normal[1]),
                   {.stroke = "ink", .width = 1.5});
  }
}

}  // namespace

void draw_plane_panel(ConsistencyDrawing& d) {
  auto set = consistent(d.view);
  const PlotFrame f = frame_of(d.view, set);
  if (d.view.corners.empty() && !d.view.jammed) set = unbounded(d.view, f);
  PlotFrame numbers = f;
  numbers.low = f.low.cwiseQuotient(flat(d.view.unit));
  numbers.high = f.high.cwiseQuotient(flat(d.view.unit));
  d.canvas.begin_clip(f.corner, f.size);
  draw_polyhedron(d, f);
  draw_reach(d, f);
  d.canvas.end_clip();
  draw_axes(d.canvas, numbers, d.view.axes[0], d.view.axes[1]);
  d.canvas.begin_clip(f.corner, f.size);
  draw_reach_edges(d, f);
  draw_balls(d, f);
  draw_consistent(d, f, set);
  if (d.view.excited && !d.view.corners.empty()) {
    draw_polyhedron_edges(d, f, flat(d.view.half_impulse),
                          {.stroke = "soft", .width = 1.4, .dash = "5 4"});
    d.legend.push_back(
        {Mark::dashes, "soft", "Z\u207a = P\u207a + \u03c0/2, of the average split"});
  }
  draw_polyhedron_edges(d, f, Vec2::Zero(), {.stroke = "ink", .width = 1.8});
  if (d.view.jammed) draw_empty_lines(d, f);
  draw_normal_cones(d, f);
  draw_motion(d, f);
  LabelPlacer labels(f.corner, f.size);
  labels.keep_clear(f.corner + f.size - Vec2(60, 22), 30);
  std::vector<Vec2> places;
  const auto points = named_points(d.view);
  places.reserve(points.size());
  for (const NamedPoint& p : points) places.push_back(f(flat(p.at)));
  draw_points(d.canvas, labels, points, places);
  for (const SliceHalfSpace& h : d.view.opening) label_edge(d, f, labels, h);
  draw_energy_bar(d.canvas, f);
  d.canvas.end_clip();
}

}  // namespace tact
