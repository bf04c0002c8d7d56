// geom/triangle_mesh.hpp - a surface of triangles, as mesh files hold it.
//
// Nothing is promised: a mesh may be open, cross itself, repeat vertices or hold triangles without
// area. What needs more says so.
#pragma once

#include <array>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

struct TriangleMesh {
  std::vector<Vec3> vertices;                 ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
};

}  // namespace tact
