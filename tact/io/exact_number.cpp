#include "tact/io/exact_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "tact/base/expects.hpp"
#include "tact/io/json_reader.hpp"

namespace tact {

namespace {

/// Digits times two to the power.
std::string times_power_of_two(std::string digits, int power) {
  for (int k = 0; k < power; ++k) {
    int carry = 0;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
      const int twice = 2 * (*digit - '0') + carry;
      *digit = static_cast<char>('0' + twice % 10);
      carry = twice / 10;
    }
    if (carry > 0) digits.insert(digits.begin(), '1');
  }
  return digits;
}

std::string without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? "0" : std::string(digits.substr(first));
}

std::string with_sign(bool negative, const std::string& digits) {
  if (!negative || digits == "0") return digits;
  std::string out(1, '-');
  out.append(digits);
  return out;
}

/// Of digits, a point among them and an exponent; without sign.
Rational decimal_value(std::string_view text, bool negative) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  long exponent = 0;
  if (e < text.size()) {
    std::string_view digits = text.substr(e + 1);
    if (digits.front() == '+') digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  std::string digits(text.substr(0, e));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  digits = without_leading_zeros(digits);
  if (digits == "0") return {};
  // A double was found for this text, so the exponent is no longer than the text and a double's.
  const auto zeros = static_cast<std::size_t>(std::abs(exponent));
  std::string below(1, '1');
  (exponent >= 0 ? digits : below).append(zeros, '0');
  return {with_sign(negative, digits), below};
}

}  // namespace

Rational exact_value(double value) {
  TACT_EXPECTS(std::isfinite(value));
  if (value == 0) return {};
  int exponent = 0;
  constexpr int digits = 53;
  auto mantissa =
      static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), digits));
  exponent -= digits;
  while (mantissa % 2 == 0) {
    mantissa /= 2;
    ++exponent;
  }
  Rational out;
  out.numerator =
      with_sign(value < 0, times_power_of_two(std::to_string(mantissa), std::max(0, exponent)));
  out.denominator = times_power_of_two("1", std::max(0, -exponent));
  return out;
}

std::optional<Rational> exact_value(std::string_view text) {
  if (!nearest_double(text)) return std::nullopt;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return decimal_value(text, negative);
  std::string_view below = text.substr(slash + 1);
  if (below.front() == '+') below.remove_prefix(1);
  return Rational{with_sign(negative, without_leading_zeros(text.substr(0, slash))),
                  without_leading_zeros(below)};
}

std::optional<std::string_view> ExactNumbers::text(const std::string& place) const {
  const auto found = texts_.find(place);
  if (found == texts_.end()) return std::nullopt;
  return found->second;
}

Rational ExactNumbers::at(const std::string& place, double value) const {
  if (const auto written = text(place))
    if (auto exact = exact_value(*written)) return *exact;
  return exact_value(value);
}

}  // namespace tact
