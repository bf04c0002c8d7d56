// modes/bits.hpp - sets of rows, contacts and generators as words of 64 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tact::detail {

using Word = std::uint64_t;

[[nodiscard]] inline int words_for(int bits) {
  return (bits + 63) / 64;
}
[[nodiscard]] inline bool has(const Word* set, int bit) {
  return ((set[bit / 64] >> (bit % 64)) & 1U) != 0;
}
inline void put(Word* set, int bit) {
  set[bit / 64] |= Word{1} << (bit % 64);
}
inline void remove(Word* set, int bit) {
  set[bit / 64] &= ~(Word{1} << (bit % 64));
}
[[nodiscard]] inline int size_of(const Word* set, int words) {
  int count = 0;
  for (int w = 0; w < words; ++w) count += std::popcount(set[w]);
  return count;
}
/// The first element >= from, or -1.
[[nodiscard]] inline int next_in(const Word* set, int words, int from) {
  for (int w = from / 64; w < words; ++w) {
    Word word = set[w];
    if (w == from / 64) word &= ~Word{0} << (from % 64);
    if (word != 0) return 64 * w + std::countr_zero(word);
  }
  return -1;
}

}  // namespace tact::detail
