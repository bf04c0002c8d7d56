// io/consistency_picture.hpp - the consistency set of an impact as a picture: on a line, in the
// plane or in space.
#pragma once

#include <string>

#include "tact/impact/consistency_set.hpp"
#include "tact/io/slice_view.hpp"

namespace tact {

/// Pictures exist for slices of dimension 1 to 3.
[[nodiscard]] bool can_be_drawn(const ConsistencySet& set);

/// One self-contained SVG: P⁺, what impulses reach, the balls about the corners, and the set I that
/// all three have in common, with u⁻, z, the projection of z on P⁺ and what `shown` adds. On a line
/// the work itself is drawn over the velocity. Boundaries in the plane are true segments and arcs.
/// After the drawings of [Glocker] 8. The set can_be_drawn().
[[nodiscard]] std::string consistency_svg(const ConsistencySet& set, const ConsistencyShown& shown);

}  // namespace tact
