#include "tact/body/jacobian.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

TEST(Jacobian, OnlyTheChainOfABodyMovesIt) {
  const Model m = testing::quadruped();
  const Index calf = find_body(m, "rl_calf");
  const auto dofs = chain(m, calf);
  EXPECT_EQ(std::vector<Index>(dofs.begin(), dofs.end()),
            (std::vector<Index>{0, 1, 2, 3, 4, 5, 15, 16, 17}));
  EXPECT_TRUE(chain(m, 0).empty());
  std::vector<Motion> columns(3);
  const testing::Mechanics at(m, initial_state(m));
  point_jacobian(m, at.kin, 0, Vec3::Zero(), columns);
  EXPECT_TRUE(columns.empty());
  point_jacobian(m, at.kin, calf, at.kin.X_WB[calf].p, columns);
  ASSERT_EQ(columns.size(), 9U);
  EXPECT_EQ(columns[0].v, Vec3::UnitX());
  EXPECT_LE(columns[8].v.norm(), testing::rounding) << "the knee does not move itself";
}

TEST(Jacobian, FeetOfOneRobotDoNotFeelTheirCommonTrunk) {
  const Model m = testing::quadruped();
  const testing::Mechanics at(m, initial_state(m));
  const Index a = find_body(m, "fr_calf"), b = find_body(m, "rl_calf");
  const Vec3 p(0.3, 0.2, 0.1), n = Vec3::UnitZ();
  SparseRows rows;
  append_row(m, at.kin, {a, p, n, Vec3::Zero()}, {b, p, -n, Vec3::Zero()}, rows);
  for (const Index d : rows.column) EXPECT_GE(d, 6);
  append_row(m, at.kin, {a, p, n, Vec3::Zero()}, rows);
  EXPECT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows.begin[2] - rows.begin[1], 9);
  VecX y = VecX::Zero(m.nv);
  rows.add_transposed(1, 2, y);
  EXPECT_EQ(y[2], 2) << "the whole robot rises";
  rows.clear();
  EXPECT_EQ(rows.rows(), 0);
  EXPECT_EQ(sparse(rows, m.nv).rows(), 0);
}

}  // namespace
}  // namespace tact
