// modes/arithmetic.hpp - the numbers cones are cut with, and what exactness costs.
//
// A generator is known by its values on rows, up to a positive factor. Cutting cones needs one
// operation, out = a x + b y, and signs. Three kinds of number offer it:
//   Whole64    whole numbers in 64 bits; throws NumberTooLarge rather than lose a digit
//   WholeBig   whole numbers of any length (GMP)
//   Snapped    doubles of largest entry 1; what is within the tolerance of zero becomes zero
// The first two decide every sign exactly; the third is the tolerance policy of modes.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <gmpxx.h>

#include "tact/base/expects.hpp"

namespace tact::detail {

/// Thrown by Whole64; the work is then repeated with WholeBig.
struct NumberTooLarge {};

__extension__ using Wide = __int128;
__extension__ using WideUnsigned = unsigned __int128;

template <class Value>
[[nodiscard]] int sign_of(const Value& x) {
  return x > 0 ? 1 : (x < 0 ? -1 : 0);
}
[[nodiscard]] inline int sign_of(const mpz_class& x) {
  return sgn(x);
}

class Whole64 {
 public:
  using Value = std::int64_t;
  /// No entry is larger.
  using Bound = std::uint64_t;
  static constexpr bool exact = true;

  /// out = a x + b y, divided by whatever all entries share where they grow large.
  void combine(Value a, const Value* x, Bound x_bound, Value b, const Value* y, Bound y_bound,
               int /*planes*/, int width, Value* out, Bound& bound) const {
    reduce(a, b);
    const WideUnsigned limit =
        WideUnsigned{magnitude(a)} * x_bound + WideUnsigned{magnitude(b)} * y_bound;
    if (limit >= largest) return combine_wide(a, x, b, y, width, out, bound);
    for (int k = 0; k < width; ++k) out[k] = a * x[k] + b * y[k];
    bound = static_cast<Bound>(limit);
    if (bound > comfortable) divide_content(out, width, bound);
  }
  /// To be called for a generator whose columns were chosen anew.
  static Bound settle(Value* x, int /*planes*/, int width) { return bound_of(x, width); }
  static Bound bound_of(const Value* x, int width) {
    Bound bound = 0;
    for (int k = 0; k < width; ++k) bound = std::max(bound, magnitude(x[k]));
    return bound;
  }
  /// Small pivots keep numbers small.
  static bool better_pivot(Value a, Value b) { return magnitude(a) < magnitude(b); }
  /// a / b == c / d, b and d not zero.
  static bool same_ratio(Value a, Value b, Value c, Value d) { return Wide{a} * d == Wide{b} * c; }
  static double approximate(Value a) { return static_cast<double>(a); }

 private:
  static constexpr WideUnsigned largest = WideUnsigned{1} << 62U;
  static constexpr Bound comfortable = Bound{1} << 31U;

  static std::uint64_t magnitude(Value x) {
    return x < 0 ? ~static_cast<std::uint64_t>(x) + 1 : static_cast<std::uint64_t>(x);
  }
  static void reduce(Value& a, Value& b) {
    const std::uint64_t p = magnitude(a);
    const std::uint64_t q = magnitude(b);
    if (p == 1 || q == 1) return;
    const std::uint64_t g = p == q ? p : std::gcd(p, q);
    if (g <= 1) return;
    a /= static_cast<Value>(g);
    b /= static_cast<Value>(g);
  }
  static void divide_content(Value* x, int width, Bound& bound) {
    std::uint64_t g = 0;
    for (int k = 0; k < width && g != 1; ++k) g = std::gcd(g, magnitude(x[k]));
    if (g > 1)
      for (int k = 0; k < width; ++k) x[k] /= static_cast<Value>(g);
    bound = bound_of(x, width);
  }
  static void combine_wide(Value a, const Value* x, Value b, const Value* y, int width, Value* out,
                           Bound& bound) {
    WideUnsigned g = 0;
    const auto entry = [&](int k) { return Wide{a} * x[k] + Wide{b} * y[k]; };
    const auto size = [](Wide w) {
      return w < 0 ? -static_cast<WideUnsigned>(w) : static_cast<WideUnsigned>(w);
    };
    for (int k = 0; k < width && g != 1; ++k) {
      WideUnsigned w = size(entry(k));
      while (w != 0) {
        const WideUnsigned rest = g % w;
        g = w;
        w = rest;
      }
    }
    if (g == 0) g = 1;
    for (int k = 0; k < width; ++k) {
      const Wide w = entry(k) / static_cast<Wide>(g);
      if (size(w) >= largest) throw NumberTooLarge{};
      out[k] = static_cast<Value>(w);
    }
    bound = bound_of(out, width);
  }
};

class WholeBig {
 public:
  using Value = mpz_class;
  struct Bound {};
  static constexpr bool exact = true;

  void combine(const Value& a, const Value* x, Bound /*x_bound*/, const Value& b, const Value* y,
               Bound /*y_bound*/, int /*planes*/, int width, Value* out, Bound& /*bound*/) const {
    // `a` and `b` may live in x or y, never in out.
    content_ = 0;
    for (int k = 0; k < width; ++k) {
      out[k] = a * x[k];
      out[k] += b * y[k];
      if (content_ != 1) mpz_gcd(content_.get_mpz_t(), content_.get_mpz_t(), out[k].get_mpz_t());
    }
    if (content_ > 1)
      for (int k = 0; k < width; ++k)
        mpz_divexact(out[k].get_mpz_t(), out[k].get_mpz_t(), content_.get_mpz_t());
  }
  static Bound settle(Value* /*x*/, int /*planes*/, int /*width*/) { return {}; }
  static bool better_pivot(const Value& a, const Value& b) {
    return mpz_cmpabs(a.get_mpz_t(), b.get_mpz_t()) < 0;
  }
  static bool same_ratio(const Value& a, const Value& b, const Value& c, const Value& d) {
    return a * d == b * c;
  }
  static double approximate(const Value& a) { return a.get_d(); }

 private:
  mutable Value content_;
};

class Snapped {
 public:
  using Value = double;
  struct Bound {};
  static constexpr bool exact = false;

  explicit Snapped(double tolerance) : tolerance_(tolerance) {}

  /// x and y have largest plane value 1, and so has out, or it vanishes: what is left of a sum is
  /// noise when it is small beside its terms.
  void combine(double a, const double* x, Bound /*x_bound*/, double b, const double* y,
               Bound /*y_bound*/, int planes, int width, double* out, Bound& /*bound*/) const {
    double largest = 0;
    for (int k = 0; k < width; ++k) out[k] = a * x[k] + b * y[k];
    for (int k = 0; k < planes; ++k) largest = std::max(largest, std::abs(out[k]));
    if (largest <= tolerance_ * (std::abs(a) + std::abs(b))) {
      std::fill(out, out + planes, 0.0);
      return;
    }
    for (int k = 0; k < width; ++k) out[k] /= largest;
    for (int k = 0; k < planes; ++k)
      if (std::abs(out[k]) <= tolerance_) out[k] = 0;
  }
  static Bound settle(double* x, int planes, int width) {
    double largest = 0;
    for (int k = 0; k < planes; ++k) largest = std::max(largest, std::abs(x[k]));
    if (largest > 0)
      for (int k = 0; k < width; ++k) x[k] /= largest;
    return {};
  }
  static bool better_pivot(double a, double b) { return std::abs(a) > std::abs(b); }
  [[nodiscard]] bool same_ratio(double a, double b, double c, double d) const {
    return std::abs(a * d - b * c) <= tolerance_ * (std::abs(b * d) + std::abs(a * d));
  }
  static double approximate(double a) { return a; }

 private:
  double tolerance_;
};

}  // namespace tact::detail
