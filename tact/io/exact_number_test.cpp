#include "tact/io/exact_number.hpp"

#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(ExactNumber, OfDoubles) {
  EXPECT_EQ(exact_value(0.0), (Rational{"0", "1"}));
  EXPECT_EQ(exact_value(-0.0), (Rational{"0", "1"}));
  EXPECT_EQ(exact_value(-6.0), (Rational{"-6", "1"}));
  EXPECT_EQ(exact_value(0.375), (Rational{"3", "8"}));
  EXPECT_EQ(exact_value(0.1), (Rational{"3602879701896397", "36028797018963968"}));
  EXPECT_EQ(exact_value(1e23).numerator, "99999999999999991611392");
  const Rational least = exact_value(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(least.numerator, "1");
  EXPECT_EQ(least.denominator.size(), 324U);  // 2^1074
  EXPECT_EQ(exact_value(std::numeric_limits<double>::max()).numerator.size(), 309U);
}

TEST(ExactNumber, OfTexts) {
  EXPECT_EQ(exact_value("-1/2"), (Rational{"-1", "2"}));
  EXPECT_EQ(exact_value("+03/+004"), (Rational{"3", "4"}));
  EXPECT_EQ(exact_value("0.1"), (Rational{"1", "10"}));
  EXPECT_EQ(exact_value("-12.50"), (Rational{"-1250", "100"}));
  EXPECT_EQ(exact_value("2e3"), (Rational{"2000", "1"}));
  EXPECT_EQ(exact_value("1.5E-2"), (Rational{"15", "1000"}));
  EXPECT_EQ(exact_value("-0"), (Rational{"0", "1"}));
  EXPECT_EQ(exact_value("0e999999999"), (Rational{"0", "1"}));
  for (const char* text : {"", "x", "1/0", "1e999", "nan", "1/2/3"})
    EXPECT_FALSE(exact_value(text)) << text;
}

TEST(ExactNumber, TheTextCountsWhereThereIsOne) {
  const std::map<std::string, std::string> texts = {{"mass[0][1]", "1/3"}};
  const ExactNumbers numbers(texts);
  EXPECT_EQ(numbers.text("mass[0][1]"), "1/3");
  EXPECT_FALSE(numbers.text("mass[1][0]"));
  EXPECT_EQ(numbers.at("mass[0][1]", 1.0 / 3), (Rational{"1", "3"}));
  EXPECT_EQ(numbers.at("mass[1][0]", 0.25), (Rational{"1", "4"}));
}

}  // namespace
}  // namespace tact
