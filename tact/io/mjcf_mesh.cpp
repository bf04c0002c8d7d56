// io/mjcf_mesh.cpp - the frame, mass and triangles of a mesh; what has no volume is a shell.
#include "tact/io/mjcf_mesh.hpp"

#include <cmath>
#include <utility>

#include "tact/base/tolerance.hpp"
#include "tact/geom/convex_hull.hpp"
#include "tact/geom/polyhedron.hpp"

namespace tact::mjcf {

Result<CentredMesh> centred(const TriangleMesh& mesh_M, MeshInertia kind) {
  CentredMesh out;
  out.mesh_G = mesh_M;
  if (mesh_M.triangles.empty()) {
    const Result<Polyhedron> hull = convex_hull(mesh_M.vertices);
    if (!hull) return hull.error();
    out.mesh_G = triangles_of(*hull);
  }
  const Result<MassProperties> shell = mass_properties(out.mesh_G, MeshInertia::shell);
  if (!shell) return Error{Errc::geometry, "the mesh has no surface"};
  Result<MassProperties> body = mass_properties(out.mesh_G, kind);
  // Triangles that do not agree on what is outside have no exact volume, but a body is meant.
  if (!body && kind == MeshInertia::exact) body = mass_properties(out.mesh_G, MeshInertia::legacy);
  // Pyramids over a flat surface leave the rounding of its area times its size.
  const double area = shell->volume;
  out.flat = kind != MeshInertia::shell &&
             !(body && body->volume > tolerance::coplanar * area * std::sqrt(area));
  const MassProperties& mass = out.flat ? *shell : *body;
  const MeshFrame frame = mesh_frame(mass);
  out.X_MG = {frame.R, frame.center};
  out.extent = {frame.volume, frame.principal_moments};
  out.inertia_box = equivalent_box(mass);
  for (Vec3& v : out.mesh_G.vertices) v = out.X_MG.R.transpose() * (v - out.X_MG.p);
  return out;
}

}  // namespace tact::mjcf
