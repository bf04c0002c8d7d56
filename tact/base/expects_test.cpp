#include "tact/base/expects.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Expects, SaysNothingWhenTheContractHolds) {
  EXPECT_NO_THROW(TACT_EXPECTS(1 + 1 == 2));
}

TEST(Expects, NamesFileAndConditionWhenTheContractIsBroken) {
  try {
    TACT_EXPECTS(1 + 1 == 3);
    FAIL() << "a broken contract went unnoticed";
  } catch (const ContractViolation& violation) {
    const std::string said = violation.what();
    EXPECT_NE(said.find("expects_test.cpp:"), std::string::npos) << said;
    EXPECT_NE(said.find("expects 1 + 1 == 3"), std::string::npos) << said;
  }
}

TEST(Expects, IsAnExpression) {
  const auto half = [](double x) { return TACT_EXPECTS(x >= 0), x / 2; };
  EXPECT_EQ(half(3), 1.5);
  EXPECT_THROW(static_cast<void>(half(-1)), ContractViolation);
}

}  // namespace
}  // namespace tact
