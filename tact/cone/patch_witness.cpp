#include "tact/cone/patch_witness.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/cone/planar_cone.hpp"
#include "tact/linalg/svd2.hpp"

namespace tact {

namespace {

/// Shares f between the ends of a segment so that the mean point is (the nearest to) c.
void split_on_segment(const Vec2& a, const Vec2& b, const Vec2& c, double f, PressureWitness& out) {
  const double length2 = (b - a).squaredNorm();
  const double share = length2 > 0 ? std::clamp((b - a).dot(c - a) / length2, 0.0, 1.0) : 0;
  out.add(a, (1 - share) * f);
  if (share > 0) out.add(b, share * f);
}

/// Barycentric shares in the triangle of a fan from the first corner that contains c.
void split_on_polygon(std::span<const Vec2> v, const Vec2& c, double f, PressureWitness& out) {
  const Vec2& apex = v[0];
  std::size_t i = 1;
  while (i + 2 < v.size() && cross(v[i + 1] - apex, c - apex) > 0) ++i;
  const double area = cross(v[i] - apex, v[i + 1] - apex);
  const double on_i = std::max(0.0, cross(c - apex, v[i + 1] - apex) / area);
  const double on_next = std::max(0.0, cross(v[i] - apex, c - apex) / area);
  const double on_apex = std::max(0.0, cross(v[i] - c, v[i + 1] - c) / area);
  const double sum = on_i + on_next + on_apex;
  if (on_apex > 0) out.add(apex, f * on_apex / sum);
  if (on_i > 0) out.add(v[i], f * on_i / sum);
  if (on_next > 0) out.add(v[i + 1], f * on_next / sum);
}

/// The chord of an ellipse through c along `direction`; c may stick out by rounding.
void split_on_chord(const EllipseForm& e, const Vec2& direction, const Vec2& c, double f,
                    PressureWitness& out) {
  const Svd2 svd = svd2(e.axes);
  const Vec2 u = (svd.left.transpose() * (c - e.center)).cwiseQuotient(svd.sigma);
  const Vec2 d = (svd.left.transpose() * direction).cwiseQuotient(svd.sigma);
  const double middle = -u.dot(d) / d.squaredNorm();
  const double rest = std::max(0.0, 1 - (u + middle * d).squaredNorm());
  const double half = std::sqrt(rest / d.squaredNorm());
  split_on_segment(c + (middle - half) * direction, c + (middle + half) * direction, c, f, out);
}

void split(const PlanarSet& hull, const Vec2& c, double f, PressureWitness& out) {
  const auto v = hull.vertices();
  if (hull.kind() == PlanarSet::Kind::polygon) {
    if (v.size() > 2) return split_on_polygon(v, c, f, out);
    return split_on_segment(v.front(), v.back(), c, f, out);
  }
  if (hull.kind() == PlanarSet::Kind::ellipse)
    return split_on_chord(hull.form(), hull.form().axes.col(0), c, f, out);
  // Between an arc and its chord: along the parallel to the chord, whose ends are on that arc.
  for (const BoundaryArc& arc : hull.arcs()) {
    const Vec2 chord = arc.last - arc.first;
    if (arc.ellipse.is_point() || cross(chord, c - arc.first) >= 0) continue;
    return split_on_chord(arc.ellipse, chord, c, f, out);
  }
  split_on_polygon(v, c, f, out);
}

}  // namespace

std::optional<PressureWitness> pressure_witness(const PlanarSet& hull, const Wrench& wrench,
                                                double tolerance) {
  const double length = hull.radius() > 0 ? hull.radius() : 1;
  const double f = wrench.f_n();
  const Vec2 about_center = moment_about(wrench, hull.center());
  const double size = std::max(std::abs(f), about_center.norm() / length);
  PressureWitness out;
  if (size == 0) return out;
  const Vec2 s = -perp(wrench.m_t());
  if (planar_cone_margin(hull, {s[0], s[1], f}) < -tolerance * size * length) return std::nullopt;
  if (f <= 0) return out;
  split(hull, hull.nearest(*center_of_pressure(wrench)), f, out);
  return out;
}

SignoriniResidual pointwise_signorini(const PlanarSet& hull,
                                      std::span<const PressurePoint> pressure, const Twist& twist) {
  SignoriniResidual residual;
  for (const PressurePoint& p : pressure) {
    residual.attraction = std::max(residual.attraction, -p.force);
    residual.power += p.force * normal_velocity_at(twist, p.x);
  }
  const Vec2 gradient = -perp(twist.w_t());
  const Vec3 opening(gradient[0], gradient[1], twist.v_n());
  residual.penetration = std::max(0.0, -planar_dual_margin(hull, opening));
  return residual;
}

}  // namespace tact
