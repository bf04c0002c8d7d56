#include "tact/geom/difference_polytope.hpp"

#include <algorithm>
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

namespace {

/// Edges of the faces taken away that no other of them has the other way round. Never more than
/// the edges of a polytope, half as many again as its faces.
struct Rim {  // NOLINT(cppcoreguidelines-pro-type-member-init): what is counted is set
  std::array<std::array<int, 2>, DifferencePolytope::most_faces * std::size_t{3} / 2> edge;
  int count = 0;

  bool add(int a, int b) {
    for (int e = 0; e < count; ++e)
      if (edge[e][0] == b && edge[e][1] == a) {
        edge[e] = edge[--count];
        return true;
      }
    if (count == static_cast<int>(edge.size())) return false;
    edge[count++] = {a, b};
    return true;
  }
  [[nodiscard]] bool has_edge_of(const DifferencePolytope::Face& f) const {
    for (int e = 0; e < count; ++e)
      for (int i = 0; i < 3; ++i)
        if (edge[e][0] == f.corner[(i + 1) % 3] && edge[e][1] == f.corner[i]) return true;
    return false;
  }
  /// One loop without crossings: no corner starts two edges.
  [[nodiscard]] bool simple() const {
    for (int e = 0; e < count; ++e)
      for (int other = e + 1; other < count; ++other)
        if (edge[e][0] == edge[other][0]) return false;
    return count >= 3;
  }
};

}  // namespace

bool grow(DifferencePolytope& p, int point, double above, int seen_for_sure) {
  const Vec3& w = p.at(point);
  // A face in whose plane the point lies is seen (`above` is negative): else a point in line with
  // an edge would leave a triangle without area.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): what is counted is set
  std::array<int, DifferencePolytope::most_faces> seen, gone;
  int seen_count = 0, gone_count = 0;
  for (int f = 0; f < p.face_count; ++f) {
    const DifferencePolytope::Face& face = p.faces[f];
    if (f != seen_for_sure &&
        (!std::isfinite(face.distance) || face.normal.dot(w) - face.distance > above))
      seen[seen_count++] = f;
  }
  // What is seen is in one piece; rounding may say otherwise, so it is gathered edge by edge.
  Rim rim;
  const auto take = [&](int f) {
    gone[gone_count++] = f;
    const auto& c = p.faces[f].corner;
    return rim.add(c[0], c[1]) && rim.add(c[1], c[2]) && rim.add(c[2], c[0]);
  };
  if (!take(seen_for_sure)) return false;
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < seen_count; ++k) {
      if (!rim.has_edge_of(p.faces[seen[k]])) continue;
      if (!take(seen[k])) return false;
      seen[k--] = seen[--seen_count];
      more = true;
    }
  }
  if (!rim.simple() || p.face_count - gone_count + rim.count > DifferencePolytope::most_faces)
    return false;
  std::sort(gone.begin(), gone.begin() + gone_count);
  for (int g = gone_count - 1; g >= 0; --g) p.faces[gone[g]] = p.faces[--p.face_count];
  for (int e = 0; e < rim.count; ++e) add_face(p, rim.edge[e][0], rim.edge[e][1], point);
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
