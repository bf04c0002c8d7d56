#include "tact/cone/planar_cone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/svd2.hpp"

namespace tact {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The problem after multiplication by U: project w onto the cone over the points p(x).
struct Flattened {
  Mat2 linear;  ///< x -> p is linear x + shift
  Vec2 shift;
  Vec2 w_s;
  double w_f;
  double unit;  ///< u_ff: a force f there is f / unit here

  Flattened(const Mat3& upper, const Vec3& z)
      : linear(upper.topLeftCorner<2, 2>() / upper(2, 2)),
        shift(upper.topRightCorner<2, 1>() / upper(2, 2)),
        w_s(upper(0, 0) * z[0] + upper(0, 1) * z[1] + upper(0, 2) * z[2],
            upper(1, 1) * z[1] + upper(1, 2) * z[2]),
        w_f(upper(2, 2) * z[2]),
        unit(upper(2, 2)) {}

  [[nodiscard]] Vec2 image(const Vec2& x) const {
    return {linear(0, 0) * x[0] + linear(0, 1) * x[1] + shift[0], linear(1, 1) * x[1] + shift[1]};
  }
  /// Outward normals of the image, seen in the original plane.
  [[nodiscard]] Vec2 normal_at_home(const Vec2& n) const { return linear.transpose() * n; }

  [[nodiscard]] Vec3 answer(double f, const Vec2& x) const {
    const double force = f / unit;
    return {force * x[0], force * x[1], force};
  }
};

/// Where the projection onto one edge (a, b) falls: force f and share of the way from a to b.
struct EdgeFoot {
  bool outside = false;  ///< w is on the outer side of the edge
  bool carries = false;  ///< and its projection falls on the edge
  double f = 0;
  double share = 0;
};

/// The plane through the origin and the edge: with d the distance of the edge's line from the
/// origin and h how far w is outside, f = w_f + d h / (1 + d²) = (w_f + d w_n) / (1 + d²). The
/// first form keeps the digits of a small patch, the second those of a large one. A lone segment
/// has no outside: `two_sided`.
EdgeFoot foot_on_edge(const Flattened& q, const Vec2& a, const Vec2& b, bool two_sided) {
  const Vec2 e = b - a;
  const double outside = cross(q.w_s - q.w_f * a, e);
  if (outside <= 0 && !two_sided) return {};
  const double lever = cross(a, e);
  const double length2 = e.squaredNorm();
  const double scale = 1 / (length2 + lever * lever);
  const bool near = lever * lever <= length2;
  const double f =
      near ? q.w_f + lever * outside * scale : (q.w_f * length2 + lever * cross(q.w_s, e)) * scale;
  const double along = e.dot(q.w_s - f * a);
  if (!(f > 0 && along >= 0 && along <= f * length2)) return {true, false};
  return {true, true, f, along / (f * length2)};
}

/// The projection onto the ray of one point p of the image: its force, and what remains
/// tangentially.
struct RayFoot {
  double f;
  Vec2 rest;      ///< w_s - f p
  double rest_f;  ///< w_f - f
};

/// f = (w_f + p.w_s) / (1 + |p|²), in the form that keeps the digits, as above.
RayFoot foot_on_ray(const Vec2& w_s, double w_f, const Vec2& p) {
  const double scale = 1 / (1 + p.squaredNorm());
  if (p.squaredNorm() > 1) {
    const double f = (w_f + p.dot(w_s)) * scale;
    return {f, w_s - f * p, w_f - f};
  }
  const Vec2 r = w_s - w_f * p;
  const double df = p.dot(r) * scale;
  return {w_f + df, r - df * p, -df};
}

/// A corner carries the projection iff what remains does not point along either of its edges.
double corner_violation(const Vec2& rest, const Vec2& before, const Vec2& p, const Vec2& after) {
  const Vec2 ahead = after - p, back = before - p;
  return std::max(rest.dot(ahead) / ahead.norm(), rest.dot(back) / back.norm());
}

Vec3 project_on_best_corner(std::span<const Vec2> v, const Flattened& q, ConeFace& face) {
  const std::size_t count = v.size();
  double least = infinity;
  Vec3 best = Vec3::Zero();
  face.kind = ConeFace::Kind::tip;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 p = q.image(v[i]);
    const RayFoot foot = foot_on_ray(q.w_s, q.w_f, p);
    if (!(foot.f > 0)) continue;
    const double violation =
        count == 1 ? 0
                   : corner_violation(foot.rest, q.image(v[i == 0 ? count - 1 : i - 1]), p,
                                      q.image(v[i + 1 == count ? 0 : i + 1]));
    if (violation < least) {
      least = violation;
      best = q.answer(foot.f, v[i]);
      face = {ConeFace::Kind::ray, i, i};
    }
  }
  return best;
}

/// Whether z lies in the cone beyond all doubt: by a share of its own size, far from every side.
bool is_clearly_inside(std::span<const Vec2> v, const Vec3& z) {
  const std::size_t count = v.size();
  if (count < 3 || !(z[2] > 0)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 &a = v[i], &b = v[i + 1 == count ? 0 : i + 1];
    const double ex = b[0] - a[0], ey = b[1] - a[1];
    const double rx = z[0] - z[2] * a[0], ry = z[1] - z[2] * a[1];
    const double size = (std::abs(ex) + std::abs(ey)) * (std::abs(rx) + std::abs(ry));
    if (!(ex * ry - ey * rx > tolerance::quadratic * size)) return false;
  }
  return true;
}

}  // namespace

Vec3 project_on_polygon_cone(std::span<const Vec2> vertices, const Mat3& upper, const Vec3& z) {
  ConeFace face;
  return project_on_polygon_cone(vertices, upper, z, face);
}

Vec3 project_on_polygon_cone(std::span<const Vec2> vertices, const Mat3& upper, const Vec3& z,
                             ConeFace& face) {
  if (is_clearly_inside(vertices, z)) {
    face.kind = ConeFace::Kind::inside;
    return z;
  }
  const Flattened q(upper, z);
  const std::size_t count = vertices.size();
  const std::size_t edges = count < 3 ? count - 1 : count;
  bool outside = count < 3 || q.w_f < 0;
  Vec2 a = q.image(vertices[0]);
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t j = i + 1 == count ? 0 : i + 1;
    const Vec2 b = q.image(vertices[j]);
    const EdgeFoot foot = foot_on_edge(q, a, b, count == 2);
    if (foot.carries) {
      face = {ConeFace::Kind::plane, i, j};
      return q.answer(foot.f, vertices[i] + foot.share * (vertices[j] - vertices[i]));
    }
    outside = outside || foot.outside;
    a = b;
  }
  face.kind = ConeFace::Kind::inside;
  if (!outside) return z;
  return project_on_best_corner(vertices, q, face);  // zero where w lies in the polar cone
}

// --------------------------------------------------------------------------------------- ellipse

namespace {

/// An ellipse seen along its axes: x = c + σ n, n = (cos φ, sin φ); w likewise.
struct AxisView {
  Vec2 c, sigma;
  Vec2 w_s;
  double w_f;
  Vec2 r;  ///< w_s - w_f c
};

/// Foot of w on the ray of the boundary point n: force, remainder, and the remainder's slope along
/// the boundary g = rest.x'(φ) with its derivative; the projection is where g = 0.
struct RimFoot {
  double f;
  Vec2 rest;
  double g, dg;
};

RimFoot foot_on_rim(const AxisView& q, const Vec2& n) {
  const Vec2 sn = q.sigma.cwiseProduct(n);                  // x - c
  const Vec2 st = q.sigma.cwiseProduct(Vec2(-n[1], n[0]));  // dx/dφ
  const Vec2 x = q.c + sn;
  const RayFoot ray = foot_on_ray(q.w_s, q.w_f, x);
  // The remainder is orthogonal to the ray (x, 1), so only the part of the tangent (x', 0) that is
  // orthogonal to it counts. Where a large rim runs along its own ray that part is small, and the
  // full tangent would drown it in rounding.
  const double along = x.dot(st) / (1 + x.squaredNorm());
  const Vec2 across = st - along * x;
  const double df = (ray.rest.dot(st) - ray.f * x.dot(st)) / (1 + x.squaredNorm());
  const double g = ray.rest.dot(across) - ray.rest_f * along;
  const double dg = -ray.f * across.dot(st) - (df + ray.f * along) * x.dot(st) - ray.rest.dot(sn);
  return {ray.f, ray.rest, g, dg};
}

/// Newton on the angle from a good guess. w sees the rim at n from outside where (r/σ).n > w_f. The
/// stationary point that w sees, with a positive force, is the projection and there is only one: an
/// answer that passes this test needs no other proof.
bool newton_on_rim(const AxisView& q, Vec2& n) {
  constexpr int max_iterations = 16;
  constexpr double longest = 0.5;  // rad: beyond, the slope is no guide
  bool last = false;
  for (int i = 0; i < max_iterations; ++i) {
    const RimFoot foot = foot_on_rim(q, n);
    const double uphill = std::copysign(longest, foot.g);
    const double newton = foot.dg < 0 ? -foot.g / foot.dg : uphill;
    const double step = std::abs(newton) < longest ? newton : uphill;
    n = (n + step * Vec2(-n[1], n[0])).normalized();
    if (last) {
      const Vec2 seen = q.r.cwiseQuotient(q.sigma);
      const double slack = tolerance::rounding * (seen.norm() + std::abs(q.w_f));
      return foot.f > 0 && foot.dg < 0 && seen.dot(n) - q.w_f > -slack;
    }
    last = std::abs(step) < tolerance::quadratic;  // the next step is exact to rounding
  }
  return false;
}

/// A range of angles, from < to.
struct Range {
  double from, to;
};

/// { φ : a cos φ + b sin φ + c > 0 }; everything as an unbounded range, nothing as an empty one.
Range positive_range(double a, double b, double c) {
  const double amplitude = std::hypot(a, b);
  const double middle = std::atan2(b, a);
  if (c >= amplitude) return {-infinity, infinity};
  const double half = c <= -amplitude ? 0 : std::acos(-c / amplitude);
  return {middle - half, middle + half};
}

/// Bisection where Newton gave up (very flat ellipses seen at a grazing angle). The projection lies
/// in the part of the rim that w sees and whose rays have a positive product with w; at the start
/// of each such part g > 0 and at its end g < 0, so there is exactly one part.
Vec2 bisect_on_rim(const AxisView& q) {
  const auto at = [](double angle) { return Vec2(std::cos(angle), std::sin(angle)); };
  const Vec2 seen = q.r.cwiseQuotient(q.sigma);
  const Vec2 pull = q.w_s.cwiseProduct(q.sigma);
  const Range visible = positive_range(seen[0], seen[1], -q.w_f);
  const Range pushing = positive_range(pull[0], pull[1], q.w_f + q.w_s.dot(q.c));
  Range best{0, -infinity};
  for (const double turn : {-2 * std::numbers::pi, 0.0, 2 * std::numbers::pi}) {
    const Range part{std::max(visible.from, pushing.from + turn),
                     std::min(visible.to, pushing.to + turn)};
    if (part.to - part.from > best.to - best.from) best = part;
  }
  double low = best.from, high = best.to;
  for (;;) {
    const double mid = low + (high - low) / 2;
    if (mid <= low || mid >= high) return at(mid);
    (foot_on_rim(q, at(mid)).g > 0 ? low : high) = mid;
  }
}

struct EllipseFoot {
  double f = 0;
  Vec2 u = Vec2::Zero();     ///< boundary parameter: the point is c + B u
  Vec2 rest = Vec2::Zero();  ///< remainder in the flattened plane: an outward normal there
};

/// The foot of w on the rim of an ellipse that does not contain it. f <= 0 where w is in the polar
/// cone.
EllipseFoot foot_on_ellipse(const EllipseForm& ellipse, const Flattened& q) {
  const Svd2 svd = svd2(q.linear * ellipse.axes);
  const Vec2 p = q.image(ellipse.center);
  const AxisView view{svd.left.transpose() * p, svd.sigma, svd.left.transpose() * q.w_s, q.w_f,
                      svd.left.transpose() * (q.w_s - q.w_f * p)};
  // First guess: the planar problem with the force held, σ r / (σ² + λ), λ from the largest radius.
  const double outside =
      std::max(0.0, view.r.norm() / std::max(view.w_f, view.r.norm() / 16) - view.sigma[0]);
  const double lambda = view.sigma[0] * outside;
  Vec2 n(view.sigma[0] * view.r[0] / (view.sigma[0] * view.sigma[0] + lambda),
         view.sigma[1] * view.r[1] / (view.sigma[1] * view.sigma[1] + lambda));
  const double size = n.norm();
  n = size > 0 ? Vec2(n / size) : Vec2::UnitX();
  if (!newton_on_rim(view, n)) n = bisect_on_rim(view);
  const RimFoot foot = foot_on_rim(view, n);
  return {foot.f, svd.right * n, svd.left * foot.rest};
}

bool inside_ellipse_cone(const EllipseForm& e, const Vec3& z) {
  if (z[2] < 0) return false;
  const Vec2 r = z.head<2>() - z[2] * e.center;
  const double det = cross(e.axes.col(0), e.axes.col(1));
  const Vec2 scaled(cross(r, e.axes.col(1)), cross(e.axes.col(0), r));  // det B^-1 r
  return scaled.norm() <= z[2] * std::abs(det);
}

/// w_s.p + |B'w_s| + w_f <= 0: every ray of the cone has a non-positive product with w.
bool in_polar_of_ellipse(const EllipseForm& e, const Flattened& q) {
  const Vec2 pull = q.linear.transpose() * q.w_s;
  return q.w_s.dot(q.image(e.center)) + (e.axes.transpose() * pull).norm() + q.w_f <= 0;
}

}  // namespace

Vec3 project_on_ellipse_cone(const EllipseForm& ellipse, const Mat3& upper, const Vec3& z) {
  if (inside_ellipse_cone(ellipse, z)) return z;
  const Flattened q(upper, z);
  if (in_polar_of_ellipse(ellipse, q)) return Vec3::Zero();
  const EllipseFoot foot = foot_on_ellipse(ellipse, q);
  return q.answer(std::max(foot.f, 0.0), ellipse.center + ellipse.axes * foot.u);
}

// ------------------------------------------------------------------------------------ any chain

namespace {

bool in_polar_of_chain(const PlanarSet& set, const Flattened& q) {
  return std::all_of(set.arcs().begin(), set.arcs().end(),
                     [&](const BoundaryArc& arc) { return in_polar_of_ellipse(arc.ellipse, q); });
}

Vec3 project_on_arc(const BoundaryArc& arc, const Flattened& q, const Vec3& z) {
  if (inside_ellipse_cone(arc.ellipse, z)) return z;
  const EllipseFoot foot = foot_on_ellipse(arc.ellipse, q);
  return q.answer(std::max(foot.f, 0.0), arc.ellipse.center + arc.ellipse.axes * foot.u);
}

/// w is inside every edge: it lies in the cone, or beyond one of the arcs and then beyond its
/// chord.
Vec3 project_within_edges(const PlanarSet& set, const Flattened& q, const Vec3& z) {
  for (const BoundaryArc& arc : set.arcs())
    if (!arc.ellipse.is_point() &&
        foot_on_edge(q, q.image(arc.first), q.image(arc.last), false).outside)
      return project_on_arc(arc, q, z);
  return z;
}

/// w is outside some edge but projects on none: corners and round arcs, of which that one carries
/// the projection whose normals include the remainder.
Vec3 project_on_best_arc(const PlanarSet& set, const Flattened& q, const Vec3& z) {
  double least = infinity;
  Vec3 best = Vec3::Zero();
  for (const BoundaryArc& arc : set.arcs()) {
    EllipseFoot foot;
    if (arc.ellipse.is_point()) {
      const RayFoot ray = foot_on_ray(q.w_s, q.w_f, q.image(arc.ellipse.center));
      foot = {ray.f, Vec2::Zero(), ray.rest};
    } else {
      if (inside_ellipse_cone(arc.ellipse, z)) return z;
      if (!in_polar_of_ellipse(arc.ellipse, q)) foot = foot_on_ellipse(arc.ellipse, q);
    }
    if (!(foot.f > 0)) continue;
    // In units of force, so that a remainder that is only rounding violates nothing.
    const double violation = normal_violation(arc, q.normal_at_home(foot.rest)) * foot.rest.norm();
    if (violation < least) {
      least = violation;
      best = q.answer(foot.f, arc.ellipse.center + arc.ellipse.axes * foot.u);
    }
    if (violation <= 0) break;
  }
  return best;
}

Vec3 project_on_chain(const PlanarSet& set, const Mat3& upper, const Vec3& z) {
  const Flattened q(upper, z);
  if (in_polar_of_chain(set, q)) return Vec3::Zero();
  const auto arcs = set.arcs();
  bool outside = q.w_f < 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Vec2& a = arcs[i].last;
    const Vec2& b = arcs[i + 1 == arcs.size() ? 0 : i + 1].first;
    const EdgeFoot foot = foot_on_edge(q, q.image(a), q.image(b), false);
    if (foot.carries) return q.answer(foot.f, a + foot.share * (b - a));
    outside = outside || foot.outside;
  }
  return outside ? project_on_best_arc(set, q, z) : project_within_edges(set, q, z);
}

}  // namespace

Vec3 project_on_planar_cone(const PlanarSet& set, const Mat3& upper, const Vec3& z) {
  switch (set.kind()) {
    case PlanarSet::Kind::polygon:
      return project_on_polygon_cone(set.vertices(), upper, z);
    case PlanarSet::Kind::ellipse:
      return project_on_ellipse_cone(set.form(), upper, z);
    case PlanarSet::Kind::arcs:
      break;
  }
  return project_on_chain(set, upper, z);
}

Vec3 project_on_planar_cone(const PlanarSet& set, const Vec3& z) {
  return project_on_planar_cone(set, Mat3::Identity(), z);
}

double planar_cone_margin(const PlanarSet& set, const Vec3& z) {
  const double f = z[2];
  if (f > 0) {
    const Vec2 x = z.head<2>() / f;
    if (x.allFinite()) return f * set.signed_distance(x);
  }
  // f h(n) - n.s is least where n points from f x to s, x the point of C farthest from s / f.
  if (f < 0 && set.radius() > 0) return f * set.max_distance(z.head<2>() / f);
  // A single point has no extent to measure a pulling force by.
  if (f < 0) return f - (z.head<2>() - f * set.center()).norm();
  return -z.head<2>().norm();
}

double planar_dual_margin(const PlanarSet& set, const Vec3& w) {
  return w[2] - set.support_value(-w.head<2>());
}

Vec3 planar_cone_support(const PlanarSet& set, const Vec3& d) {
  const Vec2 x = set.support(d.head<2>());
  return {x[0], x[1], 1};
}

}  // namespace tact
