// io/text_table.hpp - columns of text, padded to equal width.
#pragma once

#include <string>
#include <vector>

namespace tact {

/// Widths are counted in characters as they are seen; two spaces between columns.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace tact
