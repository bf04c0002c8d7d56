#include "tact/io/csv_line.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

using Cells = std::vector<std::string_view>;

TEST(CsvLine, CellsHaveNoBlanksAtTheirEndsAndEmptyOnesCount) {
  EXPECT_EQ(csv_cells("a, b c\t,1e-3"), (Cells{"a", "b c", "1e-3"}));
  EXPECT_EQ(csv_cells(",x,"), (Cells{"", "x", ""}));
  EXPECT_EQ(csv_cells(""), Cells{""});
  EXPECT_EQ(csv_cells("1,2\r"), (Cells{"1", "2"}));
}

TEST(CsvLine, BlanksAtTheEndsGo) {
  EXPECT_EQ(without_blanks(" \t\r"), "");
  EXPECT_EQ(without_blanks("  a b\r"), "a b");
}

}  // namespace
}  // namespace tact
