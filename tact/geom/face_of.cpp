#include "tact/geom/face_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

using Kind = Outline::Kind;

/// The better of two alignments, with the bonus for the one that was kept.
bool keeps(bool was, double alignment, double other) {
  return alignment >= other + (was ? -face_switch : 0);
}

void put(OutlinePoints& points, const Convex& c, const Vec3& local, std::uint32_t name) {
  points.points.push_back(transform_point(c.X_W, local));
  points.names.push_back(name);
}

/// The line of a capsule's or a cylinder's side that is farthest along d.
void side_line(const Convex& c, const Vec3& d, const Vec3& offset, Outline& out,
               OutlinePoints& points) {
  out.kind = Kind::segment;
  const double across = std::hypot(d[0], d[1]);
  out.alignment = across;
  out.normal = c.X_W.R * Vec3(d[0] / across, d[1] / across, 0);
  put(points, c, offset - Vec3(0, 0, c.size[2]), 0);
  put(points, c, offset + Vec3(0, 0, c.size[2]), 1);
  out.anchor = points.points[d[2] > 0 ? 1 : 0];
}

Outline capsule_face(const Convex& c, const Vec3& d, int kept, OutlinePoints& points) {
  constexpr int side = 0;
  constexpr double diagonal = 1 / std::numbers::sqrt2;
  Outline out;
  if (keeps(kept == side, std::hypot(d[0], d[1]), diagonal)) {
    out.face = side;
    side_line(c, d, c.radius * d, out, points);
    return out;
  }
  out.face = d[2] > 0 ? 1 : 2;
  out.anchor = transform_point(c.X_W, c.radius * d + Vec3(0, 0, std::copysign(c.size[2], d[2])));
  return out;
}

Outline cylinder_face(const Convex& c, const Vec3& d, int kept, OutlinePoints& points) {
  constexpr int side = 2;
  const double across = std::hypot(d[0], d[1]);
  const double r = c.size[0];
  // The side wins ties: then no cap is ever nearly edge-on.
  const bool on_side = kept == side ? keeps(true, across, std::abs(d[2]))
                                    : across > std::abs(d[2]) + (kept >= 0 ? face_switch : 0);
  Outline out;
  if (on_side) {
    out.face = side;
    side_line(c, d, Vec3(r * d[0] / across, r * d[1] / across, 0), out, points);
    return out;
  }
  const double sign = std::copysign(1.0, d[2]);
  int vertex = 0;
  out.kind = Kind::ellipse;
  out.face = sign > 0 ? 0 : 1;
  out.alignment = std::abs(d[2]);
  out.normal = sign * c.X_W.R.col(2);
  out.anchor = transform_point(c.X_W, core_support(c, d, vertex));
  out.centre = transform_point(c.X_W, Vec3(0, 0, sign * c.size[2]));
  out.u = r * c.X_W.R.col(0);
  out.v = r * c.X_W.R.col(1);
  return out;
}

Outline box_face(const Convex& c, const Vec3& d, int kept, OutlinePoints& points) {
  Index axis = 0;
  const double best = d.cwiseAbs().maxCoeff(&axis);
  int face = static_cast<int>(2 * axis) + (d[axis] < 0 ? 1 : 0);
  if (kept >= 0 && kept < 6 && (kept % 2 == 0 ? 1 : -1) * d[kept / 2] >= best - face_switch)
    face = kept;
  axis = face / 2;
  const double sign = face % 2 == 0 ? 1 : -1;
  // The two other axes in the order that turns about the outward normal.
  const Index u = (axis + (sign > 0 ? 1 : 2)) % 3, v = (axis + (sign > 0 ? 2 : 1)) % 3;
  Outline out;
  out.kind = Kind::polygon;
  out.face = face;
  out.alignment = sign * d[axis];
  out.normal = sign * c.X_W.R.col(axis);
  const Vec3 middle = c.X_W.p + (sign * c.size[axis]) * c.X_W.R.col(axis);
  const Vec3 du = c.size[u] * c.X_W.R.col(u), dv = c.size[v] * c.X_W.R.col(v);
  constexpr std::array<std::array<int, 2>, 4> turn{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
  const std::uint32_t base = sign > 0 ? 1U << axis : 0U;
  points.points.resize(turn.size());
  points.names.resize(turn.size());
  for (std::size_t i = 0; i < turn.size(); ++i) {
    const auto& t = turn[i];
    points.points[i] = middle + t[0] * du + t[1] * dv;
    points.names[i] = base | (t[0] > 0 ? 1U << u : 0U) | (t[1] > 0 ? 1U << v : 0U);
  }
  out.anchor = middle + std::copysign(1.0, d[u]) * du + std::copysign(1.0, d[v]) * dv;
  return out;
}

/// A face whose plane the nearest point misses by more than this share of the distance of its
/// corners from the origin of the shape does not hold it. Faces were joined at this tolerance too.
constexpr double in_plane = 2 * tolerance::coplanar;

/// How far corners of the faces around a vertex lie from the origin; that one may lie there itself.
double reach_around(const Polyhedron& mesh, int vertex) {
  double square = 0;
  for (const int f : mesh.faces_at[vertex])
    for (const int v : mesh.faces[f].corners)
      square = std::max(square, mesh.vertices[v].squaredNorm());
  return std::sqrt(square);
}

Outline mesh_face(const Convex& c, const Vec3& d, const Vec3& nearest, int kept,
                  OutlinePoints& points) {
  const Polyhedron& mesh = *c.mesh;
  int vertex = 0;
  const Vec3 farthest = core_support(c, d, vertex);
  Outline out;
  out.anchor = transform_point(c.X_W, farthest);
  int face = -1;
  double best = -std::numeric_limits<double>::infinity();
  const double slack = in_plane * reach_around(mesh, vertex);
  const auto holds = [&](int f) {
    const Vec3& n = mesh.faces[f].normal;
    return std::abs(n.dot(nearest) - mesh.faces[f].offset) <= slack &&
           std::abs(n.dot(farthest) - mesh.faces[f].offset) <= slack;
  };
  for (const int f : mesh.faces_at[vertex]) {
    // One that does not hold the nearest point is taken only if none does; then the one that misses
    // it least, for the point itself may be off.
    const double miss = std::abs(mesh.faces[f].normal.dot(nearest) - mesh.faces[f].offset);
    const double here = holds(f) ? d.dot(mesh.faces[f].normal) : -1 - miss / slack;
    if (here > best) best = here, face = f;
  }
  if (kept >= 0 && kept < static_cast<int>(mesh.faces.size()) &&
      d.dot(mesh.faces[kept].normal) >= best - face_switch && holds(kept))
    face = kept;
  if (face < 0) return out;
  out.kind = Kind::polygon;
  out.face = face;
  out.normal = c.X_W.R * mesh.faces[face].normal;
  out.alignment = d.dot(mesh.faces[face].normal);
  for (const int v : mesh.faces[face].corners)
    put(points, c, mesh.vertices[v], static_cast<std::uint32_t>(v));
  return out;
}

}  // namespace

Outline face_toward(const Convex& c, const Vec3& d_W, const Vec3& nearest_W, int kept,
                    OutlinePoints& points) {
  points.points.clear();
  points.names.clear();
  const Vec3 d = c.X_W.R.transpose() * d_W;
  Outline out;
  switch (c.core) {
    case Convex::Core::segment:
      return capsule_face(c, d, kept, points);
    case Convex::Core::cylinder:
      return cylinder_face(c, d, kept, points);
    case Convex::Core::box:
      return box_face(c, d, kept, points);
    case Convex::Core::mesh:
      return mesh_face(c, d, c.X_W.R.transpose() * (nearest_W - c.X_W.p), kept, points);
    case Convex::Core::half_space:
      out.kind = Kind::plane;
      out.normal = c.X_W.R.col(2);
      out.alignment = d[2];
      out.anchor = c.X_W.p;
      return out;
    default: {
      int vertex = 0;
      out.anchor = transform_point(c.X_W, core_support(c, d, vertex) + c.radius * d);
      return out;
    }
  }
}

}  // namespace tact
