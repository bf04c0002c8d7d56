// linalg/growing_qr.hpp - an orthogonal factorisation that takes columns one by one and gives the
// last ones back. Active sets live on it.
#pragma once

#include <utility>

#include "tact/linalg/types.hpp"

namespace tact {

class GrowingQr {
 public:
  /// At most this many columns, of so many rows.
  GrowingQr(Index rows, Index most) : q_(rows, most), r_(MatX::Zero(most, most)) {}

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] auto basis() const { return q_.leftCols(size_); }
  [[nodiscard]] auto upper() const { return corner().triangularView<Eigen::Upper>(); }
  /// R'.
  [[nodiscard]] auto lower() const { return corner().transpose().triangularView<Eigen::Lower>(); }

  /// A column as Q along + beside, by Gram-Schmidt, twice.
  struct Split {
    VecX along, beside;
    double rest = 0;  ///< |beside|; zero when there is no room for the column
  };
  [[nodiscard]] Split split(VecX column) const {
    Split out{VecX::Zero(size_), std::move(column), 0};
    for (int twice = 0; twice < 2; ++twice) {
      const VecX c = basis().transpose() * out.beside;
      out.beside -= basis() * c;
      out.along += c;
    }
    out.rest = size_ < q_.cols() ? out.beside.norm() : 0.0;
    return out;
  }

  /// The column of a split of this factorisation, rest > 0, becomes its last.
  void append(const Split& column) {
    q_.col(size_) = column.beside / column.rest;
    r_.col(size_).head(size_) = column.along;
    r_(size_, size_) = column.rest;
    ++size_;
  }

  /// False, and nothing changes, when a column of length one has no more than `least` beside the
  /// others.
  [[nodiscard]] bool join(VecX column, double least) {
    const Split parts = split(std::move(column));
    if (!(parts.rest > least)) return false;
    append(parts);
    return true;
  }

  /// Only the first `count` columns stay.
  void keep(Index count) { size_ = count; }

 private:
  [[nodiscard]] Eigen::Block<const MatX> corner() const { return r_.topLeftCorner(size_, size_); }

  MatX q_, r_;  ///< room; the first `size_` columns count
  Index size_ = 0;
};

}  // namespace tact
