#include "tact/io/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

constexpr const char* minus_sign = "\u2212";

std::string digits_of(double value, std::chars_format format, int precision) {
  std::array<char, 400> text{};  // room for every double in fixed notation
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr;
  return {text.data(), end};
}

void strip_zeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
}

}  // namespace

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

std::string short_number(double value, int digits) {
  TACT_EXPECTS(digits >= 1 && digits <= 17);
  if (value == 0) return "0";
  if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : "infinite";
  const std::string sign = value < 0 ? minus_sign : "";
  value = std::abs(value);
  std::string text = digits_of(value, std::chars_format::scientific, digits - 1);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  constexpr int smallest_plain = -4, largest_plain = 5;
  if (exponent >= smallest_plain && exponent <= largest_plain) {
    text = digits_of(value, std::chars_format::fixed, std::max(0, digits - 1 - exponent));
    strip_zeros(text);
    return sign + text;
  }
  text.erase(e);
  strip_zeros(text);
  return concat(
      {sign, text, "e", exponent < 0 ? minus_sign : "", std::to_string(std::abs(exponent))});
}

std::string short_point(const Vec2& x, int digits) {
  return concat({"(", short_number(x[0], digits), ", ", short_number(x[1], digits), ")"});
}

std::string plain_number(double value, int decimals) {
  TACT_EXPECTS(std::isfinite(value) && decimals >= 0);
  std::string text = digits_of(value, std::chars_format::fixed, decimals);
  strip_zeros(text);
  return text == "-0" ? "0" : text;
}

}  // namespace tact
