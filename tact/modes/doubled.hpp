// modes/doubled.hpp - Filtered with twice the digits, for lines that are eliminated many times.
//
// The bound on the error of a line grows with every elimination by some factor of its own: after
// twenty of them doubles say nothing any more, and everything would have to be decided in whole
// numbers. A pair of doubles begins 2^-100 away from the exact value and has room to grow.
#pragma once

#include "tact/modes/filtered.hpp"
#include "tact/modes/mode_parts.hpp"
#include "tact/poly/expansion.hpp"

namespace tact::detail {

/// head + tail, the head being the double next to it.
struct DoublePair {
  double head = 0;
  double tail = 0;

  DoublePair() = default;
  DoublePair(double x) : head(x) {}  // NOLINT(google-explicit-constructor): a double is one
  DoublePair(double h, double t) : head(h), tail(t) {}
  DoublePair operator-() const { return {-head, -tail}; }
  // Against zero the head decides: the tail is half a digit of it at most.
  friend bool operator>(const DoublePair& x, int zero) { return x.head > zero; }
  friend bool operator<(const DoublePair& x, int zero) { return x.head < zero; }
  friend bool operator!=(const DoublePair& x, int zero) { return x.head != zero; }
};
[[nodiscard]] inline int sign_of(const DoublePair& x) {
  return sign_of(x.head);
}

class Doubled {
 public:
  using Value = DoublePair;
  using Tag = Filtered::Tag;
  static constexpr bool exact = true;
  /// Of a pair against what it stands for: 2^-104 from the digits, and four sums and products.
  static constexpr double unit = 16 * tolerance::epsilon * tolerance::epsilon;

  /// As Filtered::eliminate.
  void eliminate(int plane, View<Doubled> x, View<Doubled> y, int /*planes*/, int width, Value* out,
                 Tag& tag) const {
    const bool turn = sign_of(y.values[plane]) > 0;
    const Value a = turn ? y.values[plane] : -y.values[plane];
    const Value b = turn ? -x.values[plane] : x.values[plane];
    const double size_a = std::abs(a.head);
    const double size_b = std::abs(b.head);
    const double ex = x.tag->error;
    const double ey = y.tag->error;
    const double error =
        2 * ((size_a + 1) * ex + (size_b + 1) * ey + 2 * ex * ey + 4 * unit * (size_a + size_b));
    bool decided = true;
    double size = 0;
    for (int k = 0; k < width; ++k) {
      if (k == plane) {
        out[k] = 0;
        continue;
      }
      const Value p = product(a, x.values[k]);
      const Value q = product(b, y.values[k]);
      out[k] = sum(p, q);
      const int side = sign_of(p) * sign_of(q);
      if (side < 0)
        decided = decided && std::abs(out[k].head) > error;
      else
        decided = decided && (out[k].head != 0 ||
                              (exactly_zero(a, x.values[k]) && exactly_zero(b, y.values[k])));
      size = std::max(size, std::abs(out[k].head));
    }
    auto recipe = std::make_shared<Recipe>();
    recipe->kind = Recipe::Kind::eliminated;
    recipe->x = x.tag->recipe;
    recipe->y = y.tag->recipe;
    recipe->plane = plane;
    tag = {error, std::move(recipe)};
    if (decided && size > 0)
      scale(out, width, size, tag);
    else
      refresh(tag, out);
  }

  static void select(View<Doubled> x, const std::vector<int>& columns, int /*planes*/, Value* out,
                     Tag& tag) {
    for (const int column : columns) *out++ = x.values[column];
    auto recipe = std::make_shared<Recipe>();
    recipe->kind = Recipe::Kind::selected;
    recipe->x = x.tag->recipe;
    recipe->columns = columns;
    tag = {x.tag->error, std::move(recipe)};
  }
  static Tag negated(const Tag& tag) { return Filtered::negated(tag); }
  static bool better_pivot(const Value& a, const Value& b) {
    return std::abs(a.head) > std::abs(b.head);
  }
  /// A generator given by whole numbers.
  static Tag given(std::vector<mpz_class> values, Value* out) {
    auto recipe = std::make_shared<Recipe>();
    recipe->values = std::move(values);
    Tag tag{0, std::move(recipe)};
    refresh(tag, out);
    return tag;
  }
  /// Pairs made anew from whole numbers where their bound has grown to a part in 2^40: that is
  /// still less than nearly every cell is wide.
  static void sharpen(Tag& tag, Value* out) {
    constexpr double coarse = 4096 * tolerance::epsilon;
    if (tag.error > coarse) refresh(tag, out);
  }

 private:
  static bool exactly_zero(const Value& a, const Value& x) {
    return sign_of(a) == 0 || sign_of(x) == 0;
  }
  static Value renewed(double head, double tail) {
    const auto [h, t] = two_sum(head, tail);
    return {h, t};
  }
  static Value product(const Value& a, const Value& b) {
    const auto [head, tail] = two_product(a.head, b.head);
    return renewed(head, tail + (a.head * b.tail + a.tail * b.head));
  }
  static Value sum(const Value& a, const Value& b) {
    const auto [head, tail] = two_sum(a.head, b.head);
    return renewed(head, tail + (a.tail + b.tail));
  }

  static void scale(Value* out, int width, double size, Tag& tag) {
    int exponent = 0;
    (void)std::frexp(size, &exponent);
    const double factor = std::ldexp(1.0, -exponent);
    for (int k = 0; k < width; ++k) {
      const Value v{out[k].head * factor, out[k].tail * factor};
      const bool lost = v.head == 0 && out[k].head != 0;
      out[k] = lost ? Value(std::copysign(tolerance::smallest, out[k].head)) : v;
    }
    tag.error = tag.error * factor + 2 * tolerance::smallest;
  }

  static void refresh(Tag& tag, Value* out) {
    const std::vector<mpz_class>& values = Filtered::exactly(tag);
    long top = std::numeric_limits<long>::min();
    for (const mpz_class& v : values)
      if (sgn(v) != 0) top = std::max(top, static_cast<long>(mpz_sizeinbase(v.get_mpz_t(), 2)));
    mpz_class rest;
    for (std::size_t k = 0; k < values.size(); ++k) {
      out[k] = 0;
      if (sgn(values[k]) == 0) continue;
      long exponent = 0;
      const double mantissa = mpz_get_d_2exp(&exponent, values[k].get_mpz_t());
      constexpr int digits = std::numeric_limits<double>::digits;
      double tail = 0;
      if (exponent > digits) {
        rest = mpz_class(std::ldexp(mantissa, digits))
               << static_cast<unsigned long>(exponent - digits);
        rest = values[k] - rest;
        long below = 0;
        const double part = mpz_get_d_2exp(&below, rest.get_mpz_t());
        tail = scaled(part, below - top);
      }
      const double head = scaled(mantissa, exponent - top);
      out[k] = renewed(head == 0 ? std::copysign(tolerance::smallest, mantissa) : head, tail);
    }
    tag.error = unit;
  }
  static double scaled(double mantissa, long power) {
    constexpr long lowest = -1000;
    return power < lowest ? 0 : std::ldexp(mantissa, static_cast<int>(power));
  }
};

template <>
struct NumberRows<Doubled> : NumberRows<WholeBig> {};
inline void first_line(const NumberRows<Doubled>& rows, int j, int width, DoublePair* out,
                       Doubled::Tag& tag) {
  std::vector<mpz_class> values(width);
  WholeBig::Tag none;
  first_line<WholeBig>(rows, j, width, values.data(), none);
  tag = Doubled::given(std::move(values), out);
}

}  // namespace tact::detail
