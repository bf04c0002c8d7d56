#include "tact/poly/expansion.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Expansion, SumsWithoutRounding) {
  Expansion<8> sum;
  for (const double x : {1.0, 0x1p80, 0x1p-80, -0x1p80, -1.0}) sum.add(x);
  EXPECT_EQ(sum.value(), 0x1p-80);
  EXPECT_EQ(sum.sign(), 1);
  sum.add(-0x1p-80);
  EXPECT_EQ(sum.sign(), 0);
  EXPECT_EQ(sum.value(), 0);
}

}  // namespace
}  // namespace tact
