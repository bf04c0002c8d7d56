// modes/filtered.hpp - exact signs at the price of doubles, where doubles can tell.
//
// A generator is kept as doubles of largest value about 1 with one error bound, and as a recipe:
// which two generators it was eliminated from. Where a sum cancels to less than its bound, the
// recipe is followed in whole numbers of any length, once, and the doubles are made anew from the
// result. A value is exactly zero iff its double is.
#pragma once

#include <limits>
#include <memory>

#include "tact/base/tolerance.hpp"
#include "tact/modes/arithmetic.hpp"

namespace tact::detail {

/// How a generator came about; its whole numbers, once they were needed.
struct Recipe {
  enum class Kind { given, eliminated, selected, negated };
  Kind kind = Kind::given;
  std::shared_ptr<Recipe> x, y;
  int plane = 0;
  std::vector<int> columns;       ///< of a selection
  std::vector<mpz_class> values;  ///< empty until asked for
};

class Filtered {
 public:
  using Value = double;
  struct Tag {
    double error = 0;  ///< of every value, some positive multiple of the exact ones being meant
    std::shared_ptr<Recipe> recipe;
  };
  static constexpr bool exact = true;

  void eliminate(int plane, View<Filtered> x, View<Filtered> y, int /*planes*/, int width,
                 double* out, Tag& tag) const {
    const double a = std::abs(y.values[plane]);
    const double b = y.values[plane] > 0 ? -x.values[plane] : x.values[plane];
    // |y_h| and x_h are known up to their errors, values are at most 1, and each product and sum
    // rounds once.
    const double ex = x.tag->error;
    const double ey = y.tag->error;
    const double error = (a + 1) * ex + (std::abs(b) + 1) * ey + 2 * ex * ey +
                         2 * tolerance::epsilon * (a + std::abs(b));
    bool decided = true;
    double size = 0;
    for (int k = 0; k < width; ++k) {
      const double p = a * x.values[k];
      const double q = b * y.values[k];
      out[k] = k == plane ? 0 : p + q;
      decided = decided && (k == plane || certain(x.values[k], y.values[k], b, out[k], error));
      size = std::max(size, std::abs(out[k]));
    }
    auto recipe = std::make_shared<Recipe>();
    recipe->kind = Recipe::Kind::eliminated;
    recipe->x = x.tag->recipe;
    recipe->y = y.tag->recipe;
    recipe->plane = plane;
    tag.recipe = std::move(recipe);
    tag.error = error;
    if (decided && size > 0)
      scale(out, width, size, tag);
    else
      evaluate(tag, out);
  }

  static void select(View<Filtered> x, const std::vector<int>& columns, int /*planes*/, double* out,
                     Tag& tag) {
    double* to = out;
    for (const int column : columns) *to++ = x.values[column];
    auto recipe = std::make_shared<Recipe>();
    recipe->kind = Recipe::Kind::selected;
    recipe->x = x.tag->recipe;
    recipe->columns = columns;
    tag = {x.tag->error, std::move(recipe)};
  }
  static Tag negated(const Tag& tag) {
    auto recipe = std::make_shared<Recipe>();
    recipe->kind = Recipe::Kind::negated;
    recipe->x = tag.recipe;
    return {tag.error, std::move(recipe)};
  }
  /// A generator given by whole numbers.
  static Tag given(std::vector<mpz_class> values, double* out) {
    auto recipe = std::make_shared<Recipe>();
    recipe->values = std::move(values);
    Tag tag{0, std::move(recipe)};
    refresh(tag, out);
    return tag;
  }

  /// The same generator with a recipe of its own: recipes are not shared between threads.
  static Tag cloned(const Tag& tag) {
    auto recipe = std::make_shared<Recipe>();
    recipe->values = whole(*tag.recipe);
    return {tag.error, std::move(recipe)};
  }

  static bool better_pivot(double a, double b) { return std::abs(a) > std::abs(b); }

  static bool minor_vanishes(View<Filtered> x, View<Filtered> y, int h, int k) {
    const double p = x.values[h] * y.values[k];
    const double q = x.values[k] * y.values[h];
    const double ex = x.tag->error;
    const double ey = y.tag->error;
    const double error = 2 * (ex + ey + ex * ey) + 4 * tolerance::epsilon;
    if (std::abs(p - q) > error) return false;
    const std::vector<mpz_class>& u = whole(*x.tag->recipe);
    const std::vector<mpz_class>& v = whole(*y.tag->recipe);
    return u[h] * v[k] == u[k] * v[h];
  }
  static double approximate(double a) { return a; }
  /// The whole numbers that the doubles stand for.
  static const std::vector<mpz_class>& exactly(const Tag& tag) { return whole(*tag.recipe); }

 private:
  /// Whether the sign of the sum a x + b y, a > 0, is that of the double.
  static bool certain(double x, double y, double b, double sum, double error) {
    const int p = sign_of(x);
    const int q = sign_of(b) * sign_of(y);
    if (p == 0 && q == 0) return true;
    if (p * q >= 0) return sum != 0;  // no cancellation, unless it underflows
    return std::abs(sum) > error;
  }

  static void scale(double* out, int width, double size, Tag& tag) {
    int exponent = 0;
    (void)std::frexp(size, &exponent);
    const double factor = std::ldexp(1.0, -exponent);
    for (int k = 0; k < width; ++k) {
      const double v = out[k] * factor;
      out[k] = v == 0 && out[k] != 0 ? std::copysign(tolerance::smallest, out[k]) : v;
    }
    tag.error = tag.error * factor + tolerance::smallest;
  }

  static void evaluate(Tag& tag, double* out) {
    (void)whole(*tag.recipe);
    refresh(tag, out);
  }

  /// Doubles from whole numbers: relative error of one rounding.
  static void refresh(Tag& tag, double* out) {
    const std::vector<mpz_class>& values = tag.recipe->values;
    long top = std::numeric_limits<long>::min();
    for (const mpz_class& v : values) {
      long exponent = 0;
      if (sgn(v) != 0) {
        (void)mpz_get_d_2exp(&exponent, v.get_mpz_t());
        top = std::max(top, exponent);
      }
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      long exponent = 0;
      const double mantissa = mpz_get_d_2exp(&exponent, values[k].get_mpz_t());
      out[k] = 0;
      if (sgn(values[k]) == 0) continue;
      constexpr long lowest = -1000;
      out[k] = exponent - top < lowest ? std::copysign(tolerance::smallest, mantissa)
                                       : std::ldexp(mantissa, static_cast<int>(exponent - top));
    }
    tag.error = tolerance::epsilon;
  }

  static const std::vector<mpz_class>& whole(Recipe& recipe) {
    if (!recipe.values.empty() || recipe.kind == Recipe::Kind::given) return recipe.values;
    const std::vector<mpz_class>& x = whole(*recipe.x);
    switch (recipe.kind) {
      case Recipe::Kind::given:
        break;
      case Recipe::Kind::selected:
        recipe.values.reserve(recipe.columns.size());
        for (const int column : recipe.columns) recipe.values.push_back(x[column]);
        break;
      case Recipe::Kind::negated:
        recipe.values.reserve(x.size());
        for (const mpz_class& v : x) recipe.values.emplace_back(-v);
        break;
      case Recipe::Kind::eliminated: {
        const std::vector<mpz_class>& y = whole(*recipe.y);
        std::vector<mpz_class> values(x.size());
        WholeBig::combine(x.data(), y.data(), recipe.plane, static_cast<int>(x.size()),
                          values.data());
        recipe.values = std::move(values);
        break;
      }
    }
    recipe.x.reset();
    recipe.y.reset();
    return recipe.values;
  }
};

}  // namespace tact::detail
