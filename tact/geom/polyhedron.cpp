#include "tact/geom/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

/// One side of an edge: the face that has it, and at which place.
struct Side {
  int low, high;  ///< the two corners, ascending
  int face, place;
  bool forward;  ///< the face runs from low to high
};

bool edge_less(const Side& a, const Side& b) {
  return a.low != b.low ? a.low < b.low : a.high < b.high;
}

std::vector<Side> sides_of(const std::vector<Polyhedron::Face>& faces) {
  std::vector<Side> sides;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& corners = faces[f].corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const int a = corners[i];
      const int b = corners[(i + 1) % corners.size()];
      sides.push_back(
          {std::min(a, b), std::max(a, b), static_cast<int>(f), static_cast<int>(i), a < b});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), edge_less);
  return sides;
}

Error open_surface(const Side& side, std::size_t count) {
  return {Errc::geometry, "polyhedron: " + std::to_string(count) + " faces meet at the edge " +
                              std::to_string(side.low) + "-" + std::to_string(side.high) +
                              "; give faces that close up to one surface"};
}

/// Fills `across` and `neighbours`; E, or the edge that does not lie in two faces.
Result<Index> join_edges(Polyhedron& body) {
  const std::vector<Side> sides = sides_of(body.faces);
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    std::size_t end = i + 1;
    while (end < sides.size() && !edge_less(sides[i], sides[end])) ++end;
    if (end != i + 2 || sides[i].forward == sides[i + 1].forward) {
      return open_surface(sides[i], end - i);
    }
    for (const auto& [here, there] : {std::pair(i, i + 1), std::pair(i + 1, i)}) {
      body.faces[sides[here].face].across[sides[here].place] = sides[there].face;
    }
    body.neighbours[sides[i].low].push_back(sides[i].high);
    body.neighbours[sides[i].high].push_back(sides[i].low);
  }
  for (auto& list : body.neighbours) std::sort(list.begin(), list.end());
  return static_cast<Index>(sides.size() / 2);
}

double distance_to_chord(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 chord = b - a;
  const double length = chord.norm();
  return length > 0 ? chord.cross(p - a).norm() / length : (p - a).norm();
}

/// Places `i` whose corner lies inside the chord of its neighbours by more than slack.
bool has_dent(const Polyhedron& body, const Polyhedron::Face& face, double slack) {
  const std::size_t n = face.corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& a = body.vertices[face.corners[i]];
    const Vec3& b = body.vertices[face.corners[(i + 1) % n]];
    const Vec3& c = body.vertices[face.corners[(i + 2) % n]];
    if ((b - a).cross(c - b).dot(face.normal) < 0 && distance_to_chord(a, c, b) > slack) {
      return true;
    }
  }
  return false;
}

Vec3 middle_of(const Polyhedron& body, const Polyhedron::Face& face) {
  Vec3 sum = Vec3::Zero();
  for (const int v : face.corners) sum += body.vertices[v];
  return sum / static_cast<double>(face.corners.size());
}

/// Directions in cells of a cube around the origin: where a walk for one direction ended, one for a
/// neighbouring direction begins.
constexpr int cells_across = 24;
constexpr int direction_cells = 6 * cells_across * cells_across;

int direction_cell(const Vec3& ray) {
  Index axis = 0;
  const double largest = ray.cwiseAbs().maxCoeff(&axis);
  if (!(largest > 0)) return 0;
  const auto cell = [&](double x) {
    return std::min(static_cast<int>((x / largest + 1) / 2 * cells_across), cells_across - 1);
  };
  const int side = static_cast<int>(axis) + (ray[axis] > 0 ? 3 : 0);
  return (side * cells_across + cell(ray[(axis + 1) % 3])) * cells_across +
         cell(ray[(axis + 2) % 3]);
}

/// The polar body about a point inside, to walk on: faces become corners, n / (offset - n ·
/// center).
class Polar {
 public:
  explicit Polar(const Polyhedron& body) : body_(body), fans_(body.faces.size()) {
    for (const Vec3& v : body.vertices) center_ += v;
    center_ /= static_cast<double>(body.vertices.size());
    for (std::size_t f = 0; f < body.faces.size(); ++f) {
      const Polyhedron::Face& face = body.faces[f];
      corners_.emplace_back(face.normal / (face.offset - face.normal.dot(center_)));
      if (face.corners.size() > many_corners) fans_[f] = fan_of(face);
    }
  }

  [[nodiscard]] const Vec3& center() const { return center_; }

  /// The face by which a ray from the centre leaves: the polar corner that reaches farthest along
  /// it, found by walking uphill.
  [[nodiscard]] int climb(const Vec3& ray, int from) const {
    int here = from;
    double best = corners_[here].dot(ray);
    while (true) {
      int next = here;
      const auto consider = [&](int face) {
        const double reach = corners_[face].dot(ray);
        if (!(reach > best)) return;
        best = reach;
        next = face;
      };
      const std::vector<int>& across = body_.faces[here].across;
      if (across.size() > many_corners && best > 0) {
        consider(across[edge_towards(fans_[here], ray / best)]);
      } else {
        for (const int face : across) consider(face);
      }
      if (next == here) return here;
      here = next;
    }
  }

 private:
  static constexpr std::size_t many_corners = 32;

  /// A face with many corners, seen from a point inside it: they go around by ascending angle.
  struct Fan {
    Vec3 middle = Vec3::Zero(), x = Vec3::Zero(), y = Vec3::Zero();
    std::vector<double> angles;
  };

  [[nodiscard]] static double angle(const Fan& fan, const Vec3& r) {
    const double a = std::atan2(fan.y.dot(r), fan.x.dot(r));
    return a < 0 ? a + 2 * std::numbers::pi : a;
  }

  [[nodiscard]] Fan fan_of(const Polyhedron::Face& face) const {
    Fan fan;
    fan.middle = middle_of(body_, face);
    fan.x = (body_.vertices[face.corners[0]] - fan.middle).normalized();
    fan.y = face.normal.cross(fan.x);
    for (const int v : face.corners)
      fan.angles.push_back(angle(fan, body_.vertices[v] - fan.middle));
    fan.angles[0] = 0;
    return fan;
  }

  /// The edge between whose ends a point of the plane, relative to the centre, is seen.
  [[nodiscard]] std::size_t edge_towards(const Fan& fan, const Vec3& point) const {
    const double a = angle(fan, center_ + point - fan.middle);
    const auto after = std::upper_bound(fan.angles.begin(), fan.angles.end(), a);
    return static_cast<std::size_t>(after - fan.angles.begin()) - 1;
  }

  const Polyhedron& body_;
  Vec3 center_ = Vec3::Zero();
  std::vector<Vec3> corners_;
  std::vector<Fan> fans_;
};

}  // namespace

double point_set_size(std::span<const Vec3> points) {
  if (points.empty()) return 0;
  Vec3 low = points[0];
  Vec3 high = points[0];
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return (high - low).norm();
}

Vec3 loop_normal(std::span<const Vec3> vertices, std::span<const int> loop) {
  Vec3 sum = Vec3::Zero();
  const Vec3& apex = vertices[loop[0]];
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (vertices[loop[i]] - apex).cross(vertices[loop[i + 1]] - apex);
  }
  return sum;
}

Result<Polyhedron> polyhedron_from_faces(std::vector<Vec3> vertices,
                                         std::vector<std::vector<int>> loops) {
  Polyhedron body;
  body.vertices = std::move(vertices);
  const std::size_t count = body.vertices.size();
  for (auto& loop : loops) {
    TACT_EXPECTS(loop.size() >= 3);
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    TACT_EXPECTS(loop[0] >= 0);
  }
  std::sort(loops.begin(), loops.end());
  body.neighbours.resize(count);
  body.faces_at.resize(count);
  for (auto& loop : loops) {
    const Vec3 area = loop_normal(body.vertices, loop);
    const double length = area.norm();
    if (!(length > 0)) {
      return Error{Errc::geometry, "polyhedron: a face has no area; give corners not on one line"};
    }
    Polyhedron::Face face{
        area / length, -std::numeric_limits<double>::infinity(), std::move(loop), {}};
    for (const int v : face.corners) {
      TACT_EXPECTS(static_cast<std::size_t>(v) < count);
      face.offset = std::max(face.offset, face.normal.dot(body.vertices[v]));
      body.faces_at[v].push_back(static_cast<int>(body.faces.size()));
    }
    face.across.resize(face.corners.size());
    body.faces.push_back(std::move(face));
  }
  const Result<Index> edges = join_edges(body);
  if (!edges) return edges.error();
  const Index euler = std::ssize(body.vertices) - *edges + std::ssize(body.faces);
  if (euler != 2) {
    return Error{Errc::geometry, "polyhedron: V - E + F is " + std::to_string(euler) +
                                     " instead of 2; give one surface without loose vertices"};
  }
  return body;
}

std::optional<Error> convexity_fault(const Polyhedron& body, double slack) {
  std::vector<Vec3> middles;
  for (const auto& face : body.faces) middles.push_back(middle_of(body, face));
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    const Polyhedron::Face& face = body.faces[f];
    if (has_dent(body, face, slack)) {
      return Error{Errc::geometry, "polyhedron: face " + std::to_string(f) +
                                       " is not convex; take the hull of its points"};
    }
    for (const int other : face.across) {
      const double above = face.normal.dot(middles[other]) - face.offset;
      if (!(above <= slack)) {
        return Error{Errc::geometry, "polyhedron: faces " + std::to_string(f) + " and " +
                                         std::to_string(other) +
                                         " meet at a dent; take the hull of the points"};
      }
    }
  }
  return std::nullopt;
}

double farthest_outside(const Polyhedron& body, std::span<const Vec3> points) {
  TACT_EXPECTS(body.faces.size() >= 2);
  double worst = -std::numeric_limits<double>::infinity();
  const auto look = [&](const Polyhedron::Face& face, const Vec3& p) {
    worst = std::max(worst, face.normal.dot(p) - face.offset);
  };
  if (body.faces.size() == 2) {  // flat, without a dual
    for (const Vec3& p : points) {
      for (const auto& face : body.faces) look(face, p);
    }
    return worst;
  }
  const Polar polar(body);
  std::vector<int> start(direction_cells, 0);
  for (const Vec3& p : points) {
    const Vec3 ray = p - polar.center();
    int& here = start[direction_cell(ray)];
    here = polar.climb(ray, here);
    look(body.faces[here], p);
  }
  return worst;
}

TriangleMesh triangles_of(const Polyhedron& body) {
  TriangleMesh mesh{body.vertices, {}};
  for (const auto& face : body.faces) {
    for (std::size_t i = 1; i + 1 < face.corners.size(); ++i) {
      mesh.triangles.push_back({face.corners[0], face.corners[i], face.corners[i + 1]});
    }
  }
  return mesh;
}

Polyhedron box_polyhedron(const Vec3& h) {
  TACT_EXPECTS(h.allFinite() && h.minCoeff() > 0);
  std::vector<Vec3> vertices;
  vertices.reserve(8);
  for (int i = 0; i < 8; ++i) {
    vertices.emplace_back((i & 4) != 0 ? h[0] : -h[0], (i & 2) != 0 ? h[1] : -h[1],
                          (i & 1) != 0 ? h[2] : -h[2]);
  }
  return *polyhedron_from_faces(
      std::move(vertices),
      {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}});
}

}  // namespace tact
