#include "tact/io/lattice_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tact/io/mode_graph_file.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/svg.hpp"

namespace tact {

namespace {

constexpr double width = 1180, left = 136, right = 1150, top = 104, gap = 84, below = 92;

std::string px(double value) {
  return plain_number(value, 1);
}

/// "1 mode", "2 modes".
std::string counted(std::string_view count, std::string_view what) {
  return concat({count, " ", what, count == "1" ? "" : "s"});
}
std::string counted(std::size_t count, std::string_view what) {
  return counted(std::to_string(count), what);
}

// ---- colours: from all contacts closed to all open -------------------------------------------

using Rgb = std::array<double, 3>;

/// Stops of a ramp whose lightness goes one way, so that it can be read without its hues.
constexpr std::array<Rgb, 4> light_ramp = {
    {{11, 60, 110}, {0, 122, 138}, {120, 160, 40}, {214, 150, 20}}};
constexpr std::array<Rgb, 4> dark_ramp = {
    {{64, 130, 200}, {40, 178, 180}, {150, 205, 90}, {250, 215, 90}}};

std::string ramp_color(const std::array<Rgb, 4>& ramp, double share) {
  const double at = share * static_cast<double>(ramp.size() - 1);
  const auto from = std::min<std::size_t>(static_cast<std::size_t>(at), ramp.size() - 2);
  std::string out = "rgb(";
  for (int k = 0; k < 3; ++k) {
    const double mixed =
        std::lerp(ramp[from][k], ramp[from + 1][k], at - static_cast<double>(from));
    out += concat({k > 0 ? "," : "", plain_number(mixed, 0)});
  }
  return out + ")";
}

/// Numbers of separating contacts that occur, ascending: the ramp is shared out among them.
using Numbers = std::vector<Index>;

/// A class n0, n1, ... for each of them.
std::string ramp_style(const Numbers& numbers) {
  const auto rules = [&](const std::array<Rgb, 4>& ramp) {
    std::string out;
    const auto last = static_cast<double>(std::max<std::size_t>(numbers.size() - 1, 1));
    for (std::size_t k = 0; k < numbers.size(); ++k)
      out += concat({".tact .n", std::to_string(numbers[k]),
                     "{fill:", ramp_color(ramp, static_cast<double>(k) / last), "}\n"});
    return out;
  };
  constexpr std::string_view lines = R"(.tact .edges{fill:none;stroke-width:.7}
.tact .near{fill:none;stroke-width:1.6;pointer-events:none}
)";
  return concat({"<style>", lines, rules(light_ramp), "@media (prefers-color-scheme:dark){\n",
                 rules(dark_ramp), "}</style>\n"});
}

Index separating(const ModeNode& node) {
  return std::ranges::count(node.cs, '+');
}

Numbers numbers_of(const ModeGraph& graph) {
  std::vector<char> met(graph.tangents.size() + 1, 0);
  for (const ModeNode& node : graph.nodes) met[separating(node)] = 1;
  Numbers out;
  for (std::size_t k = 0; k < met.size(); ++k)
    if (met[k] != 0) out.push_back(static_cast<Index>(k));
  return out;
}

// ---- the frame of the drawing ----------------------------------------------------------------

struct Layers {
  Index least = 0, most = 0;  ///< dimensions
  [[nodiscard]] Index count() const { return most - least + 1; }
  [[nodiscard]] double y(Index dim) const { return top + gap * static_cast<double>(most - dim); }
  [[nodiscard]] double bottom() const { return y(least) + 56; }
  [[nodiscard]] double height() const { return y(least) + below; }
};

template <class Counts>
Layers layers_of(const Counts& by_dim) {
  Layers layers{0, std::max<Index>(static_cast<Index>(by_dim.size()) - 1, 0)};
  while (layers.least < layers.most && by_dim[layers.least] == 0) ++layers.least;
  while (layers.most > layers.least && by_dim[layers.most] == 0) --layers.most;
  return layers;
}

void draw_title(SvgCanvas& canvas, std::string_view name, std::string_view sentence) {
  canvas.text({24, 36}, name, {.size = 18, .bold = true});
  canvas.text({24, 60}, sentence, {.color = "soft", .size = 14});
}

void draw_layer(SvgCanvas& canvas, const Layers& layers, Index dim, const std::string& count) {
  const double y = layers.y(dim);
  canvas.line({left - 12, y}, {right, y}, {.stroke = "grid", .width = 1});
  canvas.text({24, y - 2}, concat({"dimension ", std::to_string(dim)}), {.size = 13});
  canvas.text({24, y + 15}, counted(count, "mode"), {.color = "soft", .size = 12});
}

/// What the canvas has no word for goes in front of its end.
std::string with(std::string svg, std::string_view body) {
  svg.insert(svg.rfind("</svg>"), body);
  return svg;
}

std::string legend(const Layers& layers, const Numbers& numbers) {
  const double y = layers.bottom();
  std::string out = concat({"<text class=\"f-soft\" font-size=\"12\" x=\"24\" y=\"", px(y + 4),
                            "\">contacts that separate</text>\n"});
  // More than fit: every second, every third, ...
  constexpr std::size_t most = 16;
  const std::size_t step = (numbers.size() - 1) / most + 1;
  double x = 180;
  for (std::size_t k = 0; k < numbers.size(); k += step, x += 56) {
    const std::string number = std::to_string(numbers[k]);
    out += concat({"<circle class=\"n", number, "\" cx=\"", px(x), "\" cy=\"", px(y),
                   "\" r=\"6\"/><text class=\"f-ink\" font-size=\"12\" x=\"", px(x + 11), "\" y=\"",
                   px(y + 4), "\">", number, "</text>\n"});
  }
  return out;
}

// ---- mode by mode ----------------------------------------------------------------------------

/// Where each mode stands: layers by dimension, in them the most open first, and those of one
/// colour below or above their neighbours, as far as a few sweeps down and up bring them there.
class Placing {
 public:
  Placing(const ModeGraph& graph, const Layers& layers)
      : graph_(graph), layers_(layers), rows_(graph.by_dim.size()), at_(graph.nodes.size()) {
    for (std::size_t m = 0; m < graph.nodes.size(); ++m)
      rows_[graph.nodes[m].dim].push_back(static_cast<Index>(m));
    mean_.assign(graph.nodes.size(), 0);
    for (Index dim = layers.least; dim <= layers.most; ++dim) place(dim);
    constexpr int sweeps = 4;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (Index dim = layers.most - 1; dim >= layers.least; --dim) follow(dim, true);
      for (Index dim = layers.least + 1; dim <= layers.most; ++dim) follow(dim, false);
    }
  }
  [[nodiscard]] const std::vector<Vec2>& at() const { return at_; }

 private:
  const ModeGraph& graph_;
  const Layers& layers_;
  std::vector<std::vector<Index>> rows_;
  std::vector<Vec2> at_;
  std::vector<double> mean_;  ///< of the neighbours' places

  void follow(Index dim, bool upper) {
    for (const Index m : rows_[dim]) {
      const auto near = upper ? graph_.cofaces(m) : graph_.faces(m);
      double sum = 0;
      for (const Index n : near) sum += at_[n][0];
      if (!near.empty()) mean_[m] = sum / static_cast<double>(near.size());
    }
    place(dim);
  }

  void place(Index dim) {
    std::vector<Index>& row = rows_[dim];
    std::ranges::stable_sort(row, [&](Index a, Index b) {
      const Index x = separating(graph_.nodes[a]), y = separating(graph_.nodes[b]);
      return x != y ? x > y : mean_[a] < mean_[b];
    });
    const double step = (right - left) / static_cast<double>(std::max<std::size_t>(row.size(), 1));
    double x = left + step / 2;
    for (const Index m : row) {
      at_[m] = {x, layers_.y(dim)};
      x += step;
    }
  }
};

/// One path per layer: thousands of lines stay one element each time.
std::string edges_body(const ModeGraph& graph, const std::vector<Vec2>& at) {
  std::vector<std::string> paths(graph.by_dim.size());
  for (std::size_t m = 0; m < graph.nodes.size(); ++m)
    for (const Index face : graph.faces(static_cast<Index>(m)))
      paths[graph.nodes[m].dim] += concat(
          {"M", px(at[m][0]), " ", px(at[m][1]), "L", px(at[face][0]), " ", px(at[face][1])});
  // Many lines side by side must not become one dark area.
  const double many = static_cast<double>(std::max<Index>(graph.edges(), 1));
  const double opacity = std::clamp(18 / std::sqrt(many), 0.25, 0.9);
  std::string out;
  for (const std::string& path : paths)
    if (!path.empty())
      out += concat({"<path class=\"edges s-patch\" stroke-opacity=\"", plain_number(opacity, 2),
                     "\" d=\"", path, "\"/>\n"});
  return out;
}

std::string node_body(const ModeGraph& graph, Index m, const Vec2& at, double radius) {
  const ModeNode& node = graph.nodes[m];
  std::string faces;
  for (const Index face : graph.faces(m)) faces += concat({" ", std::to_string(face)});
  return concat({"<circle id=\"m",
                 std::to_string(m),
                 "\" class=\"mode n",
                 std::to_string(separating(node)),
                 "\" data-faces=\"",
                 faces.empty() ? "" : std::string_view(faces).substr(1),
                 "\" cx=\"",
                 px(at[0]),
                 "\" cy=\"",
                 px(at[1]),
                 "\" r=\"",
                 px(radius),
                 "\"><title>",
                 mode_label(node),
                 ", dimension ",
                 std::to_string(node.dim),
                 ", ",
                 counted(graph.faces(m).size(), "face"),
                 ", ",
                 counted(graph.cofaces(m).size(), "coface"),
                 "</title></circle>\n"});
}

/// Strings below the modes of a layer where there is room for all of them.
void draw_labels(SvgCanvas& canvas, const ModeGraph& graph, const std::vector<Vec2>& at) {
  constexpr double character = 7.4, size = 12;
  std::vector<std::size_t> longest(graph.by_dim.size(), 0);
  for (const ModeNode& node : graph.nodes)
    longest[node.dim] = std::max(longest[node.dim], mode_label(node).size());
  for (std::size_t m = 0; m < graph.nodes.size(); ++m) {
    const ModeNode& node = graph.nodes[m];
    const double room = (right - left) / static_cast<double>(graph.by_dim[node.dim]);
    if (character * static_cast<double>(longest[node.dim]) + 8 <= room)
      canvas.text(at[m] + Vec2(0, 22), mode_label(node),
                  {.size = size, .anchor = "middle", .halo = true});
  }
}

std::string dots(const ModeGraph& graph, std::string_view name, std::string_view sentence,
                 bool edges) {
  const Layers layers = layers_of(graph.by_dim);
  const Numbers numbers = numbers_of(graph);
  const Placing placing(graph, layers);
  const std::vector<Vec2>& at = placing.at();
  SvgCanvas canvas(width, layers.height());
  draw_title(canvas, name, sentence);
  for (Index dim = layers.least; dim <= layers.most; ++dim)
    draw_layer(canvas, layers, dim, std::to_string(graph.by_dim[dim]));
  std::string body = ramp_style(numbers);
  if (edges) body += edges_body(graph, at);
  const auto largest = static_cast<double>(*std::ranges::max_element(graph.by_dim));
  const double radius = std::clamp(0.4 * (right - left) / largest, 2.0, 7.0);
  for (std::size_t m = 0; m < graph.nodes.size(); ++m)
    body += node_body(graph, static_cast<Index>(m), at[m], radius);
  draw_labels(canvas, graph, at);
  return with(canvas.finish(name, sentence), body + legend(layers, numbers));
}

// ---- layer by layer --------------------------------------------------------------------------

struct Bar {
  std::string text;           ///< the count
  std::vector<double> parts;  ///< modes by how many contacts separate
};

/// Without numbers the parts are not told apart: there is one.
std::string bars(const Layers& layers, const std::vector<Bar>& bar, const Numbers& numbers,
                 std::string_view name, std::string_view sentence) {
  SvgCanvas canvas(width, layers.height());
  draw_title(canvas, name, sentence);
  double largest = 1;
  for (const Bar& b : bar)
    largest = std::max(largest, std::accumulate(b.parts.begin(), b.parts.end(), 0.0));
  const Numbers shown = numbers.empty() ? Numbers{0} : numbers;
  std::string body = ramp_style(shown);
  for (Index dim = layers.least; dim <= layers.most; ++dim) {
    const Bar& b = bar[dim - layers.least];
    draw_layer(canvas, layers, dim, b.text);
    double x = left;
    // The most open first, as in the drawing mode by mode.
    for (auto number = shown.rbegin(); number != shown.rend(); ++number) {
      const Index k = *number;
      const double length = b.parts[k] / largest * (right - left);
      if (!(length > 0)) continue;
      const std::string what =
          !numbers.empty() ? concat({" with ", std::to_string(k), " separating"}) : "";
      body += concat({"<rect class=\"n", std::to_string(k), "\" x=\"", px(x), "\" y=\"",
                      px(layers.y(dim) - 14), "\" width=\"", px(std::max(length, 0.5)),
                      "\" height=\"28\"><title>", counted(plain_number(b.parts[k], 0), "mode"),
                      what, "</title></rect>\n"});
      x += length;
    }
  }
  return with(canvas.finish(name, sentence),
              body + (numbers.empty() ? "" : legend(layers, numbers)));
}

std::string graph_bars(const ModeGraph& graph, std::string_view name, std::string_view sentence) {
  const Layers layers = layers_of(graph.by_dim);
  std::vector<Bar> bar(layers.count());
  for (Index dim = layers.least; dim <= layers.most; ++dim)
    bar[dim - layers.least] = {std::to_string(graph.by_dim[dim]),
                               std::vector<double>(graph.tangents.size() + 1, 0.0)};
  for (const ModeNode& node : graph.nodes)
    bar[node.dim - layers.least].parts[separating(node)] += 1;
  return bars(layers, bar, numbers_of(graph), name, sentence);
}

std::string sentence_of(const ModeGraph& graph, bool edges) {
  std::string out =
      concat({counted(graph.nodes.size(), "mode"), " of ",
              counted(graph.tangents.size(), "contact"), " by the dimension of the velocities"});
  if (edges)
    out += concat(
        {"; ", counted(std::to_string(graph.edges()), "line"), " from modes down to their faces"});
  return out;
}

bool drawn_one_by_one(const ModeGraph& graph, const LatticePictureOptions& options) {
  return *std::ranges::max_element(graph.by_dim) <= options.nodes;
}

}  // namespace

std::string lattice_picture(const ModeGraph& graph, std::string_view name,
                            const LatticePictureOptions& options) {
  if (!drawn_one_by_one(graph, options)) return graph_bars(graph, name, sentence_of(graph, false));
  const bool edges = graph.edges() <= options.edges;
  return dots(graph, name, sentence_of(graph, edges), edges);
}

std::string layers_picture(const ModeCounts& counts, std::string_view name) {
  const Layers layers = layers_of(counts.full_by_dim);
  std::vector<Bar> bar;
  for (Index dim = layers.least; dim <= layers.most; ++dim) {
    const ModeCount count = dim < static_cast<Index>(counts.full_by_dim.size())
                                ? counts.full_by_dim[dim]
                                : ModeCount{0};
    bar.push_back({to_string(count), {static_cast<double>(count)}});
  }
  return bars(
      layers, bar, {}, name,
      concat({counted(to_string(counts.full), "mode"), " by the dimension of the velocities"}));
}

namespace {

constexpr std::string_view page_head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Contact modes: )";

constexpr std::string_view about_dots =
    "Each dot is a mode: + separates, 0 stays, one sign per contact; behind the bar the signs of "
    "sliding, one per dividing plane of the contacts that stay. A line leads from a mode down to a "
    "mode that bounds it.";
constexpr std::string_view about_bars =
    "Too many modes to draw each: the bars are as long as their layers are large.";

constexpr std::string_view page_style = R"(
:root{color-scheme:light dark}
body{margin:0 auto;max-width:1240px;padding:24px;background:#fff;color:#1c2128;
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{margin:0;font-size:24px}.sub{color:#57606a;margin:4px 0 12px}
svg{width:100%;height:auto;border:1px solid #dde2e7;border-radius:8px}
.mode{cursor:pointer}#said{min-height:1.5em;font-family:ui-monospace,"DejaVu Sans Mono",monospace}
table{border-collapse:collapse;margin:12px 0}td,th{padding:2px 18px 2px 0;text-align:right}
th{font-weight:400;color:#57606a}
@media (prefers-color-scheme:dark){body{background:#14181d;color:#e9edf1}
.sub,th{color:#a3adb8}svg{border-color:#2c343c}}
)";

/// Lines from the mode under the pointer to its faces and cofaces. Without it the page still says
/// everything, in titles.
constexpr std::string_view page_script = R"(
const svg = document.querySelector('svg'), said = document.getElementById('said');
const faces = m => m.dataset.faces.split(' ').filter(f => f).map(f => document.getElementById('m' + f));
const up = new Map();
for (const m of svg.querySelectorAll('.mode'))
  for (const f of faces(m)) up.set(f, (up.get(f) || []).concat(m));
const near = document.createElementNS('http://www.w3.org/2000/svg', 'path');
near.setAttribute('class', 'near s-slide');
const first = svg.querySelector('.mode');
if (first) first.before(near);
const place = m => m.getAttribute('cx') + ' ' + m.getAttribute('cy');
svg.addEventListener('pointerover', event => {
  const m = event.target.closest('.mode');
  if (!m) return;
  near.setAttribute('d', faces(m).concat(up.get(m) || []).map(n => 'M' + place(m) + 'L' + place(n)).join(''));
  said.textContent = m.querySelector('title').textContent;
});
)";

}  // namespace

std::string lattice_page(const ModeGraph& graph, std::string_view name,
                         const LatticePictureOptions& options) {
  std::string rows;
  for (Index dim = static_cast<Index>(graph.by_dim.size()) - 1; dim >= 0; --dim)
    if (graph.by_dim[dim] > 0)
      rows += concat({"<tr><td>", std::to_string(dim), "</td><td>",
                      std::to_string(graph.by_dim[dim]), "</td></tr>\n"});
  const std::string title = xml_escaped(name);
  const bool one_by_one = drawn_one_by_one(graph, options);
  return concat(
      {page_head, title, "</title>\n<style>", page_style,
       "</style>\n</head>\n<body>\n<h1>Contact modes: ", title, "</h1>\n<p class=\"sub\">",
       one_by_one ? about_dots : about_bars, "</p>\n", lattice_picture(graph, name, options),
       "<p id=\"said\">", one_by_one ? "Point at a mode to see its neighbours." : "",
       "</p>\n<table>\n<tr><th>dimension</th><th>modes</th></tr>\n", rows, "</table>\n",
       one_by_one ? concat({"<script>", page_script, "</script>\n"}) : "", "</body>\n</html>\n"});
}

}  // namespace tact
