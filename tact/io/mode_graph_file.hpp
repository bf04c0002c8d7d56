// io/mode_graph_file.hpp - the lattice of modes for other programs: JSON, GraphML and DOT.
#pragma once

#include <string>
#include <string_view>

#include "tact/modes/mode_graph.hpp"

namespace tact {

/// One object: `format`, `name`, `tangents` of each contact, `by_dim` (dimension -> count), `nodes`
/// as {cs, ss, dim} and `edges` as [from, to] by place, from each mode to its faces.
[[nodiscard]] std::string mode_graph_json(const ModeGraph& graph, std::string_view name);

/// GraphML: nodes n0, n1, ... with data cs, ss, dim and separating (how many contacts do).
[[nodiscard]] std::string mode_graph_graphml(const ModeGraph& graph, std::string_view name);

/// For Graphviz: one rank per dimension, the largest on top.
[[nodiscard]] std::string mode_graph_dot(const ModeGraph& graph, std::string_view name);

/// "++00 | -0": what a mode is called in pictures.
[[nodiscard]] std::string mode_label(const ModeNode& mode);

}  // namespace tact
