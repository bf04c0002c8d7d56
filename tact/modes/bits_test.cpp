#include "tact/modes/bits.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact::detail {
namespace {

TEST(Bits, SizesAreThoseOfTheLibrary) {
  EXPECT_EQ(size_of(Word{0}), 0);
  EXPECT_EQ(size_of(~Word{0}), 64);
  Rng rng(1);
  for (int k = 0; k < 1000; ++k) {
    const Word a[2] = {rng.next(), rng.next()};
    const Word b[2] = {rng.next(), rng.next()};
    EXPECT_EQ(size_of(a[0]), std::popcount(a[0]));
    EXPECT_EQ(size_of(a, 2), std::popcount(a[0]) + std::popcount(a[1]));
    EXPECT_EQ(size_of_common(a, b, 2), std::popcount(a[0] & b[0]) + std::popcount(a[1] & b[1]));
  }
}

TEST(Bits, ElementsComeInOrderAcrossWords) {
  Word set[3] = {};
  const std::vector<int> elements = {0, 5, 63, 64, 128, 191};
  for (const int element : elements) put(set, element);
  put(set, 100);
  remove(set, 100);
  std::vector<int> seen;
  for (int k = next_in(set, 3, 0); k >= 0; k = next_in(set, 3, k + 1)) seen.push_back(k);
  EXPECT_EQ(seen, elements);
  EXPECT_TRUE(has(set, 191));
  EXPECT_FALSE(has(set, 100));
  EXPECT_EQ(next_in(set, 3, 192), -1);
  EXPECT_EQ(next_in(set, 2, 65), -1);
}

TEST(Bits, SignsOfValues) {
  const double values[] = {2, -1, 0, -0.0, 3};
  const SignWords signs = signs_of(values, 5);
  EXPECT_EQ(signs.plus, Word{0b10001});
  EXPECT_EQ(signs.minus, Word{0b00010});
  EXPECT_EQ(support_of(values, 5), Word{0b10011});
  EXPECT_EQ(first_bits(5), Word{0b11111});
  EXPECT_EQ(first_bits(64), ~Word{0});
}

}  // namespace
}  // namespace tact::detail
