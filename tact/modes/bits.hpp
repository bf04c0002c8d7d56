// modes/bits.hpp - sets of rows, contacts and generators as words of 64 bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tact::detail {

using Word = std::uint64_t;

[[nodiscard]] inline int words_for(int bits) {
  return (bits + 63) / 64;
}
/// Where entry k of a list of entries of `stride` begins.
[[nodiscard]] inline std::ptrdiff_t offset_of(int k, int stride) {
  return static_cast<std::ptrdiff_t>(k) * stride;
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

/// A set of given width; a few words need no memory of their own.
class WordSet {
 public:
  void assign(int words, Word value) {
    words_ = words;
    if (words > few) many_.resize(static_cast<std::size_t>(words));
    std::fill(data(), data() + words, value);
  }
  [[nodiscard]] Word* data() { return words_ > few ? many_.data() : few_.data(); }
  [[nodiscard]] const Word* data() const { return words_ > few ? many_.data() : few_.data(); }
  [[nodiscard]] Word& operator[](int w) { return data()[w]; }
  [[nodiscard]] const Word& operator[](int w) const { return data()[w]; }

 private:
  static constexpr int few = 4;
  int words_ = 0;
  std::array<Word, few> few_{};
  std::vector<Word> many_;
};

}  // namespace tact::detail
