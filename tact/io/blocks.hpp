// io/blocks.hpp - files of blocks that are whole or not there: recordings and checkpoints.
//
// After eight bytes that say what the file is come blocks:
//     4 bytes   what it is, four letters
//     u32       1 where the payload is compressed (gzip), else 0
//     u32       size of the payload as it is stored
//     payload
//     u32       CRC-32 of all of the above
// Low byte first. A file may end anywhere: what stands before the last whole block is good.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tact/base/result.hpp"

namespace tact {

inline constexpr std::size_t block_letters = 4;
/// Bytes that a block has besides its payload.
inline constexpr std::size_t block_frame = 16;
/// A payload is never larger, compressed or not.
inline constexpr std::size_t largest_block = std::size_t{1} << 28;

struct Block {
  std::string type;
  std::string payload;  ///< not compressed any more
};

/// The bytes of a block; the payload is compressed where that makes it smaller.
[[nodiscard]] std::string block_bytes(std::string_view type, std::string_view payload);

/// What stands at the beginning of some bytes.
enum class BlockFound {
  whole,
  partial,  ///< it may still become one
  damaged,  ///< it never will
};

/// Reads the block at the beginning of `bytes`; `size` is how many of them it takes. `why` says of
/// a damaged one what is wrong with it.
[[nodiscard]] BlockFound take_block(std::string_view bytes, Block& out, std::size_t& size,
                                    std::string& why);

}  // namespace tact
