#include "tact/geom/support.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

/// Below this a look at every vertex is faster than a walk from one to the next.
constexpr std::size_t walk_from = 32;

/// What to add to the case list of a variant.
struct CoreOf {
  Convex& c;
  void operator()(const HalfSpace& /*s*/) const { c.core = Convex::Core::half_space; }
  void operator()(const Sphere& s) const { c.radius = s.radius; }
  void operator()(const Capsule& s) const {
    c.core = Convex::Core::segment;
    c.radius = s.radius;
    c.size = Vec3(0, 0, s.half_length);
  }
  void operator()(const Cylinder& s) const {
    c.core = Convex::Core::cylinder;
    c.size = Vec3(s.radius, s.radius, s.half_length);
  }
  void operator()(const Ellipsoid& s) const {
    c.core = Convex::Core::ellipsoid;
    c.size = s.semi_axes;
  }
  void operator()(const Box& s) const {
    c.core = Convex::Core::box;
    c.size = s.half_extents;
  }
  void operator()(const ConvexMesh& s) const {
    TACT_EXPECTS(s.polyhedron != nullptr);
    c.core = Convex::Core::mesh;
    c.mesh = s.polyhedron.get();
  }
  void operator()(const HeightField& /*s*/) const { TACT_EXPECTS(false); }  // is not convex
};

Vec3 mesh_support(const Polyhedron& mesh, const Vec3& d, int& vertex) {
  const auto& x = mesh.vertices;
  if (x.size() <= walk_from) {
    int best = 0;
    double far = d.dot(x[0]);
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double here = d.dot(x[i]);
      if (here > far) far = here, best = static_cast<int>(i);
    }
    vertex = best;
    return x[best];
  }
  // A vertex with no better neighbour is the best of all: the solid is convex.
  int at = vertex >= 0 && vertex < static_cast<int>(x.size()) ? vertex : 0;
  double far = d.dot(x[at]);
  for (bool moved = true; moved;) {
    moved = false;
    for (const int next : mesh.neighbours[at]) {
      const double there = d.dot(x[next]);
      if (there > far) far = there, at = next, moved = true;
    }
  }
  vertex = at;
  return x[at];
}

Vec3 ellipsoid_support(const Vec3& semi_axes, const Vec3& d) {
  // Scaled first, so that neither tiny nor huge axes overflow.
  const Vec3 scaled = semi_axes.cwiseProduct(d / d.cwiseAbs().maxCoeff());
  const double length = scaled.norm();
  if (length == 0) return Vec3::Zero();
  return semi_axes.cwiseProduct(scaled / length);
}

Vec3 cylinder_support(const Vec3& size, const Vec3& d) {
  const double across = std::hypot(d[0], d[1]);
  const double z = std::copysign(size[2], d[2]);
  if (across == 0) return {size[0], 0, z};
  return {size[0] * d[0] / across, size[0] * d[1] / across, z};
}

}  // namespace

Convex convex_of(const Shape& shape, const Pose& X_W) {
  Convex c;
  c.X_W = X_W;
  std::visit(CoreOf{c}, shape);
  return c;
}

Convex convex_of(const Polyhedron& solid, const Pose& X_W) {
  Convex c;
  c.core = Convex::Core::mesh;
  c.mesh = &solid;
  c.X_W = X_W;
  return c;
}

double extent(const Convex& shape) {
  switch (shape.core) {
    case Convex::Core::mesh: {
      double squared = 0;
      for (const Vec3& x : shape.mesh->vertices) squared = std::max(squared, x.squaredNorm());
      return shape.radius + std::sqrt(squared);
    }
    case Convex::Core::cylinder:
      return shape.radius + std::hypot(shape.size[0], shape.size[2]);
    case Convex::Core::ellipsoid:
      return shape.radius + shape.size.maxCoeff();
    default:
      return shape.radius + shape.size.norm();
  }
}

Vec3 core_support(const Convex& shape, const Vec3& d, int& vertex) {
  switch (shape.core) {
    case Convex::Core::segment:
      return {0, 0, std::copysign(shape.size[2], d[2])};
    case Convex::Core::ellipsoid:
      return ellipsoid_support(shape.size, d);
    case Convex::Core::cylinder:
      return cylinder_support(shape.size, d);
    case Convex::Core::box:
      return {std::copysign(shape.size[0], d[0]), std::copysign(shape.size[1], d[1]),
              std::copysign(shape.size[2], d[2])};
    case Convex::Core::mesh:
      return mesh_support(*shape.mesh, d, vertex);
    default:
      return Vec3::Zero();
  }
}

Mat3 support_curvature(const Convex& c, const Vec3& d_W) {
  if (c.core != Convex::Core::ellipsoid && c.core != Convex::Core::cylinder) return Mat3::Zero();
  const Vec3 d = c.X_W.R.transpose() * d_W;
  if (c.core == Convex::Core::ellipsoid) {
    const Vec3 x = ellipsoid_support(c.size, d);
    const double h = d.dot(x);
    if (!(h > 0)) return Mat3::Zero();
    const Mat3 H = Mat3(c.size.cwiseAbs2().asDiagonal()) - x * x.transpose();
    return c.X_W.R * (H / h) * c.X_W.R.transpose();
  }
  const double rho = std::hypot(d[0], d[1]);
  if (!(rho > 0)) return Mat3::Zero();
  const Vec3 t = c.X_W.R * Vec3(-d[1] / rho, d[0] / rho, 0);
  return (c.size[0] / rho) * t * t.transpose();
}

CorePair core_pair(const Convex& first, const Convex& second) {
  CorePair pair{first, second};
  // Of a mesh a few vertices say how large it is; the tolerances need no more.
  const auto rough = [](const Convex& c) {
    if (c.core != Convex::Core::mesh) return c.size.norm();
    const auto& x = c.mesh->vertices;
    double far = 0;
    const std::size_t stride = std::max<std::size_t>(1, x.size() / 8);
    for (std::size_t i = 0; i < x.size(); i += stride) far = std::max(far, x[i].squaredNorm());
    return std::sqrt(far);
  };
  pair.size = rough(first) + rough(second) + (first.X_W.p - second.X_W.p).norm();
  return pair;
}

DifferencePoint least_along(CorePair& pair, const Vec3& n) {
  const Vec3 x1 = core_support_world(pair.first, -n, pair.vertex_first);
  const Vec3 x2 = core_support_world(pair.second, n, pair.vertex_second);
  return {x1 - x2, x1};
}

}  // namespace tact
