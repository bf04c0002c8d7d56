#include "tact/base/result.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace tact {
namespace {

Result<std::string> name_of(int index) {
  if (index < 0) return Error{Errc::value, "index is negative; count from zero"};
  return "body " + std::to_string(index);
}

TEST(Result, HoldsAValue) {
  const auto name = name_of(3);
  ASSERT_TRUE(name);
  EXPECT_TRUE(name.has_value());
  EXPECT_EQ(*name, "body 3");
  EXPECT_EQ(name->size(), 6U);
}

TEST(Result, HoldsTheReasonWhyThereIsNone) {
  const auto name = name_of(-1);
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().code, Errc::value);
  EXPECT_EQ(name.error().message, "index is negative; count from zero");
}

TEST(Result, ReadingTheWrongHalfBreaksTheContract) {
  EXPECT_THROW(static_cast<void>(*name_of(-1)), ContractViolation);
  EXPECT_THROW(static_cast<void>(name_of(-1)->size()), ContractViolation);
  const auto name = name_of(3);
  EXPECT_THROW(static_cast<void>(name.error()), ContractViolation);
}

TEST(Result, GivesAwayWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> owner = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = *std::move(owner);
  EXPECT_EQ(*taken, 7);
}

}  // namespace
}  // namespace tact
