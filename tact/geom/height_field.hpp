// geom/height_field.hpp - a height field against a convex shape.
//
// The triangles under the shape stand on prisms down to the base; each prism is a convex body and
// meets the shape as any other. An edge between two triangles is no edge of the ground where they
// are flat or make a valley, and on a ridge only for normals between those of the two: a contact
// whose normal says otherwise is taken again with the plane of its triangle and cut to the
// triangle. So a box that slides over a flat field never sees a seam. Patches in one plane are
// joined (geom/join_patches.hpp).
#pragma once

#include "tact/geom/collide.hpp"
#include "tact/geom/join_patches.hpp"

namespace tact {

/// Memory that is used again.
struct HeightFieldWorkspace {
  Polyhedron prism;
  ContactBuffer single;
  JoinWorkspace join;
};

/// Appends the contacts of a convex shape, the first, with a height field, the second: normals
/// point from the field into the shape. Expects a grid as HeightGrid describes it.
void collide_height_field(const Shape& shape, const Pose& X_WS, const HeightField& field,
                          const Pose& X_WF, const CollideOptions& options,
                          HeightFieldWorkspace& workspace, ContactBuffer& out);

}  // namespace tact
