#include "tact/io/sha1.hpp"

#include <algorithm>
#include <bit>

namespace tact {

namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t block_size = 64;

using Words = std::array<std::uint32_t, 5>;

std::uint32_t big_endian(const unsigned char* bytes) {
  return (std::uint32_t{bytes[0]} << 24U) | (std::uint32_t{bytes[1]} << 16U) |
         (std::uint32_t{bytes[2]} << 8U) | std::uint32_t{bytes[3]};
}

/// One round of 80 steps. RFC 3174, 6.1
void mix(const unsigned char* block, Words& h) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (std::size_t t = 16; t < 80; ++t)
    w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  auto [a, b, c, d, e] = h;
  for (std::size_t t = 0; t < 80; ++t) {
    std::uint32_t f = b ^ c ^ d;
    std::uint32_t k = 0xCA62C1D6U;
    if (t < 20) {
      f = (b & c) | (~b & d);
      k = 0x5A827999U;
    } else if (t < 40) {
      k = 0x6ED9EBA1U;
    } else if (t < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8F1BBCDCU;
    }
    const std::uint32_t next = std::rotl(a, 5) + f + e + w[t] + k;
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  h = {h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e};
}

}  // namespace

std::array<std::uint8_t, 20> sha1(std::string_view bytes) {
  std::string padded(bytes);
  padded.push_back('\x80');
  while (padded.size() % block_size != block_size - 8) padded.push_back('\0');
  const std::uint64_t bits = 8 * std::uint64_t{bytes.size()};
  for (int shift = 56; shift >= 0; shift -= 8)
    padded.push_back(static_cast<char>((bits >> static_cast<unsigned>(shift)) & 0xffU));
  Words h = {0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
  for (std::size_t at = 0; at < padded.size(); at += block_size)
    mix(reinterpret_cast<const unsigned char*>(padded.data()) + at, h);
  std::array<std::uint8_t, 20> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint8_t>(h[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = (group << 8U) | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out.push_back(i <= count ? letters[(group >> (18 - 6 * i)) & 63U] : '=');
  }
  return out;
}

bool is_base64_of(std::string_view text, std::size_t size) {
  if (text.size() != (size + 2) / 3 * 4) return false;
  const std::size_t padding = (3 - size % 3) % 3;
  const std::string_view body = text.substr(0, text.size() - padding);
  return body.find_first_not_of(letters) == std::string_view::npos &&
         text.substr(body.size()).find_first_not_of('=') == std::string_view::npos;
}

}  // namespace tact
