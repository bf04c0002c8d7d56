// tests/support/random_modes.hpp - small systems of contacts in small whole numbers: full of
// parallel, opposite, repeated and vanishing rows.
#pragma once

#include <array>
#include <cstdint>

#include "tact/base/rng.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact::testing {

/// -1, 0 or 1, half of the time 0.
inline double small_number(Rng& rng) {
  return std::array{0.0, 0.0, 1.0, -1.0}.at(rng.below(4));
}

/// One to four contacts with at most two tangents each, in two to four dimensions.
inline ModeSystem random_modes(Rng& rng) {
  const auto dof = static_cast<Index>(2 + rng.below(3));
  const auto number = [&] { return small_number(rng); };
  ModeSystem system;
  for (std::uint64_t contacts = 1 + rng.below(4); contacts > 0; --contacts) {
    const VecX normal = VecX::NullaryExpr(dof, number);
    const auto tangents = static_cast<Index>(rng.below(3));
    add_contact(system, normal, MatX::NullaryExpr(tangents, dof, number));
  }
  return system;
}

}  // namespace tact::testing
