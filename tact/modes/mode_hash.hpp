// modes/mode_hash.hpp - a hash of a sequence of modes that parts of the sequence can be put
// together to.
//
// Each mode gives one word (FNV-1a of its strings); the words are the coefficients of a polynomial
// evaluated modulo the prime 2^61 - 1. The hash of two sequences in a row follows from theirs, so
// that threads and ranks hash what they visit and the order alone decides.
#pragma once

#include <cstdint>
#include <string_view>

namespace tact {

class ModeHash {
 public:
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61U) - 1;

  void add(std::string_view cs, std::string_view ss) {
    std::uint64_t word = 0xcbf29ce484222325U;
    const auto mix = [&](unsigned char byte) { word = (word ^ byte) * 0x100000001b3U; };
    for (const char c : cs) mix(static_cast<unsigned char>(c));
    mix('|');
    for (const char c : ss) mix(static_cast<unsigned char>(c));
    append(word % prime, base);
  }
  /// Behind this sequence the other one.
  void add(const ModeHash& other) { append(other.value_, other.power_); }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// base^length: with the value all there is to know.
  [[nodiscard]] std::uint64_t power() const { return power_; }
  [[nodiscard]] static ModeHash restore(std::uint64_t value, std::uint64_t power) {
    ModeHash hash;
    hash.value_ = value;
    hash.power_ = power;
    return hash;
  }
  bool operator==(const ModeHash&) const = default;

 private:
  static constexpr std::uint64_t base = 0x0f2d4c6a8b1e3957U;
  std::uint64_t value_ = 0;
  std::uint64_t power_ = 1;

  static std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{a} * b;
    const auto low = static_cast<std::uint64_t>(product & prime);
    const auto high = static_cast<std::uint64_t>(product >> 61U);
    const std::uint64_t sum = low + high;
    return sum >= prime ? sum - prime : sum;
  }
  void append(std::uint64_t value, std::uint64_t power) {
    const std::uint64_t sum = times(value_, power) + value;
    value_ = sum >= prime ? sum - prime : sum;
    power_ = times(power_, power);
  }
};

}  // namespace tact
