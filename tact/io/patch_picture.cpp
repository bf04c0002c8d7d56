#include "tact/io/patch_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/io/friction_picture.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/patch_words.hpp"
#include "tact/io/plot_frame.hpp"
#include "tact/io/svg.hpp"
#include "tact/poly/clip.hpp"

namespace tact {

namespace {

constexpr double width = 940, height = 640;
constexpr int round_count = 96;
constexpr double column = 650;  ///< where the right column begins

struct Legend {
  enum class Mark { area, line, dashes, dot, ring, arrow, disc };
  Mark mark;
  std::string_view color;
  std::string text;
};

struct Drawing {
  const PatchReport& report;
  PlotFrame frame;
  SvgCanvas canvas{width, height};
  std::vector<Legend> legend;
};

/// What the picture must show: the hull, and the centre of pressure and the zero-line unless they
/// are far away.
PlotFrame view(const PatchReport& r) {
  const double unit = r.hull.radius() > 0 ? r.hull.radius() : 0.05;
  const Vec2& middle = r.hull.center();
  Vec2 low = middle, high = middle;
  const auto show = [&](const Vec2& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  };
  for (const Vec2& x : r.hull.outline(round_count)) show(x);
  const auto near = [&](const Vec2& x) { return (x - middle).norm() <= 2.5 * unit; };
  if (r.cop && near(*r.cop)) show(*r.cop);
  if (r.zero_line && near(r.zero_line->point)) show(r.zero_line->point);
  // Wide enough to tell the ticks apart, however far from the origin the patch is.
  const double rim = std::max(0.45 * unit, tolerance::face * middle.cwiseAbs().maxCoeff());
  return equal_frame({72, 96}, {530, 480}, low - Vec2::Constant(rim), high + Vec2::Constant(rim));
}

std::vector<Vec2> corners(const PlotFrame& f) {
  return {f.low, {f.high[0], f.low[1]}, f.high, {f.low[0], f.high[1]}};
}

/// Away from the middle of the patch, on the canvas.
Vec2 outward(const Drawing& d, const Vec2& x) {
  const Vec2 way = d.frame(x) - d.frame(d.report.hull.center());
  const double length = way.norm();
  return length > 1 ? Vec2(way / length) : Vec2(0.6, 0.8);
}

/// A label beside a point: in direction `way`, `distance` pixels off.
void label(Drawing& d, const Vec2& x, const Vec2& way, double distance, std::string_view text,
           std::string_view color) {
  const Vec2 at = d.frame(x) + distance * way + Vec2(0, 4 + 5 * way[1]);
  const std::string_view anchor = way[0] > 0.3 ? "start" : way[0] < -0.3 ? "end" : "middle";
  d.canvas.text(at, text,
                {.color = color, .size = 12, .anchor = anchor, .bold = true, .halo = true});
}

void draw_opening_side(Drawing& d) {
  const auto& line = d.report.zero_line;
  if (!line) return;
  const double offset = line->normal.dot(line->point);
  const auto side = clip(corners(d.frame), HalfPlane{-line->normal, -offset});
  if (side.size() > 2 && d.report.largest_opening > 0) {
    d.canvas.polyline(d.frame(side), {.fill = "line", .opacity = 0.12}, true);
    d.legend.push_back(
        {Legend::Mark::area, "line",
         concat({"opens, at up to ", short_number(d.report.largest_opening), " m/s"})});
  }
}

void draw_zero_line(Drawing& d) {
  const auto& line = d.report.zero_line;
  if (!line) return;
  const double far = (d.frame.high - d.frame.low).norm() * 2;
  const Paint paint{.stroke = "line", .width = 2};
  d.canvas.line(d.frame(line->point - far * line->direction),
                d.frame(line->point + far * line->direction), paint);
  const Vec2 up(line->normal[0], -line->normal[1]);
  const Vec2 along(line->direction[0], -line->direction[1]);
  for (const double shift : {-150.0, -75.0, 75.0, 150.0}) {
    const Vec2 foot = d.frame(line->point) + shift * along;
    d.canvas.arrow(foot, foot + 22 * up, paint);
  }
  d.legend.push_back({Legend::Mark::line, "line", "zero-line, arrows to the side that opens"});
}

void draw_patch(Drawing& d) {
  for (const auto& part : outlines_of(d.report.file.patch, round_count)) {
    const auto pixels = d.frame(part);
    if (pixels.size() == 1) {
      d.canvas.circle(pixels[0], 4, {.fill = "patch"});
    } else if (pixels.size() == 2) {
      d.canvas.line(pixels[0], pixels[1], {.stroke = "patch", .width = 5});
    } else {
      d.canvas.polyline(pixels, {.stroke = "patch", .fill = "patch", .width = 1, .opacity = 0.4},
                        true);
    }
  }
  d.legend.push_back(
      {Legend::Mark::area, "patch", concat({"patch: ", describe(d.report.file.patch)})});
  d.canvas.polyline(d.frame(d.report.hull.outline(round_count)),
                    {.stroke = "ink", .width = 1.5, .dash = "6 4"}, true);
  d.legend.push_back({Legend::Mark::dashes, "ink", "its convex hull"});
}

void draw_contact_face(Drawing& d) {
  const PatchReport& r = d.report;
  if (r.pivot) {
    d.canvas.line(d.frame(r.pivot->first), d.frame(r.pivot->last), {.stroke = "tip", .width = 6});
    if (!r.pivot->is_edge())
      d.canvas.circle(d.frame(r.pivot->first), 9, {.stroke = "tip", .width = 3});
    d.legend.push_back({r.pivot->is_edge() ? Legend::Mark::line : Legend::Mark::ring, "tip",
                        r.pivot->is_edge() ? "edge it tips about" : "point it tips about"});
    return;
  }
  if (!r.extended_cop || r.cop) return;
  const auto points = d.frame(r.extended_cop->points);
  const Paint paint{.stroke = "tip", .width = 4};
  if (points.size() == 1) {
    d.canvas.circle(points[0], 8, {.stroke = "tip", .width = 3});
  } else {
    d.canvas.polyline(points, paint, true);
  }
  d.legend.push_back({points.size() == 1 ? Legend::Mark::ring : Legend::Mark::line, "tip",
                      "extended centre of pressure"});
}

void draw_witness(Drawing& d) {
  if (!d.report.witness || d.report.witness->points().empty()) return;
  const double total = d.report.file.wrench->f_n();
  for (const PressurePoint& p : d.report.witness->points()) {
    constexpr double largest = 20;
    const double radius = largest * std::sqrt(std::max(0.0, p.force / total));
    d.canvas.circle(d.frame(p.x), std::max(2.0, radius),
                    {.stroke = "force", .fill = "force", .width = 1.5, .opacity = 0.35});
    label(d, p.x, outward(d, p.x), radius + 6, concat({short_number(p.force), " N"}), "force");
  }
  d.legend.push_back({Legend::Mark::disc, "force", "a pressure with this wrench"});
}

/// Sliding velocities at the corners of what stays in contact.
void draw_sliding(Drawing& d) {
  const PatchReport& r = d.report;
  const double slow = r.scales.tolerance * r.scales.velocity;
  if (!r.regime || !r.file.twist || r.largest_sliding <= slow) return;
  std::vector<Vec2> at = r.hull.outline(8);
  if (r.pivot) at = {r.pivot->first, (r.pivot->first + r.pivot->last) / 2, r.pivot->last};
  if (r.pivot && !r.pivot->is_edge()) at.resize(1);
  constexpr double longest = 56;
  for (const Vec2& x : at) {
    const Vec2 v = tangential_velocity_at(*r.file.twist, x) * (longest / r.largest_sliding);
    const Vec2 foot = d.frame(x);
    d.canvas.arrow(foot, foot + Vec2(v[0], -v[1]), {.stroke = "slide", .width = 2});
  }
  d.legend.push_back(
      {Legend::Mark::arrow, "slide",
       concat({"sliding, longest arrow ", short_number(r.largest_sliding), " m/s"})});
}

void draw_center_of_pressure(Drawing& d) {
  const PatchReport& r = d.report;
  if (!r.cop) return;
  const Vec2 at = d.frame(*r.cop);
  const Vec2 force = r.file.wrench->f_t();
  if (force.norm() > r.scales.tolerance * r.scales.force) {
    const double unit =
        r.friction && r.friction->capacity > 0 ? r.friction->capacity : r.file.wrench->f_n();
    constexpr double longest = 90;
    const Vec2 reach = force * (longest * std::min(1.0, unit / force.norm()) / unit);
    d.canvas.arrow(at, at + Vec2(reach[0], -reach[1]), {.stroke = "force", .width = 3});
    d.legend.push_back({Legend::Mark::arrow, "force",
                        concat({"friction f_T, ", short_number(force.norm()), " N"})});
  }
  d.canvas.circle(at, 5.5, {.stroke = "paper", .fill = "ink", .width = 1.5});
  // Beside the friction arrow, and away from the numbers on the rim.
  const bool pushed = force.norm() > r.scales.tolerance * r.scales.force;
  const Vec2 inward = -outward(d, *r.cop);
  Vec2 beside = pushed ? Vec2(Vec2(force[1], force[0]).normalized()) : inward;
  if (beside.dot(inward) < 0) beside = -beside;
  label(d, *r.cop, beside, 12, "CoP", "ink");
  d.legend.push_back(
      {Legend::Mark::dot, "ink", concat({"centre of pressure ", short_point(*r.cop)})});
}

void draw_mark(SvgCanvas& canvas, const Legend& entry, const Vec2& at) {
  const Vec2 left = at - Vec2(11, 0), right = at + Vec2(11, 0);
  switch (entry.mark) {
    case Legend::Mark::area:
      canvas.rectangle(at - Vec2(11, 6), {22, 12},
                       {.stroke = entry.color, .fill = entry.color, .width = 1, .opacity = 0.3});
      break;
    case Legend::Mark::line:
      canvas.line(left, right, {.stroke = entry.color, .width = 4});
      break;
    case Legend::Mark::dashes:
      canvas.line(left, right, {.stroke = entry.color, .dash = "6 4"});
      break;
    case Legend::Mark::dot:
      canvas.circle(at, 5, {.fill = entry.color});
      break;
    case Legend::Mark::ring:
      canvas.circle(at, 6, {.stroke = entry.color, .width = 3});
      break;
    case Legend::Mark::arrow:
      canvas.arrow(left, right, {.stroke = entry.color, .width = 2});
      break;
    case Legend::Mark::disc:
      canvas.circle(at, 7, {.stroke = entry.color, .fill = entry.color, .opacity = 0.35});
      break;
  }
}

double draw_legend(Drawing& d) {
  double y = 108;
  for (const Legend& entry : d.legend) {
    draw_mark(d.canvas, entry, {column + 12, y});
    d.canvas.text({column + 34, y + 4}, entry.text, {.size = 12});
    y += 20;
  }
  return y;
}

void draw_title(Drawing& d) {
  const PatchReport& r = d.report;
  const std::string title = r.file.name.empty() ? "patch" : r.file.name;
  const std::string regime = r.regime               ? std::string(name(*r.regime))
                             : r.violations.empty() ? "no regime asked"
                                                    : "violated";
  double x = 36;
  d.canvas.circle({x - 6, 30}, 8, {.fill = regime_color(r)});
  if (regime.starts_with("slide_tip")) d.canvas.circle({(x += 18) - 6, 30}, 8, {.fill = "slide"});
  d.canvas.text({x + 8, 36}, concat({regime, " \u00b7 ", title}), {.size = 18, .bold = true});
  d.canvas.text({24, 62}, headline(r), {.color = "soft", .size = 14});
}

}  // namespace

std::string patch_picture(const PatchReport& report) {
  Drawing d{.report = report, .frame = view(report), .legend = {}};
  draw_title(d);
  d.canvas.begin_clip(d.frame.corner, d.frame.size);
  draw_opening_side(d);
  d.canvas.end_clip();
  draw_axes(d.canvas, d.frame, "x [m]", "y [m]");
  d.canvas.begin_clip(d.frame.corner, d.frame.size);
  draw_patch(d);
  draw_zero_line(d);
  draw_contact_face(d);
  draw_sliding(d);
  draw_witness(d);
  draw_center_of_pressure(d);
  draw_scale_bar(d.canvas, d.frame, "m");
  d.canvas.end_clip();
  const double below = draw_legend(d);
  if (report.friction) draw_friction(d.canvas, *report.friction, {column, below + 14});
  const std::string title = report.file.name.empty() ? "contact patch" : report.file.name;
  return d.canvas.finish(title, headline(report));
}

}  // namespace tact
