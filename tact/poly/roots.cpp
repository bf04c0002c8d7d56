#include "tact/poly/roots.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/poly/expansion.hpp"

namespace tact {

namespace {

int sign(double x) {
  return (x > 0) - (x < 0);
}

double horner(std::span<const double> c, double x) {
  double value = 0;
  for (std::size_t i = c.size(); i-- > 0;) value = value * x + c[i];
  return value;
}

/// Σ |c[i]| |x|^i: a change of every coefficient by one part in 1/share moves p by share times
/// this.
double magnitude(std::span<const double> c, double x) {
  double value = 0;
  for (std::size_t i = c.size(); i-- > 0;) value = value * std::abs(x) + std::abs(c[i]);
  return value;
}

std::span<const double> without_leading_zeros(std::span<const double> c) {
  while (!c.empty() && c.back() == 0) c = c.first(c.size() - 1);
  return c;
}

/// The root between low and high, where p has different signs and is monotone.
double bracketed_root(std::span<const double> c, std::span<const double> slope, double low,
                      double high) {
  const int at_low = sign(evaluate(c, low));
  double x = low + (high - low) / 2;
  double last_step = high - low;
  while (low < x && x < high) {  // ends at the latest when no double is left between the ends
    const double value = evaluate(c, x);
    if (value == 0) return x;
    (sign(value) == at_low ? low : high) = x;
    const double step = value / horner(slope, x);
    const double newton = x - step;
    if (newton == x) return x;
    // A step that leaves the bracket or does not halve the last one (or is not a number) gives way
    // to bisection.
    const bool trusted = low < newton && newton < high && std::abs(step) < last_step / 2;
    last_step = trusted ? std::abs(step) : (high - low) / 2;
    x = trusted ? newton : low + (high - low) / 2;
  }
  return std::abs(evaluate(c, low)) <= std::abs(evaluate(c, high)) ? low : high;
}

/// p touches zero at x without crossing it, as far as its coefficients can tell.
bool touches(std::span<const double> c, double x, double value) {
  return std::abs(value) <= 4 * tolerance::epsilon * magnitude(c, x);
}

/// The roots of p on the monotone pieces between neighbouring knots, and on the knots.
RootList roots_between(std::span<const double> c, std::span<const double> slope,
                       std::span<const double> knots) {
  std::array<double, max_root_degree + 2> at{};
  for (std::size_t i = 0; i < knots.size(); ++i) at[i] = evaluate(c, knots[i]);
  const auto crosses = [&](std::size_t i) { return sign(at[i]) * sign(at[i + 1]) < 0; };
  RootList roots;
  const auto report = [&](double x) {
    const bool room = roots.size() + 1 < c.size();  // more only where all values underflow to zero
    if (room && (roots.empty() || roots.back() < x)) roots.push_back(x);
  };
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const bool inner = i > 0 && i + 1 < knots.size();
    const bool beside_a_crossing =
        (i > 0 && crosses(i - 1)) || (i + 1 < knots.size() && crosses(i));
    const bool touching = inner && !beside_a_crossing && touches(c, knots[i], at[i]);
    if (at[i] == 0 || touching) report(knots[i]);
    if (i + 1 < knots.size() && crosses(i)) {
      report(bracketed_root(c, slope, knots[i], knots[i + 1]));
    }
  }
  return roots;
}

}  // namespace

// Graillat, Langlois and Louvet: Horner's scheme, and Horner's scheme on its rounding errors.
double evaluate(std::span<const double> c, double x) {
  double value = 0;
  double error = 0;
  for (std::size_t i = c.size(); i-- > 0;) {
    const auto [product, product_tail] = two_product(value, x);
    const auto [sum, sum_tail] = two_sum(product, c[i]);
    value = sum;
    error = error * x + (product_tail + sum_tail);
  }
  return value + error;
}

RootList real_roots(std::span<const double> coefficients, double low, double high) {
  TACT_EXPECTS(std::isfinite(low) && std::isfinite(high) && low <= high);
  TACT_EXPECTS(std::all_of(coefficients.begin(), coefficients.end(),
                           [](double c) { return std::isfinite(c); }));
  const std::span<const double> c = without_leading_zeros(coefficients);
  TACT_EXPECTS(c.size() <= max_root_degree + 1);
  if (c.size() < 2) return {};

  std::array<double, max_root_degree> memory{};
  for (std::size_t i = 1; i < c.size(); ++i) memory[i - 1] = static_cast<double>(i) * c[i];
  const std::span<const double> slope(memory.data(), c.size() - 1);

  std::array<double, max_root_degree + 2> knots{};
  std::size_t count = 0;
  knots[count++] = low;
  for (const double x : real_roots(slope, low, high)) {
    if (low < x && x < high) knots[count++] = x;
  }
  if (low < high) knots[count++] = high;
  return roots_between(c, slope, {knots.data(), count});
}

}  // namespace tact
