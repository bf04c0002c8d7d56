// Polyhedra for tests, made without the hull of the library: brute force over all triples of
// points.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "tact/base/rng.hpp"
#include "tact/geom/shape.hpp"

namespace tact::testing {

/// Normals, neighbours and the rest from the corners of the faces.
inline Polyhedron polyhedron_of(std::vector<Vec3> vertices, std::vector<std::vector<int>> faces) {
  Polyhedron p;
  p.vertices = std::move(vertices);
  p.neighbours.resize(p.vertices.size());
  p.faces_at.resize(p.vertices.size());
  std::map<std::pair<int, int>, int> face_of_edge;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& c = faces[f];
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < c.size(); ++i)
      normal +=
          (p.vertices[c[i]] - p.vertices[c[0]]).cross(p.vertices[c[i + 1]] - p.vertices[c[0]]);
    normal.normalize();
    double offset = 0;
    for (const int v : c) offset += normal.dot(p.vertices[v]) / static_cast<double>(c.size());
    p.faces.push_back({normal, offset, c, {}});
    for (std::size_t i = 0; i < c.size(); ++i) {
      const int a = c[i], b = c[(i + 1) % c.size()];
      face_of_edge[{a, b}] = static_cast<int>(f);
      p.neighbours[a].push_back(b);
      p.faces_at[a].push_back(static_cast<int>(f));
    }
  }
  for (auto& face : p.faces)
    for (std::size_t i = 0; i < face.corners.size(); ++i)
      face.across.push_back(
          face_of_edge.at({face.corners[(i + 1) % face.corners.size()], face.corners[i]}));
  for (auto& n : p.neighbours) std::sort(n.begin(), n.end());
  for (auto& n : p.faces_at) std::sort(n.begin(), n.end());
  return p;
}

/// Random points on an ellipsoid: every one is a corner, every face a triangle.
inline Polyhedron random_polyhedron(Rng& rng, int count, const Vec3& semi_axes) {
  std::vector<Vec3> x;
  for (int i = 0; i < count; ++i)
    x.push_back(
        semi_axes.cwiseProduct(Vec3(rng.normal(), rng.normal(), rng.normal()).normalized()));
  std::vector<std::vector<int>> faces;
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      for (int k = j + 1; k < count; ++k) {
        const Vec3 n = (x[j] - x[i]).cross(x[k] - x[i]);
        int above = 0, below = 0;
        for (int m = 0; m < count && (above == 0 || below == 0); ++m)
          if (m != i && m != j && m != k) ++(n.dot(x[m] - x[i]) > 0 ? above : below);
        if (above == 0) faces.push_back({i, j, k});
        if (below == 0 && above > 0) faces.push_back({i, k, j});
      }
  return polyhedron_of(std::move(x), std::move(faces));
}

/// A right prism over a regular polygon, about the z axis.
inline Polyhedron prism(int sides, double radius, double half_length) {
  std::vector<Vec3> x;
  std::vector<std::vector<int>> faces(2);
  for (int i = 0; i < sides; ++i) {
    const double a = 2 * std::numbers::pi * i / sides;
    x.emplace_back(radius * std::cos(a), radius * std::sin(a), -half_length);
    x.emplace_back(radius * std::cos(a), radius * std::sin(a), half_length);
    const int next = (i + 1) % sides;
    faces.push_back({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
    faces[0].push_back(2 * i + 1);
    faces[1].insert(faces[1].begin(), 2 * i);
  }
  return polyhedron_of(std::move(x), std::move(faces));
}

/// A box as a mesh.
inline Polyhedron box_mesh(const Vec3& half) {
  std::vector<Vec3> x;
  for (int i = 0; i < 8; ++i)
    x.emplace_back((i & 1 ? 1 : -1) * half[0], (i & 2 ? 1 : -1) * half[1],
                   (i & 4 ? 1 : -1) * half[2]);
  return polyhedron_of(
      std::move(x),
      {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}});
}

inline Shape mesh_shape(Polyhedron p) {
  return ConvexMesh{std::make_shared<const Polyhedron>(std::move(p))};
}

}  // namespace tact::testing
