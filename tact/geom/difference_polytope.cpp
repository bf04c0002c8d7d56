#include "tact/geom/difference_polytope.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Geometry>

namespace tact {

Vec3 unit_across(const Vec3& d) {
  Index smallest = 0;
  d.cwiseAbs().minCoeff(&smallest);
  return d.cross(Vec3::Unit(smallest)).normalized();
}

void add_face(DifferencePolytope& p, int i, int j, int k) {
  DifferencePolytope::Face& f = p.faces[p.face_count++];
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
  f.rank = f.distance;
}

int nearest_face(const DifferencePolytope& p) {
  int best = 0;
  for (int f = 1; f < p.face_count; ++f)
    if (p.faces[f].rank < p.faces[best].rank) best = f;
  return best;
}

bool grow(DifferencePolytope& p, int point, double above, int seen_for_sure) {
  using Face = DifferencePolytope::Face;
  const Vec3& w = p.at(point);
  const auto seen = [&](int f) {
    const Face& face = p.faces[f];
    // A face in whose plane the point lies is seen (`above` is negative): else a point in line with
    // an edge would leave a triangle without area.
    return f == seen_for_sure || !std::isfinite(face.distance) ||
           face.normal.dot(w) - face.distance > above;
  };
  // Edges of seen faces that no other seen face has the other way round. Never more than the
  // edges of a polytope, half as many again as its faces.
  std::array<std::array<int, 2>, DifferencePolytope::most_faces * std::size_t{3} / 2> rim;
  std::array<int, DifferencePolytope::most_faces> gone;
  int rim_count = 0, gone_count = 0;
  const auto add_edge = [&](int a, int b) {
    for (int e = 0; e < rim_count; ++e)
      if (rim[e][0] == b && rim[e][1] == a) {
        rim[e] = rim[--rim_count];
        return true;
      }
    if (rim_count == static_cast<int>(rim.size())) return false;
    rim[rim_count++] = {a, b};
    return true;
  };
  for (int f = 0; f < p.face_count; ++f) {
    if (!seen(f)) continue;
    gone[gone_count++] = f;
    const auto& c = p.faces[f].corner;
    for (int e = 0; e < 3; ++e)
      if (!add_edge(c[e], c[(e + 1) % 3])) return false;
  }
  if (rim_count < 3 || p.face_count - gone_count + rim_count > DifferencePolytope::most_faces)
    return false;
  for (int g = gone_count - 1; g >= 0; --g) p.faces[gone[g]] = p.faces[--p.face_count];
  for (int e = 0; e < rim_count; ++e) add_face(p, rim[e][0], rim[e][1], point);
  return true;
}

bool known(const DifferencePolytope& p, const Vec3& w) {
  for (int i = 0; i < p.point_count; ++i)
    if (p.at(i) == w) return true;
  return false;
}

namespace detail {

void drop_what_does_not_span(DifferencePolytope& p, double thin) {
  if (p.point_count >= 2 && (p.at(1) - p.at(0)).norm() <= thin) p.point_count = 1;
  if (p.point_count >= 3 &&
      (p.at(1) - p.at(0)).normalized().cross(p.at(2) - p.at(0)).norm() <= thin)
    p.point_count = 2;
  if (p.point_count == 4) {
    const Vec3 n = (p.at(1) - p.at(0)).cross(p.at(2) - p.at(0)).normalized();
    if (std::abs(n.dot(p.at(3) - p.at(0))) <= thin) p.point_count = 3;
  }
}

void make_faces(DifferencePolytope& p) {
  const Vec3 n = (p.at(1) - p.at(0)).cross(p.at(2) - p.at(0));
  if (n.dot(p.at(3) - p.at(0)) > 0) std::swap(p.points[1], p.points[2]);
  add_face(p, 0, 1, 2);
  add_face(p, 0, 3, 1);
  add_face(p, 1, 3, 2);
  add_face(p, 2, 3, 0);
}

}  // namespace detail

}  // namespace tact
