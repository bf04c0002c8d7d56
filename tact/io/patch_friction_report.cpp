#include "tact/io/patch_friction_report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tact/base/tolerance.hpp"
#include "tact/cone/patch_field.hpp"

namespace tact {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

NodePattern pattern_of(const PatchFrictionSpec& spec) {
  for (const NodePattern p : {NodePattern::four_eight, NodePattern::four_eight_twelve})
    if (spec.pattern == name(p)) return p;
  return NodePattern::one_six;
}

/// F(N) seen from the centre of pressure c, where its shape is easiest to read.
struct SetAtCop {
  FrictionSet set;
  Vec2 c;

  /// The load about the origin of a force with a moment about c.
  [[nodiscard]] Vec3 load(const Vec2& force, double moment) const {
    return {force[0], force[1], moment + cross(c, force)};
  }
  /// The sliding velocity at the origin of a velocity at c with a spin.
  [[nodiscard]] Vec3 sliding(const Vec2& at_c, double spin) const {
    const Vec2 v = at_c + spin * perp(c);
    return {v[0], v[1], spin};
  }
};

/// The forces that F(N) allows beside the moment, by bisection along rays; of the whole turn where
/// the moment leaves nothing.
std::vector<Vec2> force_limit(const SetAtCop& f, double moment, double capacity) {
  const int count = f.set.by_vertices() ? 24 : 72;  // a gauge over vertices is an optimisation
  constexpr int halvings = 14;                      // finer than a pixel
  if (!(f.set.gauge(f.load(Vec2::Zero(), moment)) < 1)) moment = 0;
  std::vector<Vec2> rim;
  for (int i = 0; i < count; ++i) {
    const Vec2 e(std::cos(two_pi * i / count), std::sin(two_pi * i / count));
    double low = 0, high = capacity;
    for (int k = 0; k < halvings && moment != 0; ++k) {
      const double middle = (low + high) / 2;
      (f.set.gauge(f.load(middle * e, moment)) <= 1 ? low : high) = middle;
    }
    rim.emplace_back((moment != 0 ? low : capacity) * e);
  }
  return rim;
}

/// Force along e and moment about c that resist every mixture of sliding along e and spinning.
std::vector<Vec2> turning_limit(const SetAtCop& f, const Vec2& e, double radius) {
  constexpr int count = 96;
  std::vector<Vec2> rim;
  for (int i = 0; i < count; ++i) {
    const double a = two_pi * (i + 0.5) / count;
    const double spin = radius > 0 ? std::sin(a) / radius : 0;
    const Vec3 load = -f.set.force(f.sliding(std::cos(a) * e, spin));
    rim.emplace_back(load.head<2>().dot(e), load[2] - cross(f.c, load.head<2>()));
  }
  return rim;
}

/// A gauge is an optimisation: its own accuracy is the least slack of a verdict.
double slack_of(const RegimeScales& scales) {
  return std::max(scales.tolerance, 10 * tolerance::conic);
}

void judge_sliding(PatchFrictionReport& report, const FrictionSet& set, const Vec3& load,
                   const PlanarSet& hull, const Twist& twist, const RegimeScales& scales) {
  const Vec3 tau(twist.v_t()[0], twist.v_t()[1], twist.w_n());
  report.dissipation = set.support(tau);
  report.dissipated = -load.dot(tau);
  if (largest_tangential_velocity(hull, twist) <= scales.tolerance * scales.velocity) return;
  report.sliding_load = set.force(tau);
  const double size = std::max(*report.dissipation, scales.force * scales.velocity);
  report.dissipates_most = *report.dissipation - *report.dissipated <= slack_of(scales) * size;
}

}  // namespace

Result<PatchFriction> friction_model(const PatchFrictionSpec& spec) {
  switch (spec.pressure) {
    case PressureModel::effective:
      return PatchFriction(EffectivePatch{pattern_of(spec)});
    case PressureModel::ellipsoid:
      return PatchFriction(EllipsoidAtCop{spec.radius});
    case PressureModel::vertex:
      return PatchFriction(VertexModel{});
    case PressureModel::winkler:
      break;
  }
  std::vector<double> radii = spec.radii;
  radii.resize(spec.nodes.size());
  auto bed = Winkler::from_nodes(spec.nodes, spec.areas, std::move(radii));
  if (!bed) return bed.error();
  return PatchFriction(*bed);
}

Result<PatchFrictionReport> report_on_friction(const PatchFrictionSpec& spec, const PlanarSet& hull,
                                               const Wrench& wrench,
                                               const std::optional<Twist>& twist,
                                               const RegimeScales& scales, ReportDetail detail) {
  const auto model = friction_model(spec);
  if (!model) return model.error();
  for (std::size_t i = 0; i < spec.nodes.size(); ++i)
    if (hull.signed_distance(spec.nodes[i]) < -tolerance::centre * hull.radius())
      return Error{Errc::geometry, "friction.nodes[" + std::to_string(i) +
                                       "] lies outside the patch; move it onto the patch"};
  PatchFrictionReport report;
  const double f = std::max(0.0, wrench.f_n());
  const bool presses = f > scales.tolerance * scales.force;
  const Vec2 c = presses ? hull.nearest(*center_of_pressure(wrench)) : hull.center();
  const double mu = spec.coulomb ? spec.mu : 0;
  report.force = wrench.f_t();
  report.moment = wrench.m_n() - cross(c, wrench.f_t());
  report.capacity = presses ? mu * f : 0;

  const double length = hull.radius() > 0 ? hull.radius() : 1;
  const double asked = std::max(report.force.norm(), std::abs(report.moment) / length);
  const bool nothing_asked = asked <= scales.tolerance * scales.force;
  const Vec3 load(report.force[0], report.force[1], wrench.m_n());
  const SetAtCop set{make_friction_set(*model, hull, NormalLoad::at(c, presses ? f : 0), mu), c};
  if (report.capacity > 0) {
    report.used = nothing_asked ? 0 : set.set.gauge(load);
    report.turning_capacity = set.set.support(set.sliding(Vec2::Zero(), 1));
  }
  if (report.capacity > 0 && detail == ReportDetail::picture) {
    const Vec2 e = report.force.norm() > 0 ? Vec2(report.force.normalized()) : Vec2(1, 0);
    report.force_limit = force_limit(set, nothing_asked ? 0 : report.moment, report.capacity);
    report.turning_limit = turning_limit(set, e, report.turning_capacity / report.capacity);
  }
  if (!(report.capacity > 0) && !nothing_asked)
    report.used = std::numeric_limits<double>::infinity();
  report.model_carries = set.set.reliable();
  report.within_limit = report.used <= 1 + slack_of(scales);
  if (twist) judge_sliding(report, set.set, load, hull, *twist, scales);
  return report;
}

}  // namespace tact
