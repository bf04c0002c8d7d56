// io/mjcf_mesh.hpp - meshes as MuJoCo takes them: centred, turned to their principal axes, with a
// volume by one of its rules.
#pragma once

#include "tact/base/result.hpp"
#include "tact/geom/mass_properties.hpp"
#include "tact/io/mjcf_inertia.hpp"

namespace tact::mjcf {

struct CentredMesh {
  Pose X_MG;                        ///< M: the file's frame; G: centre of mass, moments descending
  TriangleMesh mesh_G;              ///< the triangles, in G
  Extent extent;                    ///< per unit density, axes of G
  Vec3 inertia_box = Vec3::Zero();  ///< half lengths of the box of the same mass and moments
  bool flat = false;                ///< no volume: taken for a shell
};

/// A mesh without triangles is the cloud of points whose hull is meant; one whose triangles do not
/// agree on what is outside is taken by the legacy rule where the exact one is asked for. Refuses a
/// mesh without area.
[[nodiscard]] Result<CentredMesh> centred(const TriangleMesh& mesh_M, MeshInertia kind);

}  // namespace tact::mjcf
