// geom/mass_properties.hpp - volume, centre and inertia of meshes and of shapes.
//
// A closed mesh is the signed sum of the tetrahedra from one point to its triangles; the integrals
// of 1, x and x xᵀ over a tetrahedron and over a triangle are polynomials in the corners, so the
// results are exact up to rounding. Everything is for density 1, in kg/m³ or kg/m² of a shell.
//
// MuJoCo's compiler knows four ways, the attribute `inertia` of a mesh:
//   exact   the signed sum; needs a closed mesh whose triangles agree on what is outside
//   convex  the same of the convex hull
//   shell   the surface, for density per area
//   legacy  tetrahedra from the centre of the surface, each counted positive, then, about the
//   centre
//           found so, each counted positive again: too heavy for a mesh that is not star-shaped,
//           but the default of MuJoCo 2, so models have been tuned with it
#pragma once

#include "tact/base/result.hpp"
#include "tact/geom/shape.hpp"
#include "tact/geom/triangle_mesh.hpp"
#include "tact/spatial/inertia.hpp"

namespace tact {

/// Measure of a body of density 1. Of a shell `volume` is the area [m²] and the unit of the rest
/// follows.
struct MassProperties {
  double volume = 0;            ///< [m³]
  Vec3 center = Vec3::Zero();   ///< [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre [m⁵]
};

enum class MeshInertia { exact, convex, shell, legacy };

/// Refuses triangles with corners that do not exist, numbers that are not finite, and a measure
/// that is not positive, naming the remedy: turned triangles have a negative volume, plates have
/// none. `exact` refuses a mesh in which two triangles run along an edge in the same direction.
[[nodiscard]] Result<MassProperties> mass_properties(const TriangleMesh& mesh, MeshInertia kind);

/// Of a convex polyhedron; a flat one has volume zero.
[[nodiscard]] MassProperties mass_properties(const Polyhedron& polyhedron);

/// Of a solid shape. Expects one that has a volume: not a half-space nor a height field, and sizes
/// that are positive.
[[nodiscard]] MassProperties mass_properties(const Shape& shape);

/// A solid shape with a given density [kg/m³] or mass [kg]; refuses what has no mass of its own
/// (half-spaces, height fields, flat meshes).
[[nodiscard]] Result<Inertia> inertia_from_density(const Shape& shape, double density);
[[nodiscard]] Result<Inertia> inertia_from_mass(const Shape& shape, double mass);

/// Where MuJoCo's compiler puts a mesh: its own frame has the origin at the centre and the
/// principal axes of inertia as axes, largest moment first. X_MF = (R, center) maps that frame F to
/// the frame M of the file; a geom with a mesh is placed at X_WG X_MF.
struct MeshFrame {
  Vec3 center;
  Mat3 R;
  double volume;
  Vec3 principal_moments;  ///< descending, density 1
};

/// Axes by Jacobi's rotations from the largest entry on: a mesh whose axes are principal already is
/// not turned but to order them, and equal moments turn nothing. MuJoCo stops its rotations at an
/// absolute 1e-12, so of meshes smaller than a few centimetres its frame is less exact than this
/// one.
[[nodiscard]] MeshFrame mesh_frame(const MassProperties& properties);

/// Half extents of the box with the same mass, centre and inertia, in the principal axes, for
/// shapes fitted to a mesh. Expects a positive volume.
[[nodiscard]] Vec3 equivalent_box(const MassProperties& properties);

}  // namespace tact
