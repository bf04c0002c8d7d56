// io/dynamics_report.hpp - what one mode takes to start from rest, for people and for machines.
#pragma once

#include <string>

#include "tact/modes/mode_dynamics.hpp"

namespace tact {

struct DynamicsReport {
  std::string cs, ss;
  /// The unknowns by name, accelerations first: a0, then N0 and T0.0, T0.1 for the normal and the
  /// tangent forces of contact 0, as the rows of the system are ordered.
  std::vector<std::string> unknowns;
  ModeEquations equations;
  ModeDynamics dynamics;
};

/// Refuses what mode_dynamics refuses.
[[nodiscard]] Result<DynamicsReport> dynamics_report(const ModeSystem& system, const ModeLoad& load,
                                                     std::string_view cs, std::string_view ss);

[[nodiscard]] std::string dynamics_json(const DynamicsReport& report);
[[nodiscard]] std::string dynamics_text(const DynamicsReport& report);

}  // namespace tact
