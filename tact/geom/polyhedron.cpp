#include "tact/geom/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    const Polyhedron::Face& face = body.faces[f];
    if (has_dent(body, face, slack)) {
      return Error{Errc::geometry, "polyhedron: face " + std::to_string(f) +
                                       " is not convex; take the hull of its points"};
    }
    for (const int other : face.across) {
      const double above = face.normal.dot(middle_of(body, body.faces[other])) - face.offset;
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
  TACT_EXPECTS(!body.faces.empty());
  Vec3 center = Vec3::Zero();
  for (const Vec3& v : body.vertices) center += v;
  center /= static_cast<double>(body.vertices.size());

  // The face that the ray from the centre through p leaves by: the corner of the dual body that
  // reaches farthest along p - centre. A flat body has no dual; its two faces are tried both.
  const bool flat = body.faces.size() == 2;
  double worst = -std::numeric_limits<double>::infinity();
  std::size_t here = 0;
  for (const Vec3& p : points) {
    const auto reach = [&](std::size_t f) {
      const Polyhedron::Face& face = body.faces[f];
      return face.normal.dot(p - center) / (face.offset - face.normal.dot(center));
    };
    double best = reach(here);
    for (bool moved = !flat; moved;) {
      moved = false;
      for (const int next : body.faces[here].across) {
        const double there = reach(next);
        if (there > best) {
          best = there;
          here = static_cast<std::size_t>(next);
          moved = true;
          break;
        }
      }
    }
    worst = std::max(worst, body.faces[here].normal.dot(p) - body.faces[here].offset);
    if (flat) worst = std::max(worst, body.faces[1].normal.dot(p) - body.faces[1].offset);
  }
  return worst;
}

Polyhedron box_polyhedron(const Vec3& h) {
  TACT_EXPECTS(h.allFinite() && h.minCoeff() > 0);
  std::vector<Vec3> vertices;
  for (int i = 0; i < 8; ++i) {
    vertices.emplace_back((i & 4) != 0 ? h[0] : -h[0], (i & 2) != 0 ? h[1] : -h[1],
                          (i & 1) != 0 ? h[2] : -h[2]);
  }
  return *polyhedron_from_faces(
      std::move(vertices),
      {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}});
}

}  // namespace tact
