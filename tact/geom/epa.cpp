#include "tact/geom/epa.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/difference_polytope.hpp"

namespace tact {

namespace {

using Polytope = DifferencePolytope;

constexpr int most_iterations = 2 * Polytope::most_points;

/// The point farthest along d; the difference set's support.
Polytope::Point farthest(CorePair& pair, const Vec3& d) {
  const DifferencePoint p = least_along(pair, -d);
  return {p.w, p.on_first, Vec3::Zero(), Vec3::Zero()};
}

/// A flat set: depth zero along what is across it.
EpaResult flat(const Polytope& p) {
  EpaResult r;
  if (p.point_count >= 3)
    r.normal = (p.at(1) - p.at(0)).cross(p.at(2) - p.at(0)).normalized();
  else if (p.point_count == 2)
    r.normal = unit_across(p.at(1) - p.at(0));
  r.on_first = p.points[0].on_first;
  r.on_second = r.on_first - p.at(0);
  return r;
}

/// The origin's foot in the face as weights of the corners, cut to the face.
void nearest_points(const Polytope& p, const Polytope::Face& f, EpaResult& r) {
  GjkSimplex s;
  s.count = 3;
  // Seen from the foot the nearest point of the triangle is the foot itself.
  const Vec3 foot = f.normal * f.distance;
  for (int i = 0; i < 3; ++i)
    s.points[i] = {p.at(f.corner[i]) - foot, p.points[f.corner[i]].on_first};
  (void)nearest_of_simplex(s);
  r.on_first.setZero();
  r.on_second.setZero();
  for (int i = 0; i < s.count; ++i) {
    r.on_first += s.weights[i] * s.points[i].on_first;
    r.on_second += s.weights[i] * (s.points[i].on_first - s.points[i].w - foot);
  }
}

}  // namespace

EpaResult epa(CorePair& pair, const GjkSimplex& start, double enough) {
  Polytope p;
  const double thin = tolerance::distance * pair.size;
  for (int i = 0; i < start.count; ++i)
    p.points[p.point_count++] = {start.points[i].w, start.points[i].on_first, Vec3::Zero(),
                                 Vec3::Zero()};
  const auto far = [&](const Vec3& d) { return farthest(pair, d); };
  if (!first_tetrahedron(p, far, thin)) return flat(p);
  EpaResult r;
  r.depth = std::numeric_limits<double>::infinity();
  while (true) {
    const int nearest = nearest_face(p);
    const Polytope::Face face = p.faces[nearest];
    if (!std::isfinite(face.rank)) break;  // nothing but slivers
    const Polytope::Point w = farthest(pair, face.normal);
    const double reach = face.normal.dot(w.w);
    r.lower = face.distance;
    // The last of equals: an inner face may point the way before the outer one is found, and only
    // the outer one holds the nearest points.
    if (reach <= r.depth + thin) {
      r.depth = std::min(r.depth, reach);
      r.normal = -face.normal;
      nearest_points(p, face, r);
    }
    ++r.iterations;
    if (reach - face.distance <= enough * pair.size || r.depth <= face.distance) break;
    if (r.iterations == most_iterations || p.point_count == Polytope::most_points) break;
    if (known(p, w.w)) {  // a thin face whose normal is worth nothing: its neighbours will do
      p.faces[nearest].rank = std::numeric_limits<double>::infinity();
      continue;
    }
    p.points[p.point_count++] = w;
    if (!grow(p, p.point_count - 1, -4 * tolerance::epsilon * pair.size, nearest)) break;
  }
  return r;
}

}  // namespace tact
