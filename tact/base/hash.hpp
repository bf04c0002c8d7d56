// base/hash.hpp - an order-defined hash of numbers: two runs agree bit for bit iff their hashes do.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tact {

/// Sixteen hexadecimal digits.
[[nodiscard]] inline std::string hex_text(std::uint64_t value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) text[i] = digits[(value >> (60 - 4 * i)) & 0xfU];
  return text;
}

/// FNV-1a over the bytes of 64-bit words, low byte first, whatever the machine's own order.
class StateHash {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      value_ = (value_ ^ ((word >> (8 * byte)) & 0xffU)) * prime;
    }
  }
  /// -0.0 and 0.0 are the same state; every other bit counts.
  void add(double x) { add(std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x)); }
  void add(std::span<const double> xs) {
    add(static_cast<std::uint64_t>(xs.size()));
    for (const double x : xs) add(x);
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }

  [[nodiscard]] std::string hex() const { return hex_text(value_); }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3U;
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace tact
