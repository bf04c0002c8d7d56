// io/consistency_parts.hpp - what the three pictures of a consistency set share, and the panels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/io/label_placer.hpp"
#include "tact/io/slice_view.hpp"
#include "tact/io/svg.hpp"

namespace tact {

/// The panel's rectangle on the canvas [px].
inline const Vec2 panel_corner(72, 96), panel_size(530, 480);

struct LegendEntry {
  enum class Mark { area, line, dashes, dot, ring, arrow, circle };
  Mark mark = Mark::dot;
  std::string_view color;
  std::string text;
};

struct ConsistencyDrawing {
  const ConsistencySet& set;
  const ConsistencyShown& shown;
  SliceView view;
  SvgCanvas canvas;
  std::vector<LegendEntry> legend;
};

/// A point of the picture by its name.
struct NamedPoint {
  std::string name;
  VecX at;
  std::string_view color;
};
/// u⁻, z, p, u⁺ and the repaired one, as far as there are any.
[[nodiscard]] std::vector<NamedPoint> named_points(const SliceView& view);
/// Dots and labels; names of points at one place of the canvas share one label.
void draw_points(SvgCanvas& canvas, LabelPlacer& labels, const std::vector<NamedPoint>& points,
                 const std::vector<Vec2>& places);

/// An arrow that ends at the rim of a dot.
void draw_move(SvgCanvas& canvas, const Vec2& from, const Vec2& to, const Paint& paint);

void draw_line_panel(ConsistencyDrawing& d);
void draw_plane_panel(ConsistencyDrawing& d);
void draw_space_panel(ConsistencyDrawing& d);

}  // namespace tact
