#include "tact/io/mode_graph_file.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tact/io/number_text.hpp"
#include "tact/io/svg.hpp"

namespace tact {

namespace {

Index size_of(const ModeGraph& graph) {
  return static_cast<Index>(graph.nodes.size());
}

std::string number(Index value) {
  return std::to_string(value);
}

/// Calls see(from, to) for every edge.
template <class See>
void each_edge(const ModeGraph& graph, See&& see) {
  for (Index m = 0; m < size_of(graph); ++m)
    for (const Index face : graph.faces(m)) see(m, face);
}

/// In double quotes, for DOT: it knows one escape that matters.
std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string json_quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string mode_label(const ModeNode& mode) {
  return mode.ss.empty() ? mode.cs : concat({mode.cs, " | ", mode.ss});
}

std::string mode_graph_json(const ModeGraph& graph, std::string_view name) {
  std::string out =
      concat({"{\n  \"format\": \"tact-mode-graph/1\",\n  \"name\": ", json_quoted(name),
              ",\n  \"tangents\": ["});
  std::string_view comma;
  for (const Index tangents : graph.tangents) {
    out += concat({comma, number(tangents)});
    comma = ", ";
  }
  out += "],\n  \"by_dim\": {";
  comma = "";
  for (std::size_t dim = 0; dim < graph.by_dim.size(); ++dim) {
    if (graph.by_dim[dim] == 0) continue;
    out += concat({comma, "\"", std::to_string(dim), "\": ", number(graph.by_dim[dim])});
    comma = ", ";
  }
  out += "},\n  \"nodes\": [";
  comma = "\n    ";
  for (const ModeNode& node : graph.nodes) {
    out += concat({comma, R"({"cs": ")", node.cs, R"(", "ss": ")", node.ss, R"(", "dim": )",
                   number(node.dim), "}"});
    comma = ",\n    ";
  }
  out += "\n  ],\n  \"edges\": [";
  comma = "\n    ";
  each_edge(graph, [&](Index from, Index to) {
    out += concat({comma, "[", number(from), ", ", number(to), "]"});
    comma = ",\n    ";
  });
  return out + "\n  ]\n}\n";
}

std::string mode_graph_graphml(const ModeGraph& graph, std::string_view name) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\""
      " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
      " xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns"
      " http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n"
      "  <key id=\"cs\" for=\"node\" attr.name=\"cs\" attr.type=\"string\"/>\n"
      "  <key id=\"ss\" for=\"node\" attr.name=\"ss\" attr.type=\"string\"/>\n"
      "  <key id=\"dim\" for=\"node\" attr.name=\"dim\" attr.type=\"int\"/>\n"
      "  <key id=\"separating\" for=\"node\" attr.name=\"separating\" attr.type=\"int\"/>\n"
      "  <key id=\"name\" for=\"graph\" attr.name=\"name\" attr.type=\"string\"/>\n";
  out += concat({"  <graph id=\"modes\" edgedefault=\"directed\">\n    <data key=\"name\">",
                 xml_escaped(name), "</data>\n"});
  for (Index m = 0; m < size_of(graph); ++m) {
    const ModeNode& node = graph.nodes[m];
    out += concat({"    <node id=\"n", number(m), "\"><data key=\"cs\">", node.cs,
                   "</data><data key=\"ss\">", node.ss, "</data><data key=\"dim\">",
                   number(node.dim), "</data><data key=\"separating\">",
                   number(std::ranges::count(node.cs, '+')), "</data></node>\n"});
  }
  each_edge(graph, [&](Index from, Index to) {
    out += concat({"    <edge source=\"n", number(from), "\" target=\"n", number(to), "\"/>\n"});
  });
  return out + "  </graph>\n</graphml>\n";
}

std::string mode_graph_dot(const ModeGraph& graph, std::string_view name) {
  std::string out = concat({"digraph ", dot_quoted(name),
                            " {\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\"];\n"});
  for (Index dim = static_cast<Index>(graph.by_dim.size()) - 1; dim >= 0; --dim) {
    if (graph.by_dim[dim] == 0) continue;
    out += concat({"  { rank=same; // dimension ", number(dim), "\n"});
    for (Index m = 0; m < size_of(graph); ++m)
      if (graph.nodes[m].dim == dim)
        out += concat(
            {"    n", number(m), " [label=", dot_quoted(mode_label(graph.nodes[m])), "];\n"});
    out += "  }\n";
  }
  each_edge(graph, [&](Index from, Index to) {
    out += concat({"  n", number(from), " -> n", number(to), ";\n"});
  });
  return out + "}\n";
}

}  // namespace tact
