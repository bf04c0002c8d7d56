#include "tact/geom/epa.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

constexpr int most_points = 160;
constexpr int most_faces = 3 * most_points;
constexpr int most_iterations = 2 * most_points;

struct Face {
  std::array<int, 3> corner{};
  Vec3 normal = Vec3::Zero();  ///< outward; zero if the face is a sliver
  double distance = 0;
};

struct Polytope {
  std::array<DifferencePoint, most_points> points;
  std::array<Face, most_faces> faces;
  int point_count = 0, face_count = 0;

  [[nodiscard]] const Vec3& at(int i) const { return points[i].w; }
};

/// The point farthest along d; the difference set's support.
DifferencePoint farthest(CorePair& pair, const Vec3& d) {
  return least_along(pair, -d);
}

/// Any unit vector across d.
Vec3 across(const Vec3& d) {
  Index smallest = 0;
  d.cwiseAbs().minCoeff(&smallest);
  return d.cross(Vec3::Unit(smallest)).normalized();
}

/// The farther, by `measure`, of the two extreme points along ±d.
template <class Measure>
DifferencePoint farther(CorePair& pair, const Vec3& d, const Measure& measure) {
  const DifferencePoint plus = farthest(pair, d), minus = farthest(pair, -d);
  return measure(plus.w) >= measure(minus.w) ? plus : minus;
}

bool add_second(CorePair& pair, Polytope& p, double thin) {
  const Vec3 a = p.at(0);
  const auto measure = [&](const Vec3& w) { return (w - a).norm(); };
  for (int axis = 0; axis < 3; ++axis) {
    const DifferencePoint b = farther(pair, Vec3::Unit(axis), measure);
    if (measure(b.w) <= thin) continue;
    p.points[p.point_count++] = b;
    return true;
  }
  return false;
}

bool add_third(CorePair& pair, Polytope& p, double thin) {
  const Vec3 a = p.at(0), along = (p.at(1) - a).normalized();
  const auto measure = [&](const Vec3& w) { return along.cross(w - a).norm(); };
  const Vec3 u = across(along), v = along.cross(u);
  for (const Vec3& d : {u, v}) {
    const DifferencePoint c = farther(pair, d, measure);
    if (measure(c.w) <= thin) continue;
    p.points[p.point_count++] = c;
    return true;
  }
  return false;
}

bool add_fourth(CorePair& pair, Polytope& p, double thin) {
  const Vec3 a = p.at(0), n = (p.at(1) - a).cross(p.at(2) - a).normalized();
  const auto measure = [&](const Vec3& w) { return std::abs(n.dot(w - a)); };
  const DifferencePoint d = farther(pair, n, measure);
  if (measure(d.w) <= thin) return false;
  p.points[p.point_count++] = d;
  return true;
}

void add_face(Polytope& p, int i, int j, int k) {
  Face& f = p.faces[p.face_count++];
  f.corner = {i, j, k};
  const Vec3 n = (p.at(j) - p.at(i)).cross(p.at(k) - p.at(i));
  const double length = n.norm();
  if (length > 0) {
    f.normal = n / length;
    f.distance = f.normal.dot(p.at(i) + p.at(j) + p.at(k)) / 3;
  } else {  // a sliver has no normal and is never the nearest
    f.normal.setZero();
    f.distance = std::numeric_limits<double>::infinity();
  }
}

/// Four points with a volume, of which the simplex given may be a part. False if there are none;
/// the points that were found span the difference set.
bool first_tetrahedron(CorePair& pair, const GjkSimplex& start, Polytope& p, double thin) {
  if (start.count == 0) p.points[p.point_count++] = farthest(pair, Vec3::UnitX());
  for (int i = 0; i < start.count; ++i) p.points[p.point_count++] = start.points[i];
  // Drop what does not span: a simplex from GJK may be thinner than rounding.
  if (p.point_count >= 2 && (p.at(1) - p.at(0)).norm() <= thin) p.point_count = 1;
  if (p.point_count >= 3 &&
      (p.at(1) - p.at(0)).normalized().cross(p.at(2) - p.at(0)).norm() <= thin)
    p.point_count = 2;
  if (p.point_count == 4) {
    const Vec3 n = (p.at(1) - p.at(0)).cross(p.at(2) - p.at(0)).normalized();
    if (std::abs(n.dot(p.at(3) - p.at(0))) <= thin) p.point_count = 3;
  }
  if (p.point_count == 1 && !add_second(pair, p, thin)) return false;
  if (p.point_count == 2 && !add_third(pair, p, thin)) return false;
  if (p.point_count == 3 && !add_fourth(pair, p, thin)) return false;
  const Vec3 n = (p.at(1) - p.at(0)).cross(p.at(2) - p.at(0));
  if (n.dot(p.at(3) - p.at(0)) > 0) std::swap(p.points[1], p.points[2]);
  add_face(p, 0, 1, 2);
  add_face(p, 0, 3, 1);
  add_face(p, 1, 3, 2);
  add_face(p, 2, 3, 0);
  return true;
}

/// A flat set: depth zero along what is across it.
EpaResult flat(const Polytope& p) {
  EpaResult r;
  if (p.point_count >= 3)
    r.normal = (p.at(1) - p.at(0)).cross(p.at(2) - p.at(0)).normalized();
  else if (p.point_count == 2)
    r.normal = across(p.at(1) - p.at(0));
  r.on_first = p.points[0].on_first;
  r.on_second = r.on_first - p.at(0);
  return r;
}

int nearest_face(const Polytope& p) {
  int best = 0;
  for (int f = 1; f < p.face_count; ++f)
    if (p.faces[f].distance < p.faces[best].distance) best = f;
  return best;
}

/// Takes away every face that the new point sees and covers the hole with a fan around the point.
/// A face in whose plane the point lies is seen: else a point in line with an edge would leave a
/// triangle without area. False if there is no room for it or the point sees nothing.
bool grow(Polytope& p, int point, double above, int seen_for_sure) {
  std::array<std::array<int, 2>, std::size_t{3} * most_faces> rim{};
  int rim_count = 0;
  const Vec3& w = p.at(point);
  const auto add_edge = [&](int a, int b) {
    for (int e = 0; e < rim_count; ++e)
      if (rim[e][0] == b && rim[e][1] == a) {
        rim[e] = rim[--rim_count];
        return;
      }
    rim[rim_count++] = {a, b};
  };
  int left = 0;
  for (int f = 0; f < p.face_count; ++f) {
    const Face face = p.faces[f];
    const bool sliver = face.normal.squaredNorm() == 0;
    if (f == seen_for_sure || sliver || face.normal.dot(w - p.at(face.corner[0])) > above) {
      for (int e = 0; e < 3; ++e) add_edge(face.corner[e], face.corner[(e + 1) % 3]);
    } else {
      p.faces[left++] = face;
    }
  }
  if (rim_count < 3 || left + rim_count > most_faces) return false;
  p.face_count = left;
  for (int e = 0; e < rim_count; ++e) add_face(p, rim[e][0], rim[e][1], point);
  return true;
}

bool known(const Polytope& p, const Vec3& w) {
  for (int i = 0; i < p.point_count; ++i)
    if (p.at(i) == w) return true;
  return false;
}

/// The origin's foot in the face as weights of the corners, cut to the face.
void nearest_points(const Polytope& p, const Face& f, EpaResult& r) {
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
  if (!first_tetrahedron(pair, start, p, thin)) return flat(p);
  EpaResult r;
  r.depth = std::numeric_limits<double>::infinity();
  while (true) {
    const int nearest = nearest_face(p);
    const Face face = p.faces[nearest];
    if (!std::isfinite(face.distance)) break;  // nothing but slivers
    const DifferencePoint w = farthest(pair, face.normal);
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
    if (r.iterations == most_iterations || p.point_count == most_points) break;
    if (known(p, w.w)) {  // a thin face whose normal is worth nothing: its neighbours will do
      p.faces[nearest].distance = std::numeric_limits<double>::infinity();
      continue;
    }
    p.points[p.point_count++] = w;
    if (!grow(p, p.point_count - 1, -4 * tolerance::epsilon * pair.size, nearest)) break;
  }
  return r;
}

}  // namespace tact
