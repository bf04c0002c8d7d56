// linalg/metric.hpp - a symmetric positive definite matrix that measures: |x|_M² = x'Mx.
//
// Both triangular factors are kept because cones over a plane need the first and their duals the
// second:  M = U'U  and  M = WW'  with U and W upper triangular.
#pragma once

#include <cmath>
#include <string>

#include <Eigen/Core>

#include "tact/base/expects.hpp"
#include "tact/base/result.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

template <int N>
class Metric {
 public:
  using Matrix = Eigen::Matrix<double, N, N>;
  using Vector = Eigen::Matrix<double, N, 1>;

  /// The Euclidean metric; of size zero when N is dynamic.
  Metric() : Metric(N == Eigen::Dynamic ? 0 : Index{N}) {}
  explicit Metric(Index size)
      : matrix_(Matrix::Identity(size, size)), upper_(matrix_), reverse_(matrix_) {}

  /// Refuses a matrix that is not finite, not symmetric or not positive definite.
  [[nodiscard]] static Result<Metric> from_matrix(const Matrix& m) {
    if (m.rows() != m.cols()) return Error{Errc::value, "a metric must be a square matrix"};
    if (!m.allFinite()) return Error{Errc::value, "a metric must have finite entries"};
    const double size = m.cwiseAbs().maxCoeff();
    if ((m - m.transpose()).cwiseAbs().maxCoeff() > tolerance::symmetry * size)
      return Error{Errc::value, "a metric must be symmetric"};
    Metric metric;
    if (!metric.factor(m)) return Error{Errc::value, "a metric must be positive definite"};
    return metric;
  }

  /// For hot loops: the caller knows that m is symmetric positive definite (a diagonal block of a
  /// Delassus matrix, say). Breaks the contract otherwise.
  [[nodiscard]] static Metric from_spd(const Matrix& m) {
    Metric metric;
    TACT_EXPECTS(metric.factor(m));
    return metric;
  }

  [[nodiscard]] const Matrix& matrix() const { return matrix_; }
  [[nodiscard]] const Matrix& upper() const { return upper_; }      ///< U, M = U'U
  [[nodiscard]] const Matrix& reverse() const { return reverse_; }  ///< W, M = WW'

  /// W^-1, upper triangular: the factor U of the inverse metric, M^-1 = U'U.
  [[nodiscard]] Matrix inverse_upper() const {
    return reverse_.template triangularView<Eigen::Upper>().solve(
        Matrix::Identity(reverse_.rows(), reverse_.cols()));
  }

  [[nodiscard]] double norm(const Vector& x) const {
    return (upper_.template triangularView<Eigen::Upper>() * x).norm();
  }
  [[nodiscard]] double dot(const Vector& x, const Vector& y) const { return x.dot(matrix_ * y); }
  [[nodiscard]] Vector apply(const Vector& x) const { return matrix_ * x; }
  [[nodiscard]] Vector solve(const Vector& x) const {
    const Vector half = upper_.template triangularView<Eigen::Upper>().transpose().solve(x);
    return upper_.template triangularView<Eigen::Upper>().solve(half);
  }

 private:
  bool factor(const Matrix& m) {
    const Index n = m.rows();
    matrix_ = m;
    upper_ = Matrix::Zero(n, n);
    reverse_ = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
      const double pivot = m(i, i) - upper_.col(i).head(i).squaredNorm();
      if (!(pivot > tolerance::epsilon * m(i, i))) return false;
      upper_(i, i) = std::sqrt(pivot);
      for (Index j = i + 1; j < n; ++j)
        upper_(i, j) = (m(i, j) - upper_.col(i).head(i).dot(upper_.col(j).head(i))) / upper_(i, i);
    }
    for (Index i = n - 1; i >= 0; --i) {
      const Index tail = n - 1 - i;
      const double pivot = m(i, i) - reverse_.row(i).tail(tail).squaredNorm();
      if (!(pivot > tolerance::epsilon * m(i, i))) return false;
      reverse_(i, i) = std::sqrt(pivot);
      for (Index j = 0; j < i; ++j)
        reverse_(j, i) =
            (m(j, i) - reverse_.row(i).tail(tail).dot(reverse_.row(j).tail(tail))) / reverse_(i, i);
    }
    return true;
  }

  Matrix matrix_, upper_, reverse_;
};

}  // namespace tact
