#include "tact/io/consistency_picture.hpp"

#include <array>

#include "tact/base/expects.hpp"
#include "tact/io/consistency_parts.hpp"
#include "tact/io/number_text.hpp"

namespace tact {
namespace {

constexpr double width = 980, height = 640;
constexpr double column = 650;  ///< where the right column begins

void draw_mark(SvgCanvas& canvas, const LegendEntry& entry, const Vec2& at) {
  const Vec2 left = at - Vec2(11, 0), right = at + Vec2(11, 0);
  switch (entry.mark) {
    case LegendEntry::Mark::area:
      canvas.rectangle(at - Vec2(11, 6), {22, 12},
                       {.stroke = entry.color, .fill = entry.color, .width = 1, .opacity = 0.3});
      break;
    case LegendEntry::Mark::line:
      canvas.line(left, right, {.stroke = entry.color, .width = 2.5});
      break;
    case LegendEntry::Mark::dashes:
      canvas.line(left, right, {.stroke = entry.color, .dash = "5 4"});
      break;
    case LegendEntry::Mark::dot:
      canvas.circle(at, 5, {.fill = entry.color});
      break;
    case LegendEntry::Mark::ring:
      canvas.circle(at, 6, {.stroke = entry.color, .width = 2.5});
      break;
    case LegendEntry::Mark::arrow:
      canvas.arrow(left, right, {.stroke = entry.color, .width = 2});
      break;
    case LegendEntry::Mark::circle:
      canvas.circle(at, 7, {.stroke = entry.color, .width = 1.2});
      break;
  }
}

void draw_legend(ConsistencyDrawing& d) {
  double y = 108;
  for (const LegendEntry& entry : d.legend) {
    draw_mark(d.canvas, entry, {column + 12, y});
    d.canvas.text({column + 34, y + 4}, entry.text, {.size = 12});
    y += 21;
  }
}

/// "u⁺ = (1, 0.25)".
std::string numbers(std::string_view name, const ExactVector& u) {
  std::string out = concat({name, " = ", u.size() == 1 ? "" : "("});
  constexpr std::size_t most = 6;
  for (std::size_t k = 0; k < u.size() && k < most; ++k)
    out += concat({k == 0 ? "" : ", ", short_number(nearest(u[k]))});
  return concat({out, u.size() > most ? ", \u2026" : "", u.size() == 1 ? "" : ")"});
}

void list_points(ConsistencyDrawing& d) {
  const auto add = [&](std::string_view color, std::string text) {
    d.legend.push_back({LegendEntry::Mark::dot, color, std::move(text)});
  };
  add("ink",
      numbers(d.view.excited ? "before, u\u207b" : "before, u\u207b = z", d.set.given.before));
  if (d.view.excited) add("ink", numbers("after the smooth impulse, z", d.set.given.free));
  if (d.set.projection)
    add("dual", numbers("nearest of P\u207a, p", velocity_at(d.set, *d.set.projection)));
  if (d.shown.after)
    add(d.view.verdict->inside() ? "stick" : "bad", numbers("after, u\u207a", *d.shown.after));
  if (d.shown.repaired) add("slide", numbers("repaired", *d.shown.repaired));
  for (std::size_t i = 0; i < d.view.corners.size(); ++i)
    if (d.view.corners[i].best)
      d.legend.push_back({LegendEntry::Mark::ring, "base",
                          numbers("decides, b\u2080", d.set.opening.corners[i].velocity)});
}

std::string_view verdict_color(const ConsistencyDrawing& d) {
  if (d.view.jammed) return "bad";
  if (!d.view.verdict) return "idle";
  return d.view.verdict->inside() ? "stick" : "bad";
}

}  // namespace

std::vector<NamedPoint> named_points(const SliceView& view) {
  std::vector<NamedPoint> out;
  out.push_back({"u\u207b", view.before, "ink"});
  out.push_back({"z", view.free, "ink"});
  if (view.projection) out.push_back({"p", *view.projection, "dual"});
  if (view.repaired) out.push_back({"repaired", *view.repaired, "slide"});
  if (view.after) out.push_back({"u\u207a", *view.after, view.verdict->inside() ? "stick" : "bad"});
  return out;
}

void draw_points(SvgCanvas& canvas, LabelPlacer& labels, const std::vector<NamedPoint>& points,
                 const std::vector<Vec2>& places) {
  constexpr double same = 3;  ///< pixels
  for (std::size_t i = 0; i < points.size(); ++i) {
    labels.keep_clear(places[i], 6);
    canvas.circle(places[i], 5, {.stroke = "paper", .fill = points[i].color, .width = 1.5});
  }
  std::vector<bool> named(points.size(), false);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (named[i]) continue;
    std::string text = points[i].name;
    std::string_view color = points[i].color;
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      if (named[j] || (places[i] - places[j]).norm() > same) continue;
      named[j] = true;
      text += concat({" = ", points[j].name});
      color = points[j].color;
    }
    labels.place(canvas, places[i], text, {.color = color, .size = 13, .bold = true});
  }
}

void draw_move(SvgCanvas& canvas, const Vec2& from, const Vec2& to, const Paint& paint) {
  constexpr double dot = 6;
  const double length = (to - from).norm();
  if (length <= 2 * dot) return;
  canvas.arrow(from, to - dot / length * (to - from), paint);
}

bool can_be_drawn(const ConsistencySet& set) {
  return set.dimension() >= 1 && set.dimension() <= 3;
}

std::string consistency_svg(const ConsistencySet& set, const ConsistencyShown& shown) {
  TACT_EXPECTS(can_be_drawn(set));
  ConsistencyDrawing d{set, shown, slice_view(set, shown), SvgCanvas(width, height), {}};
  const std::string title = shown.name.empty() ? "impact" : shown.name;
  const std::string sentence = verdict_sentence(set, d.view, shown);
  d.canvas.circle({30, 30}, 8, {.fill = verdict_color(d)});
  d.canvas.text({44, 36}, concat({verdict_word(set, d.view), " \u00b7 ", title}),
                {.size = 18, .bold = true});
  d.canvas.text({24, 62}, sentence, {.color = "soft", .size = 14});
  constexpr std::array panels = {draw_line_panel, draw_plane_panel, draw_space_panel};
  panels[static_cast<std::size_t>(set.dimension() - 1)](d);
  list_points(d);
  draw_legend(d);
  return d.canvas.finish(title, sentence);
}

}  // namespace tact
