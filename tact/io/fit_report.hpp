// io/fit_report.hpp - what was found in a trace of a compliant pair, in words and as JSON.
#pragma once

#include <optional>
#include <string>

#include "tact/soft/fit.hpp"

namespace tact {

struct FitReport {
  std::string source;
  SoftFit fit;
  std::string checked_source;  ///< the second trace
  std::optional<FitCheck> check;
};

[[nodiscard]] std::string fit_text(const FitReport& report);
[[nodiscard]] std::string fit_json(const FitReport& report);

}  // namespace tact
