// modes/mode_cone.hpp - one mode from close by: all velocities that have it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tact/modes/modes.hpp"

namespace tact {

/// The velocities of a mode are the relative interior of {rays, nonnegative} + {lines, any}.
struct ModeCone {
  Index dim = 0;
  MatX rays;     ///< dof rows, one column per extreme ray modulo the lines
  MatX lines;    ///< dof rows, a basis of the lineality
  VecX witness;  ///< a velocity of the mode: the sum of the rays
  /// Policy exact: the witness without rounding.
  std::vector<Rational> exact_witness;
};

/// Nothing if no velocity has these signs. An error if the strings do not fit the system; the
/// message says how.
[[nodiscard]] Result<std::optional<ModeCone>> mode_cone(const ModeSystem& system,
                                                        std::string_view cs, std::string_view ss,
                                                        const ModeOptions& options = {});

}  // namespace tact
