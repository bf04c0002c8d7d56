#include "tact/io/friction_picture.hpp"

#include <algorithm>
#include <cmath>

#include "tact/io/number_text.hpp"
#include "tact/io/plot_frame.hpp"

namespace tact {

namespace {

void draw_limit(SvgCanvas& canvas, const PlotFrame& frame, const std::vector<Vec2>& limit,
                const Vec2& load, bool within) {
  canvas.begin_clip(frame.corner, frame.size);
  canvas.polyline(frame(limit), {.stroke = "stick", .fill = "stick", .width = 2, .opacity = 0.15},
                  true);
  const Vec2 origin = frame(Vec2::Zero()), tip = frame(load);
  canvas.arrow(origin, tip, {.stroke = within ? "force" : "bad", .width = 2.5});
  canvas.circle(origin, 2.5, {.fill = "ink"});
  canvas.circle(tip, 4, {.fill = within ? "force" : "bad"});
  canvas.end_clip();
}

Vec2 reach(const std::vector<Vec2>& limit, const Vec2& load) {
  Vec2 out = load.cwiseAbs();
  for (const Vec2& x : limit) out = out.cwiseMax(x.cwiseAbs());
  return 1.15 * out;
}

}  // namespace

void draw_friction(SvgCanvas& canvas, const PatchFrictionReport& f, const Vec2& corner) {
  if (!(f.capacity > 0)) return;
  constexpr double plot_width = 190, force_height = 100, turning_height = 90, gap = 62;
  canvas.text(corner,
              concat({"friction: ", f.within_limit ? "used " : "asked for ",
                      short_number(100 * f.used), " % of the limit"}),
              {.size = 13, .bold = true});
  const Vec2 first = corner + Vec2(46, 28);
  const Vec2 span = reach(f.force_limit, f.force);
  const PlotFrame plane = equal_frame(first, {plot_width, force_height}, -span, span);
  draw_axes(canvas, plane, "f_x [N]", "f_y [N]");
  draw_limit(canvas, plane, f.force_limit, f.force, f.within_limit);

  const Vec2 load(f.force.norm(), f.moment);
  const Vec2 range = reach(f.turning_limit, load);
  if (!(range[1] > 0)) return;
  const PlotFrame turning{
      first + Vec2(0, force_height + gap), {plot_width, turning_height}, -range, range};
  draw_axes(canvas, turning, "force along f_T [N]", "m_N about the CoP [N\u00b7m]");
  draw_limit(canvas, turning, f.turning_limit, load, f.within_limit);
}

}  // namespace tact
