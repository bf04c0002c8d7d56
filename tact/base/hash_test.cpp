#include "tact/base/hash.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tact {
namespace {

template <class... Things>
std::uint64_t hash_of(const Things&... things) {
  StateHash hash;
  (hash.add(things), ...);
  return hash.value();
}

TEST(StateHash, OfNothingIsTheOffsetBasisOfFnv1a) {
  EXPECT_EQ(StateHash{}.hex(), "cbf29ce484222325");
}

TEST(StateHash, OfEightZeroBytesIsTheBasisTimesThePrimeToTheEighth) {
  std::uint64_t expected = 0xcbf29ce484222325U;
  for (int i = 0; i < 8; ++i) expected *= 0x100000001b3U;
  EXPECT_EQ(hash_of(std::uint64_t{0}), expected);
}

TEST(StateHash, TakesBothZerosForOneStateAndNothingElse) {
  EXPECT_EQ(hash_of(0.0), hash_of(-0.0));
  EXPECT_NE(hash_of(1.0), hash_of(std::nextafter(1.0, 2.0)));
  EXPECT_NE(hash_of(0.0), hash_of(std::numeric_limits<double>::denorm_min()));
}

TEST(StateHash, DependsOnOrderAndOnWhereAListEnds) {
  EXPECT_NE(hash_of(1.0, 2.0), hash_of(2.0, 1.0));
  const std::array<double, 2> pair{1, 2};
  const std::span<const double> all(pair);
  EXPECT_NE(hash_of(all.first(1), all.last(1)), hash_of(all, all.first(0)));
  EXPECT_NE(hash_of(std::string_view("ab"), std::string_view("c")),
            hash_of(std::string_view("a"), std::string_view("bc")));
}

TEST(StateHash, IsWrittenAsSixteenDigits) {
  StateHash hash;
  hash.add(std::string_view("tact"));
  EXPECT_EQ(hash.hex().size(), 16U);
  EXPECT_EQ(std::stoull(hash.hex(), nullptr, 16), hash.value());
}

}  // namespace
}  // namespace tact
