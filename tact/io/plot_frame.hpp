// io/plot_frame.hpp - from metres to pixels: equal or free axes with ticks, and a scale bar.
#pragma once

#include <string_view>
#include <vector>

#include "tact/io/svg.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// A rectangle of the canvas that shows a rectangle of the plane.
struct PlotFrame {
  Vec2 corner = Vec2::Zero();  ///< upper left corner on the canvas [px]
  Vec2 size = Vec2::Ones();    ///< [px]
  Vec2 low = Vec2::Zero();     ///< what its lower left corner shows
  Vec2 high = Vec2::Ones();    ///< what its upper right corner shows

  [[nodiscard]] Vec2 operator()(const Vec2& x) const;
  [[nodiscard]] std::vector<Vec2> operator()(const std::vector<Vec2>& points) const;
  /// Pixels per unit along x.
  [[nodiscard]] double scale() const { return size[0] / (high[0] - low[0]); }
};

/// A frame that shows the box low..high with one scale for both axes, centred.
[[nodiscard]] PlotFrame equal_frame(const Vec2& corner, const Vec2& size, const Vec2& low,
                                    const Vec2& high);

/// 1, 2 or 5 times a power of ten, the least that is at least x > 0.
[[nodiscard]] double round_step(double x);

/// Grid, ticks with numbers, and the two axis labels.
void draw_axes(SvgCanvas& canvas, const PlotFrame& frame, std::string_view x_label,
               std::string_view y_label);

/// A bar of a round length in the lower right corner, with its length.
void draw_scale_bar(SvgCanvas& canvas, const PlotFrame& frame, std::string_view unit);

}  // namespace tact
