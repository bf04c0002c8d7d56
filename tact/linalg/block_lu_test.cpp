#include "tact/linalg/block_lu.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

struct Case {
  BlockMatrix a;
  MatX dense;
};

/// Blocks of 1, 2, 3 or 6 rows; a share of the pairs is coupled, from both sides or from one. The
/// diagonal outweighs the rest: rows are exchanged within a block only.
Case random_case(Rng& rng, int blocks, double share) {
  constexpr Index sizes[] = {1, 2, 3, 6};
  std::vector<Index> offset{0};
  for (int i = 0; i < blocks; ++i) offset.push_back(offset.back() + sizes[rng.below(4)]);
  MatX m = MatX::Zero(offset.back(), offset.back());
  for (int i = 0; i < blocks; ++i)
    for (int j = 0; j < blocks; ++j) {
      if (i != j && rng.uniform() >= share) continue;
      const double size = i == j ? 4.0 : 1.0;
      for (Index r = offset[i]; r < offset[i + 1]; ++r)
        for (Index c = offset[j]; c < offset[j + 1]; ++c) m(r, c) = size * rng.normal();
    }
  for (int i = 0; i < blocks; ++i)  // regular, with its largest entries off the diagonal
    for (Index r = offset[i]; r < offset[i + 1]; ++r)
      m(r, offset[i] + offset[i + 1] - 1 - r) += 8.0 * static_cast<double>(blocks);
  return {block_matrix(sparse(m), offset), m};
}

void fill(BlockLu& lu, const BlockMatrix& a, double factor = 1) {
  lu.clear();
  for (Index i = 0; i < a.blocks(); ++i)
    for (Index e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
      lu.add(i, e, MatX(factor * a.block(i, e)));
}

VecX random_vector(Rng& rng, Index size) {
  VecX x(size);
  for (double& value : x) value = rng.normal();
  return x;
}

/// Error relative to what the dense factorisation leaves at this condition.
void expect_solves(BlockLu& lu, const MatX& m, Rng& rng) {
  const VecX b = random_vector(rng, m.rows());
  VecX x = b;
  lu.solve(x);
  const VecX expected = m.partialPivLu().solve(b);
  const double size = m.norm() * expected.norm() + b.norm();
  EXPECT_LE((m * x - b).norm(), 1e3 * tolerance::epsilon * size);
  EXPECT_LE((x - expected).norm(), 1e-9 * expected.norm());
}

TEST(BlockLu, ByHand) {
  MatX m(2, 2);
  m << 0, 2, 4, 0;  // one merged block, and the rows must be exchanged
  const BlockMatrix a = block_matrix(sparse(m), std::vector<Index>{0, 1, 2});
  BlockLu lu;
  EXPECT_FALSE(lu.fits(a));
  lu.analyse(a);
  EXPECT_TRUE(lu.fits(a));
  EXPECT_EQ(lu.stored(), 4);
  fill(lu, a);
  ASSERT_TRUE(lu.factor());
  VecX x = Vec2(2, 8);
  lu.solve(x);
  EXPECT_EQ(x, VecX(Vec2(2, 1)));
}

TEST(BlockLu, AsTheDenseFactorOnEveryPattern) {
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const int blocks = 1 + static_cast<int>(rng.below(25));
    const double share = k % 4 == 0 ? 1.0 : rng.uniform(0, 0.3);
    const Case c = random_case(rng, blocks, share);
    SCOPED_TRACE(k);
    BlockLu lu;
    lu.analyse(c.a);
    fill(lu, c.a);
    ASSERT_TRUE(lu.factor());
    expect_solves(lu, c.dense, rng);
  }
}

TEST(BlockLu, FilledAgainAndReusedForAnotherPattern) {
  Rng rng(2);
  BlockLu lu;
  for (int k = 0; k < 30; ++k) {
    const Case c = random_case(rng, 2 + static_cast<int>(rng.below(12)), 0.2);
    lu.analyse(c.a);
    for (const double factor : {1.0, -3.0, 0.25}) {
      fill(lu, c.a, factor);
      ASSERT_TRUE(lu.factor());
      expect_solves(lu, factor * c.dense, rng);
      expect_solves(lu, factor * c.dense, rng);  // the factor outlives a solve
    }
  }
}

/// Of a symmetric matrix only the entries that are read are given.
TEST(BlockLu, SymmetricFromItsUpperHalf) {
  Rng rng(4);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    Case c = random_case(rng, 1 + static_cast<int>(rng.below(25)), rng.uniform(0, 0.4));
    const MatX m = c.dense + c.dense.transpose();
    c.a = block_matrix(sparse(m), c.a.offset);
    BlockLu lu;
    lu.analyse(c.a);
    for (const bool symmetric : {true, false, true}) {
      lu.clear(symmetric);
      Index read = 0, entries = 0;
      for (Index i = 0; i < c.a.blocks(); ++i)
        for (Index e = c.a.row_begin[i]; e < c.a.row_begin[i + 1]; ++e, ++entries)
          if (lu.reads(e)) lu.add(i, e, MatX(c.a.block(i, e))), ++read;
      // Within merged blocks all entries are read.
      EXPECT_GE(2 * read, entries + c.a.blocks());
      EXPECT_TRUE(symmetric || read == entries);
      ASSERT_TRUE(lu.factor());
      expect_solves(lu, m, rng);
    }
  }
}

TEST(BlockLu, AddSums) {
  Rng rng(3);
  const Case c = random_case(rng, 6, 0.5);
  BlockLu lu;
  lu.analyse(c.a);
  fill(lu, c.a);
  for (Index i = 0; i < c.a.blocks(); ++i)
    lu.add(i, c.a.diagonal[i], MatX(MatX::Identity(c.a.rows_of(i), c.a.rows_of(i))));
  ASSERT_TRUE(lu.factor());
  expect_solves(lu, c.dense + MatX::Identity(c.dense.rows(), c.dense.rows()), rng);
}

TEST(BlockLu, SaysWhenAPivotVanishes) {
  MatX m = MatX::Identity(6, 6);
  m.block<3, 3>(3, 3) << 1, 2, 3, 2, 4, 6, 1, 1, 1;
  const BlockMatrix a = block_matrix(sparse(m), std::vector<Index>{0, 3, 6});
  BlockLu lu;
  lu.analyse(a);
  fill(lu, a);
  EXPECT_FALSE(lu.factor());
  lu.clear();
  EXPECT_FALSE(lu.factor()) << "a matrix of zeros";
  MatX good = m;
  good(4, 4) = 5;
  fill(lu, block_matrix(sparse(good), std::vector<Index>{0, 3, 6}));
  EXPECT_TRUE(lu.factor()) << "and recovers";
}

TEST(BlockLu, PointsOfOneFaceBecomeOneBlockAndChainsStayThin) {
  constexpr Index n = 40;
  std::vector<Index> offset;
  for (Index i = 0; i <= n; ++i) offset.push_back(3 * i);
  MatX chain = 4 * MatX::Identity(3 * n, 3 * n);
  for (Index i = 0; i + 3 < 3 * n; ++i) chain(i, i + 3) = chain(i + 3, i) = 1;
  BlockLu lu;
  lu.analyse(block_matrix(sparse(chain), offset));
  EXPECT_EQ(lu.stored(), 9 * (n + 2 * (n - 1))) << "no fill in a chain";
  lu.analyse(block_matrix(sparse(MatX::Ones(3 * n, 3 * n)), offset));
  EXPECT_EQ(lu.stored(), 9 * n * n);
  EXPECT_GT(lu.multiplications(), 1e4);
}

TEST(BlockLu, WithoutBlocks) {
  BlockLu lu;
  const BlockMatrix a = block_matrix(SparseMatrix(0, 0), std::vector<Index>{0});
  lu.analyse(a);
  lu.clear();
  EXPECT_TRUE(lu.factor());
  VecX x(0);
  lu.solve(x);
}

}  // namespace
}  // namespace tact
