#include "tact/geom/collide.hpp"

#include <algorithm>
#include <cmath>

#include "tact/geom/box_box.hpp"

namespace tact {

namespace {

using Core = Convex::Core;

/// Whether the axis of the step before still keeps the shapes farther apart than the margin.
bool still_apart(const Convex& first, const Convex& second, double margin,
                 const PairMemory& memory) {
  const Vec3& n = memory.axis_W;
  if (n.squaredNorm() == 0 || first.core == Core::half_space || second.core == Core::half_space)
    return false;
  int one = 0, two = 0;
  const Vec3 x1 = core_support_world(first, -n, one);
  const Vec3 x2 = core_support_world(second, n, two);
  return n.dot(x1 - x2) - first.radius - second.radius > margin;
}

/// The order in which the pair is worked on, so that exchanging the two shapes changes no bit of
/// the answer: by core, then by size, then by place.
bool in_order(const Convex& a, const Convex& b) {
  if (a.core != b.core) return a.core < b.core;
  for (Index i = 0; i < 3; ++i)
    if (a.size[i] != b.size[i]) return a.size[i] < b.size[i];
  if (a.radius != b.radius) return a.radius < b.radius;
  if (a.mesh != b.mesh && a.mesh->vertices.size() != b.mesh->vertices.size())
    return a.mesh->vertices.size() < b.mesh->vertices.size();
  for (Index i = 0; i < 3; ++i)
    if (a.X_W.p[i] != b.X_W.p[i]) return a.X_W.p[i] < b.X_W.p[i];
  for (Index i = 0; i < 9; ++i)
    if (a.X_W.R.data()[i] != b.X_W.R.data()[i]) return a.X_W.R.data()[i] < b.X_W.R.data()[i];
  // Two meshes of as many vertices in the same place: by the first vertex that differs.
  if (a.mesh == b.mesh) return true;
  for (std::size_t v = 0; v < a.mesh->vertices.size(); ++v)
    for (Index i = 0; i < 3; ++i)
      if (a.mesh->vertices[v][i] != b.mesh->vertices[v][i])
        return a.mesh->vertices[v][i] < b.mesh->vertices[v][i];
  return true;
}

}  // namespace

void collide(const Convex& one, const Convex& two, const CollideOptions& options,
             PairMemory& memory, ContactBuffer& out) {
  if (one.core == Core::half_space && two.core == Core::half_space) return;
  if (still_apart(one, two, options.margin, memory)) return;
  const bool exchanged = !in_order(one, two);
  Convex first = exchanged ? two : one, second = exchanged ? one : two;
  if (exchanged) memory = swapped(memory);
  // Seen from close by, so that a scene far from the origin loses no digits.
  const Vec3 origin_W = first.X_W.p;
  first.X_W.p.setZero();
  second.X_W.p -= origin_W;
  const BoundedDistance d =
      convex_distance(first, second, options.margin, memory.axis_W, /*points=*/false);
  memory.axis_W = d.at.normal_W;
  if (d.beyond) {
    memory.face_first = memory.face_second = -1;
    memory.area = false;
  } else {
    append_contact(first, second, d.at, origin_W, exchanged, memory, out);
  }
  if (exchanged) memory = swapped(memory);
}

void collide(const Shape& first, const Pose& X_W1, const Shape& second, const Pose& X_W2,
             const CollideOptions& options, PairMemory& memory, ContactBuffer& out) {
  collide(convex_of(first, X_W1), convex_of(second, X_W2), options, memory, out);
}

}  // namespace tact
