// geom/grazing.hpp - polyhedra that touch along edges or in corners only, where no single normal
// exists.
//
// Two cubes of a grid that are diagonal neighbours share an edge. Any normal between those of two
// faces separates them, and which one a distance algorithm returns is a matter of rounding. What
// holds is a disjunction: the bodies do not overlap as long as one separating face remains.
#pragma once

#include <vector>

#include "tact/geom/support.hpp"

namespace tact {

/// The plane of a face of one of two shapes, with the other one beyond it.
struct SeparatingFace {
  Vec3 normal_W;          ///< from the second shape into the first
  double separation = 0;  ///< [m] of the two shapes along it
};

/// Separating faces with different normals of two polyhedra (boxes, meshes) in contact at `at_W`:
/// those along which the shapes overlap by at most `slack` [m]. One where a face meets a face, an
/// edge or a corner; none of other shapes.
void separating_faces(const Convex& first, const Convex& second, const Vec3& at_W, double slack,
                      std::vector<SeparatingFace>& out);

}  // namespace tact
