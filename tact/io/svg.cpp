#include "tact/io/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tact/io/number_text.hpp"

namespace tact {

namespace {

/// Far outside any canvas, but short to print: what a line to infinity is cut to.
std::string pixels(double value) {
  constexpr double far = 100000;
  if (std::isnan(value)) value = 0;
  return plain_number(std::clamp(value, -far, far), 2);
}

std::string attributes(const Paint& paint) {
  std::string classes;
  if (!paint.stroke.empty()) classes = concat({"s-", paint.stroke});
  if (!paint.fill.empty()) classes += concat({classes.empty() ? "" : " ", "f-", paint.fill});
  std::string out = concat({" class=\"", classes, "\""});
  if (paint.fill.empty()) out += " fill=\"none\"";
  if (!paint.stroke.empty()) out += concat({" stroke-width=\"", pixels(paint.width), "\""});
  if (paint.opacity != 1) out += concat({" fill-opacity=\"", pixels(paint.opacity), "\""});
  if (!paint.dash.empty()) out += concat({" stroke-dasharray=\"", paint.dash, "\""});
  return out;
}

/// One colour in both themes. Written out in full, because few SVG readers know CSS variables.
struct Color {
  std::string_view name, light, dark;
};

// After Okabe and Ito's palette, which colour-blind readers tell apart; darkened on white paper for
// contrast.
constexpr std::array<Color, 16> colors = {{
    {"paper", "#ffffff", "#14181d"},
    {"ink", "#1c2128", "#e9edf1"},
    {"soft", "#57606a", "#a3adb8"},
    {"grid", "#dde2e7", "#2c343c"},
    {"patch", "#9aa5b1", "#77828e"},
    {"stick", "#0064a8", "#56b4e9"},
    {"slide", "#c25700", "#f0a030"},
    {"tip", "#8a3fb0", "#cf9be8"},
    {"separate", "#6b7480", "#a3adb8"},
    {"idle", "#57606a", "#a3adb8"},
    {"force", "#007a5e", "#3ecfa6"},
    {"cone", "#0072b2", "#56b4e9"},
    {"dual", "#1a7f4e", "#5fd08f"},
    {"base", "#c0392b", "#ff8a73"},
    {"line", "#8c5a14", "#e0b060"},
    {"bad", "#b3261e", "#ff8a80"},
}};

std::string rules(std::string_view Color::*theme) {
  std::string out;
  for (const Color& c : colors) {
    out += concat({".tact .s-", c.name, "{stroke:", c.*theme, "}"});
    out += concat({".tact .f-", c.name, "{fill:", c.*theme, "}\n"});
  }
  const Color& paper = colors.front();
  return out + concat({".tact .halo{stroke:", paper.*theme, "}\n"});
}

std::string make_style() {
  constexpr std::string_view common = R"(
.tact{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.tact .halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
)";
  return concat({common, rules(&Color::light), "@media (prefers-color-scheme:dark){\n",
                 rules(&Color::dark), "}\n"});
}

}  // namespace

std::string_view svg_style() {
  static const std::string text = make_style();
  return text;
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string xml_escaped_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
    end = text.find('\n');
    out += xml_escaped(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
  }
  return out;
}

void SvgCanvas::line(const Vec2& a, const Vec2& b, const Paint& paint) {
  body_ +=
      concat({"<line x1=\"", pixels(a[0]), "\" y1=\"", pixels(a[1]), "\" x2=\"", pixels(b[0]),
              "\" y2=\"", pixels(b[1]), "\"", attributes(paint), " stroke-linecap=\"round\"/>\n"});
}

void SvgCanvas::polyline(std::span<const Vec2> points, const Paint& paint, bool closed) {
  if (points.empty()) return;
  body_ += closed ? "<polygon points=\"" : "<polyline points=\"";
  for (std::size_t i = 0; i < points.size(); ++i)
    body_ += concat({i > 0 ? " " : "", pixels(points[i][0]), ",", pixels(points[i][1])});
  body_ += concat({"\"", attributes(paint), " stroke-linejoin=\"round\"/>\n"});
}

void SvgCanvas::rectangle(const Vec2& corner, const Vec2& size, const Paint& paint,
                          double rounding) {
  body_ += concat({"<rect x=\"", pixels(corner[0]), "\" y=\"", pixels(corner[1]), "\" width=\"",
                   pixels(size[0]), "\" height=\"", pixels(size[1]), "\""});
  if (rounding > 0) body_ += concat({" rx=\"", pixels(rounding), "\""});
  body_ += concat({attributes(paint), "/>\n"});
}

void SvgCanvas::circle(const Vec2& center, double radius, const Paint& paint) {
  body_ += concat({"<circle cx=\"", pixels(center[0]), "\" cy=\"", pixels(center[1]), "\" r=\"",
                   pixels(radius), "\"", attributes(paint), "/>\n"});
}

void SvgCanvas::outline(std::span<const OutlineStep> steps, const Paint& paint) {
  if (steps.empty()) return;
  const auto point = [](const Vec2& x) { return concat({pixels(x[0]), ",", pixels(x[1])}); };
  body_ += "<path d=\"";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const OutlineStep& s = steps[i];
    const bool starts = i == 0 || s.starts;
    body_ += concat({starts && i > 0 ? " Z " : "", starts ? "M" : " L", point(s.from)});
    if (s.radius > 0)
      body_ += concat({" A", pixels(s.radius), ",", pixels(s.radius), " 0 0 0 ", point(s.to)});
    else
      body_ += concat({" L", point(s.to)});
  }
  body_ += concat({" Z\"", attributes(paint), " stroke-linejoin=\"round\"/>\n"});
}

void SvgCanvas::arrow(const Vec2& a, const Vec2& b, const Paint& paint) {
  const Vec2 along = b - a;
  const double length = along.norm();
  if (!(length >= 1)) return;
  const Vec2 u = along / length, side = perp(u);
  const double head = std::min(length, 5 + 2 * paint.width);
  const double half = 0.45 * head;
  const std::array<Vec2, 3> tip = {b, Vec2(b - head * u + half * side),
                                   Vec2(b - head * u - half * side)};
  Paint shaft = paint;
  shaft.fill = "";
  line(a, b - 0.8 * head * u, shaft);
  polyline(tip, {.fill = paint.stroke}, true);
}

void SvgCanvas::text(const Vec2& at, std::string_view content, const TextStyle& style) {
  body_ +=
      concat({"<text x=\"", pixels(at[0]), "\" y=\"", pixels(at[1]), "\" class=\"f-", style.color,
              style.halo ? " halo" : "", "\" font-size=\"", pixels(style.size), "\""});
  if (style.anchor != "start") body_ += concat({" text-anchor=\"", style.anchor, "\""});
  if (style.bold) body_ += " font-weight=\"600\"";
  body_ += concat({">", xml_escaped(content), "</text>\n"});
}

void SvgCanvas::begin_clip(const Vec2& corner, const Vec2& size) {
  const std::string id = std::to_string(++clips_);
  // The name carries the place: several pictures may stand in one page.
  const std::string name =
      concat({"clip", id, "-", pixels(corner[0]), "-", pixels(corner[1]), "-", pixels(size[0])});
  body_ += concat({"<clipPath id=\"", name, "\"><rect x=\"", pixels(corner[0]), "\" y=\"",
                   pixels(corner[1]), "\" width=\"", pixels(size[0]), "\" height=\"",
                   pixels(size[1]), "\"/></clipPath><g clip-path=\"url(#", name, ")\">\n"});
}

void SvgCanvas::end_clip() {
  body_ += "</g>\n";
}

std::string SvgCanvas::finish(std::string_view title, std::string_view description) const {
  const std::string w = pixels(width_), h = pixels(height_);
  return concat({"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tact\" width=\"", w,
                 "\" height=\"", h, "\" viewBox=\"0 0 ", w, " ", h, "\" role=\"img\">\n<title>",
                 xml_escaped(title), "</title>\n<desc>", xml_escaped(description),
                 "</desc>\n<style>", svg_style(), "</style>\n<rect width=\"100%\" height=\"100%\"",
                 " class=\"f-paper\"/>\n", body_, "</svg>\n"});
}

}  // namespace tact
