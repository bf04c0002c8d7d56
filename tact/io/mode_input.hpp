// io/mode_input.hpp - the rows of a problem file as a system whose modes can be enumerated.
#pragma once

#include <optional>
#include <string>

#include "tact/base/result.hpp"
#include "tact/io/problem_file.hpp"
#include "tact/modes/mode_dynamics.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact {

struct ModeInput {
  /// Replaces the tangents of every contact that has two by this many planes, of which axes
  /// stay exact; 0 keeps the file's rows.
  Index planes = 0;
  /// Corners per turn that stand for a round rim of a patch; 0 refuses one.
  Index rim = 0;
};

/// A polygon patch becomes its corners, counter-clockwise. Numbers in quotes stay exact. `source`
/// names the file in complaints.
[[nodiscard]] Result<ModeSystem> mode_system(const ProblemFile& file, const std::string& source,
                                             const ModeInput& input = {});

/// What friction allows each tangent row of each contact of the system, per normal load. Of a disc
/// and of a pyramid it is the largest box, or zonotope of more planes, inside it: what holds with
/// it holds with them.
[[nodiscard]] Result<std::vector<double>> mode_friction(const ProblemFile& file,
                                                        const std::string& source,
                                                        const ModeInput& input = {});

/// Mass, smooth impulse as load and mode_friction(): what a grasp has to withstand from rest.
/// Nothing if the file has no mass.
[[nodiscard]] Result<std::optional<ModeLoad>> mode_load(const ProblemFile& file,
                                                        const std::string& source,
                                                        const ModeInput& input = {});

}  // namespace tact
