#include "tact/geom/closed_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

/// Signed distance of a point to a solid in the solid's frame: where, and the way out.
struct Foot {
  double distance = 0;
  Vec3 foot = Vec3::Zero();
  Vec3 normal = Vec3::UnitX();
};

Foot outside_foot(const Vec3& y, const Vec3& foot, const Vec3& if_equal) {
  const Vec3 d = y - foot;
  const double length = d.stableNorm();
  return {length, foot, length > 0 ? Vec3(d / length) : if_equal};
}

Foot segment_foot(double half_length, const Vec3& y) {
  // On the segment itself every direction across it is as good as any other.
  return outside_foot(y, Vec3(0, 0, std::clamp(y[2], -half_length, half_length)), Vec3::UnitX());
}

Foot box_foot(const Vec3& half, const Vec3& y) {
  const Vec3 beyond = y.cwiseAbs() - half;
  Index axis = 0;
  const double most = beyond.maxCoeff(&axis);
  if (most > 0) {
    const Vec3 foot = y.cwiseMin(half).cwiseMax(-half);
    return outside_foot(y, foot, Vec3::Unit(axis));
  }
  const double sign = std::copysign(1.0, y[axis]);
  Vec3 foot = y;
  foot[axis] = sign * half[axis];
  return {most, foot, sign * Vec3::Unit(axis)};
}

Foot cylinder_foot(const Vec3& size, const Vec3& y) {
  const double rho = std::hypot(y[0], y[1]);
  const Vec3 out = rho > 0 ? Vec3(y[0] / rho, y[1] / rho, 0) : Vec3(Vec3::UnitX());
  const double up = std::copysign(1.0, y[2]);
  const double side = rho - size[0], cap = std::abs(y[2]) - size[2];
  if (side <= 0 && cap <= 0) {
    if (side >= cap) return {side, Vec3(size[0] * out[0], size[0] * out[1], y[2]), out};
    return {cap, Vec3(y[0], y[1], up * size[2]), up * Vec3::UnitZ()};
  }
  const double reach = std::min(rho, size[0]);
  const Vec3 foot(reach * out[0], reach * out[1], std::clamp(y[2], -size[2], size[2]));
  if (side <= 0) return {cap, foot, up * Vec3::UnitZ()};
  if (cap <= 0) return {side, foot, out};
  const double length = std::hypot(side, cap);
  return {length, foot, (side / length) * out + (cap / length) * up * Vec3::UnitZ()};
}

/// Inside a polyhedron the nearest face is the nearest point's. Nothing outside of it.
std::optional<Foot> inner_mesh_foot(const Polyhedron& mesh, const Vec3& y) {
  const Polyhedron::Face* nearest = nullptr;
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& face : mesh.faces) {
    const double here = face.normal.dot(y) - face.offset;
    if (here > 0) return std::nullopt;
    if (here > most) most = here, nearest = &face;
  }
  if (nearest == nullptr) return std::nullopt;
  return Foot{most, y - most * nearest->normal, nearest->normal};
}

ShapeDistance in_world(const Convex& point, const Convex& second, const Foot& f) {
  return {f.distance, second.X_W.R * f.normal, point.X_W.p, transform_point(second.X_W, f.foot)};
}

/// The points a + s d and b + t e of two segments, s and t in [-1, 1], that are nearest.
struct Nearest {
  double s = 0, t = 0;
  bool crossing = false;  ///< both inside their segments, which are not parallel
  bool parallel = true;
};

Nearest nearest_on_segments(const Vec3& r, const Vec3& d, const Vec3& e) {
  // |r + s d - t e|² with r = a - b; lines first, then one clamp after the other.
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e);
  const double dr = d.dot(r), er = e.dot(r);
  const double sine2 = d.cross(e).squaredNorm();
  const auto clamp = [](double x) { return std::clamp(x, -1.0, 1.0); };
  if (dd == 0) return {0, ee > 0 ? clamp(er / ee) : 0};
  if (ee == 0) return {clamp(-dr / dd), 0};
  Nearest n;
  n.parallel = sine2 <= tolerance::rounding * tolerance::rounding * dd * ee;
  n.s = n.parallel ? clamp(-dr / dd) : clamp((de * er - ee * dr) / sine2);
  n.t = (de * n.s + er) / ee;
  n.crossing = !n.parallel && std::abs(n.s) < 1 && std::abs(n.t) < 1;
  if (std::abs(n.t) > 1) {
    n.t = clamp(n.t);
    n.s = clamp((de * n.t - dr) / dd);
  }
  return n;
}

Vec3 across(const Vec3& d) {
  Index smallest = 0;
  d.cwiseAbs().minCoeff(&smallest);
  return d.cross(Vec3::Unit(smallest)).normalized();
}

}  // namespace

EllipsoidFoot ellipsoid_foot(const Vec3& semi_axes, const Vec3& y_signed) {
  // x_i = a_i² y_i / (t + a_i²) with t the root of Σ (a_i y_i / (t + a_i²))² = 1; in units of the
  // longest axis, and with u = t + a_min², which keeps its digits next to the pole.
  const double unit = semi_axes.maxCoeff();
  const Vec3 a = semi_axes / unit, y = y_signed.cwiseAbs() / unit;
  Index least = 0;
  const double a_min = a.minCoeff(&least);
  const Vec3 excess = (a.array() - a_min) * (a.array() + a_min);  // a_i² - a_min²
  const auto term = [&](Index i, double u) {
    const double below = u + excess[i];
    return below > 0 ? a[i] * y[i] / below : 0;  // zero only where y_i is
  };
  double u = 0;
  for (Index i = 0; i < 3; ++i) u = std::max(u, a[i] * y[i] - excess[i]);
  // The sum is convex and decreasing in u and at least one here: Newton climbs without overshoot.
  constexpr int most_steps = 60;
  for (int step = 0; step < most_steps; ++step) {
    double value = -1, slope = 0;
    for (Index i = 0; i < 3; ++i) {
      const double q = term(i, u);
      value += q * q;
      if (q > 0) slope += 2 * q * q / (u + excess[i]);
    }
    const double next = value > 0 ? u + value / slope : u;
    if (!(next > u)) break;
    u = next;
  }
  Vec3 x = Vec3::Zero();
  double rest = 1;
  for (Index i = 0; i < 3; ++i)
    if (u + excess[i] > 0) {
      x[i] = a[i] * term(i, u);
      rest -= term(i, u) * term(i, u);
    }
  // On the mid-plane across the shortest axis, within the evolute: the foot leaves the plane.
  if (u == 0) x[least] = a_min * std::sqrt(std::max(rest, 0.0));
  Vec3 gradient = x.array() / a.array().square();
  const double length = gradient.norm();
  const double t = u - a_min * a_min;
  EllipsoidFoot f;
  f.distance = unit * t * length;
  for (Index i = 0; i < 3; ++i) {
    f.foot[i] = unit * std::copysign(x[i], y_signed[i]);
    f.normal[i] = std::copysign(gradient[i] / length, y_signed[i]);
  }
  return f;
}

std::optional<ShapeDistance> point_distance(const Convex& point, const Convex& second) {
  const Vec3 y = second.X_W.R.transpose() * (point.X_W.p - second.X_W.p);
  switch (second.core) {
    case Convex::Core::point:
      return in_world(point, second, outside_foot(y, Vec3::Zero(), Vec3::UnitX()));
    case Convex::Core::segment:
      return in_world(point, second, segment_foot(second.size[2], y));
    case Convex::Core::box:
      return in_world(point, second, box_foot(second.size, y));
    case Convex::Core::cylinder:
      return in_world(point, second, cylinder_foot(second.size, y));
    case Convex::Core::ellipsoid: {
      const EllipsoidFoot f = ellipsoid_foot(second.size, y);
      return in_world(point, second, {f.distance, f.foot, f.normal});
    }
    case Convex::Core::mesh:
      if (const auto f = inner_mesh_foot(*second.mesh, y)) return in_world(point, second, *f);
      return std::nullopt;
    case Convex::Core::half_space:
      return plane_distance(point, second);
  }
  return std::nullopt;
}

ShapeDistance segment_distance(const Convex& first, const Convex& second) {
  const Vec3 d = first.X_W.R.col(2) * first.size[2], e = second.X_W.R.col(2) * second.size[2];
  const Vec3 r = first.X_W.p - second.X_W.p;
  const Nearest n = nearest_on_segments(r, d, e);
  ShapeDistance out;
  out.on_first_W = first.X_W.p + n.s * d;
  out.on_second_W = second.X_W.p + n.t * e;
  const Vec3 between = r + n.s * d - n.t * e;
  out.distance = between.stableNorm();
  // Of crossing lines the common normal is exact, however near they pass.
  const Vec3 common = d.cross(e);
  if (n.crossing) {
    // Across the first once more: the product of nearly parallel lines has lost that.
    const Vec3 unit = common.normalized(), along = d.normalized();
    out.normal_W = (unit - along.dot(unit) * along).normalized();
    if (out.normal_W.dot(r) < 0) out.normal_W = -out.normal_W;
    out.distance = std::abs(out.normal_W.dot(r));
  } else if (out.distance > 0) {
    out.normal_W = between / out.distance;
  } else {
    const Vec3& longest = d.squaredNorm() >= e.squaredNorm() ? d : e;
    out.normal_W = !n.parallel                 ? Vec3(common.normalized())
                   : longest.squaredNorm() > 0 ? across(longest)
                                               : Vec3(Vec3::UnitX());
  }
  return out;
}

ShapeDistance plane_distance(const Convex& first, const Convex& second) {
  const Vec3 n = second.X_W.R.col(2);
  int vertex = 0;
  ShapeDistance out;
  out.normal_W = n;
  out.on_first_W = core_support_world(first, -n, vertex);
  out.distance = n.dot(out.on_first_W - second.X_W.p);
  out.on_second_W = out.on_first_W - out.distance * n;
  return out;
}

}  // namespace tact
