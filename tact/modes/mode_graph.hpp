// modes/mode_graph.hpp - which modes border on which: the lattice of a small system.
//
// A mode is an open convex cone of velocities, and the closure of each is a union of modes: A lies
// in the closure of B iff A separates only where B does, and every tangent sign of a contact that
// stays in B is in A the same or zero. Tangents of contacts that separate in B say nothing: B ends
// where such a contact closes, at one mode or, where its tangents divide that boundary, at several.
// An edge leads from a mode to those of its closure whose dimension is one less.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tact/modes/modes.hpp"

namespace tact {

struct ModeNode {
  std::string cs;
  std::string ss;
  Index dim = 0;  ///< of the velocity cone
  bool operator==(const ModeNode&) const = default;
};

struct ModeGraph {
  std::vector<Index> tangents;  ///< rows of each contact that ss speaks of
  std::vector<ModeNode> nodes;  ///< in the order of visit_modes
  std::vector<Index> by_dim;    ///< how many have dimension k

  /// Modes of one dimension less in the closure of `node`, and modes of one more in whose closure
  /// it lies; ascending.
  [[nodiscard]] std::span<const Index> faces(Index node) const { return faces_.of(node); }
  [[nodiscard]] std::span<const Index> cofaces(Index node) const { return cofaces_.of(node); }
  [[nodiscard]] Index edges() const { return static_cast<Index>(faces_.to.size()); }

  /// Lists of neighbours, one behind the other.
  struct Lists {
    std::vector<Index> start;  ///< where the list of each node begins, and the end
    std::vector<Index> to;
    [[nodiscard]] std::span<const Index> of(Index node) const {
      return std::span(to).subspan(start[node], start[node + 1] - start[node]);
    }
  };
  Lists faces_, cofaces_;  ///< read through faces() and cofaces()
};

struct ModeGraphOptions {
  ModeOptions modes;     ///< kind sliding or contacting; slipping modes are no convex cones
  Index limit = 200000;  ///< of modes; a system with more is refused
};

/// Refuses what cannot be enumerated, more modes than the limit, and a run that was stopped.
[[nodiscard]] Result<ModeGraph> mode_graph(const ModeSystem& system,
                                           const ModeGraphOptions& options = {});

/// Where the mode stands in graph.nodes.
[[nodiscard]] std::optional<Index> find_mode(const ModeGraph& graph, std::string_view cs,
                                             std::string_view ss);

/// Whether `a` lies in the closure of `b`, of whatever dimensions; every mode does in its own.
[[nodiscard]] bool in_closure(const ModeGraph& graph, Index a, Index b);

}  // namespace tact
