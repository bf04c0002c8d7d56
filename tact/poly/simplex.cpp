// poly/simplex.cpp - Dantzig's rule, Bland's when that gets nowhere, and a basis made new at the
// end.
#include "tact/poly/simplex.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {

Simplex::Simplex(const MatX& A, const VecX& b, const std::vector<Index>& start)
    : a_(A),
      b_(b),
      length_(A.colwise().norm()),
      rank_(std::min(A.rows(), A.cols())),
      qr_(A.rows(), rank_) {
  TACT_EXPECTS(A.rows() == b.size());
  // A column of zeros stays one: it joins no basis, and is a ray by itself.
  for (Index j = 0; j < a_.cols(); ++j) {
    if (!(length_[j] > 0)) length_[j] = 1;
    a_.col(j) /= length_[j];
  }
  basic_.assign(static_cast<std::size_t>(a_.cols()), false);
  choose_basis(start);
  make_table();
}

/// The columns of the start, then whatever widens their span most.
void Simplex::choose_basis(const std::vector<Index>& start) {
  for (const Index j : start) join(j);
  if (static_cast<Index>(basis_.size()) == rank_) return;
  VecX left = outside();
  bool fresh = true;
  while (static_cast<Index>(basis_.size()) < rank_) {
    Index j = -1;
    const double most = left.maxCoeff(&j);
    // The running lengths are differences of squares: near zero they are measured again.
    if (!fresh && most < tolerance::rank) {
      left = outside();
      fresh = true;
      continue;
    }
    if (!(most > tolerance::rank * tolerance::rank)) break;
    left[j] = -1;
    if (!join(j)) continue;
    fresh = false;
    const VecX along = a_.transpose() * qr_.basis().rightCols<1>();
    for (Index k = 0; k < a_.cols(); ++k)
      if (left[k] >= 0) left[k] = std::max(left[k] - along[k] * along[k], 0.0);
  }
  rank_ = static_cast<Index>(basis_.size());
}

/// What every column has outside of the span of the basis, by the square of its length; -1 for
/// columns that are not asked.
VecX Simplex::outside() const {
  const MatX rest = a_ - qr_.basis() * (qr_.basis().transpose() * a_);
  VecX left = rest.colwise().squaredNorm();
  for (Index j = 0; j < a_.cols(); ++j)
    if (basic_[j]) left[j] = -1;
  return left;
}

/// False when the column depends on the basis.
bool Simplex::join(Index column) {
  if (basic_[column] || !qr_.join(a_.col(column), tolerance::rank)) return false;
  basis_.push_back(column);
  basic_[column] = true;
  return true;
}

/// B⁻¹ A and B⁻¹ b from the factors of the basis.
void Simplex::make_table() {
  table_ = qr_.upper().solve(qr_.basis().transpose() * a_);
  value_ = qr_.upper().solve(qr_.basis().transpose() * b_);
  for (Index i = 0; i < qr_.size(); ++i) {
    table_.col(basis_[i]).setZero();
    table_(i, basis_[i]) = 1;
    value_[i] = std::max(value_[i], 0.0);
  }
}

void Simplex::price(const VecX& c) {
  reduced_ = c;
  for (Index i = 0; i < table_.rows(); ++i)
    if (c[basis_[i]] != 0) reduced_ -= c[basis_[i]] * table_.row(i).transpose();
  for (const Index j : basis_) reduced_[j] = 0;
}

Index Simplex::entering(bool bland) const {
  Index best = -1;
  double least = -tolerance::tie;
  for (Index j = 0; j < reduced_.size(); ++j) {
    if (!(reduced_[j] < least)) continue;
    best = j;
    if (bland) break;
    least = reduced_[j];
  }
  return best;
}

Index Simplex::leaving(Index column, bool bland) const {
  Index best = -1;
  double least = 0;
  for (Index i = 0; i < table_.rows(); ++i) {
    const double p = table_(i, column);
    if (!(p > tolerance::pivot)) continue;
    const double ratio = value_[i] / p;
    const bool tied = best >= 0 && std::abs(ratio - least) <= tolerance::tie * std::abs(least);
    if (best < 0 || (!tied && ratio < least) ||
        (tied && (bland ? basis_[i] < basis_[best] : p > table_(best, column)))) {
      best = i;
      least = ratio;
    }
  }
  return best;
}

void Simplex::pivot(Index row, Index column) {
  basic_[basis_[row]] = false;
  basis_[row] = column;
  basic_[column] = true;
  const double inverse = 1 / table_(row, column);
  table_.row(row) *= inverse;
  value_[row] *= inverse;
  table_(row, column) = 1;
  for (Index i = 0; i < table_.rows(); ++i) {
    const double factor = table_(i, column);
    if (i == row || factor == 0) continue;
    table_.row(i) -= factor * table_.row(row);
    table_(i, column) = 0;
    value_[i] = std::max(value_[i] - factor * value_[row], 0.0);
  }
  const double factor = reduced_[column];
  reduced_ -= factor * table_.row(row).transpose();
  reduced_[column] = 0;
}

SimplexAnswer::End Simplex::climb(int& pivots) {
  // Dantzig's rule needs about two pivots a row; one that is still going after ten stalls.
  const auto patient = static_cast<int>(10 * (table_.rows() + 5));
  const int limit = 10 * patient;
  for (int k = 0; k < limit; ++k) {
    const bool bland = k > patient;
    const Index column = entering(bland);
    if (column < 0) return SimplexAnswer::End::optimal;
    const Index row = leaving(column, bland);
    if (row < 0) {
      entered_ = column;
      return SimplexAnswer::End::unbounded;
    }
    pivot(row, column);
    ++pivots;
  }
  return SimplexAnswer::End::gave_up;
}

VecX Simplex::point() const {
  VecX x = VecX::Zero(a_.cols());
  for (Index i = 0; i < value_.size(); ++i) x[basis_[i]] = value_[i] / length_[basis_[i]];
  return x;
}

VecX Simplex::unbounded_ray() const {
  VecX ray = VecX::Zero(a_.cols());
  ray[entered_] = 1 / length_[entered_];
  for (Index i = 0; i < table_.rows(); ++i) {
    const double share = -table_(i, entered_);  // less than a tie is rounding
    if (share > tolerance::tie) ray[basis_[i]] = share / length_[basis_[i]];
  }
  return ray;
}

SimplexAnswer Simplex::minimise(const VecX& c) {
  TACT_EXPECTS(c.size() == a_.cols());
  SimplexAnswer out;
  // In units of its largest entry, per column of length one.
  cost_ = c.cwiseQuotient(length_);
  const double size = cost_.size() > 0 ? cost_.lpNorm<Eigen::Infinity>() : 0;
  if (size > 0) cost_ /= size;
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    price(cost_);
    const int before = out.pivots;
    out.end = climb(out.pivots);
    if (out.pivots == before && round > 0) break;
    // The same basis, made new: what the pivots rounded away comes back.
    const std::vector<Index> basis = basis_;
    basis_.clear();
    qr_.keep(0);
    std::fill(basic_.begin(), basic_.end(), false);
    choose_basis(basis);
    make_table();
  }
  out.x = point();
  if (out.end == SimplexAnswer::End::unbounded) out.ray = unbounded_ray();
  if (out.end != SimplexAnswer::End::optimal) return out;
  VecX own(qr_.size());
  for (Index i = 0; i < qr_.size(); ++i) own[i] = cost_[basis_[i]];
  out.prices = size * (qr_.basis() * qr_.lower().solve(own));
  return out;
}

}  // namespace tact
