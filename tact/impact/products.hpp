// impact/products.hpp - sums of products, over doubles and rationals alike.
#pragma once

#include <cstddef>
#include <vector>

namespace tact {

template <class T>
[[nodiscard]] T inner(const std::vector<T>& a, const std::vector<T>& b) {
  T sum(0);
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace tact
