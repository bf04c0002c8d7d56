#include "tact/base/version.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Version, IsThreeNumbers) {
  const std::string text = version();
  EXPECT_EQ(text.find_first_not_of("0123456789."), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '.'), 2) << text;
}

}  // namespace
}  // namespace tact
