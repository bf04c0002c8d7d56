#include "tact/geom/height_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/bounds.hpp"
#include "tact/geom/clip_faces.hpp"
#include "tact/geom/polyhedron.hpp"

namespace tact {

namespace {

using Triangle = std::array<Vec3, 3>;

/// One of the two triangles of a cell, corners counter-clockwise seen from above: half 0 lies right
/// of the diagonal, half 1 left of it.
struct Place {
  Index row, column;
  int half;
};

Vec3 corner(const HeightGrid& g, Index row, Index column) {
  const double x = 2 * static_cast<double>(column) / static_cast<double>(g.columns - 1) - 1;
  const double y = 2 * static_cast<double>(row) / static_cast<double>(g.rows - 1) - 1;
  return {g.half_size[0] * x, g.half_size[1] * y, g.heights[row * g.columns + column]};
}

Triangle triangle_at(const HeightGrid& g, const Place& t) {
  const Vec3 a = corner(g, t.row, t.column);
  const Vec3 c = corner(g, t.row + 1, t.column + 1);
  if (t.half == 0) return {a, corner(g, t.row, t.column + 1), c};
  return {a, c, corner(g, t.row + 1, t.column)};
}

/// The triangle beyond the edge from corner `edge` to the next; none at the rim of the grid.
std::optional<Place> beyond(const HeightGrid& g, const Place& t, int edge) {
  Place other{t.row, t.column, 1 - t.half};
  if (t.half == 0 && edge == 0) other.row -= 1;
  if (t.half == 0 && edge == 1) other.column += 1;
  if (t.half == 1 && edge == 1) other.row += 1;
  if (t.half == 1 && edge == 2) other.column -= 1;
  const bool inside =
      other.row >= 0 && other.row + 1 < g.rows && other.column >= 0 && other.column + 1 < g.columns;
  return inside ? std::optional(other) : std::nullopt;
}

Vec3 normal_of(const Triangle& t) {
  return (t[1] - t[0]).cross(t[2] - t[0]).normalized();
}

/// The prism under a triangle, in the memory of the last one.
void stand_on(const Triangle& top, double bottom, Polyhedron& prism) {
  if (prism.faces.empty()) {
    prism =
        *polyhedron_from_faces({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                               {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}});
  }
  for (int i = 0; i < 3; ++i) {
    prism.vertices[i] = {top[i][0], top[i][1], bottom};
    prism.vertices[3 + i] = top[i];
  }
  for (Polyhedron::Face& face : prism.faces) {
    face.normal = loop_normal(prism.vertices, face.corners).normalized();
    face.offset = face.normal.dot(prism.vertices[face.corners[0]]);
  }
}

/// Whether a normal at a point of the triangle (both in the frame of the field) is one of the
/// ground's: leaning over an edge that the point is near only on a ridge, and not beyond the far
/// side of it.
bool admissible(const HeightGrid& g, const Place& place, const Triangle& t, const Vec3& point,
                const Vec3& n) {
  const Vec3 up = normal_of(t);
  const double size = (t[1] - t[0]).norm() + (t[2] - t[0]).norm();
  const double slack = tolerance::coplanar;
  if (up.cross(n).norm() <= slack && up.dot(n) > 0) return true;
  for (int e = 0; e < 3; ++e) {
    const Vec3 along = (t[(e + 1) % 3] - t[e]).normalized();
    const Vec3 outward = along.cross(up);
    if (n.dot(outward) <= slack) continue;  // not leaning over this edge
    const std::optional<Place> other = beyond(g, place, e);
    if (!other) continue;
    if (outward.dot(point - t[e]) < -slack * size) return false;  // it leans inside the triangle
    const Vec3 far_up = normal_of(triangle_at(g, *other));
    const bool ridge = far_up.dot(outward) > slack;
    const Vec3 far_outward = far_up.cross(along);
    if (!ridge || n.dot(far_outward) < -slack) return false;
  }
  return true;
}

/// The polygon, counter-clockwise or of one or two points, left of the line through a and b.
void cut(std::vector<Vec2>& polygon, std::vector<Vec2>& scratch, const Vec2& a, const Vec2& b) {
  scratch.clear();
  const std::size_t n = polygon.size();
  const auto side = [&](const Vec2& p) { return cross(b - a, p - a); };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& p = polygon[i];
    const Vec2& q = polygon[(i + 1) % n];
    const double sp = side(p);
    const double sq = side(q);
    if (sp >= 0) scratch.push_back(p);
    const bool crosses = (sp > 0 && sq < 0) || (sp < 0 && sq > 0);
    if (crosses && (n > 2 || i == 0)) scratch.emplace_back(p + sp / (sp - sq) * (q - p));
  }
  polygon.swap(scratch);
}

/// A round rim as the corners that geometry cuts it into elsewhere, and the one that is lowest.
void append_rim(const SurfaceContact& c, const Vec2& centre, std::vector<Vec2>& out) {
  const Vec2 axes = c.kind == PatchKind::ellipse ? c.semi_axes : Vec2(c.radius, c.radius);
  constexpr double pitch = 2 * std::numbers::pi / rim_points;
  const Vec2 uphill = axes.cwiseProduct(Vec2(c.gap.tail<2>()));
  const double lowest = std::atan2(-uphill[1], -uphill[0]);
  const double turned = lowest < 0 ? lowest + 2 * std::numbers::pi : lowest;
  const auto put = [&](double angle) {
    out.emplace_back(centre + axes.cwiseProduct(Vec2(std::cos(angle), std::sin(angle))));
  };
  for (int k = 0; k < rim_points; ++k) {
    put(k * pitch);
    if (turned > k * pitch && turned < (k + 1) * pitch) put(turned);
  }
}

/// The last contact of the buffer, cut to the triangle seen along its normal; false when nothing is
/// left. Round patches that nothing is cut off from stay round.
bool cut_to_triangle(ContactBuffer& buffer, const Triangle& t_W, JoinWorkspace& w) {
  SurfaceContact& c = buffer.contacts.back();
  std::array<Vec2, 3> t;
  for (int i = 0; i < 3; ++i) t[i] = (c.X_WC.R.transpose() * (t_W[i] - c.X_WC.p)).head<2>();
  std::vector<Vec2>& left = w.flat;
  std::vector<Vec2>& scratch = w.joined.points;
  left.assign(buffer.points.begin() + c.first_point, buffer.points.end());
  const bool round = c.kind == PatchKind::disc || c.kind == PatchKind::ellipse;
  if (round) {
    const Vec2 centre = left.front();
    left.clear();
    append_rim(c, centre, left);
  }
  const auto inside = [&](const Vec2& p) {
    for (int e = 0; e < 3; ++e)
      if (cross(t[(e + 1) % 3] - t[e], p - t[e]) < 0) return false;
    return true;
  };
  if (round && std::all_of(left.begin(), left.end(), inside)) return true;
  for (int e = 0; e < 3; ++e) cut(left, scratch, t[e], t[(e + 1) % 3]);
  if (left.empty()) return false;
  c.radius = 0;
  c.semi_axes.setZero();
  buffer.points.resize(c.first_point);
  buffer.points.insert(buffer.points.end(), left.begin(), left.end());
  if (!buffer.point_features.empty()) buffer.point_features.resize(buffer.points.size(), 0);
  c.point_count = std::ssize(left);
  c.kind = c.point_count == 1 ? PatchKind::point
                              : (c.point_count == 2 ? PatchKind::segment : PatchKind::polygon);
  c.distance = std::numeric_limits<double>::infinity();
  for (const Vec2& p : left) c.distance = std::min(c.distance, c.gap[0] + c.gap.tail<2>().dot(p));
  return true;
}

/// The frame of the plane of a triangle: a half-space ends there.
Pose plane_of(const Triangle& t) {
  const Vec3 z = normal_of(t);
  const Vec3 x = (t[1] - t[0]).normalized();
  Pose X;
  X.R << x, z.cross(x), z;
  X.p = t[0];
  return X;
}

/// Where a contact is: the mean of its points, on the surface of the field.
Vec3 seat_of(const ContactBuffer& buffer, const SurfaceContact& c) {
  Vec2 mean = Vec2::Zero();
  for (Index i = 0; i < c.point_count; ++i) mean += buffer.points[c.first_point + i];
  mean /= static_cast<double>(std::max<Index>(c.point_count, 1));
  const double gap = c.gap[0] + c.gap.tail<2>().dot(mean);
  return c.X_WC.p + c.X_WC.R * Vec3(mean[0], mean[1], -gap / 2);
}

void append(const ContactBuffer& from, ContactBuffer& to, std::uint64_t feature) {
  for (SurfaceContact c : from.contacts) {
    const Index first = c.first_point;
    c.first_point = std::ssize(to.points);
    c.feature = feature;
    to.contacts.push_back(c);
    for (Index i = first; i < first + c.point_count; ++i) {
      to.points.push_back(from.points[i]);
      const bool named = i < std::ssize(from.point_features);
      to.point_features.push_back(named ? from.point_features[i] : 0);
    }
  }
}

/// The cells of a row or a column that an interval meets.
std::array<Index, 2> cells_under(double low, double high, double half_size, Index count) {
  const double cells = static_cast<double>(count - 1);
  const auto cell = [&](double x) {
    const double at = std::floor((x / half_size + 1) / 2 * cells);
    return static_cast<Index>(std::clamp(at, -1.0, cells));
  };
  return {std::max<Index>(cell(low), 0), std::min<Index>(cell(high), count - 2)};
}

/// What all triangles of one call share.
struct Scene {
  const Shape& shape;
  const Pose& X_WS;
  const HeightGrid& grid;
  const Pose& X_WF;
  const CollideOptions& options;
};

void collide_triangle(const Scene& s, const Place& place, const Bounds& reach,
                      HeightFieldWorkspace& w, ContactBuffer& out) {
  const Triangle t = triangle_at(s.grid, place);
  const double top = std::max({t[0][2], t[1][2], t[2][2]});
  const double low = std::min({t[0][2], t[1][2], t[2][2]});
  if (reach.lower[2] > top) return;
  const double depth = (t[1] - t[0]).norm() + (t[2] - t[0]).norm();
  stand_on(t, low > -s.grid.base ? -s.grid.base : low - depth, w.prism);
  w.single.clear();
  PairMemory memory;
  collide(convex_of(s.shape, s.X_WS), convex_of(w.prism, s.X_WF), s.options, memory, w.single);
  if (w.single.contacts.empty()) return;
  const SurfaceContact& c = w.single.contacts.front();
  const Pose X_FW = inverse(s.X_WF);
  const Vec3 seat = transform_point(X_FW, seat_of(w.single, c));
  const Vec3 n = transform_vector(X_FW, c.X_WC.R.col(2));
  if (!admissible(s.grid, place, t, seat, n)) {
    w.single.clear();
    memory = {};
    collide(s.shape, s.X_WS, HalfSpace{}, s.X_WF * plane_of(t), s.options, memory, w.single);
    Triangle t_W;
    for (int i = 0; i < 3; ++i) t_W[i] = transform_point(s.X_WF, t[i]);
    if (w.single.contacts.empty() || !cut_to_triangle(w.single, t_W, w.join)) return;
  }
  const Index number = 2 * (place.row * s.grid.columns + place.column) + place.half;
  append(w.single, out, static_cast<std::uint64_t>(number));
}

}  // namespace

void collide_height_field(const Shape& shape, const Pose& X_WS, const HeightField& field,
                          const Pose& X_WF, const CollideOptions& options,
                          HeightFieldWorkspace& workspace, ContactBuffer& out) {
  TACT_EXPECTS(field.grid != nullptr);
  const HeightGrid& grid = *field.grid;
  TACT_EXPECTS(grid.rows >= 2 && grid.columns >= 2 && grid.half_size.minCoeff() > 0);
  TACT_EXPECTS(std::ssize(grid.heights) == grid.rows * grid.columns);
  const Scene scene{shape, X_WS, grid, X_WF, options};
  const Bounds reach = bounds_of(shape, inverse(X_WF) * X_WS, options.margin);
  const auto columns = cells_under(reach.lower[0], reach.upper[0], grid.half_size[0], grid.columns);
  const auto rows = cells_under(reach.lower[1], reach.upper[1], grid.half_size[1], grid.rows);
  const Index first = std::ssize(out.contacts);
  for (Index i = rows[0]; i <= rows[1]; ++i) {
    for (Index j = columns[0]; j <= columns[1]; ++j) {
      for (const int half : {0, 1}) collide_triangle(scene, {i, j, half}, reach, workspace, out);
    }
  }
  join_patches(out, first, workspace.join);
}

}  // namespace tact
