// io/text_table.cpp - pads by what is seen, not by bytes.
#include "tact/io/text_table.hpp"

#include <algorithm>

namespace tact {

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  const auto width_of = [](const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xc0') != '\x80'; });
  };
  std::vector<std::ptrdiff_t> width;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (width.size() <= c) width.push_back(0);
      width[c] = std::max(width[c], width_of(row[c]));
    }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += row[c];
      if (c + 1 < row.size())
        out.append(static_cast<std::size_t>(width[c] - width_of(row[c]) + 2), ' ');
    }
    out += '\n';
  }
  return out;
}

}  // namespace tact
