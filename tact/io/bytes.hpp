// io/bytes.hpp - numbers as bytes, low byte first, whatever the machine's own order.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tact/linalg/types.hpp"

namespace tact {

/// Appends to a string of bytes.
class ByteWriter {
 public:
  template <std::unsigned_integral T>
  void whole(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xffU));
  }
  void u8(std::uint8_t value) { whole(value); }
  void u32(std::uint32_t value) { whole(value); }
  void u64(std::uint64_t value) { whole(value); }
  void f64(double value) { whole(std::bit_cast<std::uint64_t>(value)); }
  /// Rounded to single precision.
  void f32(double value) { whole(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }

  void count(std::size_t value) { u32(static_cast<std::uint32_t>(value)); }
  void numbers(const VecX& values) {
    for (const double x : values) f64(x);
  }
  template <class Vector>
  void singles(const Vector& values) {
    for (Index i = 0; i < values.size(); ++i) f32(values[i]);
  }
  void clear() { bytes.clear(); }

  std::string bytes;
};

/// Reads what ByteWriter wrote. Beyond the end everything is zero and good() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  [[nodiscard]] T whole() {
    if (bytes_.size() - at_ < sizeof(T)) {
      good_ = false;
      at_ = bytes_.size();
      return 0;
    }
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value = static_cast<T>(
          value | (static_cast<T>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i)));
    at_ += sizeof(T);
    return value;
  }
  [[nodiscard]] std::uint8_t u8() { return whole<std::uint8_t>(); }
  [[nodiscard]] std::uint32_t u32() { return whole<std::uint32_t>(); }
  [[nodiscard]] std::uint64_t u64() { return whole<std::uint64_t>(); }
  [[nodiscard]] double f64() { return std::bit_cast<double>(u64()); }
  [[nodiscard]] double f32() { return static_cast<double>(std::bit_cast<float>(u32())); }

  /// How many things of at least `least` bytes each follow; zero, and not good, where they do not
  /// fit into what is left. So a damaged count never asks for memory.
  [[nodiscard]] std::size_t count(std::size_t least) {
    const std::size_t n = u32();
    if (n <= left() / least) return n;
    good_ = false;
    at_ = bytes_.size();
    return 0;
  }
  void numbers(Index size, VecX& out) {
    if (size < 0 || static_cast<std::size_t>(size) > left() / sizeof(double)) {
      good_ = false;
      at_ = bytes_.size();
      size = 0;
    }
    out.resize(size);
    for (Index i = 0; i < size; ++i) out[i] = f64();
  }
  template <class Vector>
  void singles(Vector& out) {
    for (Index i = 0; i < out.size(); ++i) out[i] = f32();
  }

  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] bool good() const { return good_; }
  /// Everything was there and nothing is left over.
  [[nodiscard]] bool finished() const { return good_ && left() == 0; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace tact
