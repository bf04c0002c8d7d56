// modes/arithmetic.hpp - the numbers cones are cut with, and what exactness costs.
//
// A generator is known by its values on planes, up to a positive factor. Cutting cones needs signs,
// and one operation: of two generators x and y the one between them, or along a line, on which
// plane h vanishes,
//
//   eliminate:  out = |y_h| x - sgn(y_h) x_h y,
//
// which for x_h > 0 > y_h is a positive combination. Four kinds of number offer it:
//   Whole64    whole numbers in 64 bits; throws NumberTooLarge rather than lose a digit
//   Filtered   doubles with an error bound, and whole numbers where they do not decide
//   (filtered.hpp) WholeBig   whole numbers of any length (GMP) Snapped    doubles of largest value
//   1; what is within the tolerance of zero becomes zero
// The first three decide every sign exactly; the last is the tolerance policy of modes.hpp. A value
// compares equal to zero iff it counts as zero. What an arithmetic knows of a generator besides its
// values is its Tag.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gmpxx.h>

namespace tact::detail {

/// Thrown by Whole64; the work is then repeated with larger numbers.
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

/// A generator to read from.
template <class A>
struct View {
  const typename A::Value* values;
  const typename A::Tag* tag;
};

class Whole64 {
 public:
  using Value = std::int64_t;
  /// No value is larger.
  using Tag = std::uint64_t;
  static constexpr bool exact = true;

  /// Divided by whatever all values share where they grow large.
  void eliminate(int plane, View<Whole64> x, View<Whole64> y, int /*planes*/, int width, Value* out,
                 Tag& tag) const {
    Value a = y.values[plane];
    Value b = -x.values[plane];
    if (a < 0) {
      a = -a;
      b = -b;
    }
    reduce(a, b);
    const WideUnsigned limit =
        WideUnsigned{magnitude(a)} * *x.tag + WideUnsigned{magnitude(b)} * *y.tag;
    if (limit >= largest) return combine_wide(a, x.values, b, y.values, width, out, tag);
    for (int k = 0; k < width; ++k) out[k] = a * x.values[k] + b * y.values[k];
    tag = static_cast<Tag>(limit);
    if (tag > comfortable) divide_content(out, width, tag);
  }

  /// The same generator on some of its columns, the first `planes` of which are planes.
  static void select(View<Whole64> x, const std::vector<int>& columns, int /*planes*/, Value* out,
                     Tag& tag) {
    tag = 0;
    Value* to = out;
    for (const int column : columns) {
      *to = x.values[column];
      tag = std::max(tag, magnitude(*to++));
    }
  }
  static Tag tag_of(const Value* x, int /*planes*/, int width) {
    Tag tag = 0;
    for (int k = 0; k < width; ++k) tag = std::max(tag, magnitude(x[k]));
    return tag;
  }
  static Tag negated(const Tag& tag) { return tag; }

  /// Small pivots keep numbers small.
  static bool better_pivot(Value a, Value b) { return magnitude(a) < magnitude(b); }
  /// x_h y_k = x_k y_h: on the two generators planes h and k are multiples of each other.
  static bool minor_vanishes(View<Whole64> x, View<Whole64> y, int h, int k) {
    return Wide{x.values[h]} * y.values[k] == Wide{x.values[k]} * y.values[h];
  }
  static double approximate(Value a) { return static_cast<double>(a); }

 private:
  static constexpr WideUnsigned largest = WideUnsigned{1} << 62U;
  static constexpr Tag comfortable = Tag{1} << 31U;

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
  static void divide_content(Value* x, int width, Tag& tag) {
    std::uint64_t g = 0;
    for (int k = 0; k < width && g != 1; ++k) g = std::gcd(g, magnitude(x[k]));
    if (g > 1)
      for (int k = 0; k < width; ++k) x[k] /= static_cast<Value>(g);
    tag = tag_of(x, width, width);
  }
  static void combine_wide(Value a, const Value* x, Value b, const Value* y, int width, Value* out,
                           Tag& tag) {
    const auto entry = [&](int k) { return Wide{a} * x[k] + Wide{b} * y[k]; };
    const auto size = [](Wide w) {
      return w < 0 ? -static_cast<WideUnsigned>(w) : static_cast<WideUnsigned>(w);
    };
    WideUnsigned g = 0;
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
    tag = tag_of(out, width, width);
  }
};

class WholeBig {
 public:
  using Value = mpz_class;
  struct Tag {};
  static constexpr bool exact = true;

  void eliminate(int plane, View<WholeBig> x, View<WholeBig> y, int /*planes*/, int width,
                 Value* out, Tag& /*tag*/) const {
    combine(x.values, y.values, plane, width, out);
  }
  /// The same on bare vectors, without a common divisor.
  static void combine(const Value* x, const Value* y, int plane, int width, Value* out) {
    const Value a = abs(y[plane]);
    const Value b = sgn(y[plane]) > 0 ? Value(-x[plane]) : x[plane];
    Value common = 0;
    for (int k = 0; k < width; ++k) {
      out[k] = a * x[k];
      out[k] += b * y[k];
      if (common != 1) mpz_gcd(common.get_mpz_t(), common.get_mpz_t(), out[k].get_mpz_t());
    }
    if (common > 1)
      for (int k = 0; k < width; ++k)
        mpz_divexact(out[k].get_mpz_t(), out[k].get_mpz_t(), common.get_mpz_t());
  }
  static void select(View<WholeBig> x, const std::vector<int>& columns, int /*planes*/, Value* out,
                     Tag& /*tag*/) {
    for (const int column : columns) *out++ = x.values[column];
  }
  static Tag tag_of(const Value* /*x*/, int /*planes*/, int /*width*/) { return {}; }
  static Tag negated(const Tag& tag) { return tag; }
  static bool better_pivot(const Value& a, const Value& b) {
    return mpz_cmpabs(a.get_mpz_t(), b.get_mpz_t()) < 0;
  }
  static bool minor_vanishes(View<WholeBig> x, View<WholeBig> y, int h, int k) {
    return x.values[h] * y.values[k] == x.values[k] * y.values[h];
  }
  static double approximate(const Value& a) { return a.get_d(); }
};

class Snapped {
 public:
  using Value = double;
  struct Tag {};
  static constexpr bool exact = false;

  explicit Snapped(double tolerance) : tolerance_(tolerance) {}

  /// x and y have largest plane value 1, and so has out, or it vanishes: what is left of a sum is
  /// noise when it is small beside its terms.
  void eliminate(int plane, View<Snapped> x, View<Snapped> y, int planes, int width, double* out,
                 Tag& /*tag*/) const {
    const double a = std::abs(y.values[plane]);
    const double b = y.values[plane] > 0 ? -x.values[plane] : x.values[plane];
    for (int k = 0; k < width; ++k) out[k] = a * x.values[k] + b * y.values[k];
    const double size = largest(out, planes);
    if (size <= tolerance_ * (std::abs(a) + std::abs(b))) {
      std::fill(out, out + planes, 0.0);
      return;
    }
    divide(out, width, size);
    for (int k = 0; k < planes; ++k) out[k] = std::abs(out[k]) <= tolerance_ ? 0 : out[k];
  }
  static void select(View<Snapped> x, const std::vector<int>& columns, int planes, double* out,
                     Tag& tag) {
    double* to = out;
    for (const int column : columns) *to++ = x.values[column];
    tag = tag_of(out, planes, static_cast<int>(columns.size()));
  }
  /// Scales to largest plane value 1.
  static Tag tag_of(double* x, int planes, int width) {
    const double size = largest(x, planes);
    if (size > 0) divide(x, width, size);
    return {};
  }
  static Tag negated(const Tag& tag) { return tag; }
  static bool better_pivot(double a, double b) { return std::abs(a) > std::abs(b); }
  [[nodiscard]] bool minor_vanishes(View<Snapped> x, View<Snapped> y, int h, int k) const {
    const double a = x.values[h] * y.values[k];
    const double b = x.values[k] * y.values[h];
    return std::abs(a - b) <= tolerance_ * (std::abs(a) + std::abs(y.values[h] * y.values[k]));
  }
  static double approximate(double a) { return a; }

 private:
  double tolerance_;

  /// Of the magnitudes; four in a row do not wait for each other.
  static double largest(const double* x, int count) {
    std::array<double, 4> most{};
    int k = 0;
    for (; k + 4 <= count; k += 4)
      for (int i = 0; i < 4; ++i) most[i] = std::max(most[i], std::abs(x[k + i]));
    for (; k < count; ++k) most[0] = std::max(most[0], std::abs(x[k]));
    return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  }
  /// By 1, as often as not, there is nothing to do.
  static void divide(double* x, int count, double size) {
    if (size == 1) return;
    for (int k = 0; k < count; ++k) x[k] /= size;
  }
};

}  // namespace tact::detail
