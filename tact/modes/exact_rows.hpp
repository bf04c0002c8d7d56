// modes/exact_rows.hpp - rows made of other rows without rounding: what is coplanar stays so.
//
// A plane between two tangents, a corner of a patch: combinations of given rows. Rounded to
// doubles, they would no longer depend on each other, and exact modes would see that.
#pragma once

#include <span>
#include <vector>

#include "tact/modes/mode_system.hpp"
#include "tact/poly/exact_lp.hpp"

namespace tact {

/// What a row means: its doubles, or the exact entries whose `row` is this one.
[[nodiscard]] ExactVector exact_row(const VecX& doubles, std::span<const ExactEntry> exact,
                                    Index row);

/// x + a y.
[[nodiscard]] ExactVector combined(const ExactVector& x, const Exact& a, const ExactVector& y);

/// dividing_planes() without rounding.
[[nodiscard]] std::vector<ExactVector> exact_planes(const ExactVector& t1, const ExactVector& t2,
                                                    Index planes);

/// Entries that no double holds become exact entries of the system.
void add_contact(ModeSystem& system, const ExactVector& normal,
                 const std::vector<ExactVector>& tangents);

}  // namespace tact
