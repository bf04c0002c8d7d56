// io/trace_file.cpp - names into columns, lines into samples.
#include "tact/io/trace_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "tact/io/csv_line.hpp"
#include "tact/io/number_text.hpp"

namespace tact {
namespace {

constexpr std::array<std::string_view, 8> known = {
    "time_s",    "gap_m",     "normal_force_N", "gap_rate_m_per_s",
    "slide_x_m", "slide_y_m", "shear_x_N",      "shear_y_N"};

/// [cell] which of the known columns it is.
Result<std::vector<std::size_t>> columns_of(std::string_view line, const std::string& place) {
  std::vector<std::size_t> out;
  for (const std::string_view cell : csv_cells(line)) {
    const auto at =
        static_cast<std::size_t>(std::find(known.begin(), known.end(), cell) - known.begin());
    if (at == known.size())
      return Error{
          Errc::parse,
          concat({place, ": the column '", cell, "' is unknown; a trace has time_s, gap_m, ",
                  "normal_force_N and maybe gap_rate_m_per_s, slide_x_m, slide_y_m, ",
                  "shear_x_N, shear_y_N"})};
    if (std::find(out.begin(), out.end(), at) != out.end())
      return Error{Errc::parse, concat({place, ": the column '", cell, "' is there twice"})};
    out.push_back(at);
  }
  const auto has = [&](std::size_t i) { return std::find(out.begin(), out.end(), i) != out.end(); };
  for (std::size_t i = 0; i < 3; ++i)
    if (!has(i))
      return Error{Errc::parse, concat({place, ": the column '", known[i], "' is missing"})};
  if (has(4) != has(5) || has(5) != has(6) || has(6) != has(7))
    return Error{Errc::parse, concat({place, ": slide_x_m, slide_y_m, shear_x_N and shear_y_N go ",
                                      "together; write all four or none"})};
  return out;
}

void add_sample(const std::array<double, 8>& v, bool with_rate, bool with_slide, SoftTrace& out) {
  out.time_s.push_back(v[0]);
  out.gap_m.push_back(v[1]);
  out.normal_force_N.push_back(v[2]);
  if (with_rate) out.gap_rate_m_per_s.push_back(v[3]);
  if (!with_slide) return;
  out.slide_m.emplace_back(v[4], v[5]);
  out.shear_force_N.emplace_back(v[6], v[7]);
}

}  // namespace

Result<SoftTrace> read_trace(std::string_view text, const std::string& source) {
  SoftTrace out;
  std::vector<std::size_t> columns;
  Index number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = without_blanks(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::string place = concat({source, ":", std::to_string(number)});
    if (columns.empty()) {
      auto found = columns_of(line, place);
      if (!found) return found.error();
      columns = *std::move(found);
      continue;
    }
    const std::vector<std::string_view> cells = csv_cells(line);
    if (cells.size() != columns.size())
      return Error{Errc::parse, concat({place, ": ", std::to_string(cells.size()), " values for ",
                                        std::to_string(columns.size()), " columns"})};
    std::array<double, 8> values{};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      double& x = values[columns[i]];
      const auto [stop, error] =
          std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), x);
      if (error != std::errc() || stop != cells[i].data() + cells[i].size() || !std::isfinite(x))
        return Error{Errc::parse, concat({place, ": '", cells[i], "' under ", known[columns[i]],
                                          " is not a finite number"})};
    }
    const auto has = [&](std::size_t i) {
      return std::find(columns.begin(), columns.end(), i) != columns.end();
    };
    add_sample(values, has(3), has(4), out);
  }
  if (out.time_s.empty())
    return Error{Errc::parse,
                 concat({source, ": has no samples; the first line names the columns: ",
                         "time_s, gap_m, normal_force_N, ..."})};
  return out;
}

}  // namespace tact
