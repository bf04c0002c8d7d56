// io/grasp_report.hpp - what a grasp holds, for people and for machines.
#pragma once

#include <string>
#include <string_view>

#include "tact/modes/grasp.hpp"

namespace tact {

/// `desired` is the mode that should be the only one, CS|SS.
[[nodiscard]] std::string grasp_json(const GraspReport& report, std::string_view desired);
[[nodiscard]] std::string grasp_text(const GraspReport& report, std::string_view desired);

}  // namespace tact
