// io/csv_line.hpp - a line of a table into its cells.
#pragma once

#include <string_view>
#include <vector>

namespace tact {

/// Without blanks at its ends, nor the \r of a file from Windows.
[[nodiscard]] std::string_view without_blanks(std::string_view text);

/// What stands between the commas, without blanks at its ends, as views into the line; of an empty
/// line one empty cell.
[[nodiscard]] std::vector<std::string_view> csv_cells(std::string_view line);

}  // namespace tact
