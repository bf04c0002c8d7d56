// geom/support.hpp - convex shapes as support mappings: the farthest point in a direction.
//
// Notation: h(d) = max over the shape of d · x, the support function; a shape is a core plus a ball
//           of some radius (a sphere is a point with a radius, a capsule a segment with one). The
//           signed distance of two shapes is that of their cores less the radii, exactly, so that
//           everything below works on cores.
#pragma once

#include <cstdint>

#include "tact/geom/shape.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

/// A convex shape in place. A view: the polyhedron is not owned and must outlive it.
struct Convex {
  enum class Core : std::uint8_t { point, segment, ellipsoid, cylinder, box, mesh, half_space };
  Core core = Core::point;
  double radius = 0;         ///< of the ball that is added to the core [m]
  Vec3 size = Vec3::Zero();  ///< half lengths of the core along its axes [m]
  const Polyhedron* mesh = nullptr;
  Pose X_W;
};

/// Expects a convex shape, that is, no height field.
[[nodiscard]] Convex convex_of(const Shape& shape, const Pose& X_W);

/// A solid that is somebody else's: a prism of a height field, say.
[[nodiscard]] Convex convex_of(const Polyhedron& solid, const Pose& X_W);

/// No point of the shape is farther than this from the origin of its frame. Expects no half-space.
[[nodiscard]] double extent(const Convex& shape);

/// The point of the core farthest along d, both in the frame of the shape, d of any length but
/// zero. `vertex` is where the search over a large mesh starts and where it ended; pass the same
/// variable again. Expects no half-space.
[[nodiscard]] Vec3 core_support(const Convex& shape, const Vec3& d, int& vertex);

/// The same in the world.
[[nodiscard]] inline Vec3 core_support_world(const Convex& shape, const Vec3& d_W, int& vertex) {
  return shape.X_W.R * core_support(shape, shape.X_W.R.transpose() * d_W, vertex) + shape.X_W.p;
}

/// Second derivative of the core's support function h at the unit vector d, in the world; zero for
/// cores with corners alone and along the axis of a cylinder.
[[nodiscard]] Mat3 support_curvature(const Convex& shape, const Vec3& d_W);

/// The cores of two shapes and the set of differences x₁ - x₂ of their points, which the origin is
/// as far from as the cores are from each other.
struct CorePair {
  Convex first, second;
  double size = 0;  ///< of the two cores and what lies between them [m]: scale of all tolerances
  int vertex_first = 0, vertex_second = 0;
};

[[nodiscard]] CorePair core_pair(const Convex& first, const Convex& second);

struct DifferencePoint {
  Vec3 w = Vec3::Zero();         ///< x₁ - x₂
  Vec3 on_first = Vec3::Zero();  ///< x₁
  bool operator==(const DifferencePoint&) const = default;
};

/// The point of the difference set that is least along n. n · w is the separation of the cores
/// along n: a lower bound of their signed distance, and equal to it for the best n.
[[nodiscard]] DifferencePoint least_along(CorePair& pair, const Vec3& n);

}  // namespace tact
