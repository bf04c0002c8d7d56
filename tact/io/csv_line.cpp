#include "tact/io/csv_line.hpp"

namespace tact {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> csv_cells(std::string_view line) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t comma = line.find(',');
    out.push_back(without_blanks(line.substr(0, comma)));
    if (comma == line.npos) return out;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace tact
