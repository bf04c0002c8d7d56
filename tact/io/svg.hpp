// io/svg.hpp - a small SVG writer: shapes in, one self-contained text out.
//
// Coordinates are pixels, y downwards, printed with two decimals so that the same drawing is the
// same text on every machine. Colours are names of classes ("stick", "ink", "grid"); one style
// sheet gives them a light and a dark value, and the reader's system chooses.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tact/linalg/types.hpp"

namespace tact {

/// How a shape is painted. Classes are those of svg_style().
struct Paint {
  std::string_view stroke = "";  ///< class of the line; empty: none
  std::string_view fill = "";    ///< class of the area; empty: none
  double width = 1.5;            ///< of the line [px]
  double opacity = 1;            ///< of the area
  std::string_view dash = "";    ///< "4 3"; empty: a full line
};

struct TextStyle {
  std::string_view color = "ink";
  double size = 13;
  std::string_view anchor = "start";  ///< start, middle, end
  bool bold = false;
  bool halo = false;  ///< a rim in the colour of the paper, for text over a drawing
};

/// A step of an outline: a segment, or with a radius an arc of less than half a turn that goes
/// counter-clockwise as the reader sees it.
struct OutlineStep {
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();
  double radius = 0;
  bool starts = false;  ///< a new outline; the first step always does
};

class SvgCanvas {
 public:
  SvgCanvas(double width, double height) : width_(width), height_(height) {}

  void line(const Vec2& a, const Vec2& b, const Paint& paint);
  void polyline(std::span<const Vec2> points, const Paint& paint, bool closed = false);
  void rectangle(const Vec2& corner, const Vec2& size, const Paint& paint, double rounding = 0);
  void circle(const Vec2& center, double radius, const Paint& paint);
  /// Closed outlines of segments and arcs. Where several that turn the same way overlap, the area
  /// is painted once.
  void outline(std::span<const OutlineStep> steps, const Paint& paint);
  /// A line with a head at b; nothing when it is shorter than a pixel.
  void arrow(const Vec2& a, const Vec2& b, const Paint& paint);
  void text(const Vec2& at, std::string_view content, const TextStyle& style = {});
  /// Everything until end_clip is cut to the rectangle.
  void begin_clip(const Vec2& corner, const Vec2& size);
  void end_clip();

  /// The whole picture; `title` and `description` are read out by screen readers.
  [[nodiscard]] std::string finish(std::string_view title, std::string_view description) const;

 private:
  double width_, height_;
  std::string body_;
  int clips_ = 0;
};

/// The style sheet of the pictures: colours of regimes and of everything else, light and dark.
[[nodiscard]] std::string_view svg_style();

/// & < > and quotes as entities; control characters as spaces.
[[nodiscard]] std::string xml_escaped(std::string_view text);
/// The same, but lines stay lines.
[[nodiscard]] std::string xml_escaped_lines(std::string_view text);

}  // namespace tact
