// What tact modes draws, exports and reports besides counts and lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/modes/mode_dynamics.hpp"
#include "tact/modes/modes.hpp"

namespace tact::app {

/// Files to write; empty means none.
struct ModeFiles {
  std::string graph;  ///< .graphml, .dot or .json
  std::string svg;
  std::string html;
  [[nodiscard]] bool any() const { return !graph.empty() || !svg.empty() || !html.empty(); }
};

/// All of them or none; a system too large for a graph gets its layers as SVG, nothing else.
[[nodiscard]] std::optional<Error> write_views(const ModeSystem& system, const std::string& name,
                                               const ModeOptions& options, const ModeFiles& files);

/// Prints the report of a grasp; the exit code says whether it is stable, or without a load whether
/// it has force closure. `friction` bounds every tangent row of each contact; empty means none.
int tell_grasp(const ModeSystem& system, const std::string& source,
               const std::vector<double>& friction, const std::optional<ModeLoad>& load,
               const std::string& desired, const ModeOptions& options, bool as_json);

/// Prints what a mode, which some velocity has, takes to start from rest; the exit code says
/// whether it can.
int tell_dynamics(const ModeSystem& system, const std::string& source,
                  const std::optional<ModeLoad>& load, const std::string& cs, const std::string& ss,
                  bool as_json);

}  // namespace tact::app
