// linalg/block_lu.hpp - sparse LU of a matrix of small blocks, pattern analysed once, numbers many
// times; of a symmetric matrix from its upper half.
//
// Made for Newton's method on contact problems: the pattern (which contacts share a body) stays,
// the numbers change in every iteration, and nothing may be allocated. Blocks with the same
// neighbours (the points of one face) are merged into one larger block before the elimination
// order is chosen by approximate minimum degree; a full matrix becomes a single block. Rows are
// exchanged within a merged block only: the matrices in view are a positive semidefinite matrix
// plus a small multiple of the diagonal, up to the row operations of the contact laws.
#pragma once

#include <span>
#include <vector>

#include "tact/linalg/block_matrix.hpp"

namespace tact {

class BlockLu {
 public:
  /// Symbolic analysis of the pattern of `a`, made symmetric.
  void analyse(const BlockMatrix& a);

  /// Whether analyse() was called for a matrix of this pattern.
  [[nodiscard]] bool fits(const BlockMatrix& a) const;

  /// Sets the matrix to zero, to be filled with add(). A symmetric one asks for half the work, and
  /// only for the entries that are read.
  void clear(bool symmetric = false);
  /// Whether an entry of the analysed BlockMatrix is read: of two that mirror each other in a
  /// symmetric matrix one is.
  [[nodiscard]] bool reads(Index entry) const { return !symmetric_ || slots_[entry].upper; }
  /// Adds a block at (i, j) of the original blocks; the place must be in the analysed pattern.
  /// `entry` is the index of (i, j) in the analysed BlockMatrix.
  template <class Block>
  void add(Index i, Index entry, const Block& block) {
    const Slot& slot = slots_[entry];
    if constexpr (Block::RowsAtCompileTime > 0 && Block::ColsAtCompileTime > 0)
      Eigen::Map<Eigen::Matrix<double, Block::RowsAtCompileTime, Block::ColsAtCompileTime>, 0,
                 Eigen::OuterStride<>>(values_.data() + slot.at,
                                       Eigen::OuterStride<>(slot.stride)) += block;
    else
      Eigen::Map<MatX, 0, Eigen::OuterStride<>>(values_.data() + slot.at, offset_rows_[i],
                                                block.cols(), Eigen::OuterStride<>(slot.stride)) +=
          block;
  }

  /// Where the numbers of an entry of the analysed BlockMatrix lie: column-major, `stride` numbers
  /// from one column to the next. For those who add to it without a block of their own.
  [[nodiscard]] double* place(Index entry, Index& stride) {
    stride = slots_[entry].stride;
    return values_.data() + slots_[entry].at;
  }

  /// Factors in place. False when a pivot vanishes.
  [[nodiscard]] bool factor();
  /// x <- A⁻¹ x.
  void solve(VecX& x);

  /// Numbers kept: a solve costs two operations for each.
  [[nodiscard]] Index stored() const { return static_cast<Index>(values_.size()); }
  /// Multiplications of one factorisation.
  [[nodiscard]] double multiplications() const { return multiplications_; }

 private:
  struct Slot {
    Index at = 0, stride = 1;
    bool upper = true;  ///< at or above the diagonal, in elimination order
  };
  struct Node {
    Index begin = 0, size = 0;                       ///< scalar rows in elimination order
    Index row_begin = 0, diagonal = 0, row_end = 0;  ///< entries: below, at and above the diagonal
  };
  void store(const std::vector<std::vector<Index>>& upper);
  void note_mirrors();
  bool factor_diagonal(Index k);

  std::vector<Index> offset_{-1}, row_begin_, pattern_;  ///< of the analysed matrix
  std::vector<Slot> slots_;                              ///< of every entry of the analysed matrix
  std::vector<Index> offset_rows_;                       ///< rows of every original block
  std::vector<Index> permutation_;  ///< original scalar row -> place in elimination order
  std::vector<Node> nodes_;         ///< merged blocks in elimination order
  std::vector<Index> col_, at_;     ///< of every stored entry: node and start of its values
  std::vector<Index> mirror_;       ///< of every entry below the diagonal: the one above
  std::vector<double> values_;
  std::vector<int> pivots_;
  std::vector<Index> place_;  ///< scratch: entry of the current row by node
  VecX permuted_;
  double multiplications_ = 0;
  bool symmetric_ = false;
};

}  // namespace tact
