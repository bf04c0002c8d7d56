// poly/roots.hpp - the real roots of a polynomial of small degree in an interval.
//
// The roots of the derivative cut the interval into monotone pieces; each piece with a change of
// sign holds one root, found by Newton's method within a shrinking bracket. Values are computed as
// if in twice the precision (compensated Horner scheme), so that a simple root is the root of the
// coefficients as given, to a unit or two in the last place.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace tact {

inline constexpr std::size_t max_root_degree = 8;

/// Roots in ascending order, on the stack.
class RootList {
 public:
  void push_back(double x) { values_[size_++] = x; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] double operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] double back() const { return values_[size_ - 1]; }
  [[nodiscard]] const double* begin() const { return values_.data(); }
  [[nodiscard]] const double* end() const { return values_.data() + size_; }

 private:
  std::array<double, max_root_degree> values_{};
  std::size_t size_ = 0;
};

/// p(x) = c[0] + c[1] x + ... + c[n] xⁿ, rounded once if it does not nearly cancel in twice the
/// precision.
[[nodiscard]] double evaluate(std::span<const double> coefficients, double x);

/// The distinct roots of p in [low, high]; an end counts if p is exactly zero there. Degree up to
/// 8; leading zeros are fine. Σ |c[i] xⁱ| must not overflow in the interval.
///
/// A root of even multiplicity inside the interval is never missed: where p touches zero within the
/// rounding of its coefficients it is reported once, where rounding has split it into two simple
/// roots both are reported. A multiple root is determined by the coefficients only to the
/// corresponding root of epsilon. The zero polynomial has no isolated root: nothing is reported.
[[nodiscard]] RootList real_roots(std::span<const double> coefficients, double low, double high);

}  // namespace tact
