#include "tact/contact/constraint_rows.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "tact/contact/detect.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/robots.hpp"

namespace tact {
namespace {

/// J as a dense matrix, column by column from unit velocities.
MatX dense_rows(const Model& model, const ConstraintRows& rows) {
  MatX J(rows.rows, model.nv);
  VecX out;
  for (Index d = 0; d < model.nv; ++d) {
    row_velocities(model, rows, VecX::Unit(model.nv, d), out);
    J.col(d) = out;
  }
  return J;
}

MatX dense_matrix(const BlockMatrix& G) {
  MatX out(G.size(), G.size());
  VecX y;
  for (Index i = 0; i < G.size(); ++i) {
    multiply(G, VecX::Unit(G.size(), i), y);
    out.col(i) = y;
  }
  return out;
}

struct Assembled {
  ConstraintRows rows;
  DelassusProblem problem;
  MassMatrix mass;
};

/// All limits and contacts of a model at a state.
Assembled assembled(const Model& model, const State& state) {
  Assembled out;
  Kinematics kin;
  forward_kinematics(model, state, kin);
  mass_matrix(model, kin, out.mass);
  TreeFactor factored;
  EXPECT_TRUE(factor(model, out.mass, factored));
  DetectWorkspace work;
  prepare(model, work);
  SceneContacts contacts;
  DetectOptions near;
  near.reach = 0.05;
  detect(model, kin, near, work, contacts);
  clear(out.rows);
  for (Index i = 0; i < static_cast<Index>(contacts.contacts.size()); ++i)
    add_surface(model, kin, contacts, i, EffectivePatch{}, out.rows);
  LimitRows limits;
  limit_rows(model, state, 100, limits);
  for (Index i = 0; i < limits.rows.rows(); ++i) add_limit(model, limits, i, out.rows);
  EqualityRows equalities;
  equality_rows(model, state, kin, equalities);
  for (Index i = 0; i < equalities.groups(); ++i) add_equality(model, equalities, i, out.rows);
  scale_rows(model, factored, out.rows);
  make_delassus(model, out.rows, out.problem);
  return out;
}

void expect_delassus(const Model& model, const Assembled& a) {
  const MatX J = dense_rows(model, a.rows);
  const MatX G = J * dense(model, a.mass).llt().solve(J.transpose());
  const MatX own = dense_matrix(a.problem.G);
  ASSERT_EQ(own.rows(), G.rows());
  EXPECT_LT((own - G).norm(), 1e-12 * G.norm());
  EXPECT_LE((own - own.transpose()).norm(), 1e-15 * G.norm());
  // Jᵀ is the transpose of J.
  VecX p = VecX::Zero(model.nv);
  const VecX lambda = VecX::LinSpaced(a.rows.rows, -1, 2);
  add_row_impulses(model, a.rows, lambda, p);
  EXPECT_LT((p - J.transpose() * lambda).norm(), 1e-12 * (1 + p.norm()));
}

TEST(ConstraintRows, DelassusOfATowerIsThatOfItsDenseMatrices) {
  const Model model = testing::tower_scene(4, 7);
  const Assembled a = assembled(model, initial_state(model));
  EXPECT_EQ(a.rows.groups.size(), 4U);
  EXPECT_EQ(a.rows.rows, 24);
  expect_delassus(model, a);
}

TEST(ConstraintRows, DelassusOfARobotWithLoopsIsThatOfItsDenseMatrices) {
  Model draft = testing::quadruped();
  for (Joint& j : draft.joints)
    if (j.type == JointType::hinge) {
      j.limited = true;
      j.range = Vec2(-1, 1);
    }
  Equality loop;
  loop.type = EqualityType::connect;
  loop.first = 3;
  loop.second = 6;
  loop.anchor_first = Vec3(0.1, 0, 0);
  draft.equalities.push_back(loop);
  loop.type = EqualityType::weld;
  draft.equalities.push_back(loop);
  const Model model = testing::finished(std::move(draft));
  const Assembled a = assembled(model, initial_state(model));
  EXPECT_GE(a.rows.rows, 9 + 2 * 12);
  expect_delassus(model, a);
}

/// A connect is one group, a weld two, of turns and of moves; a side for each body, its error as
/// the gap.
TEST(ConstraintRows, EqualitiesAreGroupsOfThreeRows) {
  Model draft = testing::floor_scene(0.5);
  for (const double x : {0.0, 0.5})
    testing::add_box(draft, 1, Vec3(0.1, 0.1, 0.1), Pose{Mat3::Identity(), Vec3(x, 0, 3)}, 0.5);
  Equality tie;
  tie.first = 1;
  tie.second = 2;
  for (const EqualityType type : {EqualityType::connect, EqualityType::weld}) {
    tie.type = type;
    draft.equalities.push_back(tie);
  }
  const Model model = testing::finished(std::move(draft));
  const Assembled a = assembled(model, initial_state(model));
  ASSERT_EQ(a.rows.groups.size(), 3U);
  for (const RowGroup& group : a.rows.groups) {
    EXPECT_EQ(group.key.source, RowSource::equality);
    EXPECT_EQ(group.row_count, 3);
    EXPECT_EQ(group.side_count, 2);
  }
  EXPECT_NEAR((a.rows.groups[0].gap - Vec3(-0.5, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(a.rows.groups[1].gap.norm(), 0, 1e-15);
  EXPECT_EQ(a.rows.groups[2].gap, a.rows.groups[0].gap);
  EXPECT_EQ(a.rows.groups[2].first_row, 6);
}

/// Of a pile that is swept only the diagonal of G is made, and of an island that is solved its own
/// matrix: the same numbers as in the whole, to the last bit.
TEST(ConstraintRows, IslandsHaveTheBlocksOfTheWhole) {
  Model draft = testing::floor_scene(0.5);
  for (const double x : {0.0, 0.5, 1.0})
    for (int k = 0; k < 3; ++k)
      testing::add_box(draft, 1 + k + x, Vec3(0.1, 0.1, 0.1),
                       Pose{Mat3::Identity(), Vec3(x, 0.01 * k, 0.1 + 0.2 * k)}, 0.5);
  const Model model = testing::finished(std::move(draft));
  Assembled a = assembled(model, initial_state(model));
  ASSERT_EQ(a.rows.groups.size(), 9U);
  DelassusProblem own;
  make_own_blocks(model, a.rows, own);
  EXPECT_EQ(own.G.col.size(), 9U);
  for (Index i = 0; i < 9; ++i) {
    EXPECT_EQ(MatX(own.G.diagonal_block(i)), MatX(a.problem.G.diagonal_block(i)));
    EXPECT_EQ(MatX(own.metric(i).inverse()), MatX(a.problem.metric(i).inverse()));
  }
  for (const std::vector<Index>& island : connected_blocks(a.problem.G)) {
    ASSERT_EQ(island.size(), 3U);
    BlockMatrix part;
    make_island_matrix(model, a.rows, island, own.G, part);
    EXPECT_EQ(dense_matrix(part), dense_matrix(sub_matrix(a.problem.G, island)));
  }
}

TEST(ConstraintRows, TheLastGroupCanBeTakenAway) {
  const Model model = testing::tower_scene(2, 1);
  Assembled a = assembled(model, initial_state(model));
  const auto sides = a.rows.sides.size();
  drop_last(a.rows);
  EXPECT_EQ(a.rows.groups.size(), 1U);
  EXPECT_EQ(a.rows.rows, 6);
  EXPECT_EQ(a.rows.sides.size(), sides - 2);
}

TEST(ConstraintRows, KeysAreOrdered) {
  const RowKey a{RowSource::surface, 1, 0}, b{RowSource::surface, 1, 1}, c{RowSource::limit, 0, 0};
  EXPECT_TRUE(before(a, b) && before(b, c) && !before(b, a) && !before(a, a));
}

}  // namespace
}  // namespace tact
