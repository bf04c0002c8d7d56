#include "tact/base/tolerance.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tact {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Tolerance, IsRelativeToTheScaleAndHasNoUnitOfItsOwn) {
  const Tolerance tolerance{.rel = 0.5, .abs = 0};
  for (const double unit : {1e-9, 1.0, 1e9}) {
    EXPECT_TRUE(tolerance.accepts(0.5 * unit, unit));
    EXPECT_TRUE(tolerance.accepts(-0.5 * unit, unit));
    EXPECT_FALSE(tolerance.accepts(0.75 * unit, unit));
  }
}

TEST(Tolerance, AcceptsOnlyZeroWhereTheScaleIsZero) {
  EXPECT_TRUE(Tolerance{}.accepts(0, 0));
  EXPECT_FALSE(Tolerance{}.accepts(std::numeric_limits<double>::denorm_min(), 0));
  EXPECT_TRUE((Tolerance{.rel = 0, .abs = 0.5}.accepts(1, 0, 2)));
}

TEST(Tolerance, NeverAcceptsWhatIsNotANumber) {
  EXPECT_FALSE(Tolerance{}.accepts(nan, 1));
  EXPECT_FALSE(Tolerance{}.accepts(0, nan));
  EXPECT_FALSE((Tolerance{.rel = 1, .abs = 1}.accepts(0, 1, nan)));
}

TEST(Tolerance, RoundingIsABinaryMultipleOfTheUnitRoundOff) {
  EXPECT_EQ(tolerance::rounding, 0x1p-46);
}

}  // namespace
}  // namespace tact
