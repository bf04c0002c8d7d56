// contact/labels.cpp - points by their law, patches by their regime.
#include "tact/contact/labels.hpp"

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

Regime as_regime(PointRegime regime) {
  constexpr Regime in_order[] = {Regime::idle, Regime::separate, Regime::stick, Regime::slide};
  return in_order[static_cast<std::size_t>(regime)];
}

/// [t, n] and [n] as [t1, t2, n].
Vec3 point_rows(const LocalLaw& law, const double* x) {
  if (law.rows == 1) return {0, 0, x[0]};
  if (law.rows == 2) return {x[0], 0, x[1]};
  if (law.rows == 3) return {x[0], x[1], x[2]};
  return {x[3], x[4], x[5]};
}

/// An axis-parallel square, as box_cone makes it.
bool is_box(const std::vector<Vec2>& corners) {
  if (corners.size() != 4) return false;
  return std::all_of(corners.begin(), corners.end(), [](const Vec2& c) {
    return std::abs(std::abs(c[0]) - std::abs(c[1])) <= tolerance::rounding * c.norm();
  });
}

ContactLabel label_point(const LocalLaw& law, const double* lambda, const double* u,
                         const LabelScales& scales) {
  const Vec3 force = point_rows(law, lambda);
  const Vec3 velocity = point_rows(law, u);
  const PointScales point{scales.force, scales.velocity, scales.tolerance};
  const PointReport report = classify_point(law.mu, force, velocity, point);
  ContactLabel out;
  out.regime = as_regime(report.regime);
  out.lift_margin = report.lift_margin;
  if (law.kind == LawKind::frictionless) {
    if (out.regime == Regime::slide) out.regime = Regime::stick;
    return out;
  }
  if (law.kind == LawKind::polygon) {
    const double room = polygon_room(*law.polygon, force.head<2>(), force[2]);
    out.slip_margin = std::isfinite(room) ? room : 0.0;
    if (is_box(*law.polygon))
      out.bounds = box_bounds((*law.polygon)[0].cwiseAbs()[0], force, point);
  } else {
    out.slip_margin = report.slip_margin;
  }
  if (out.regime == Regime::slide) {
    out.slip_margin = 0;
    out.multiplier = report.multiplier;
    out.direction = velocity.head<2>().normalized();
  }
  return out;
}

Wrench as_wrench(const LocalLaw& law, const double* x) {
  if (law.kind == LawKind::patch) return {{x[0], x[1], 0}, {0, 0, x[2]}};
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

ContactLabel label_patch(const LocalLaw& law, const double* lambda, const double* u,
                         const LabelScales& scales) {
  const PlanarSet& hull = law.patch->cone.hull();
  const Wrench wrench = as_wrench(law, lambda);
  const Wrench motion = as_wrench(law, u);
  const Twist twist{motion.m, motion.f};
  const RegimeReport report =
      classify(hull, wrench, twist, {scales.force, scales.velocity, scales.tolerance});
  ContactLabel out;
  out.lift_margin = wrench.f_n();
  out.tip_margin = law.patch->cone.margin({wrench.m[0], wrench.m[1], wrench.f[2]});
  out.cop = report.cop;
  out.pivot = report.pivot;
  // A pair that is off by more than the labels' tolerance still gets the label it is nearest to.
  const bool pressed = wrench.f_n() > scales.tolerance * scales.force;
  out.regime = report.regime.value_or(pressed ? Regime::stick : Regime::separate);
  if (law.kind != LawKind::patch_friction) return out;
  const bool slides = out.regime == Regime::slide || out.regime == Regime::slide_tip_edge ||
                      out.regime == Regime::slide_tip_vertex;
  if (slides) {
    out.multiplier = report.largest_sliding;
    out.direction = twist.v_t().norm() > 0 ? Vec2(twist.v_t().normalized()) : Vec2::Zero();
  } else if (pressed) {
    const FrictionSet set =
        make_friction_set(law.patch->model, hull,
                          NormalLoad::from_wrench({wrench.m[0], wrench.m[1], wrench.f[2]}), law.mu);
    const double used = set.gauge({wrench.f[0], wrench.f[1], wrench.m[2]});
    out.slip_margin = (1 - used) * law.mu * wrench.f_n();
  }
  return out;
}

/// A velocity is none when what stops it is a small share of the impulses the row knows.
ContactLabel label_bounded(const LocalLaw& law, const LocalMetric& metric, double lambda, double u,
                           double b, const LabelScales& scales) {
  ContactLabel out;
  double known = std::max(std::abs(lambda), std::abs(b) * metric.inverse(0, 0));
  for (const double bound : {law.lower, law.upper})
    if (std::isfinite(bound)) known = std::max(known, std::abs(bound));
  const double slack = scales.tolerance * known;
  const double stop = u * metric.inverse(0, 0);
  const double room_below = lambda - law.lower, room_above = law.upper - lambda;
  const double room = std::min(room_below, room_above);
  out.regime = Regime::stick;
  out.bound = BoxBound::stick;
  if (std::abs(stop) > slack) {
    out.regime = Regime::slide;
    out.multiplier = std::abs(u);
    out.direction = Vec2(u > 0 ? 1 : -1, 0);
  } else {
    out.slip_margin = std::max(room, 0.0);
  }
  if (room <= slack) out.bound = room_below <= room_above ? BoxBound::lower : BoxBound::upper;
  return out;
}

/// The scales for one contact: the problem's, or its own where the others carry so much more that
/// its load would be nothing.
LabelScales scales_for(double normal, const LabelScales& scales) {
  LabelScales out = scales;
  if (!(normal > scales.tolerance * scales.force))
    out.force = std::min(scales.force, std::max(normal, scales.weight));
  return out;
}

}  // namespace

LabelScales label_scales(const JudgedContacts& p, const VecX& lambda, const VecX& u) {
  LabelScales out{0, 0};
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const LocalLaw& law = p.laws[i];
    const Index at = p.offset[i];
    if (law.kind == LawKind::bounded) continue;
    out.force = std::max(out.force, std::abs(lambda[at + law.normal_row()]));
    const double radius = law.patch ? law.patch->cone.hull().radius() : 0.0;
    for (Index r = 0; r < law.rows; ++r) {
      const double arm = law.turns(r) ? radius : 1.0;
      out.velocity =
          std::max({out.velocity, arm * std::abs(u[at + r]), arm * std::abs(p.b[at + r])});
    }
  }
  if (!(out.force > 0)) out.force = 1;
  if (!(out.velocity > 0)) out.velocity = 1;
  return out;
}

std::vector<ContactLabel> labels(const JudgedContacts& p, const VecX& lambda, const VecX& u,
                                 const LabelScales& scales) {
  std::vector<ContactLabel> out;
  out.reserve(p.laws.size());
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const Index at = p.offset[i];
    if (p.laws[i].kind == LawKind::bounded) {
      Index r = 0;
      (void)u.segment(at, p.laws[i].rows).cwiseAbs().maxCoeff(&r);
      r += at;
      out.push_back(label_bounded(p.laws[i], p.metric(i), lambda[r], u[r], p.b[r], scales));
      continue;
    }
    const auto label = p.laws[i].is_patch() ? label_patch : label_point;
    const double normal = lambda[at + p.laws[i].normal_row()];
    out.push_back(label(p.laws[i], lambda.data() + at, u.data() + at, scales_for(normal, scales)));
  }
  return out;
}

std::vector<ContactLabel> labels(const DelassusProblem& p, const VecX& lambda) {
  VecX u;
  multiply(p.G, lambda, u);
  u += p.b;
  const JudgedContacts contacts = judged(p);
  return labels(contacts, lambda, u, label_scales(contacts, lambda, u));
}

double polygon_room(const std::vector<Vec2>& corners, const Vec2& T, double n) {
  double room = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 e = corners[(k + 1) % corners.size()] - corners[k];
    const double length = e.norm();
    if (length > 0) room = std::min(room, cross(e, T - n * corners[k]) / length);
  }
  return room;
}

}  // namespace tact
