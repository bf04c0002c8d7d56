// io/consistency_space.cpp - the picture in space, seen from one fixed side: the outline of the
// set, the arcs where its faces meet, and the balls as circles.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <Eigen/Geometry>

#include "tact/io/consistency_parts.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/plot_frame.hpp"
#include "tact/io/scene3.hpp"
#include "tact/poly/arc_region.hpp"
#include "tact/poly/hull.hpp"

namespace tact {
namespace {

using Mark = LegendEntry::Mark;

Vec3 solid(const VecX& x) {
  return x.head<3>();
}

/// A plane of space with coordinates of its own.
struct Plane {
  Vec3 foot, e1, e2;

  Plane(const Vec3& normal, double offset) : foot(offset * normal) {
    e1 = normal.unitOrthogonal();
    e2 = normal.cross(e1);
  }
  [[nodiscard]] Vec3 operator()(const Vec2& x) const { return foot + x[0] * e1 + x[1] * e2; }
  [[nodiscard]] Vec2 flat(const Vec3& x) const { return {e1.dot(x - foot), e2.dot(x - foot)}; }
  /// What the plane sees of { normal.x >= offset }.
  [[nodiscard]] HalfPlane cut(const SliceHalfSpace& h) const {
    const Vec3 n = solid(h.normal);
    Vec2 seen(n.dot(e1), n.dot(e2));
    // Parallel planes: everything or nothing, whichever the foot says.
    if (seen.norm() <= tolerance::collinear) seen.setZero();
    const double room = n.dot(foot) - h.offset;
    return {-seen, seen.isZero() && room > -tolerance::face * (1 + foot.norm()) ? 0 : room};
  }
  [[nodiscard]] Disc cut(const SliceBall& b) const {
    const Vec2 center = flat(solid(b.center));
    const double away2 = (solid(b.center) - (*this)(center)).squaredNorm();
    const double left = b.radius2 - away2;
    return {center, left < 0 ? -1.0 : std::sqrt(left)};
  }
};

/// I cut by a plane.
std::vector<ArcPiece> section(const SliceView& view, const Plane& plane) {
  std::vector<HalfPlane> planes;
  std::vector<Disc> discs;
  for (const auto* sets : {&view.opening, &view.reach})
    for (const SliceHalfSpace& h : *sets) planes.push_back(plane.cut(h));
  for (const SliceBall& b : view.corners) discs.push_back(plane.cut(b));
  return arc_region(planes, discs, tolerance::face);
}

std::vector<Vec3> sampled(const Plane& plane, const ArcPiece& p) {
  if (p.radius <= 0) return {plane(p.from), plane(p.to)};
  constexpr int steps = 24;
  const Vec2 a = p.from - p.center, b = p.to - p.center;
  const double angle = std::atan2(cross(a, b), a.dot(b));
  std::vector<Vec3> out;
  for (int i = 0; i <= steps; ++i) {
    const double t = angle * i / steps;
    out.push_back(plane(p.center + std::cos(t) * a + std::sin(t) * Vec2(-a[1], a[0])));
  }
  return out;
}

using Curve = std::vector<Vec3>;

/// The arcs and segments where two faces of I meet: boundaries of its flat faces, and for two
/// spheres the part of their common circle that belongs to I.
std::vector<Curve> edges_of(const SliceView& view) {
  std::vector<Curve> out;
  for (const auto* sets : {&view.opening, &view.reach})
    for (const SliceHalfSpace& h : *sets) {
      const Plane plane(solid(h.normal), h.offset);
      for (const ArcPiece& p : section(view, plane)) out.push_back(sampled(plane, p));
    }
  for (std::size_t i = 0; i < view.corners.size(); ++i)
    for (std::size_t j = i + 1; j < view.corners.size(); ++j) {
      const SliceBall &a = view.corners[i], &b = view.corners[j];
      const Vec3 between = solid(b.center) - solid(a.center);
      if (!(between.norm() > 0)) continue;
      // |x - a|² - r_a² = |x - b|² - r_b².
      const double offset =
          (b.center.squaredNorm() - a.center.squaredNorm() + a.radius2 - b.radius2) /
          (2 * between.norm());
      const Plane plane(between.normalized(), offset);
      const Disc shared = plane.cut(a);
      if (shared.radius <= 0) continue;
      for (const ArcPiece& p : section(view, plane))
        if (p.radius > 0 &&
            (p.center - shared.center).norm() + std::abs(p.radius - shared.radius) <=
                tolerance::face * shared.radius)
          out.push_back(sampled(plane, p));
    }
  return out;
}

/// How far one can go from x inside I along a direction.
double way_out(const SliceView& view, const Vec3& x, const Vec3& way) {
  double out = std::numeric_limits<double>::infinity();  // until the first ball
  for (const auto* sets : {&view.opening, &view.reach})
    for (const SliceHalfSpace& h : *sets) {
      const double slope = solid(h.normal).dot(way);
      if (slope < 0)
        out = std::min(out, std::max(0.0, (h.offset - solid(h.normal).dot(x)) / slope));
    }
  for (const SliceBall& b : view.corners) {
    const Vec3 from = x - solid(b.center);
    const double half = from.dot(way);
    const double root2 = half * half + b.radius2 - from.squaredNorm();
    out = std::min(out, root2 > 0 ? std::max(0.0, std::sqrt(root2) - half) : 0.0);
  }
  return out;
}

std::vector<Vec3> directions(int count) {
  std::vector<Vec3> out;
  const double turn = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2.0 * i + 1) / count, r = std::sqrt(1 - z * z);
    out.emplace_back(r * std::cos(turn * i), r * std::sin(turn * i), z);
  }
  return out;
}

/// Points of the surface of I: rays from a point inside, itself the middle of a first round of
/// rays from the projection, which lies in I.
std::vector<Vec3> surface(const SliceView& view) {
  if (!view.projection_inside) return {};
  Vec3 inside = solid(*view.projection);
  constexpr int rounds = 4;
  for (int i = 0; i < rounds; ++i) {
    const auto ways = directions(400);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& way : ways) sum += way_out(view, inside, way) * way / double(ways.size());
    inside += sum;
  }
  std::vector<Vec3> out;
  for (const Vec3& way : directions(4000))
    out.emplace_back(inside + way_out(view, inside, way) * way);
  return out;
}

struct Space {
  Vec3 middle = Vec3::Zero();
  double half = 1;  ///< of the cube that is shown
  Camera camera{Vec2::Zero(), 1};
};

Space space_of(const SliceView& view, const std::vector<Vec3>& surface) {
  Vec3 low = solid(view.free), high = low;
  const auto show = [&](const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  };
  for (const NamedPoint& p : named_points(view)) show(solid(p.at));
  for (const SliceBall& b : view.corners) show(solid(b.center));
  for (const Vec3& x : surface) show(x);
  Space out;
  out.middle = (low + high) / 2;
  out.half = 0.62 * (high - low).maxCoeff();
  if (!(out.half > 0)) out.half = 1;
  out.camera.scale = 0.36 * panel_size.minCoeff() / out.half;
  out.camera.origin = panel_corner + panel_size / 2 - out.camera(out.middle);
  return out;
}

/// A half-plane whose line is nowhere in sight has no normal: it holds everything or nothing.
std::vector<Vec2> cut_by(const std::vector<Vec2>& shape, const HalfPlane& h) {
  if (!h.normal.isZero()) return shape.empty() ? shape : clip(shape, h);
  return h.offset < 0 ? std::vector<Vec2>{} : shape;
}

/// The visible part of one face of P⁺: a square of its plane cut by the cube and the other faces.
std::vector<Vec3> face(const SliceView& view, const Space& space, const SliceHalfSpace& h) {
  const Plane plane(solid(h.normal), h.offset);
  const Vec2 at = plane.flat(space.middle);
  const double far = 4 * space.half;
  std::vector<Vec2> shape = {at + Vec2(-far, -far), at + Vec2(far, -far), at + Vec2(far, far),
                             at + Vec2(-far, far)};
  for (const SliceHalfSpace& other : view.opening)
    if (&other != &h) shape = cut_by(shape, plane.cut(other));
  for (int k = 0; k < 3; ++k)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 n = -side * Vec3::Unit(k);
      shape = cut_by(shape, plane.cut({n, n.dot(space.middle) - space.half, -1}));
    }
  std::vector<Vec3> out;
  out.reserve(shape.size());
  for (const Vec2& x : shape) out.push_back(plane(x));
  return out;
}

void draw_polyhedron(ConsistencyDrawing& d, const Space& space, Scene3& scene) {
  for (const SliceHalfSpace& h : d.view.opening) {
    auto shape = face(d.view, space, h);
    if (shape.size() < 3) continue;
    scene.polygon(std::move(shape),
                  {.stroke = "patch", .fill = "patch", .width = 0.8, .opacity = 0.16});
  }
  if (!d.view.jammed)
    d.legend.push_back({Mark::area, "patch", std::string(admissible_words(d.view))});
}

void label_faces(ConsistencyDrawing& d, const Space& space, LabelPlacer& labels) {
  for (const SliceHalfSpace& h : d.view.opening) {
    const auto shape = face(d.view, space, h);
    if (shape.size() < 3) continue;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& x : shape) middle += x / double(shape.size());
    labels.place(d.canvas, space.camera(middle), contact_name(d.shown, h.contact),
                 {.color = "soft", .size = 12});
  }
}

void draw_balls(ConsistencyDrawing& d, const Space& space) {
  for (const SliceBall& b : d.view.corners)
    if (b.radius2 > 0)
      d.canvas.circle(space.camera(solid(b.center)), std::sqrt(b.radius2) * space.camera.scale,
                      {.stroke = b.best ? "base" : "tip", .width = b.best ? 1.8 : 1.0});
  if (!d.view.corners.empty())
    d.legend.push_back({Mark::circle, "tip", "outlines of the balls about the corners of P\u207a"});
}

void draw_consistent(ConsistencyDrawing& d, const Space& space, const std::vector<Vec3>& points) {
  std::vector<Vec2> seen;
  seen.reserve(points.size());
  for (const Vec3& x : points) seen.push_back(space.camera(x));
  const auto edges = edges_of(d.view);
  for (const Curve& c : edges)
    for (const Vec3& x : c) seen.push_back(space.camera(x));
  if (seen.empty()) return;
  d.canvas.polyline(convex_hull(seen),
                    {.stroke = "stick", .fill = "stick", .width = 2, .opacity = 0.28}, true);
  for (const Curve& c : edges) {
    std::vector<Vec2> line;
    for (const Vec3& x : c) line.push_back(space.camera(x));
    d.canvas.polyline(line, {.stroke = "stick", .width = 1.1});
  }
  d.legend.push_back({Mark::area, "stick", "I: the consistency set and its edges"});
}

void draw_triad(ConsistencyDrawing& d, const Space& space) {
  const Vec2 at = panel_corner + Vec2(44, panel_size[1] - 30);
  for (int k = 0; k < 3; ++k) {
    const Vec2 way =
        space.camera(space.middle + space.half * Vec3::Unit(k)) - space.camera(space.middle);
    const Vec2 tip = at + 40 * way / (space.half * space.camera.scale);
    d.canvas.arrow(at, tip, {.stroke = "soft", .width = 1.5});
    d.canvas.text(tip + Vec2(k == 0 ? -6 : 4, k == 2 ? -4 : 10), std::to_string(k + 1),
                  {.color = "soft", .size = 11, .anchor = k == 0 ? "end" : "start"});
  }
  for (int k = 0; k < 3; ++k)
    d.canvas.text(panel_corner + Vec2(110, panel_size[1] - 44 + 15 * k),
                  concat({std::to_string(k + 1), ": ", d.view.axes[std::size_t(k)]}),
                  {.color = "soft", .size = 11, .halo = true});
  const double wanted = space.half / 3, energy = round_step(wanted * wanted / 2);
  const Vec2 right = panel_corner + panel_size - Vec2(14, 14);
  const Vec2 left = right - Vec2(std::sqrt(2 * energy) * space.camera.scale, 0);
  const Paint bar{.stroke = "ink", .width = 2};
  d.canvas.line(left, right, bar);
  for (const Vec2& end : {left, right}) d.canvas.line(end - Vec2(0, 4), end + Vec2(0, 4), bar);
  d.canvas.text({right[0], right[1] - 8},
                concat({"\u00bd|\u0394u|\u00b2 = ", short_number(energy), " J"}),
                {.size = 11, .anchor = "end", .halo = true});
}

void draw_pushes(ConsistencyDrawing& d, const Space& space) {
  const Vec3 z = solid(d.view.free);
  for (const VecX& push : d.view.pushes)
    d.canvas.arrow(space.camera(z), space.camera(z + 0.8 * space.half * solid(push)),
                   {.stroke = "force", .width = 1.5});
  d.legend.push_back({Mark::arrow, "force", "pushes: impulses reach their cone"});
}

void draw_edges(ConsistencyDrawing& d, const Space& space) {
  const Paint paint{.stroke = "ink", .width = 1.4};
  const auto line = [&](const Vec3& a, const Vec3& b) {
    d.canvas.line(space.camera(a), space.camera(b), paint);
  };
  for (const auto& [a, b] : d.view.edges) line(solid(a), solid(b));
  for (const auto& [a, way] : d.view.rays) line(solid(a), solid(a) + space.half * solid(way));
}

void draw_motion(ConsistencyDrawing& d, const Space& space) {
  const Vec3 z = solid(d.view.free);
  if (d.view.excited)
    draw_move(d.canvas, space.camera(solid(d.view.before)), space.camera(z),
              {.stroke = "soft", .width = 1.5});
  for (const SliceBall& b : d.view.corners) {
    const Vec2 at = space.camera(solid(b.center));
    d.canvas.circle(at, 3.5, {.fill = "line"});
    if (b.best) d.canvas.circle(at, 8, {.stroke = "base", .width = 2.5});
  }
  if (!d.view.after) return;
  draw_move(d.canvas, space.camera(z), space.camera(solid(*d.view.after)),
            {.stroke = d.view.verdict->inside() ? "stick" : "bad", .width = 2});
}

}  // namespace

void draw_space_panel(ConsistencyDrawing& d) {
  const auto points = surface(d.view);
  const Space space = space_of(d.view, points);
  d.canvas.rectangle(panel_corner, panel_size, {.stroke = "grid", .width = 1});
  d.canvas.begin_clip(panel_corner, panel_size);
  Scene3 scene(space.camera);
  draw_polyhedron(d, space, scene);
  scene.paint_on(d.canvas);
  draw_balls(d, space);
  draw_pushes(d, space);
  draw_consistent(d, space, points);
  draw_edges(d, space);
  draw_motion(d, space);
  LabelPlacer labels(panel_corner, panel_size);
  const auto named = named_points(d.view);
  std::vector<Vec2> places;
  places.reserve(named.size());
  for (const NamedPoint& p : named) places.push_back(space.camera(solid(p.at)));
  draw_points(d.canvas, labels, named, places);
  label_faces(d, space, labels);
  draw_triad(d, space);
  d.canvas.end_clip();
}

}  // namespace tact
