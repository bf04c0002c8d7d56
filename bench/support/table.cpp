#include "table.hpp"

#include <cmath>
#include <cstdio>

#include "tact/io/file.hpp"

namespace tact::bench {
namespace {

std::string joined(const std::vector<std::string>& cells, const char* start, const char* between,
                   const char* end) {
  std::string out = start;
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i > 0 ? between : "") + cells[i];
  return out + end;
}

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string Table::csv() const {
  std::string out = joined(header_, "", ",", "\n");
  for (const auto& row : rows_) out += joined(row, "", ",", "\n");
  return out;
}

std::string Table::markdown() const {
  std::string out = joined(header_, "| ", " | ", " |\n");
  out += joined(std::vector<std::string>(header_.size(), "---"), "|", "|", "|\n");
  for (const auto& row : rows_) out += joined(row, "| ", " | ", " |\n");
  return out;
}

std::string figure(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 0.01 || size >= 1e5)) return printed("%.1e", value);
  return printed(size < 10 ? "%.2g" : size < 1000 ? "%.3g" : "%.0f", value);
}

std::string duration(double seconds) {
  if (seconds >= 1) return figure(seconds) + " s";
  if (seconds >= 1e-3) return figure(seconds * 1e3) + " ms";
  if (seconds >= 1e-6) return figure(seconds * 1e6) + " µs";
  return figure(seconds * 1e9) + " ns";
}

bool write_table(const std::string& folder, const std::string& name, const std::string& csv,
                 const std::string& markdown) {
  const FileContent files[] = {{folder + "/" + name + ".csv", csv},
                               {folder + "/" + name + ".md", markdown}};
  const auto error = write_files(files);
  if (error) std::fprintf(stderr, "%s\n", error->message.c_str());
  return !error;
}

}  // namespace tact::bench
