// io/lattice_picture.hpp - the lattice of modes drawn in layers, one per dimension.
//
// The most free modes stand on top. Of a small lattice every mode is a dot whose title says its
// strings, and lines lead to its faces; of a larger one each layer is a bar as long as the layer is
// large. Colours say how many contacts separate.
#pragma once

#include <string>
#include <string_view>

#include "tact/modes/mode_graph.hpp"

namespace tact {

/// What is drawn one by one.
struct LatticePictureOptions {
  Index nodes = 240;   ///< modes of a layer; if one has more, all layers are bars
  Index edges = 6000;  ///< if there are more, none is drawn
};

/// SVG text. `name` says what system it is.
[[nodiscard]] std::string lattice_picture(const ModeGraph& graph, std::string_view name,
                                          const LatticePictureOptions& options = {});

/// The layers of a system too large for a graph, from its counts.
[[nodiscard]] std::string layers_picture(const ModeCounts& counts, std::string_view name);

/// A page that needs nothing else: the picture, where the neighbours of the mode under the pointer
/// light up, and the counts by dimension.
[[nodiscard]] std::string lattice_page(const ModeGraph& graph, std::string_view name,
                                       const LatticePictureOptions& options = {});

}  // namespace tact
