// io/number_text.hpp - numbers for people: a few digits, the same on every machine and in every
// locale.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "tact/linalg/types.hpp"

namespace tact {

[[nodiscard]] std::string concat(std::initializer_list<std::string_view> parts);

/// `digits` significant digits without trailing zeros, integers in full below a million: 412, 0.31,
/// −0.05, 3e−13. The minus is the typographic one.
[[nodiscard]] std::string short_number(double value, int digits = 3);
/// "(0.1, −0.05)".
[[nodiscard]] std::string short_point(const Vec2& x, int digits = 3);
/// With a hyphen for the minus and at most `decimals` decimals: for coordinates in a picture.
[[nodiscard]] std::string plain_number(double value, int decimals);

}  // namespace tact
