// io/consistency_line.cpp - the picture on a line: contact work over the velocity, and below it the
// three sets whose common part is I.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/io/consistency_parts.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/plot_frame.hpp"

namespace tact {
namespace {

using Mark = LegendEntry::Mark;

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  void meet(const Interval& other) {
    low = std::max(low, other.low);
    high = std::min(high, other.high);
  }
};

Interval interval(const std::vector<SliceHalfSpace>& sets) {
  Interval out;
  for (const SliceHalfSpace& h : sets) {
    if (h.normal[0] > 0)
      out.low = std::max(out.low, h.offset);
    else
      out.high = std::min(out.high, -h.offset);
  }
  return out;
}

Interval interval(const SliceBall& b) {
  if (b.radius2 < 0) return {1, 0};
  const double r = std::sqrt(b.radius2);
  return {b.center[0] - r, b.center[0] + r};
}

Interval consistent(const SliceView& view) {
  if (view.jammed) return {1, 0};
  Interval out = interval(view.opening);
  out.meet(interval(view.reach));
  for (const SliceBall& b : view.corners) out.meet(interval(b));
  return out;
}

/// The least work (sign +1, corners of P⁺) or the most (-1, corners of P⁻) that explains x.
double work(const SliceView& view, const std::vector<SliceBall>& corners, double sign, double x) {
  const double change = x - view.free[0];
  double out = -std::numeric_limits<double>::infinity();
  for (const SliceBall& b : corners)
    out = std::max(out, sign * change * (change / 2 - (b.center[0] - view.free[0])));
  return sign * out;
}

/// Of velocities: what has a name, the corners and the set.
Interval shown_range(const SliceView& view) {
  Interval out{view.free[0], view.free[0]};
  const auto show = [&](double x) {
    out.low = std::min(out.low, x);
    out.high = std::max(out.high, x);
  };
  for (const NamedPoint& p : named_points(view)) show(p.at[0]);
  for (const SliceBall& b : view.corners) show(b.center[0]);
  const Interval set = consistent(view);
  for (const double end : {set.low, set.high})
    if (set.low <= set.high && std::isfinite(end)) show(end);
  double rim = 0.3 * (out.high - out.low);
  if (!(rim > 0)) rim = 1;
  return {out.low - rim, out.high + rim};
}

Interval work_range(const SliceView& view) {
  Interval out{0, 0};
  const auto show = [&](double w) {
    if (!std::isfinite(w)) return;
    out.low = std::min(out.low, w);
    out.high = std::max(out.high, w);
  };
  for (const NamedPoint& p : named_points(view)) {
    show(work(view, view.corners, 1, p.at[0]));
    show(work(view, view.closing, -1, p.at[0]));
  }
  // Beyond that the least work alone, which is what decides.
  const Interval set = consistent(view);
  for (const double share : {0.0, 0.5, 1.0})
    if (set.low <= set.high && std::isfinite(set.high - set.low))
      show(work(view, view.corners, 1, set.low + share * (set.high - set.low)));
  double rim = 0.3 * (out.high - out.low);
  if (!(rim > 0)) rim = 1;
  return {out.low - rim, out.high + rim};
}

/// Whether the work does not depend on the distribution of impulses.
bool unique(const SliceView& view) {
  return view.corners.size() == 1 && view.closing.size() == 1 &&
         view.corners[0].center == view.closing[0].center;
}

/// Both curves over what impulses reach, and the works between them.
void draw_work(ConsistencyDrawing& d, const PlotFrame& f) {
  constexpr int steps = 128;
  Interval span = interval(d.view.reach);
  span.meet({f.low[0], f.high[0]});
  std::vector<Vec2> least, most;
  for (int i = 0; i <= steps; ++i) {
    const double x = span.low + (span.high - span.low) * i / steps;
    const double low = work(d.view, d.view.corners, 1, x),
                 high = work(d.view, d.view.closing, -1, x);
    least.push_back(f({x, std::isfinite(low) ? low : f.low[1]}));
    most.push_back(f({x, std::isfinite(high) ? high : f.high[1]}));
  }
  std::vector<Vec2> between = least;
  between.insert(between.end(), most.rbegin(), most.rend());
  d.canvas.polyline(between, {.fill = "tip", .opacity = 0.12}, true);
  const bool one = unique(d.view);
  if (!d.view.closing.empty() && !one) {
    d.canvas.polyline(most, {.stroke = "slide", .width = 2});
    d.legend.push_back({Mark::line, "slide", "most contact work that explains u\u207a"});
  }
  if (d.view.corners.empty()) return;
  d.canvas.polyline(least, {.stroke = "tip", .width = 2});
  d.legend.push_back(
      {Mark::line, "tip",
       one ? "contact work, whatever the impulses" : "least contact work that explains u\u207a"});
}

/// The works of u⁺ as a bar.
void draw_verdict(ConsistencyDrawing& d, const PlotFrame& f) {
  const auto& m = d.view.verdict;
  if (!m || !m->reachable || !m->least) return;
  const double x = (*d.view.after)[0], low = nearest(*m->least);
  const std::string_view color = m->inside() ? "stick" : "bad";
  const double high = m->most ? nearest(*m->most) : f.high[1];
  d.canvas.line(f({x, low}), f({x, high}), {.stroke = color, .width = 5});
  LabelPlacer labels(f.corner, f.size);
  const TextStyle style{.color = color, .size = 13, .bold = true};
  labels.place(d.canvas, f({x, low}), concat({short_number(low), " J"}), style);
  if (m->most && *m->most != *m->least)
    labels.place(d.canvas, f({x, high}), concat({short_number(high), " J"}), style);
}

void draw_lane(ConsistencyDrawing& d, const PlotFrame& f, double y, Interval part,
               std::string_view color, std::string_view name, bool dashed = false) {
  d.canvas.text({f.corner[0] - 10, y + 4}, name, {.color = color, .size = 12, .anchor = "end"});
  part.meet({f.low[0], f.high[0]});
  if (part.low > part.high) {
    d.canvas.text({f.corner[0] + 8, y + 4}, "empty", {.color = "soft", .size = 12});
    return;
  }
  if (dashed) {
    d.canvas.line({f({part.low, 0})[0], y}, {f({part.high, 0})[0], y},
                  {.stroke = color, .width = 2, .dash = "5 4"});
    return;
  }
  const double left = f({part.low, 0})[0], right = f({part.high, 0})[0];
  if (right - left < 2)
    d.canvas.circle({left, y}, 4.5, {.fill = color});
  else
    d.canvas.line({left, y}, {right, y}, {.stroke = color, .width = 7});
}

/// One lane a set, I the last.
void draw_lanes(ConsistencyDrawing& d, const PlotFrame& f, double top) {
  double y = top;
  const double apart = 24;
  draw_lane(d, f, y, d.view.jammed ? Interval{1, 0} : interval(d.view.opening), "patch",
            admissible_words(d.view).substr(0, admissible_words(d.view).find(':')));
  if (d.view.excited && !d.view.corners.empty()) {
    Interval shifted = interval(d.view.opening);
    shifted.low += d.view.half_impulse[0];
    shifted.high += d.view.half_impulse[0];
    draw_lane(d, f, y += apart, shifted, "soft", "Z\u207a", true);
  }
  draw_lane(d, f, y += apart, interval(d.view.reach), "force", "reach");
  constexpr std::size_t most = 2;  // corners of P⁺ on a line
  for (std::size_t i = 0; i < d.view.corners.size() && i < most; ++i) {
    const SliceBall& b = d.view.corners[i];
    draw_lane(d, f, y += apart, interval(b), "tip", "ball");
    d.canvas.circle(f({b.center[0], 0}).cwiseProduct(Vec2(1, 0)) + Vec2(0, y), 3.5,
                    {.stroke = "paper", .fill = "line", .width = 1});
    if (b.best)
      d.canvas.circle(f({b.center[0], 0}).cwiseProduct(Vec2(1, 0)) + Vec2(0, y), 8,
                      {.stroke = "base", .width = 2.5});
  }
  draw_lane(d, f, y + apart, consistent(d.view), "stick", "I");
  d.legend.push_back({Mark::area, "patch", std::string(admissible_words(d.view))});
  if (d.view.excited && !d.view.corners.empty())
    d.legend.push_back(
        {Mark::dashes, "soft", "Z\u207a = P\u207a + \u03c0/2, of the average split"});
  d.legend.push_back({Mark::area, "force", "reach: what impulses can bring about"});
  if (!d.view.jammed) {
    d.legend.push_back({Mark::area, "tip", "ball: no energy given, seen from a corner b"});
    d.legend.push_back({Mark::area, "stick", "I: the consistency set, all at once"});
  }
}

}  // namespace

void draw_line_panel(ConsistencyDrawing& d) {
  const Interval x = shown_range(d.view), w = work_range(d.view);
  const double plot_height = 300, lanes = panel_corner[1] + plot_height + 66;
  const PlotFrame f{panel_corner, {panel_size[0], plot_height}, {x.low, w.low}, {x.high, w.high}};
  PlotFrame numbers = f;
  numbers.low[0] /= d.view.unit[0];
  numbers.high[0] /= d.view.unit[0];
  draw_axes(d.canvas, numbers, d.view.axes[0], "contact work [J]");
  d.canvas.begin_clip(f.corner, f.size);
  d.canvas.line(f({x.low, 0}), f({x.high, 0}), {.stroke = "ink", .width = 1.2});
  draw_work(d, f);
  const auto points = named_points(d.view);
  for (const NamedPoint& p : points)
    d.canvas.line(f({p.at[0], w.low}), f({p.at[0], w.high}),
                  {.stroke = p.color, .width = 1, .dash = "2 3"});
  draw_verdict(d, f);
  LabelPlacer labels(f.corner, f.size);
  std::vector<Vec2> places;
  places.reserve(points.size());
  for (const NamedPoint& p : points) places.push_back(f({p.at[0], 0}));
  draw_points(d.canvas, labels, points, places);
  d.canvas.end_clip();
  draw_lanes(d, f, lanes);
}

}  // namespace tact
