#include "tact/geom/refine_normal.hpp"

#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

constexpr double near_cosine = 0.995;  ///< a face normal farther than this is another face's affair
constexpr double near_sine = 0.05;     ///< the same of edges: they must lie nearly across n
constexpr int most_lines = 12;
constexpr int newton_steps = 30;
constexpr double longest_step = 0.5;  ///< [rad]

/// Edges, axes of cylinders and of segments that lie nearly across n.
struct Lines {
  std::array<Vec3, most_lines> direction;
  int count = 0;

  void add_if_across(const Vec3& d_W, const Vec3& n) {
    const double length = d_W.norm();
    if (count == most_lines || !(length > 0)) return;
    if (std::abs(d_W.dot(n)) < near_sine * length) direction[count++] = d_W / length;
  }
};

Lines lines_of(const Convex& c, const Vec3& n, int vertex) {
  Lines lines;
  if (c.core == Convex::Core::segment || c.core == Convex::Core::cylinder) {
    lines.add_if_across(c.X_W.R.col(2), n);
  } else if (c.core == Convex::Core::box) {
    for (int i = 0; i < 3; ++i) lines.add_if_across(c.X_W.R.col(i), n);
  } else if (c.core == Convex::Core::mesh) {
    const auto& mesh = *c.mesh;
    for (const int next : mesh.neighbours[vertex])
      lines.add_if_across(c.X_W.R * (mesh.vertices[next] - mesh.vertices[vertex]), n);
  }
  return lines;
}

bool round(const Convex& c) {
  return c.core == Convex::Core::ellipsoid || c.core == Convex::Core::cylinder;
}

/// Newton's method for a maximum of s among the directions n + span(T); T has one or two columns.
/// s is concave there if the shapes are apart, and near the maximum if they overlap.
template <int K>
Direction newton(CorePair& pair, Direction at, const Vec3& line) {
  for (int step = 0; step < newton_steps; ++step) {
    Eigen::Matrix<double, 3, K> T;
    if constexpr (K == 1) {
      T.col(0) = line.cross(at.n).normalized();
    } else {
      Index smallest = 0;
      at.n.cwiseAbs().minCoeff(&smallest);
      T.col(0) = at.n.cross(Vec3::Unit(smallest)).normalized();
      T.col(1) = at.n.cross(T.col(0));
    }
    const Mat3 H = support_curvature(pair.first, -at.n) + support_curvature(pair.second, at.n);
    Eigen::Matrix<double, K, K> hessian = T.transpose() * H * T;
    hessian.diagonal().array() += at.separation;
    const double trace = hessian.trace(), det = hessian.determinant();
    Eigen::Matrix<double, K, 1> move = T.transpose() * at.point.w;
    if (det > 0 && trace > 0)
      move = (hessian.inverse() * move).eval();
    else  // far from the maximum: uphill
      move *= longest_step / std::max(move.norm(), tolerance::smallest);
    const double length = move.norm();
    if (!(length > tolerance::polished)) break;
    if (length > longest_step) move *= longest_step / length;
    Direction next = along(pair, (at.n + T * move).normalized());
    for (int half = 0; half < 4 && next.separation < at.separation; ++half) {
      move /= 2;
      next = along(pair, (at.n + T * move).normalized());
    }
    if (!(next.separation >= at.separation - tolerance::epsilon * pair.size)) break;
    at = next;
  }
  return at;
}

void take_if_better(Direction& best, const Direction& other, double slack) {
  if (other.separation > best.separation + slack) best = other;
}

void try_face(CorePair& pair, const Vec3& normal, Direction& best) {
  if (normal.dot(best.n) < near_cosine) return;
  // Equal to rounding is good enough: a face contact stays one.
  take_if_better(best, along(pair, normal), -tolerance::rounding * pair.size);
}

/// The normals of the faces of c, turned so that they point as n does (sign = +1 for the second
/// shape, whose outward normals do, -1 for the first).
void try_faces(CorePair& pair, const Convex& c, double sign, int vertex, Direction& best) {
  const Vec3 n = c.X_W.R.transpose() * best.n * sign;
  if (c.core == Convex::Core::box) {
    Index axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    try_face(pair, c.X_W.R.col(axis) * (sign * std::copysign(1.0, n[axis])), best);
  } else if (c.core == Convex::Core::cylinder) {
    try_face(pair, c.X_W.R.col(2) * (sign * std::copysign(1.0, n[2])), best);
  } else if (c.core == Convex::Core::mesh) {
    const Polyhedron::Face* nearest = nullptr;
    for (const int f : c.mesh->faces_at[vertex])
      if (nearest == nullptr || c.mesh->faces[f].normal.dot(n) > nearest->normal.dot(n))
        nearest = &c.mesh->faces[f];
    if (nearest != nullptr) try_face(pair, sign * (c.X_W.R * nearest->normal), best);
  }
}

void try_products(CorePair& pair, const Lines& one, const Lines& two, Direction& best) {
  for (int i = 0; i < one.count; ++i)
    for (int j = 0; j < two.count; ++j) {
      const Vec3 product = one.direction[i].cross(two.direction[j]);
      const double length = product.norm();
      if (length < tolerance::rounding) continue;
      // Where the axes of round shapes nearly meet it may be far from n and yet the best; across
      // the first once more, for of nearly parallel lines the product has lost that.
      const Vec3 unit = product / std::copysign(length, product.dot(best.n));
      const Vec3 n = (unit - one.direction[i].dot(unit) * one.direction[i]).normalized();
      take_if_better(best, along(pair, n), tolerance::rounding * pair.size);
      take_if_better(best, along(pair, -n), tolerance::rounding * pair.size);
    }
}

void try_newton(CorePair& pair, const Lines& lines, Direction& best) {
  for (int i = 0; i < lines.count; ++i) {
    const Vec3& line = lines.direction[i];
    const Vec3 across = (best.n - line.dot(best.n) * line).normalized();
    take_if_better(best, newton<1>(pair, along(pair, across), line), 0);
  }
}

}  // namespace

Direction along(CorePair& pair, const Vec3& n) {
  Direction d;
  d.n = n;
  d.point = least_along(pair, n);
  d.separation = n.dot(d.point.w);
  return d;
}

Direction refined(CorePair& pair, const Direction& start, bool exact) {
  Direction best = start;
  const bool curved = round(pair.first) || round(pair.second);
  if (curved) best = newton<2>(pair, best, Vec3::Zero());
  if (curved || !exact) {
    (void)along(pair, best.n);
    const Lines one = lines_of(pair.first, best.n, pair.vertex_first);
    const Lines two = lines_of(pair.second, best.n, pair.vertex_second);
    if (curved) {
      try_newton(pair, one, best);
      try_newton(pair, two, best);
    }
    try_products(pair, one, two, best);
  }
  return faced(pair, best);
}

Direction faced(CorePair& pair, const Direction& start) {
  Direction best = along(pair, start.n);
  const int vertex_first = pair.vertex_first, vertex_second = pair.vertex_second;
  try_faces(pair, pair.first, -1, vertex_first, best);
  try_faces(pair, pair.second, 1, vertex_second, best);
  return best;
}

}  // namespace tact
