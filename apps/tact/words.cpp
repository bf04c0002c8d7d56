#include "words.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include <fmt/core.h>

namespace tact::app {

namespace {

std::optional<double> finite_number(const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Digits and nothing else: a sign, a point or too many of them are not taken for another number.
std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (text.empty() || read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

/// Refuses with "OPTION TEXT: REMEDY"; CLI's own sentences name a range of 309 digits.
CLI::Validator told(const std::string& option, const std::string& remedy, const char* kind,
                    const std::function<bool(const std::string&)>& fine) {
  const auto check = [=](const std::string& text) -> std::string {
    if (fine(text)) return "";
    throw WordError(fmt::format("{} {}: {}", option, text.empty() ? "\"\"" : text, remedy));
  };
  return {check, kind};
}

}  // namespace

CLI::Validator seconds_above_zero(const std::string& option, const char* what,
                                  const char* example) {
  const std::string remedy =
      fmt::format("{} is positive, in seconds; for example {} {}", what, option, example);
  return told(option, remedy, "POSITIVE", [](const std::string& text) {
    const auto value = finite_number(text);
    return value && *value > 0;
  });
}

CLI::Validator speed_of_shaking() {
  return told("--shake",
              "a speed is zero or more, in m/s and rad/s, and finite; for example --shake 0.1",
              "NONNEGATIVE", [](const std::string& text) {
                const auto value = finite_number(text);
                return value && *value >= 0;
              });
}

CLI::Validator count_of_steps(const std::string& option) {
  constexpr std::uint64_t most = 1'000'000'000'000'000;
  const std::string remedy = fmt::format(
      "steps between two frames are a whole number from 1 on; for example {} 10", option);
  return told(option, remedy, "POSITIVE", [](const std::string& text) {
    const auto value = whole_number(text);
    return value && *value >= 1 && *value <= most;
  });
}

CLI::Validator seed_number() {
  return told(
      "--seed", "a seed is a whole number from 0 to 18446744073709551615; for example --seed 7",
      "NONNEGATIVE", [](const std::string& text) { return whole_number(text).has_value(); });
}

CLI::Validator file_name(const std::string& option, const char* example, Dash dash) {
  return told(option, fmt::format("name a file; for example {} {}", option, example), "",
              [dash](const std::string& text) {
                return !text.empty() && (text != "-" || dash == Dash::standard_output);
              });
}

}  // namespace tact::app
