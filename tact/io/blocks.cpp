#include "tact/io/blocks.hpp"

#include <algorithm>

#include <zlib.h>

#include "tact/base/expects.hpp"
#include "tact/io/bytes.hpp"
#include "tact/io/gzip.hpp"

namespace tact {

namespace {

constexpr std::size_t head_size = block_letters + 8;
constexpr std::uint32_t compressed = 1;
/// Less is not worth the wrapper of gzip.
constexpr std::size_t worth_compressing = 128;

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string block_bytes(std::string_view type, std::string_view payload) {
  TACT_EXPECTS(type.size() == block_letters && payload.size() <= largest_block);
  std::string smaller;
  if (payload.size() >= worth_compressing) smaller = gzip(payload);
  const bool pays = !smaller.empty() && smaller.size() < payload.size();
  if (pays) payload = smaller;
  ByteWriter out;
  out.bytes.reserve(payload.size() + block_frame);
  out.bytes.append(type);
  out.u32(pays ? compressed : 0);
  out.count(payload.size());
  out.bytes.append(payload);
  out.u32(checksum(out.bytes));
  return std::move(out.bytes);
}

BlockFound take_block(std::string_view bytes, Block& out, std::size_t& size, std::string& why) {
  const std::size_t letters = std::min(bytes.size(), block_letters);
  if (!std::all_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(letters),
                   is_letter)) {
    why = "no block begins there";
    return BlockFound::damaged;
  }
  if (bytes.size() < head_size) return BlockFound::partial;
  ByteReader head(bytes.substr(block_letters, 8));
  const std::uint32_t flags = head.u32();
  const std::size_t length = head.u32();
  if (flags > compressed || length > largest_block) {
    why = "its length or its flags cannot be";
    return BlockFound::damaged;
  }
  if (bytes.size() < length + block_frame) return BlockFound::partial;
  const std::string_view covered = bytes.substr(0, head_size + length);
  if (ByteReader(bytes.substr(covered.size(), 4)).u32() != checksum(covered)) {
    why = "its checksum is wrong";
    return BlockFound::damaged;
  }
  size = length + block_frame;
  out.type.assign(bytes.substr(0, block_letters));
  const std::string_view stored = covered.substr(head_size);
  if (flags == 0) {
    out.payload.assign(stored);
    return BlockFound::whole;
  }
  auto whole = gunzip(stored, "block");
  if (!whole) {
    why = "it cannot be decompressed";
    return BlockFound::damaged;
  }
  out.payload = *std::move(whole);
  return BlockFound::whole;
}

}  // namespace tact
