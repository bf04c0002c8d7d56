// linalg/nnls.cpp - one factorisation that grows and shrinks with the columns in use.
#include "tact/linalg/nnls.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/growing_qr.hpp"

namespace tact {
namespace {

class ActiveSet {
 public:
  ActiveSet(const MatX& A, const VecX& b)
      : a_(A), b_(b), qr_(A.rows(), std::min(A.rows(), A.cols())) {
    length_ = A.colwise().norm();
    for (Index j = 0; j < A.cols(); ++j)
      if (length_[j] > 0) a_.col(j) /= length_[j];
    x_.setZero(A.cols());
    barred_.assign(A.cols(), false);
    for (Index j = 0; j < A.cols(); ++j) barred_[j] = !(length_[j] > 0);
    residual_ = b;
  }

  /// The column with the largest gradient that may join, or -1.
  [[nodiscard]] Index candidate() const {
    Index best = -1;
    double most = tolerance::rounding * b_.norm();
    for (Index j = 0; j < a_.cols(); ++j) {
      if (barred_[j] || joined(j)) continue;
      const double gradient = a_.col(j).dot(residual_);
      if (gradient > most) {
        most = gradient;
        best = j;
      }
    }
    return best;
  }

  void bar(Index j) { barred_[j] = true; }

  /// Columns barred for the last step may be asked again.
  void unbar() {
    for (Index j = 0; j < a_.cols(); ++j) barred_[j] = !(length_[j] > 0);
  }

  /// False when the column depends on those in use.
  [[nodiscard]] bool join(Index j) {
    if (!qr_.join(a_.col(j), tolerance::rank)) return false;
    set_.push_back(j);
    return true;
  }

  void drop_last() {
    set_.pop_back();
    qr_.keep(qr_.size() - 1);
  }

  /// Least squares on the columns in use.
  [[nodiscard]] VecX unconstrained() const {
    return qr_.upper().solve(qr_.basis().transpose() * b_);
  }

  /// Moves to the unconstrained optimum, dropping what becomes zero on the way.
  void advance() {
    for (;;) {
      const VecX s = unconstrained();
      double t = 1;
      for (Index k = 0; k < s.size(); ++k) {
        const double x = x_[set_[k]];
        if (s[k] <= 0) t = std::min(t, x / (x - s[k]));
      }
      for (Index k = 0; k < s.size(); ++k) x_[set_[k]] += t * (s[k] - x_[set_[k]]);
      if (t == 1) break;
      std::vector<Index> kept;
      for (Index k = 0; k < s.size(); ++k) {
        const Index j = set_[k];
        if (s[k] <= 0 && x_[j] <= tolerance::rounding * std::abs(s[k]))
          x_[j] = 0;
        else
          kept.push_back(j);
      }
      rebuild(kept);
    }
    residual_ = b_;
    for (const Index j : set_) residual_ -= x_[j] * a_.col(j);
  }

  [[nodiscard]] double last() const { return unconstrained()[static_cast<Index>(set_.size()) - 1]; }

  [[nodiscard]] Nnls result(bool converged) const {
    Nnls out;
    out.x = x_;
    for (Index j = 0; j < x_.size(); ++j)
      if (length_[j] > 0) out.x[j] /= length_[j];
    out.residual = residual_;
    out.positive = set_;
    out.converged = converged;
    return out;
  }

 private:
  [[nodiscard]] bool joined(Index j) const {
    return std::find(set_.begin(), set_.end(), j) != set_.end();
  }

  void rebuild(const std::vector<Index>& kept) {
    std::size_t same = 0;
    while (same < kept.size() && same < set_.size() && kept[same] == set_[same]) ++same;
    set_.resize(same);
    qr_.keep(static_cast<Index>(same));
    for (std::size_t k = same; k < kept.size(); ++k)
      if (!join(kept[k])) x_[kept[k]] = 0;
  }

  MatX a_;
  const VecX& b_;
  GrowingQr qr_;  ///< of the columns in use
  VecX length_, x_, residual_;
  std::vector<bool> barred_;
  std::vector<Index> set_;
};

}  // namespace

Nnls nnls(const MatX& A, const VecX& b) {
  TACT_EXPECTS(A.rows() == b.size());
  ActiveSet active(A, b);
  constexpr int per_column = 20;
  const int most = per_column * static_cast<int>(A.cols() + 1);
  for (int step = 0; step < most; ++step) {
    const Index j = active.candidate();
    if (j < 0) return active.result(true);
    if (!active.join(j)) {
      active.bar(j);
      continue;
    }
    // Rounding can show a gradient where there is none: the column would leave at once.
    if (!(active.last() > 0)) {
      active.drop_last();
      active.bar(j);
      continue;
    }
    active.advance();
    active.unbar();
  }
  return active.result(false);
}

}  // namespace tact
