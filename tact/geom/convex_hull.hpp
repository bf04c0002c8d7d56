// geom/convex_hull.hpp - the convex hull of points in space, with maximal planar faces.
//
// Qhull finds the facets; what it says is not believed but checked: every edge in two faces,
// V - E + F = 2, convex, all points inside. Facets within tolerance::coplanar of the size of the
// set are one face (geom/merge_facets.hpp), so a face of a mesh stored in single precision is one
// face and the patch on it one patch. Qhull shakes the points a little, always alike:
// its facets are triangles then, and it does not slow down on faces with thousands of corners as
// its own merging does. Where the check fails the hull is made again with less merging, then with
// Qhull's merging, and at last refused.
//
// The answer does not depend on the order of the points nor on duplicates.
#pragma once

#include <span>

#include "tact/base/result.hpp"
#include "tact/geom/shape.hpp"

namespace tact {

/// Vertices are points given, ascending by x, y, z. Points thinner than tolerance::coplanar of
/// their size in one direction make a flat body of two faces; thinner in two directions they are
/// refused, and so are numbers that are not finite. All points lie inside up to 8
/// tolerance::coplanar of the size. O(n log n).
[[nodiscard]] Result<Polyhedron> convex_hull(std::span<const Vec3> points);

}  // namespace tact
