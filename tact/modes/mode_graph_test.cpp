// The lattice of modes: what borders on what, by definition, by Euler and by the diamond.
#include "tact/modes/mode_graph.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

/// Rows of a point p of a body with velocity [v, ω] at columns first, first + 1, ...
MatX point_rows(const Vec3& p, Index first, Index dof) {
  MatX rows = MatX::Zero(3, dof);
  rows.middleCols(first, 3).setIdentity();
  rows.middleCols(first + 3, 3) << 0, p[2], -p[1], -p[2], 0, p[0], p[1], -p[0], 0;
  return rows;
}

/// Four corners on a floor: box-1.
ModeSystem box(Index planes = 2) {
  ModeSystem system;
  for (const Vec2& xy : {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)}) {
    const MatX rows = point_rows({xy[0], xy[1], -1}, 0, 6);
    add_contact(system, rows.row(2), dividing_planes(rows.row(0), rows.row(1), planes));
  }
  return system;
}

/// A box on a box that slides on a floor with [v_x, v_y, ω_z]: box-box-1.
ModeSystem box_on_box() {
  ModeSystem system;
  const auto planar = [](const Vec2& xy) {
    MatX rows = MatX::Zero(2, 9);
    rows.rightCols(3) << 1, 0, -xy[1], 0, 1, xy[0];
    return rows;
  };
  const std::array<Vec2, 4> corners = {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)};
  for (const Vec2& xy : corners) add_contact(system, VecX::Zero(9), planar(xy));
  for (const Vec2& xy : corners) {
    const MatX rows = point_rows({xy[0], xy[1], -1}, 0, 9);
    add_contact(system, rows.row(2), rows.topRows(2) - planar(xy));
  }
  return system;
}

ModeSystem random_system(Rng& rng, Index dof, Index contacts) {
  ModeSystem system;
  const auto row = [&] {
    VecX x(dof);
    for (double& v : x) v = static_cast<double>(rng.below(5)) - 2;
    return x;
  };
  for (Index c = 0; c < contacts; ++c) {
    MatX tangents(static_cast<Index>(rng.below(3)), dof);
    for (Index t = 0; t < tangents.rows(); ++t) tangents.row(t) = row();
    add_contact(system, row(), tangents);
  }
  return system;
}

Index nodes_of(const ModeGraph& graph) {
  return static_cast<Index>(graph.nodes.size());
}

/// All modes in the closure of each, by definition: pairs of strings.
void expect_edges_by_definition(const ModeGraph& graph) {
  for (Index b = 0; b < nodes_of(graph); ++b) {
    std::vector<Index> faces;
    int euler = 0;
    Index inside = 0;
    for (Index a = 0; a < nodes_of(graph); ++a) {
      if (!in_closure(graph, a, b)) continue;
      ++inside;
      const Index dim = graph.nodes[a].dim;
      ASSERT_TRUE(a == b || dim < graph.nodes[b].dim);
      euler += dim % 2 == 0 ? 1 : -1;
      if (dim + 1 == graph.nodes[b].dim) faces.push_back(a);
    }
    ASSERT_TRUE(std::ranges::equal(graph.faces(b), faces));
    // Euler: a closed cone that is no subspace has the sum zero; a subspace is one mode alone.
    const int alone = graph.nodes[b].dim % 2 == 0 ? 1 : -1;
    ASSERT_EQ(euler, inside == 1 ? alone : 0);
  }
}

/// Between two modes two dimensions apart there are exactly two.
void expect_diamonds(const ModeGraph& graph) {
  std::vector<int> met(graph.nodes.size(), 0);
  for (Index b = 0; b < nodes_of(graph); ++b) {
    for (const Index a : graph.faces(b))
      for (const Index c : graph.faces(a)) ++met[c];
    for (const Index a : graph.faces(b))
      for (const Index c : graph.faces(a)) {
        ASSERT_TRUE(met[c] == 2 || met[c] == 0);
        met[c] = 0;
      }
  }
}

void expect_neighbours(const ModeGraph& graph) {
  const Index top = static_cast<Index>(graph.by_dim.size()) - 1;
  Index edges = 0;
  for (Index m = 0; m < nodes_of(graph); ++m) {
    ASSERT_TRUE(std::ranges::is_sorted(graph.cofaces(m)));
    ASSERT_EQ(graph.cofaces(m).empty(), graph.nodes[m].dim == top);
    for (const Index up : graph.cofaces(m)) {
      ASSERT_EQ(graph.nodes[up].dim, graph.nodes[m].dim + 1);
      ASSERT_TRUE(std::ranges::binary_search(graph.faces(up), m));
      ++edges;
    }
    ASSERT_EQ(find_mode(graph, graph.nodes[m].cs, graph.nodes[m].ss), m);
  }
  EXPECT_EQ(edges, graph.edges());
}

TEST(ModeGraph, ABoxOnAFloor) {
  const auto graph = mode_graph(box());
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->by_dim, (std::vector<Index>{1, 16, 48, 66, 48, 16, 1}));
  expect_edges_by_definition(*graph);
  expect_diamonds(*graph);
  expect_neighbours(*graph);
  EXPECT_FALSE(find_mode(*graph, "+000", ""));
  EXPECT_FALSE(find_mode(*graph, "++++", "0"));

  // The box that flies off ends at the box that keeps one corner, whichever way this corner slides.
  const Index free = *find_mode(*graph, "++++", "");
  EXPECT_EQ(graph->faces(free).size(), 16U);
  for (const Index face : graph->faces(free)) {
    EXPECT_EQ(std::ranges::count(graph->nodes[face].cs, '0'), 1);
    EXPECT_EQ(graph->nodes[face].ss.find('0'), std::string::npos);
  }
  // The box at rest ends every motion that has one dimension.
  const Index rest = *find_mode(*graph, "0000", "00000000");
  EXPECT_TRUE(graph->faces(rest).empty());
  EXPECT_EQ(graph->cofaces(rest).size(), 16U);
}

TEST(ModeGraph, ContactingModesAloneAreTheFacesOfTheirCone) {
  ModeGraphOptions options;
  options.modes.kind = ModeKind::contacting;
  const auto graph = mode_graph(box(), options);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->by_dim, (std::vector<Index>{0, 0, 0, 1, 4, 4, 1}));
  // A cone over a square: flat below 4 edges, edges below 2 corners each, corners below free.
  EXPECT_EQ(graph->edges(), 4 + 8 + 4);
  expect_edges_by_definition(*graph);
  expect_diamonds(*graph);
  expect_neighbours(*graph);
}

TEST(ModeGraph, BoxOnBox) {
  const auto graph = mode_graph(box_on_box());
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->nodes.size(), 9996U);
  expect_diamonds(*graph);
  expect_neighbours(*graph);
}

TEST(ModeGraph, RandomSystemsHoldToTheDefinition) {
  Rng rng(20);
  for (int trial = 0; trial < 60; ++trial) {
    const Index dof = 1 + static_cast<Index>(rng.below(5));
    const auto graph = mode_graph(random_system(rng, dof, static_cast<Index>(rng.below(6))));
    ASSERT_TRUE(graph);
    expect_edges_by_definition(*graph);
    expect_diamonds(*graph);
    expect_neighbours(*graph);
    EXPECT_EQ(std::accumulate(graph->by_dim.begin(), graph->by_dim.end(), Index{0}),
              nodes_of(*graph));
  }
}

TEST(ModeGraph, SaysWhatItRefuses) {
  ModeGraphOptions options;
  options.limit = 195;
  const auto large = mode_graph(box(), options);
  ASSERT_FALSE(large);
  EXPECT_NE(large.error().message.find("196 modes"), std::string::npos);
  options.limit = 196;
  EXPECT_TRUE(mode_graph(box(), options));

  options.modes.kind = ModeKind::slipping;
  EXPECT_FALSE(mode_graph(box(), options));

  const std::atomic<bool> stop = true;
  ModeGraphOptions stopped;
  stopped.modes.stop = &stop;
  EXPECT_FALSE(mode_graph(box(), stopped));

  ModeSystem bad = box();
  bad.rows(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(mode_graph(bad));
}

TEST(ModeGraph, ASystemWithoutContactsIsOneMode) {
  ModeSystem none;
  none.rows.resize(0, 3);
  const auto graph = mode_graph(none);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->by_dim, (std::vector<Index>{0, 0, 0, 1}));
  EXPECT_EQ(graph->edges(), 0);
  EXPECT_TRUE(in_closure(*graph, 0, 0));
}

}  // namespace
}  // namespace tact
