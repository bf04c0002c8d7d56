// io/mode_input.hpp - the rows of a problem file as a system whose modes can be enumerated.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

/// What a file says of modes and grasps.
struct ModeProblem {
  ModeSystem system;  ///< a polygon patch is its corners, counter-clockwise
  /// What friction allows each tangent row, per normal load, one for each contact of the system. Of
  /// a disc and of a pyramid it is the largest box, or zonotope of more planes, inside it: what
  /// holds with it holds with them.
  std::vector<double> friction;
  /// Mass and smooth impulse as load, with that friction; nothing if the file has no mass.
  std::optional<ModeLoad> load;
};

/// Numbers in quotes stay exact. `source` names the file in complaints.
[[nodiscard]] Result<ModeProblem> mode_problem(const ProblemFile& file, const std::string& source,
                                               const ModeInput& input = {});

}  // namespace tact
