// support/table.hpp - rows of words, as CSV and as Markdown.
#pragma once

#include <string>
#include <vector>

namespace tact::bench {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string csv() const;
  [[nodiscard]] std::string markdown() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// Three digits, or two where the number is written with an exponent.
[[nodiscard]] std::string figure(double value);
/// The same with a unit: s, ms, µs or ns.
[[nodiscard]] std::string duration(double seconds);

/// Writes FOLDER/NAME.csv and FOLDER/NAME.md; false, after a sentence on stderr, when it cannot.
bool write_table(const std::string& folder, const std::string& name, const std::string& csv,
                 const std::string& markdown);

}  // namespace tact::bench
