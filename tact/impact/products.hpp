// impact/products.hpp - sums of products, over doubles and rationals alike.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "tact/poly/exact_lp.hpp"

namespace tact {

/// |x|, of a rational the double next to it.
[[nodiscard]] inline double magnitude(double x) {
  return std::abs(x);
}
[[nodiscard]] inline double magnitude(const Exact& x) {
  return std::abs(nearest(x));
}
template <class T>
[[nodiscard]] std::vector<double> magnitudes(const std::vector<T>& x) {
  std::vector<double> out;
  out.reserve(x.size());
  for (const T& v : x) out.push_back(magnitude(v));
  return out;
}

template <class T>
[[nodiscard]] T inner(const std::vector<T>& a, const std::vector<T>& b) {
  T sum(0);
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// A x, A row by row.
template <class T>
[[nodiscard]] std::vector<T> product(const std::vector<std::vector<T>>& A,
                                     const std::vector<T>& x) {
  std::vector<T> out;
  out.reserve(A.size());
  for (const auto& row : A) out.push_back(inner(row, x));
  return out;
}

template <class T>
[[nodiscard]] std::vector<T> minus(std::vector<T> a, const std::vector<T>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  return a;
}

template <class T>
[[nodiscard]] std::vector<T> negative(std::vector<T> x) {
  for (T& v : x) v = -v;
  return x;
}

/// x += factor y.
template <class T>
void add(std::vector<T>& x, const std::type_identity_t<T>& factor, const std::vector<T>& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += factor * y[k];
}

/// The entries `from` ... `to` - 1.
template <class T>
[[nodiscard]] std::vector<T> part(const std::vector<T>& x, std::ptrdiff_t from, std::ptrdiff_t to) {
  return {x.begin() + from, x.begin() + to};
}

/// Doubles taken at their word, rationals as the doubles next to them.
[[nodiscard]] inline ExactVector exactly(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}
[[nodiscard]] inline std::vector<ExactVector> exactly(const std::vector<std::vector<double>>& A) {
  std::vector<ExactVector> out;
  out.reserve(A.size());
  for (const auto& row : A) out.push_back(exactly(row));
  return out;
}
template <class T>
[[nodiscard]] auto nearest(const std::vector<T>& x) {
  std::vector<decltype(nearest(std::declval<T>()))> out;
  out.reserve(x.size());
  for (const T& v : x) out.push_back(nearest(v));
  return out;
}

}  // namespace tact
