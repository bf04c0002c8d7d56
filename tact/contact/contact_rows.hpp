// contact/contact_rows.hpp - how two bodies move relative to each other at a contact, in rows.
//
// Rows of the twist of body 1 minus that of body 2 in the contact frame C,
//     [ω_T(2), ω_N, v_T(2), v_N] = J u,      v of the points of both bodies at the origin of C;
// a law takes those it needs, in this order. [Huang20] (4), (5), (6)
#pragma once

#include <span>

#include "tact/contact/local_law.hpp"

namespace tact {

/// Which of the six rows a law takes: all of a patch with friction and of rolling, [ω_T, v_N] of a
/// patch without, [t1, t2, n] or [n] of a point. Planar laws have no place in space.
[[nodiscard]] std::span<const Index> twist_rows_of(const LocalLaw& law);

}  // namespace tact
