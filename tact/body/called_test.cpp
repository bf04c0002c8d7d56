#include "tact/body/called.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Called, ByItsNameOrElseByItsNumber) {
  EXPECT_EQ(called("body", "left leg", 4), "body \"left leg\"");
  EXPECT_EQ(called("joint", "", 0), "joint 0");
}

}  // namespace
}  // namespace tact
