// geom/merge_facets.hpp - facets of a hull that lie in one plane become one face.
//
// From the largest facet on, a face takes in its neighbours as long as their corners stay within
// `slack` of the plane of the first, except low ones that go on beyond an edge. What is taken must
// be a convex polygon without holes, up to the slack too; where it is not (a finely faceted dome
// has many near-planes that overlap) the face is grown again with less slack, in the end without
// any. So smooth surfaces keep their facets and flat ones lose them. Corners that end up inside a
// face, or on a straight edge between two, are dropped.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// Loops of places in `vertices`, as polyhedron_from_faces expects them; nothing when the loops
/// given do not close up, or when what is left has a face with fewer than three corners.
[[nodiscard]] std::optional<std::vector<std::vector<int>>> merge_facets(
    std::span<const Vec3> vertices, const std::vector<std::vector<int>>& loops, double slack);

}  // namespace tact
