// geom/collide.hpp - contacts of pairs of convex shapes: a face contact is found as a face, and
// stays one.
//
// docs/geometry.md says which patch belongs to which pair, when a patch changes its kind, and how
// exact each is.
#pragma once

#include "tact/geom/contact_patch.hpp"
#include "tact/geom/distance.hpp"
#include "tact/geom/pair_memory.hpp"
#include "tact/geom/shape.hpp"
#include "tact/geom/surface_contact.hpp"

namespace tact {

struct CollideOptions {
  double margin = 0;  ///< contacts are reported while the signed distance is at most this [m]
};

/// Appends one contact, or none if the shapes are farther apart than the margin. The normal points
/// from the second shape into the first. Exchanging the shapes (and the memory) gives the same
/// distance and patch and the opposite normal. Two half-spaces do not meet. Expects convex shapes.
void collide(const Shape& first, const Pose& X_W1, const Shape& second, const Pose& X_W2,
             const CollideOptions& options, PairMemory& memory, ContactBuffer& out);

/// The same of shapes in place, for solids that are made on the way.
void collide(const Convex& first, const Convex& second, const CollideOptions& options,
             PairMemory& memory, ContactBuffer& out);

}  // namespace tact
