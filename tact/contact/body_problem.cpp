// contact/body_problem.cpp - chains numbered, products by chains, and who meets whom.
#include "tact/contact/body_problem.hpp"

#include <algorithm>
#include <utility>

namespace tact {
namespace {

std::span<const Index> chain_of(const Tree& tree, const ChainRows& side) {
  return std::span(tree.column)
      .subspan(static_cast<std::size_t>(tree.row[side.leaf]),
               static_cast<std::size_t>(side.length));
}

template <class Do>
void for_sides(const ConstraintRows& rows, std::span<const Index> groups, const Do& act) {
  for (const Index i : groups) {
    const RowGroup& group = rows.groups[i];
    for (Index s = group.first_side; s < group.first_side + group.side_count; ++s) act(s);
  }
}

}  // namespace

void make_body_rows(const Model& model, const ConstraintRows& rows, std::span<const Index> groups,
                    std::span<Index> local, BodyRows& out) {
  const Tree& tree = model.tree;
  constexpr Index unseen = -1, seen = -2;
  for_sides(rows, groups, [&](Index s) {
    for (const Index d : chain_of(tree, rows.sides[s])) local[d] = unseen;
  });
  // The dofs in use, tree by tree.
  out.of_dof.clear();
  for_sides(rows, groups, [&](Index s) {
    for (const Index d : chain_of(tree, rows.sides[s]))
      if (local[d] == unseen) {
        local[d] = seen;
        out.of_dof.push_back(d);
      }
  });
  const auto root_of = [&](Index d) { return tree.column[tree.row[d]]; };
  std::sort(out.of_dof.begin(), out.of_dof.end(),
            [&](Index a, Index b) { return std::pair(root_of(a), a) < std::pair(root_of(b), b); });
  out.node_begin.assign(1, 0);
  Index root = -1;
  for (std::size_t k = 0; k < out.of_dof.size(); ++k) {
    const Index d = out.of_dof[k];
    const Index first = root_of(d);
    if (first != root && k > 0) out.node_begin.push_back(static_cast<Index>(k));
    root = first;
    local[d] = static_cast<Index>(k);
  }
  if (!out.of_dof.empty()) out.node_begin.push_back(static_cast<Index>(out.of_dof.size()));

  out.side_begin.assign(1, 0);
  out.sides.clear();
  out.dofs.clear();
  for (const Index i : groups) {
    const RowGroup& group = rows.groups[i];
    for (Index s = group.first_side; s < group.first_side + group.side_count; ++s) {
      const ChainRows& chain = rows.sides[s];
      const std::span<const Index> dofs = chain_of(tree, chain);
      BodyRows::Side side;
      side.length = chain.length;
      side.Y = rows.scaled.data() + chain.at;
      side.first = local[dofs.front()];
      side.together = local[dofs.back()] - side.first == chain.length - 1;
      if (!side.together) {
        side.first = static_cast<Index>(out.dofs.size());
        for (const Index d : dofs) out.dofs.push_back(local[d]);
      }
      const Index at = local[dofs.front()];
      side.node =
          static_cast<Index>(std::upper_bound(out.node_begin.begin(), out.node_begin.end(), at) -
                             out.node_begin.begin() - 1);
      out.sides.push_back(side);
    }
    out.side_begin.push_back(static_cast<Index>(out.sides.size()));
  }
}

namespace {

/// to += Y x over one side.
void add_velocities(const BodyRows& bodies, const BodyRows::Side& side, Index rows, const VecX& w,
                    double* to) {
  const double* Y = side.Y;
  if (side.together && side.length == 6) {
    const double* x = w.data() + side.first;
    for (Index r = 0; r < rows; ++r, Y += 6)
      to[r] +=
          (Y[0] * x[0] + Y[1] * x[1] + Y[2] * x[2]) + (Y[3] * x[3] + Y[4] * x[4] + Y[5] * x[5]);
    return;
  }
  for (Index r = 0; r < rows; ++r, Y += side.length) {
    double sum = 0;
    for (Index k = 0; k < side.length; ++k) sum += Y[k] * w[bodies.dof(side, k)];
    to[r] += sum;
  }
}

/// w += Yᵀ λ over one side.
void add_impulses(const BodyRows& bodies, const BodyRows::Side& side, Index rows,
                  const double* lambda, VecX& w) {
  const double* Y = side.Y;
  if (side.together && side.length == 6) {
    double sum[6];
    double* x = w.data() + side.first;
    for (int k = 0; k < 6; ++k) sum[k] = x[k];
    for (Index r = 0; r < rows; ++r, Y += 6)
      for (int k = 0; k < 6; ++k) sum[k] += Y[k] * lambda[r];
    for (int k = 0; k < 6; ++k) x[k] = sum[k];
    return;
  }
  for (Index r = 0; r < rows; ++r, Y += side.length)
    for (Index k = 0; k < side.length; ++k) w[bodies.dof(side, k)] += Y[k] * lambda[r];
}

}  // namespace

void body_velocities(const BodyProblem& p, const VecX& w, VecX& out) {
  out.setZero(p.contacts.rows());
  for (Index i = 0; i < p.contacts.contacts(); ++i)
    for (const BodyRows::Side& side : p.bodies.sides_of(i))
      add_velocities(p.bodies, side, p.contacts.laws[i].rows, w,
                     out.data() + p.contacts.G.offset[i]);
}

void body_impulses(const BodyProblem& p, const VecX& lambda, VecX& w) {
  w.setZero(p.bodies.size());
  for (Index i = 0; i < p.contacts.contacts(); ++i)
    for (const BodyRows::Side& side : p.bodies.sides_of(i))
      add_impulses(p.bodies, side, p.contacts.laws[i].rows, lambda.data() + p.contacts.G.offset[i],
                   w);
}

void make_body_pattern(const BodyRows& bodies, BodyPattern& pattern, BlockMatrix& graph) {
  const Index nodes = bodies.nodes();
  const auto constraints = static_cast<Index>(bodies.side_begin.size()) - 1;
  auto& pairs = pattern.pairs;
  pairs.clear();
  for (Index n = 0; n < nodes; ++n) pairs.emplace_back(n, n);
  for (Index i = 0; i < constraints; ++i)
    for (const BodyRows::Side& a : bodies.sides_of(i))
      for (const BodyRows::Side& b : bodies.sides_of(i))
        if (a.node != b.node) pairs.emplace_back(a.node, b.node);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  graph.offset.assign(bodies.node_begin.begin(), bodies.node_begin.end());
  graph.row_begin.assign(static_cast<std::size_t>(nodes) + 1, 0);
  graph.col.clear();
  graph.diagonal.resize(static_cast<std::size_t>(nodes));
  for (const auto& [row, col] : pairs) {
    if (row == col) graph.diagonal[row] = static_cast<Index>(graph.col.size());
    graph.col.push_back(col);
    graph.row_begin[row + 1] = static_cast<Index>(graph.col.size());
  }
  pattern.pair_begin.clear();
  pattern.entry.clear();
  for (Index i = 0; i < constraints; ++i) {
    pattern.pair_begin.push_back(static_cast<Index>(pattern.entry.size()));
    for (const BodyRows::Side& a : bodies.sides_of(i))
      for (const BodyRows::Side& b : bodies.sides_of(i)) {
        const auto begin = graph.col.begin() + graph.row_begin[a.node];
        const auto end = graph.col.begin() + graph.row_begin[a.node + 1];
        pattern.entry.push_back(
            static_cast<Index>(std::lower_bound(begin, end, b.node) - graph.col.begin()));
      }
  }
}

Residual residual(const BodyProblem& p, const VecX& lambda, VecX& w, VecX& u,
                  LocalWorkspace& work) {
  body_impulses(p, lambda, w);
  body_velocities(p, w, u);
  u += p.contacts.b;
  return residual(judged(p.contacts), lambda, u, work);
}

}  // namespace tact
