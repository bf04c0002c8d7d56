// io/patch_words.hpp - a report on a patch in words: for the terminal, for pictures and for pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/io/patch_report.hpp"

namespace tact {

struct ReportLine {
  std::string label;  ///< regime, wrench, twist, friction
  std::string text;
};

/// One line each for regime, wrench, twist and friction, as far as the file says something.
[[nodiscard]] std::vector<ReportLine> report_lines(const PatchReport& report);

/// The one number that matters.
[[nodiscard]] std::string headline(const PatchReport& report);

/// The class of svg_style() that stands for a regime; slide-tipping has the colour of tipping.
[[nodiscard]] std::string_view regime_color(const PatchReport& report);

}  // namespace tact
