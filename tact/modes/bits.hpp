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
/// Which word of a set an element is in, and its bit there. Elements are never negative: shifting
/// is what dividing them by 64 comes to.
[[nodiscard]] inline unsigned word_of(int element) {
  return static_cast<unsigned>(element) >> 6U;
}
[[nodiscard]] inline Word bit_of(int element) {
  return Word{1} << (static_cast<unsigned>(element) & 63U);
}
[[nodiscard]] inline bool has(const Word* set, int element) {
  return (set[word_of(element)] & bit_of(element)) != 0;
}
inline void put(Word* set, int element) {
  set[word_of(element)] |= bit_of(element);
}
inline void remove(Word* set, int element) {
  set[word_of(element)] &= ~bit_of(element);
}
/// The set {0, ..., count - 1} of one word.
[[nodiscard]] inline Word first_bits(int count) {
  return count >= 64 ? ~Word{0} : (Word{1} << count) - 1;
}
/// How many bits are set: in pairs, in fours, in bytes, and the bytes added up. Where the compiler
/// may not assume an instruction for it, std::popcount is a call.
[[nodiscard]] inline int size_of(Word word) {
  word -= (word >> 1U) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<int>((word * 0x0101010101010101U) >> 56U);
}
[[nodiscard]] inline int size_of(const Word* set, int words) {
  int count = 0;
  for (int w = 0; w < words; ++w) count += size_of(set[w]);
  return count;
}
[[nodiscard]] inline int size_of_common(const Word* a, const Word* b, int words) {
  int count = 0;
  for (int w = 0; w < words; ++w) count += size_of(a[w] & b[w]);
  return count;
}
/// Of 64 values at most, which are positive and which negative.
struct SignWords {
  Word plus = 0;
  Word minus = 0;
};
template <class Value>
[[nodiscard]] SignWords signs_of(const Value* values, int count) {
  SignWords out;
  for (int k = 0; k < count; ++k) {
    out.plus |= Word{values[k] > 0} << k;
    out.minus |= Word{values[k] < 0} << k;
  }
  return out;
}
/// Of 64 values at most, which are not zero.
template <class Value>
[[nodiscard]] Word support_of(const Value* values, int count) {
  Word out = 0;
  for (int k = 0; k < count; ++k) out |= Word{values[k] != 0} << k;
  return out;
}
/// The first element >= from, or -1.
[[nodiscard]] inline int next_in(const Word* set, int words, int from) {
  int w = static_cast<int>(word_of(from));
  if (w >= words) return -1;
  Word word = set[w] & ~(bit_of(from) - 1);
  while (word == 0) {
    if (++w == words) return -1;
    word = set[w];
  }
  return 64 * w + std::countr_zero(word);
}

/// A set of given width; a few words need no memory of their own.
class WordSet {
 public:
  /// What is in it is then anything.
  void resize(int words) {
    words_ = words;
    if (words > few) many_.resize(static_cast<std::size_t>(words));
  }
  void assign(int words, Word value) {
    resize(words);
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
