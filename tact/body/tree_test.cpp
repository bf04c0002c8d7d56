#include "tact/body/tree.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::rounding;

TEST(Tree, WeldedBodiesAreOneLinkWithTheirCommonInertia) {
  // Two point-like halves of a dumbbell, welded two metres apart; the moving one turned.
  Model draft;
  draft.bodies.resize(3);
  for (const Index i : {1, 2}) {
    draft.bodies[i].parent = i - 1;
    draft.bodies[i].mass = 3;
    draft.bodies[i].inertia_com_B = Vec3(0.1, 0.2, 0.2).asDiagonal();
  }
  draft.bodies[1].X_PB = {exp_so3({0.4, 0.3, 0.2}), {1, 1, 1}};
  draft.bodies[2].X_PB = {exp_so3({0, 0, std::numbers::pi / 2}), {2, 0, 0}};
  draft.joints.resize(1);
  draft.joints[0] = {.name = "root", .type = JointType::free, .body = 1};
  const Model m = *make_model(draft);
  ASSERT_EQ(m.tree.links.size(), 1U);
  const Tree::Link& link = m.tree.links[0];
  EXPECT_EQ(m.tree.link_of(2), 0);
  EXPECT_EQ(m.tree.link_of(0), -1);
  EXPECT_TRUE(link.alone);
  EXPECT_EQ(link.mass, 6);
  EXPECT_LE(max_error(link.com_B, Vec3(1, 0, 0)), rounding);
  // The second one's axes x and y are exchanged; each half is one metre from the centre.
  EXPECT_LE(max_error(link.inertia_com_B, Mat3(Vec3(0.3, 6.3, 6.4).asDiagonal())), 8 * rounding);
  EXPECT_LE(max_error(link.inertia_B, Mat3(Vec3(0.3, 12.3, 12.4).asDiagonal())), 16 * rounding);
}

TEST(Tree, BodiesOnTheWorldBelongToNoLink) {
  Model draft;
  draft.bodies.resize(3);
  draft.bodies[2].parent = 1;
  draft.bodies[1].mass = 1;
  const Model m = *make_model(draft);
  EXPECT_TRUE(m.tree.links.empty());
  EXPECT_EQ(m.tree.link_of(2), -1);
  EXPECT_EQ(m.nv, 0);
}

TEST(Tree, RowsBeginAsTheRowsOfTheirAncestors) {
  Rng rng(1);
  for (int k = 0; k < 20; ++k) {
    const Tree tree = testing::random_tree(rng, 10).tree;
    for (std::size_t d = 0; d + 1 < tree.row.size(); ++d)
      for (Index e = tree.row[d]; e < tree.row[d + 1]; ++e) {
        const Index a = tree.column[e];
        const Index depth = e - tree.row[d];
        ASSERT_EQ(tree.row[a + 1] - tree.row[a], depth + 1);
        for (Index i = 0; i <= depth; ++i)
          EXPECT_EQ(tree.column[tree.row[a] + i], tree.column[tree.row[d] + i]);
      }
  }
}

}  // namespace
}  // namespace tact
