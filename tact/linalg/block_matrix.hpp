// linalg/block_matrix.hpp - a square sparse matrix of small dense blocks, one row of blocks per
// contact.
//
// Why not a scalar sparse matrix: a contact is visited as a whole, so its blocks lie in one piece
// of memory and need one index each instead of nine. A dense matrix is the case where every block
// is stored.
#pragma once

#include <span>
#include <vector>

#include "tact/linalg/sparse.hpp"

namespace tact {

struct BlockMatrix {
  using Block = Eigen::Map<const MatX>;

  std::vector<Index> offset{0};     ///< first scalar row of each block row, and the size at the end
  std::vector<Index> row_begin{0};  ///< first entry of each block row, and their number at the end
  std::vector<Index> col;           ///< block column of each entry, ascending within a row
  std::vector<Index> at;            ///< where the entry's values start; column-major
  std::vector<Index> diagonal;      ///< the entry (i, i), always stored
  std::vector<double> values;

  [[nodiscard]] Index blocks() const { return static_cast<Index>(diagonal.size()); }
  [[nodiscard]] Index size() const { return offset.back(); }
  [[nodiscard]] Index rows_of(Index i) const { return offset[i + 1] - offset[i]; }
  [[nodiscard]] Block block(Index row, Index entry) const {
    return {values.data() + at[entry], rows_of(row), rows_of(col[entry])};
  }
  [[nodiscard]] Block diagonal_block(Index i) const { return block(i, diagonal[i]); }
};

/// No blocks; what was allocated stays.
void clear(BlockMatrix& m);

/// One more row of blocks, with `block` (square, column by column) on the diagonal alone.
void append_diagonal(const double* block, Index rows, BlockMatrix& m);

/// The blocks of m that have an entry, and all diagonal ones. offset: see BlockMatrix.
[[nodiscard]] BlockMatrix block_matrix(const SparseMatrix& m, std::span<const Index> offset);

/// The rows and columns of the blocks `keep`, ascending.
[[nodiscard]] BlockMatrix sub_matrix(const BlockMatrix& m, std::span<const Index> keep);
/// The same into `out`, another matrix, which grows only if it has to. `renamed` is scratch that
/// holds nothing but -1, and is left so.
void sub_matrix(const BlockMatrix& m, std::span<const Index> keep, std::vector<Index>& renamed,
                BlockMatrix& out);

/// y = A x.
void multiply(const BlockMatrix& a, const VecX& x, VecX& y);

/// The segment of A x that belongs to block row i, its own block left out, added to y.
void add_row_without_diagonal(const BlockMatrix& a, Index i, const double* x, double* y);

/// Sets of blocks that no entry connects, each ascending, ordered by their first block.
[[nodiscard]] std::vector<std::vector<Index>> connected_blocks(const BlockMatrix& m);

}  // namespace tact
