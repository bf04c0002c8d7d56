// io/grasp_report.hpp - what a grasp holds, for people and for machines.
#pragma once

#include <string>

#include "tact/modes/grasp.hpp"

namespace tact {

[[nodiscard]] std::string grasp_json(const GraspReport& report);
[[nodiscard]] std::string grasp_text(const GraspReport& report);

}  // namespace tact
