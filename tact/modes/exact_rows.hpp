// modes/exact_rows.hpp - rows made of other rows without rounding: what is coplanar stays so.
//
// A plane between two tangents, a corner of a patch: combinations of given rows. Rounded to
// doubles, they would no longer depend on each other, and exact modes would see that.
#pragma once

#include <span>
#include <vector>

#include <gmpxx.h>

#include "tact/modes/mode_system.hpp"

namespace tact {

using ExactRow = std::vector<mpq_class>;

/// What a row means: its doubles, or the exact entries whose `row` is this one.
[[nodiscard]] ExactRow exact_row(const VecX& doubles, std::span<const ExactEntry> exact, Index row);

/// x + a y.
[[nodiscard]] ExactRow combined(const ExactRow& x, const mpq_class& a, const ExactRow& y);

/// dividing_planes() without rounding.
[[nodiscard]] std::vector<ExactRow> exact_planes(const ExactRow& t1, const ExactRow& t2,
                                                 Index planes);

/// Entries that no double holds become exact entries of the system.
void add_contact(ModeSystem& system, const ExactRow& normal, const std::vector<ExactRow>& tangents);

}  // namespace tact
