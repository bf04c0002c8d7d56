// geom/polyhedron.hpp - convex polyhedra from their faces, and the proof that they are sound.
//
// A sound polyhedron is a closed surface in one piece: every edge lies in exactly two faces, once
// in either direction, and V - E + F = 2. It is convex to a slack: no corner of a face lies farther
// than that above the plane of a neighbouring face, nor inside the chord of its own neighbours.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/geom/shape.hpp"
#include "tact/geom/triangle_mesh.hpp"

namespace tact {

/// Length of the diagonal of the bounding box; zero for no points and for coincident ones.
[[nodiscard]] double point_set_size(std::span<const Vec3> points);

/// Twice the area vector of a closed loop of corners: normal times twice the area.
[[nodiscard]] Vec3 loop_normal(std::span<const Vec3> vertices, std::span<const int> loop);

/// Planes, neighbours and a defined order for loops of corners that are counter-clockwise seen from
/// outside. Each loop starts with its least corner and faces ascend by their corners. The offset of
/// a face is that of its outermost corner. Refuses loops that do not close up to one surface.
[[nodiscard]] Result<Polyhedron> polyhedron_from_faces(std::vector<Vec3> vertices,
                                                       std::vector<std::vector<int>> loops);

/// What is wrong with a polyhedron that polyhedron_from_faces made: not convex up to `slack` [m].
[[nodiscard]] std::optional<Error> convexity_fault(const Polyhedron& polyhedron, double slack);

/// How far the farthest of the points lies outside [m]; zero or less when all are inside. A walk
/// over the faces finds the one in front of each point, from where the walk for a similar direction
/// ended: a few steps a point.
[[nodiscard]] double farthest_outside(const Polyhedron& polyhedron, std::span<const Vec3> points);

/// The faces as fans of triangles, counter-clockwise seen from outside.
[[nodiscard]] TriangleMesh triangles_of(const Polyhedron& polyhedron);

/// Expects half extents that are positive and finite.
[[nodiscard]] Polyhedron box_polyhedron(const Vec3& half_extents);

}  // namespace tact
