// geom/shape.hpp - the shapes that bodies are made of, each in a frame of its own.
//
// Every shape is solid and, the height field apart, convex. The half-space is the solid below its
// plane. Sizes in metres, half lengths where a length is symmetric about the origin, as in MuJoCo.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// z <= 0; the outward normal is +z.
struct HalfSpace {
  bool operator==(const HalfSpace&) const = default;
};

struct Sphere {
  double radius;
  bool operator==(const Sphere&) const = default;
};

/// All points within `radius` of the segment from (0, 0, -half_length) to (0, 0, half_length).
struct Capsule {
  double radius;
  double half_length;
  bool operator==(const Capsule&) const = default;
};

/// Axis z, flat caps at z = ±half_length.
struct Cylinder {
  double radius;
  double half_length;
  bool operator==(const Cylinder&) const = default;
};

struct Ellipsoid {
  Vec3 semi_axes;
  bool operator==(const Ellipsoid&) const = default;
};

struct Box {
  Vec3 half_extents;
  bool operator==(const Box&) const = default;
};

/// A convex polyhedron: what is left of a mesh once its hull is taken. Faces are the maximal planar
/// ones (coplanar triangles are joined). A flat mesh has two faces, one for each side.
struct Polyhedron {
  struct Face {
    Vec3 normal;               ///< unit, outward
    double offset;             ///< normal · x = offset on the face
    std::vector<int> corners;  ///< counter-clockwise seen from outside
    std::vector<int> across;   ///< the face beyond the edge corners[i] → corners[i + 1]
  };
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<std::vector<int>> neighbours;  ///< of each vertex, along edges, ascending
  std::vector<std::vector<int>> faces_at;    ///< of each vertex, ascending
};

/// Shared, for a mesh is often used by many geoms; compared by identity.
struct ConvexMesh {
  std::shared_ptr<const Polyhedron> polyhedron;
  bool operator==(const ConvexMesh&) const = default;
};

/// A surface of heights over a grid, and everything below it down to z = -base. Cell corners at
/// x_j = -half_size_x + 2 half_size_x j/(columns - 1), y_i likewise over the rows; each cell is
/// split into two triangles along the diagonal from (i, j) to (i + 1, j + 1). Expects rows, columns
/// >= 2.
struct HeightGrid {
  Index rows = 0, columns = 0;
  Vec2 half_size = Vec2::Zero();
  double base = 0;              ///< thickness below z = 0 [m]
  std::vector<double> heights;  ///< [m], row after row, y ascending
};

struct HeightField {
  std::shared_ptr<const HeightGrid> grid;
  bool operator==(const HeightField&) const = default;
};

using Shape =
    std::variant<HalfSpace, Sphere, Capsule, Cylinder, Ellipsoid, Box, ConvexMesh, HeightField>;

}  // namespace tact
