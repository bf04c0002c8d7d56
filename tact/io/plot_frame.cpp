#include "tact/io/plot_frame.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

Vec2 PlotFrame::operator()(const Vec2& x) const {
  const Vec2 share = (x - low).cwiseQuotient(high - low);
  return {corner[0] + share[0] * size[0], corner[1] + (1 - share[1]) * size[1]};
}

std::vector<Vec2> PlotFrame::operator()(const std::vector<Vec2>& points) const {
  std::vector<Vec2> out;
  out.reserve(points.size());
  for (const Vec2& x : points) out.push_back((*this)(x));
  return out;
}

PlotFrame equal_frame(const Vec2& corner, const Vec2& size, const Vec2& low, const Vec2& high) {
  TACT_EXPECTS((high - low).minCoeff() > 0 && size.minCoeff() > 0);
  const double unit = (high - low).cwiseQuotient(size).maxCoeff();
  const Vec2 middle = low + (high - low) / 2;
  return {corner, size, middle - unit * size / 2, middle + unit * size / 2};
}

double round_step(double x) {
  TACT_EXPECTS(x > 0 && std::isfinite(x));
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= x) return step * power;
  return 10 * power;
}

namespace {

/// Multiples of a round step in [low, high], at least `apart` pixels from each other.
std::vector<double> ticks(double low, double high, double pixels, double apart) {
  std::vector<double> out;
  const double step = round_step((high - low) * std::min(1.0, apart / pixels));
  const double first = std::ceil(low / step), last = std::floor(high / step);
  // A view far from the origin: neighbouring ticks would be the same number.
  if (std::abs(first) + 1 == std::abs(first) || last - first > 100) return out;
  for (double i = first; i <= last; ++i) out.push_back(i * step);
  return out;
}

}  // namespace

void draw_axes(SvgCanvas& canvas, const PlotFrame& frame, std::string_view x_label,
               std::string_view y_label) {
  const Vec2 &c = frame.corner, &s = frame.size;
  const double bottom = c[1] + s[1];
  constexpr double apart_x = 42, apart_y = 30;
  for (const double x : ticks(frame.low[0], frame.high[0], s[0], apart_x)) {
    const double px = frame({x, frame.low[1]})[0];
    canvas.line({px, c[1]}, {px, bottom}, {.stroke = "grid", .width = 1});
    canvas.text({px, bottom + 15}, short_number(x),
                {.color = "soft", .size = 11, .anchor = "middle"});
  }
  for (const double y : ticks(frame.low[1], frame.high[1], s[1], apart_y)) {
    const double py = frame({frame.low[0], y})[1];
    canvas.line({c[0], py}, {c[0] + s[0], py}, {.stroke = "grid", .width = 1});
    canvas.text({c[0] - 6, py + 4}, short_number(y),
                {.color = "soft", .size = 11, .anchor = "end"});
  }
  canvas.rectangle(c, s, {.stroke = "grid", .width = 1});
  canvas.text({c[0] + s[0] / 2, bottom + 32}, x_label,
              {.color = "soft", .size = 12, .anchor = "middle"});
  canvas.text({c[0] - 40, c[1] - 8}, y_label, {.color = "soft", .size = 12});
}

void draw_scale_bar(SvgCanvas& canvas, const PlotFrame& frame, std::string_view unit) {
  const double length = round_step((frame.high[0] - frame.low[0]) / 8);
  const double pixels = length * frame.scale();
  const Vec2 right = frame.corner + frame.size - Vec2(14, 14);
  const Vec2 left = right - Vec2(pixels, 0);
  const Paint bar{.stroke = "ink", .width = 2};
  canvas.line(left, right, bar);
  for (const Vec2& end : {left, right}) canvas.line(end - Vec2(0, 4), end + Vec2(0, 4), bar);
  canvas.text({(left[0] + right[0]) / 2, right[1] - 8}, concat({short_number(length), " ", unit}),
              {.size = 11, .anchor = "middle", .halo = true});
}

}  // namespace tact
