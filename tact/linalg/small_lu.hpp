// linalg/small_lu.hpp - LU of a dense matrix of a few tens of rows, with row pivots.
//
// Eigen's is blocked for caches that such a matrix never leaves, and takes three to four times as
// long at twenty rows. Storage is kept: factoring again allocates nothing.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "tact/base/expects.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

class SmallLu {
 public:
  /// A = PᵀLU. False where a pivot is zero or not finite: there is then no factor.
  bool factor(const MatX& A) {
    TACT_EXPECTS(A.rows() == A.cols());
    lu_ = A;
    const Index n = lu_.rows();
    swap_.resize(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) {
      double* column = lu_.col(k).data();
      Index pivot = k;
      for (Index i = k + 1; i < n; ++i)
        if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
      swap_[k] = pivot;
      if (!(std::abs(column[pivot]) > 0) || !std::isfinite(column[pivot])) return false;
      if (pivot != k) lu_.row(k).swap(lu_.row(pivot));
      const Index below = n - k - 1;
      auto multipliers = lu_.col(k).tail(below);
      multipliers *= 1 / column[k];
      for (Index j = k + 1; j < n; ++j)
        if (const double factor = lu_(k, j); factor != 0)
          lu_.col(j).tail(below).noalias() -= factor * multipliers;
    }
    return true;
  }

  /// x = A⁻¹x.
  void solve_in_place(Eigen::Ref<VecX> x) const {
    const Index n = lu_.rows();
    TACT_EXPECTS(x.size() == n);
    for (Index k = 0; k < n; ++k) std::swap(x[k], x[swap_[k]]);
    for (Index k = 0; k < n; ++k) x.tail(n - k - 1).noalias() -= x[k] * lu_.col(k).tail(n - k - 1);
    for (Index k = n; k-- > 0;) {
      x[k] /= lu_(k, k);
      x.head(k).noalias() -= x[k] * lu_.col(k).head(k);
    }
  }

  /// X = A⁻¹B.
  void solve(const MatX& B, MatX& X) const {
    X = B;
    for (Index c = 0; c < X.cols(); ++c) solve_in_place(X.col(c));
  }

 private:
  MatX lu_;  ///< U above, L below the diagonal, whose own is one
  std::vector<Index> swap_;
};

}  // namespace tact
