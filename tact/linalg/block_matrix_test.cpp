#include "tact/linalg/block_matrix.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {
namespace {

const std::vector<Index> offset{0, 1, 4, 6, 12};

/// Rows 0 | 1 2 3 | 4 5 | 6 ... 11; blocks (0,1), (1,0), (2,2) and, without its mirror, (3,0).
SparseMatrix example() {
  MatX m = MatX::Zero(12, 12);
  m(0, 2) = 5;
  m(2, 0) = 6;
  m(4, 5) = 7;
  m(11, 0) = 8;
  return sparse(m);
}

MatX dense(const BlockMatrix& m) {
  MatX out = MatX::Zero(m.size(), m.size());
  for (Index i = 0; i < m.blocks(); ++i)
    for (Index e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e)
      out.block(m.offset[i], m.offset[m.col[e]], m.rows_of(i), m.rows_of(m.col[e])) = m.block(i, e);
  return out;
}

SparseMatrix random_sparse(Rng& rng, Index size, double share) {
  MatX m = MatX::Zero(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j)
      if (rng.uniform() < share) m(i, j) = rng.normal();
  return sparse(m);
}

TEST(BlockMatrix, StoresBlocksWithAnEntryAndAllDiagonalOnes) {
  const BlockMatrix m = block_matrix(example(), offset);
  EXPECT_EQ(m.blocks(), 4);
  EXPECT_EQ(m.size(), 12);
  EXPECT_EQ(m.rows_of(3), 6);
  EXPECT_EQ(m.row_begin, (std::vector<Index>{0, 2, 4, 5, 7}));
  EXPECT_EQ(m.col, (std::vector<Index>{0, 1, 0, 1, 2, 0, 3}));
  for (Index i = 0; i < m.blocks(); ++i) EXPECT_EQ(m.col[m.diagonal[i]], i);
  EXPECT_EQ(m.block(0, 1)(0, 1), 5);
  EXPECT_TRUE(m.diagonal_block(3).isZero(0));
  EXPECT_EQ(dense(m), MatX(example()));
}

TEST(BlockMatrix, WithoutBlocks) {
  const BlockMatrix m = block_matrix(SparseMatrix(0, 0), std::vector<Index>{0});
  EXPECT_EQ(m.blocks(), 0);
  EXPECT_TRUE(connected_blocks(m).empty());
  VecX y;
  multiply(m, VecX(0), y);
  EXPECT_EQ(y.size(), 0);
}

TEST(BlockMatrix, MultipliesAsTheDenseMatrix) {
  Rng rng(1);
  for (int k = 0; k < 50; ++k) {
    const SparseMatrix s = random_sparse(rng, 12, rng.uniform());
    const BlockMatrix m = block_matrix(s, offset);
    VecX x(12), y;
    for (double& value : x) value = rng.normal();
    multiply(m, x, y);
    const MatX full = s;
    const VecX expected = full * x;
    EXPECT_LE((y - expected).norm(), 1e-14 * (1 + full.norm() * x.norm()));
    for (Index i = 0; i < m.blocks(); ++i) {
      const Index at = m.offset[i], n = m.rows_of(i);
      VecX row = VecX::Constant(n, 2);
      add_row_without_diagonal(m, i, x.data(), row.data());
      const VecX rest = expected.segment(at, n) - full.block(at, at, n, n) * x.segment(at, n);
      EXPECT_LE((row - rest - VecX::Constant(n, 2)).norm(), 1e-13 * (1 + full.norm() * x.norm()));
    }
  }
}

TEST(BlockMatrix, SubMatrixKeepsRowsAndColumns) {
  Rng rng(2);
  const SparseMatrix s = random_sparse(rng, 12, 0.5);
  const BlockMatrix part = sub_matrix(block_matrix(s, offset), std::vector<Index>{1, 3});
  EXPECT_EQ(part.offset, (std::vector<Index>{0, 3, 9}));
  const MatX full = s;
  MatX expected(9, 9);
  expected << full.block(1, 1, 3, 3), full.block(1, 6, 3, 6), full.block(6, 1, 6, 3),
      full.block(6, 6, 6, 6);
  EXPECT_EQ(dense(part), expected);
  // Into memory that has been used, by a name list that is left clean.
  std::vector<Index> renamed;
  BlockMatrix again = block_matrix(s, offset);
  sub_matrix(block_matrix(s, offset), std::vector<Index>{1, 3}, renamed, again);
  EXPECT_EQ(dense(again), expected);
  EXPECT_EQ(renamed, std::vector<Index>(4, -1));
}

TEST(BlockMatrix, ConnectedBlocksFollowEntriesInEitherDirection) {
  const auto parts = connected_blocks(block_matrix(example(), offset));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0], (std::vector<Index>{0, 1, 3})) << "(3, 0) has no mirror, and connects";
  EXPECT_EQ(parts[1], (std::vector<Index>{2}));
}

}  // namespace
}  // namespace tact
