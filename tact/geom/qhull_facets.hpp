// geom/qhull_facets.hpp - the facets of a hull in space, as Qhull finds them.
//
// Qhull works in floating point: facets that rounding makes concave are merged, so a facet is a
// polygon, planar to rounding. Its answer is checked by whoever uses it (geom/convex_hull.hpp).
#pragma once

#include <span>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// How Qhull treats rounding.
enum class QhullPrecision {
  merged,   ///< facets that are not clearly convex are merged
  joggled,  ///< coordinates are shaken (always by the same numbers) until all facets are triangles
};

/// Loops of places in `points`, counter-clockwise seen from outside. Expects finite points that are
/// not all in one plane, of a size near 1.
[[nodiscard]] Result<std::vector<std::vector<int>>> qhull_facets(std::span<const Vec3> points,
                                                                 QhullPrecision precision);

}  // namespace tact
