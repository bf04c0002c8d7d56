#include "tact/contact/body_problem.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "tests/support/random_contacts.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact {
namespace {

using testing::dense_of;
using testing::scene_rows;
using testing::SceneRows;

/// Y over all dofs of the model, from the numbers of ConstraintRows.
MatX scaled_rows(const Model& model, const ConstraintRows& rows) {
  MatX Y = MatX::Zero(rows.rows, model.nv);
  for (const RowGroup& group : rows.groups)
    for (Index s = group.first_side; s < group.first_side + group.side_count; ++s) {
      const ChainRows& side = rows.sides[s];
      const Index begin = model.tree.row[side.leaf];
      for (Index r = 0; r < group.row_count; ++r)
        for (Index k = 0; k < side.length; ++k)
          Y(group.first_row + r, model.tree.column[begin + k]) +=
              rows.scaled[side.at + r * side.length + k];
    }
  return Y;
}

/// The columns of the dofs that the problem has, and nothing else may be in the rest.
MatX kept_columns(const MatX& Y, const std::vector<Index>& of_dof) {
  MatX out(Y.rows(), static_cast<Index>(of_dof.size()));
  MatX rest = Y;
  for (std::size_t k = 0; k < of_dof.size(); ++k) {
    out.col(static_cast<Index>(k)) = Y.col(of_dof[k]);
    rest.col(of_dof[k]).setZero();
  }
  EXPECT_TRUE(rest.isZero(0));
  return out;
}

/// The two products against a dense Y.
void expect_products(const BodyProblem& p, const MatX& Y, Rng& rng) {
  ASSERT_EQ(p.bodies.size(), Y.cols());
  for (int k = 0; k < 3; ++k) {
    const VecX w = testing::random_dense(rng, Y.cols(), 1);
    const VecX lambda = testing::random_dense(rng, Y.rows(), 1);
    VecX velocities, impulses;
    body_velocities(p, w, velocities);
    body_impulses(p, lambda, impulses);
    EXPECT_LE((velocities - Y * w).norm(), 1e-13 * Y.norm() * w.norm());
    EXPECT_LE((impulses - Y.transpose() * lambda).norm(), 1e-13 * Y.norm() * lambda.norm());
  }
}

/// Everything about the rows of a scene and all of its groups.
void expect_rows_of(const Model& model, const SceneRows& scene) {
  Rng rng(3);
  const MatX all = scaled_rows(model, scene.rows);
  const MatX Y = kept_columns(all, scene.bodies.of_dof);
  expect_products(scene.on_bodies(), Y, rng);
  const MatX G = dense_of(scene.problem.G);
  EXPECT_LE((Y * Y.transpose() - G).norm(), 1e-12 * G.norm());
  // J M⁻¹ Jᵀ, with neither Y nor the factor of the tree.
  MatX J(scene.rows.rows, model.nv);
  VecX column;
  for (Index d = 0; d < model.nv; ++d) {
    row_velocities(model, scene.rows, VecX::Unit(model.nv, d), column);
    J.col(d) = column;
  }
  const MatX expected = J * dense(model, scene.mass).llt().solve(J.transpose());
  EXPECT_LE((Y * Y.transpose() - expected).norm(), 1e-12 * G.norm());
}

/// Three towers of three boxes, apart from each other.
Model three_towers() {
  Model draft = testing::floor_scene(0.5);
  for (const double x : {0.0, 0.5, 1.0})
    for (int k = 0; k < 3; ++k)
      testing::add_box(draft, 1 + k + x, Vec3(0.1, 0.1, 0.1),
                       Pose{Mat3::Identity(), Vec3(x, 0.01 * k, 0.1 + 0.2 * k)}, 0.5);
  return testing::finished(std::move(draft));
}

/// A quadruped whose feet are tied to each other and to a box: loops, and two trees in one row.
Model tied_quadruped() {
  Model draft = testing::standing_quadruped(2);
  const auto connect = [&](const char* first, const char* second) {
    Equality tie;
    tie.type = EqualityType::connect;
    tie.first = find_body(draft, first);
    tie.second = find_body(draft, second);
    tie.anchor_first = Vec3(0.1, 0, 0);
    draft.equalities.push_back(tie);
  };
  connect("fr_calf", "fl_calf");
  connect("rl_thigh", "trunk");
  connect("rr_calf", "b15");
  return testing::finished(std::move(draft));
}

/// Where the rows of a side go, dof by dof of the problem.
std::vector<Index> dofs_of(const BodyRows& bodies, const BodyRows::Side& side) {
  std::vector<Index> out;
  for (Index k = 0; k < side.length; ++k)
    out.push_back(side.together ? side.first + k : bodies.dofs[side.first + k]);
  return out;
}

TEST(BodyProblem, ProductsOfATower) {
  const Model model = testing::tower_scene(4, 7);
  const SceneRows scene = scene_rows(model, initial_state(model), VecX::Zero(model.nv));
  EXPECT_EQ(scene.bodies.nodes(), 4);
  EXPECT_EQ(scene.bodies.size(), model.nv);
  for (const BodyRows::Side& side : scene.bodies.sides) EXPECT_TRUE(side.together);
  expect_rows_of(model, scene);
}

TEST(BodyProblem, ProductsOfARobotWithLoops) {
  const Model model = tied_quadruped();
  Rng rng(1);
  for (int k = 0; k < 10; ++k) {
    SCOPED_TRACE(k);
    const SceneRows scene =
        scene_rows(model, testing::bent_state(model, rng), VecX::Zero(model.nv), 0.3);
    ASSERT_GE(scene.rows.groups.size(), 4U + 12U + 9U);
    expect_rows_of(model, scene);
  }
}

TEST(BodyProblem, ProductsOfRandomTrees) {
  int apart = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Model draft = testing::random_tree(rng, 8);
    for (int k = 0; k < 6; ++k) {
      Equality tie;
      tie.type = k % 2 == 0 ? EqualityType::connect : EqualityType::weld;
      tie.first = static_cast<Index>(rng.below(9));
      tie.second = static_cast<Index>(rng.below(9));
      tie.anchor_first = testing::random_vec3(rng, 0.2);
      if (tie.first != tie.second) draft.equalities.push_back(tie);
    }
    const Model model = testing::finished(std::move(draft));
    if (model.nv == 0) continue;
    const SceneRows scene =
        scene_rows(model, testing::random_state(model, rng), VecX::Zero(model.nv));
    if (scene.rows.rows == 0) continue;
    expect_rows_of(model, scene);
    for (const BodyRows::Side& side : scene.bodies.sides) apart += side.together ? 0 : 1;
  }
  EXPECT_GT(apart, 0) << "chains whose dofs do not follow each other";
}

TEST(BodyProblem, NodesAreTreesAndHaveTheDofsInUse) {
  const Model model = tied_quadruped();
  const SceneRows scene = scene_rows(model, initial_state(model), VecX::Zero(model.nv));
  const BodyRows& bodies = scene.bodies;
  ASSERT_EQ(bodies.nodes(), 3);
  EXPECT_EQ(bodies.node_begin, (std::vector<Index>{0, 18, 24, 30}));
  EXPECT_EQ(bodies.size(), model.nv);
  EXPECT_TRUE(std::ranges::is_sorted(bodies.of_dof)) << "no tree lies within another";
  ASSERT_EQ(bodies.side_begin.size(), scene.rows.groups.size() + 1);
  for (std::size_t i = 0; i < scene.rows.groups.size(); ++i) {
    const RowGroup& group = scene.rows.groups[i];
    const auto sides = bodies.sides_of(static_cast<Index>(i));
    ASSERT_EQ(static_cast<Index>(sides.size()), group.side_count);
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const ChainRows& chain = scene.rows.sides[static_cast<std::size_t>(group.first_side) + s];
      EXPECT_EQ(sides[s].length, chain.length);
      const auto dofs = dofs_of(bodies, sides[s]);
      EXPECT_EQ(bodies.of_dof[dofs.back()], chain.leaf);
      for (const Index d : dofs) {
        EXPECT_GE(d, bodies.node_begin[sides[s].node]);
        EXPECT_LT(d, bodies.node_begin[sides[s].node + 1]);
      }
    }
  }
}

/// One foot on the floor: the hinges of the other legs are not in the problem.
TEST(BodyProblem, DofsThatNoConstraintActsOnAreLeftOut) {
  Model draft = testing::standing_quadruped(1);
  for (Joint& j : draft.joints) j.limited = false;
  for (Joint& j : draft.joints) j.dry_friction = 0;
  std::erase_if(draft.geoms, [](const Geom& g) {
    return g.name == "fr_calf" || g.name == "rr_calf" || g.name == "rl_calf";
  });
  const Model model = testing::finished(std::move(draft));
  const SceneRows scene = scene_rows(model, initial_state(model), VecX::Zero(model.nv));
  ASSERT_EQ(scene.rows.groups.size(), 2U);
  EXPECT_EQ(scene.bodies.node_begin, (std::vector<Index>{0, 9, 15}));
  EXPECT_EQ(scene.bodies.of_dof,
            (std::vector<Index>{0, 1, 2, 3, 4, 5, 9, 10, 11, 18, 19, 20, 21, 22, 23}));
  // The dofs left out lie between those of the chain, but not in the problem.
  for (const BodyRows::Side& side : scene.bodies.sides) EXPECT_TRUE(side.together);
  expect_rows_of(model, scene);
}

TEST(BodyProblem, NothingToActOn) {
  const Model model = testing::tower_scene(1, 1);
  const SceneRows scene = scene_rows(model, initial_state(model), VecX::Zero(model.nv));
  BodyRows none;
  std::vector<Index> local(static_cast<std::size_t>(model.nv));
  make_body_rows(model, scene.rows, {}, local, none);
  EXPECT_EQ(none.nodes(), 0);
  EXPECT_EQ(none.size(), 0);
  const DelassusProblem empty =
      delassus_problem({}, block_matrix(SparseMatrix(0, 0), std::vector<Index>{0}), VecX(0));
  VecX out, w;
  body_velocities({empty, none}, VecX(0), out);
  body_impulses({empty, none}, VecX(0), w);
  EXPECT_EQ(out.size(), 0);
  EXPECT_EQ(w.size(), 0);
  BodyPattern pattern;
  BlockMatrix graph;
  make_body_pattern(none, pattern, graph);
  EXPECT_EQ(graph.blocks(), 0);
}

/// Islands with one scratch for all of them, and a BodyRows that is used again.
TEST(BodyProblem, IslandsHaveTheBlocksOfTheWhole) {
  const Model model = three_towers();
  const SceneRows scene = scene_rows(model, initial_state(model), VecX::Zero(model.nv));
  const auto islands = connected_blocks(scene.problem.G);
  ASSERT_EQ(islands.size(), 3U);
  const MatX all = scaled_rows(model, scene.rows);
  std::vector<Index> local(static_cast<std::size_t>(model.nv), 77);
  BodyRows bodies;
  Rng rng(5);
  for (const std::vector<Index>& island : islands) {
    make_body_rows(model, scene.rows, island, local, bodies);
    EXPECT_EQ(bodies.nodes(), 3);
    EXPECT_EQ(bodies.size(), 18);
    DelassusProblem part;
    part.G = sub_matrix(scene.problem.G, island);
    std::vector<Index> rows;
    for (const Index i : island) {
      part.laws.push_back(scene.problem.laws[i]);
      for (Index r = 0; r < scene.problem.G.rows_of(i); ++r)
        rows.push_back(scene.problem.G.offset[i] + r);
    }
    part.b = VecX::Zero(part.G.size());
    update_metrics(part);
    const MatX Y = kept_columns(all(rows, Eigen::all), bodies.of_dof);
    expect_products({part, bodies}, Y, rng);
    const MatX G = dense_of(part.G);
    EXPECT_LE((Y * Y.transpose() - G).norm(), 1e-12 * G.norm());
  }
}

/// The last ones first, and some left out.
TEST(BodyProblem, AnyGroupsInAnyOrder) {
  const Model model = tied_quadruped();
  Rng rng(8);
  const SceneRows scene =
      scene_rows(model, testing::bent_state(model, rng), VecX::Zero(model.nv), 0.3);
  const MatX all = scaled_rows(model, scene.rows);
  std::vector<Index> local(static_cast<std::size_t>(model.nv), 77);
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    std::vector<Index> groups;
    for (Index i = static_cast<Index>(scene.rows.groups.size()); i-- > 0;)
      if (rng.below(3) == 0) groups.push_back(i);
    if (groups.empty()) continue;
    std::vector<LocalLaw> laws;
    std::vector<Index> rows, offset{0};
    for (const Index i : groups) {
      laws.push_back(scene.rows.laws[i]);
      for (Index r = 0; r < scene.rows.groups[i].row_count; ++r)
        rows.push_back(scene.rows.groups[i].first_row + r);
      offset.push_back(static_cast<Index>(rows.size()));
    }
    BodyRows bodies;
    make_body_rows(model, scene.rows, groups, local, bodies);
    const MatX Y = kept_columns(all(rows, Eigen::all), bodies.of_dof);
    const DelassusProblem part = delassus_problem(
        laws, block_matrix(sparse(MatX(Y * Y.transpose())), offset), VecX::Zero(Y.rows()));
    expect_products({part, bodies}, Y, rng);
  }
}

/// One node a tree, one entry for every two trees that some constraint ties to each other.
TEST(BodyProblem, ThePatternIsTheGraphOfTrees) {
  const Model model = tied_quadruped();
  const SceneRows scene = scene_rows(model, initial_state(model), VecX::Zero(model.nv));
  const BodyRows& bodies = scene.bodies;
  BodyPattern pattern;
  BlockMatrix graph;
  for (int use = 0; use < 2; ++use) {  // the second finds what the first left
    make_body_pattern(bodies, pattern, graph);
    ASSERT_EQ(graph.blocks(), 3);
    EXPECT_EQ(graph.offset, bodies.node_begin);
    // The robot is tied to the upper box, which lies on the lower one.
    EXPECT_EQ(graph.row_begin, (std::vector<Index>{0, 2, 4, 7}));
    EXPECT_EQ(graph.col, (std::vector<Index>{0, 2, 1, 2, 0, 1, 2}));
    EXPECT_EQ(graph.diagonal, (std::vector<Index>{0, 2, 6}));
    ASSERT_EQ(pattern.pair_begin.size(), scene.rows.groups.size());
    for (std::size_t i = 0; i < pattern.pair_begin.size(); ++i) {
      const auto sides = bodies.sides_of(static_cast<Index>(i));
      auto at = static_cast<std::size_t>(pattern.pair_begin[i]);
      for (const BodyRows::Side& a : sides)
        for (const BodyRows::Side& b : sides) {
          ASSERT_LT(at, pattern.entry.size());
          const Index entry = pattern.entry[at++];
          EXPECT_EQ(graph.col[entry], b.node);
          EXPECT_GE(entry, graph.row_begin[a.node]);
          EXPECT_LT(entry, graph.row_begin[a.node + 1]);
        }
    }
  }
}

TEST(BodyProblem, TheResidualIsThatOfG) {
  const Model model = tied_quadruped();
  Rng rng(2);
  VecX w, u;
  LocalWorkspace work;
  for (int k = 0; k < 10; ++k) {
    const VecX v = testing::random_dense(rng, model.nv, 1);
    const SceneRows scene = scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    const VecX lambda = testing::random_dense(rng, scene.problem.rows(), 1);
    const Residual expected = residual(scene.problem, lambda);
    const Residual found = residual(scene.on_bodies(), lambda, w, u, work);
    EXPECT_NEAR(found.natural, expected.natural, 1e-10 * expected.natural);
    EXPECT_NEAR(found.unhidden, expected.unhidden, 1e-10 * expected.unhidden);
    EXPECT_NEAR(found.growth, expected.growth, 1e-10 * expected.growth);
    EXPECT_EQ(found.worst_contact, expected.worst_contact);
    VecX velocity;
    multiply(scene.problem.G, lambda, velocity);
    velocity += scene.problem.b;
    EXPECT_LE((u - velocity).norm(), 1e-11 * velocity.norm());
  }
}

TEST(BodyProblem, ADirtyWorkspaceChangesNothing) {
  const Model robot = tied_quadruped(), towers = three_towers();
  Rng rng(4);
  BodyRows dirty;
  BodyPattern dirty_pattern;
  BlockMatrix dirty_graph;
  std::vector<Index> local;
  for (int k = 0; k < 6; ++k) {
    const Model& model = k % 2 == 0 ? robot : towers;
    const SceneRows scene =
        scene_rows(model, testing::bent_state(model, rng), VecX::Zero(model.nv), 0.2);
    local.resize(static_cast<std::size_t>(model.nv));
    make_body_rows(model, scene.rows, testing::all_groups(scene.rows), local, dirty);
    EXPECT_EQ(dirty.node_begin, scene.bodies.node_begin);
    EXPECT_EQ(dirty.of_dof, scene.bodies.of_dof);
    EXPECT_EQ(dirty.side_begin, scene.bodies.side_begin);
    EXPECT_EQ(dirty.dofs, scene.bodies.dofs);
    const VecX lambda = testing::random_dense(rng, scene.problem.rows(), 1);
    VecX a, b;
    body_impulses(scene.on_bodies(), lambda, a);
    body_impulses({scene.problem, dirty}, lambda, b);
    testing::expect_same_bits(a, b);
    BodyPattern pattern;
    BlockMatrix graph;
    make_body_pattern(scene.bodies, pattern, graph);
    make_body_pattern(dirty, dirty_pattern, dirty_graph);
    EXPECT_EQ(dirty_pattern.entry, pattern.entry);
    EXPECT_EQ(dirty_pattern.pair_begin, pattern.pair_begin);
    EXPECT_EQ(dirty_graph.col, graph.col);
    EXPECT_EQ(dirty_graph.diagonal, graph.diagonal);
  }
}

}  // namespace
}  // namespace tact
