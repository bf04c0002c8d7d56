#include "tact/modes/mode_graph.hpp"

#include <algorithm>

#include "tact/base/expects.hpp"
#include "tact/modes/bits.hpp"

namespace tact {

namespace {

using detail::Word;

/// The modes of one dimension, 64 to a block, and for every row and sign the modes a mode of that
/// sign may have in its closure. Blocks first: a mode that looks for its faces reads each block's
/// words one behind the other and leaves it as soon as nothing is left.
class Layer {
 public:
  Layer(std::vector<Index> modes, Index rows)
      : modes_(std::move(modes)), width_(3 * rows), allowed_(blocks() * width_) {}

  void set(Index place, Index row, char sign) {
    Word* words = allowed_.data() + place / 64 * width_ + 3 * row;
    const Word bit = Word{1} << (place % 64);
    if (sign == '0') words[0] |= bit;
    if (sign != '-') words[1] |= bit;
    if (sign != '+') words[2] |= bit;
  }

  /// Appends the modes with an allowed sign in every row of `signs`, each 3 * row + (0, 1, 2 for
  /// '0', '+', '-').
  void find(std::span<const Index> signs, std::vector<Index>& out) const {
    for (Index block = 0; block < blocks(); ++block) {
      const Word* words = allowed_.data() + block * width_;
      const Index left = size() - 64 * block;
      Word found = left >= 64 ? ~Word{0} : (Word{1} << left) - 1;
      for (const Index sign : signs)
        if ((found &= words[sign]) == 0) break;
      for (; found != 0; found &= found - 1)
        out.push_back(modes_[64 * block + std::countr_zero(found)]);
    }
  }
  [[nodiscard]] const std::vector<Index>& modes() const { return modes_; }

 private:
  std::vector<Index> modes_;  ///< ascending
  Index width_;               ///< words of a block
  std::vector<Word> allowed_;

  [[nodiscard]] Index size() const { return static_cast<Index>(modes_.size()); }
  [[nodiscard]] Index blocks() const { return (size() + 63) / 64; }
};

/// Calls see(row, sign, is_normal) for the normal of every contact and the tangents of those that
/// stay; rows are numbered normal, tangents, normal, ...
template <class See>
void each_sign(const ModeGraph& graph, const ModeNode& node, See&& see) {
  Index row = 0;
  std::size_t next = 0;
  for (std::size_t c = 0; c < node.cs.size(); ++c) {
    see(row, node.cs[c], true);
    if (node.cs[c] == '0')
      for (Index t = 0; t < graph.tangents[c]; ++t) see(row + 1 + t, node.ss[next++], false);
    row += 1 + graph.tangents[c];
  }
}

std::vector<Layer> layers_of(const ModeGraph& graph) {
  std::vector<std::vector<Index>> modes(graph.by_dim.size());
  for (std::size_t m = 0; m < graph.nodes.size(); ++m)
    modes[graph.nodes[m].dim].push_back(static_cast<Index>(m));
  Index rows = 0;
  for (const Index tangents : graph.tangents) rows += 1 + tangents;
  std::vector<Layer> layers;
  for (std::vector<Index>& of_dim : modes) {
    Layer& layer = layers.emplace_back(std::move(of_dim), rows);
    Index place = 0;
    for (const Index m : layer.modes()) {
      // Tangents without a sign are never asked for: who keeps the contact asks its normal first.
      each_sign(graph, graph.nodes[m],
                [&](Index row, char sign, bool /*is_normal*/) { layer.set(place, row, sign); });
      ++place;
    }
  }
  return layers;
}

/// What the faces of a mode must have: a contact that stays stays, and keeps or loses its signs.
void conditions(const ModeGraph& graph, const ModeNode& node, std::vector<Index>& out) {
  out.clear();
  each_sign(graph, node, [&](Index row, char sign, bool is_normal) {
    if (sign == '0')
      out.push_back(3 * row);
    else if (!is_normal)
      out.push_back(3 * row + (sign == '+' ? 1 : 2));
  });
}

void find_faces(ModeGraph& graph) {
  const std::vector<Layer> layers = layers_of(graph);
  std::vector<Index> signs;
  graph.faces_.start.assign(1, 0);
  for (const ModeNode& node : graph.nodes) {
    if (node.dim > 0) {
      conditions(graph, node, signs);
      layers[node.dim - 1].find(signs, graph.faces_.to);
    }
    graph.faces_.start.push_back(graph.edges());
  }
}

void turn_edges(ModeGraph& graph) {
  const Index count = static_cast<Index>(graph.nodes.size());
  ModeGraph::Lists& up = graph.cofaces_;
  up.start.assign(count + 1, 0);
  for (const Index face : graph.faces_.to) ++up.start[face + 1];
  for (Index m = 0; m < count; ++m) up.start[m + 1] += up.start[m];
  up.to.resize(graph.faces_.to.size());
  std::vector<Index> next(up.start.begin(), up.start.end() - 1);
  for (Index m = 0; m < count; ++m)
    for (const Index face : graph.faces(m)) up.to[next[face]++] = m;
}

Error too_many(const std::string& count, Index limit) {
  return {Errc::value, std::string("the system has ")
                           .append(count)
                           .append(" modes, more than the ")
                           .append(std::to_string(limit))
                           .append(" a graph is made of: count or stream them instead, take fewer "
                                   "contacts or dividing planes, or raise the limit")};
}

}  // namespace

Result<ModeGraph> mode_graph(const ModeSystem& system, const ModeGraphOptions& options) {
  if (options.modes.kind == ModeKind::slipping)
    return Error{Errc::value,
                 "slipping modes are not convex and have no graph: ask for sliding or contacting "
                 "modes"};
  const auto counts = count_modes(system, options.modes);
  if (!counts) return counts.error();
  const bool over = counts->full > static_cast<ModeCount>(options.limit);
  if (over && !counts->stopped) return too_many(to_string(counts->full), options.limit);

  ModeGraph graph;
  const bool sliding = options.modes.kind == ModeKind::sliding;
  for (const ModeContact& contact : system.contacts)
    graph.tangents.push_back(sliding ? contact.tangents : 0);
  const auto visit = visit_modes(system, options.modes, [&](const ModeView& mode) {
    graph.nodes.push_back({std::string(mode.cs), std::string(mode.ss), mode.dim});
    graph.by_dim.resize(std::max<std::size_t>(graph.by_dim.size(), mode.dim + 1));
    ++graph.by_dim[mode.dim];
    return true;
  });
  if (!visit) return visit.error();
  if (visit->counts.stopped)
    return Error{Errc::value,
                 "the graph of modes was stopped before it was complete: run it to "
                 "the end"};
  find_faces(graph);
  turn_edges(graph);
  return graph;
}

std::optional<Index> find_mode(const ModeGraph& graph, std::string_view cs, std::string_view ss) {
  const auto before = [&](const ModeNode& node) {
    const int order = node.cs.compare(cs);
    return order != 0 ? order < 0 : node.ss < ss;
  };
  const auto at = std::partition_point(graph.nodes.begin(), graph.nodes.end(), before);
  if (at == graph.nodes.end() || at->cs != cs || at->ss != ss) return std::nullopt;
  return at - graph.nodes.begin();
}

bool in_closure(const ModeGraph& graph, Index a, Index b) {
  TACT_EXPECTS(a >= 0 && b >= 0 && std::max(a, b) < static_cast<Index>(graph.nodes.size()));
  const ModeNode& inner = graph.nodes[a];
  const ModeNode& outer = graph.nodes[b];
  std::size_t i = 0, o = 0;
  for (std::size_t c = 0; c < outer.cs.size(); ++c) {
    const auto tangents = static_cast<std::size_t>(graph.tangents[c]);
    if (outer.cs[c] == '0') {
      if (inner.cs[c] != '0') return false;
      for (std::size_t t = 0; t < tangents; ++t)
        if (inner.ss[i + t] != '0' && inner.ss[i + t] != outer.ss[o + t]) return false;
      o += tangents;
    }
    if (inner.cs[c] == '0') i += tangents;
  }
  return true;
}

}  // namespace tact
