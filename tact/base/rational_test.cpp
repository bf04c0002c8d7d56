#include "tact/base/rational.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Rational, IsZeroUnlessSaidOtherwiseAndComparesAsWritten) {
  EXPECT_EQ(Rational{}, (Rational{"0", "1"}));
  EXPECT_NE((Rational{"1", "2"}), (Rational{"2", "4"}));  // not reduced: that needs arithmetic
}

}  // namespace
}  // namespace tact
