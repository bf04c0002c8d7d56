// poly/expansion.hpp - sums of doubles without rounding: error-free transformations.
//
// Reference: Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates" (1997). Valid in round-to-nearest without contraction, as long as nothing overflows
// and no product has a non-zero part below the least subnormal.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace tact {

/// head + tail, exactly; |tail| is at most half a unit in the last place of head.
struct TwoDoubles {
  double head;
  double tail;
};

/// a + b, exactly. Knuth's version: no order of magnitudes is asked for.
[[nodiscard]] inline TwoDoubles two_sum(double a, double b) {
  const double head = a + b;
  const double of_b = head - a;
  return {head, (a - (head - of_b)) + (b - of_b)};
}

/// a b, exactly.
[[nodiscard]] inline TwoDoubles two_product(double a, double b) {
  const double head = a * b;
  return {head, std::fma(a, b, -head)};
}

/// A sum of at most `capacity` doubles, held exactly as parts that do not overlap.
template <std::size_t capacity>
class Expansion {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const auto [head, tail] = two_sum(x, parts_[i]);
      x = head;
      if (tail != 0) parts_[kept++] = tail;
    }
    if (x != 0) parts_[kept++] = x;
    size_ = kept;
  }

  /// Adds a b; takes two of the places.
  void add_product(double a, double b) {
    const auto [head, tail] = two_product(a, b);
    add(tail);
    add(head);
  }

  /// The parts grow in magnitude and do not overlap: the last one decides.
  [[nodiscard]] int sign() const {
    if (size_ == 0) return 0;
    return parts_[size_ - 1] > 0 ? 1 : -1;
  }

  /// The sum, rounded to within two units of round-off.
  [[nodiscard]] double value() const {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += parts_[i];
    return sum;
  }

 private:
  std::array<double, capacity> parts_{};
  std::size_t size_ = 0;
};

}  // namespace tact
