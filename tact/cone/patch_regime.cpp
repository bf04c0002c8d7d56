#include "tact/cone/patch_regime.hpp"

#include <algorithm>
#include <cmath>

#include "tact/cone/patch_field.hpp"
#include "tact/cone/planar_cone.hpp"

namespace tact {

namespace {

/// First moment of the pressure, s = f c: the moment turned back into the patch. -m_T^perp.
Vec3 pressure_moments(const Wrench& wrench) {
  const Vec2 s = -perp(wrench.m_t());
  return {s[0], s[1], wrench.f_n()};
}

/// Gradient of v_N(x) = v + g.x: g = -ω_T^perp.
Vec2 opening_gradient(const Twist& twist) {
  return -perp(twist.w_t());
}

/// Force, and moment about the middle over the radius: the larger one [N]. A point has no radius.
double wrench_size(const PlanarSet& hull, const Wrench& wrench) {
  const double force = std::abs(wrench.f_n());
  if (hull.radius() == 0) return force;
  return std::max(force, moment_about(wrench, hull.center()).norm() / hull.radius());
}

/// Normal velocity at the middle, and rate of turning times the radius: the larger one [m/s].
double opening_size(const PlanarSet& hull, const Twist& twist) {
  return std::max(std::abs(normal_velocity_at(twist, hull.center())),
                  hull.radius() * twist.w_t().norm());
}

}  // namespace

std::string_view name(Regime regime) {
  switch (regime) {
    case Regime::idle:
      return "idle";
    case Regime::separate:
      return "separate";
    case Regime::separate_grazing:
      return "separate_grazing";
    case Regime::stick:
      return "stick";
    case Regime::slide:
      return "slide";
    case Regime::tip_vertex:
      return "tip_vertex";
    case Regime::tip_edge:
      return "tip_edge";
    case Regime::slide_tip_vertex:
      return "slide_tip_vertex";
    case Regime::slide_tip_edge:
      return "slide_tip_edge";
  }
  return "";
}

double largest_tangential_velocity(const PlanarSet& hull, const Twist& twist) {
  // In units of its own size: squares of velocities next to zero are none.
  const Vec2 at_middle = tangential_velocity_at(twist, hull.center());
  const double size =
      std::max(at_middle.cwiseAbs().maxCoeff(), hull.radius() * std::abs(twist.w_n()));
  if (!(size > 0)) return 0;
  const double middle = (at_middle / size).norm(), spin = twist.w_n() / size;
  // So slow a spin changes nothing to rounding, and its centre of rotation may lie at infinity.
  if (std::abs(spin) * hull.radius() <= tolerance::epsilon * middle) return size * middle;
  const Vec2 pole = hull.center() - perp(at_middle / size) / spin;
  return size * std::abs(spin) * hull.max_distance(pole);
}

RegimeScales natural_scales(const PlanarSet& hull, const Wrench& wrench, const Twist& twist) {
  RegimeScales scales;
  scales.force = wrench_size(hull, wrench);
  scales.velocity = std::max(opening_size(hull, twist), largest_tangential_velocity(hull, twist));
  return scales;
}

std::optional<ZeroLine> zero_line(const PlanarSet& hull, const Twist& twist) {
  const Vec2 gradient = opening_gradient(twist);
  const double steepness = gradient.norm();
  if (steepness == 0) return std::nullopt;
  const Vec2 normal = gradient / steepness;
  const Vec2& c = hull.center();
  const Vec2 point = c - normal * (normal_velocity_at(twist, c) / steepness);
  return ZeroLine{point, perp(normal), normal};
}

ExtendedCop extended_center_of_pressure(const PlanarSet& hull, const Wrench& wrench,
                                        const Twist& twist, const RegimeScales& scales) {
  if (wrench.f_n() > scales.tolerance * scales.force)
    return {ExtendedCop::Kind::point, {*center_of_pressure(wrench)}};
  const Vec2 gradient = opening_gradient(twist);
  if (hull.radius() * gradient.norm() <= scales.tolerance * scales.velocity) {
    if (hull.radius() == 0) return {ExtendedCop::Kind::point, {hull.center()}};
    constexpr int round = 64;
    return {ExtendedCop::Kind::patch, hull.outline(round)};
  }
  const SupportFace face = hull.support_face(-gradient, tolerance::face);
  if (face.is_edge()) return {ExtendedCop::Kind::edge, {face.first, face.last}};
  return {ExtendedCop::Kind::point, {face.first}};
}

namespace {

Regime tipping(bool sliding, bool edge) {
  if (edge) return sliding ? Regime::slide_tip_edge : Regime::tip_edge;
  return sliding ? Regime::slide_tip_vertex : Regime::tip_vertex;
}

/// Fig. 5 completed; the pair is known to satisfy (17).
void decide(const PlanarSet& hull, const Wrench& wrench, const Twist& twist,
            const RegimeScales& scales, RegimeReport& report) {
  const double least_force = scales.tolerance * scales.force;
  const double least_velocity = scales.tolerance * scales.velocity;
  const bool no_force = wrench_size(hull, wrench) <= least_force;
  const bool no_opening = opening_size(hull, twist) <= least_velocity;
  if (no_force) {
    const bool grazing = report.twist_margin <= scales.tolerance;
    report.regime = no_opening ? Regime::idle
                    : grazing  ? Regime::separate_grazing
                               : Regime::separate;
    return;
  }
  report.cop = center_of_pressure(wrench);
  if (no_opening) {
    report.largest_sliding = largest_tangential_velocity(hull, twist);
    report.regime = report.largest_sliding > least_velocity ? Regime::slide : Regime::stick;
    return;
  }
  report.pivot = hull.support_face(-opening_gradient(twist), tolerance::face);
  // Tipping needs force at a point: a moment without force has been refused by the wrench's margin.
  const Vec2 contact = report.cop.value_or(report.pivot->first);
  report.largest_sliding = tangential_velocity_at(twist, contact).norm();
  report.regime = tipping(report.largest_sliding > least_velocity, report.pivot->is_edge());
}

}  // namespace

RegimeReport classify(const PlanarSet& hull, const Wrench& wrench, const Twist& twist,
                      const RegimeScales& scales) {
  RegimeReport report;
  const Vec3 pressure = pressure_moments(wrench);
  const Vec2 gradient = opening_gradient(twist);
  const Vec3 opening(gradient[0], gradient[1], twist.v_n());
  const auto relative = [](double value, double scale) {
    return scale > 0 ? value / scale : value;
  };
  const double length = hull.radius() > 0 ? hull.radius() : 1;
  report.wrench_margin = relative(planar_cone_margin(hull, pressure), scales.force * length);
  report.twist_margin = relative(planar_dual_margin(hull, opening), scales.velocity);
  report.power = relative(pressure.dot(opening), scales.force * scales.velocity);
  report.zero_line = zero_line(hull, twist);
  report.largest_opening = twist.v_n() + hull.support_value(gradient);
  const bool holds = report.wrench_margin >= -scales.tolerance &&
                     report.twist_margin >= -scales.tolerance &&
                     std::abs(report.power) <= scales.tolerance;
  if (holds) decide(hull, wrench, twist, scales, report);
  return report;
}

}  // namespace tact
