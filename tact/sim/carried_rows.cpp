// sim/carried_rows.cpp - where a contact goes, and what rates become at the end of a step.
#include "tact/sim/carried_rows.hpp"

#include <algorithm>
#include <cmath>

#include "tact/body/positions.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/sim/step_work.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

/// What is driven or has a belt moves apart from the joints.
bool has_walls(const Simulation& sim) {
  return !sim.prescribed.drives.empty() || !sim.prescribed.surfaces.empty();
}

/// The place of contact goes with a geom, and about the normal round with it; other turning rolls.
Vec3 place_velocity(const Simulation& sim, Index geom, const Pose& X_WC) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  const Geom& g = model.geoms[geom];
  const Vec3 middle = transform_point(w.kin.X_WB[g.body], g.X_BG.p);
  const Twist T = point_velocity(model, w.kin, g.body, middle) +
                  driven_velocity(model, w.kin, w.drive_plus, g.body, middle);
  const Vec3 normal = X_WC.R.col(2);
  return T.v + T.w.dot(normal) * normal.cross(X_WC.p - middle);
}

/// J̇u + ω × (ċ - v) of one side. The field of a belt or a drive moves with the body that has it.
Vec3 side_rate(const Simulation& sim, Index geom, const Vec3& p, const Vec3& place) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  const Geom& g = model.geoms[geom];
  const Twist own = point_velocity(model, w.kin, g.body, p);
  Vec3 out = point_acceleration_bias(model, w.kin, g.body, p).v + own.w.cross(place - own.v);
  if (!has_walls(sim)) return out;
  const Vec3 middle = transform_point(w.kin.X_WB[g.body], g.X_BG.p);
  const Vec3 carried = point_velocity(model, w.kin, g.body, middle).v +
                       w.drive_plus[driven_carrier(model, g.body)].v;
  const auto field = [&](const Vec3& at) {
    return surface_velocity(model, w.kin, sim.prescribed, w.drive_plus, geom, at).v;
  };
  out += field(p + (place - carried)) - field(p);
  return out;
}

/// How fast the surface of a geom turns, by joints, drive or belt [rad/s].
double turning_speed(const Simulation& sim, Index geom, const Vec3& p) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  const Index link = model.tree.link_of(model.geoms[geom].body);
  const double jointed = link < 0 ? 0 : w.kin.velocity[link].w.norm();
  if (!has_walls(sim)) return jointed;
  return jointed + surface_velocity(model, w.kin, sim.prescribed, w.drive_plus, geom, p).w.norm();
}

/// Adds what velocity(body, point) and, of joints, rate(equality) make of the errors of equalities,
/// row by row as equality_rows has them.
template <class Velocity, class Rate>
void add_rates(const Model& model, const Kinematics& kin, const Velocity& velocity,
               const Rate& rate, double* out) {
  for (const Equality& e : model.equalities) {
    if (!e.active) continue;
    if (e.type == EqualityType::joint) {
      *out++ += rate(e);
      continue;
    }
    const auto at = [&](Index body, const Vec3& anchor) {
      return velocity(body, transform_point(kin.X_WB[body], anchor));
    };
    add_error_rates(kin, e, at(e.first, e.anchor_first), at(e.second, e.anchor_second), out);
    out += e.type == EqualityType::weld ? 6 : 3;
  }
}

void add_driven_rates(const Model& model, const Kinematics& kin, const std::vector<Twist>& drives,
                      VecX& out) {
  const auto velocity = [&](Index body, const Vec3& p) {
    return driven_velocity(model, kin, drives, body, p);
  };
  add_rates(
      model, kin, velocity, [](const Equality&) { return 0.0; }, out.data());
}

/// Errors of all equalities at another time of the step, and their rates at u⁻.
void equality_rates(const Simulation& sim, const State& at, CarriedWork& w, VecX& out) {
  const Model& model = sim.scene.model;
  const VecX& u = sim.state.qvel;
  forward_kinematics(model, at, w.kin);
  forward_velocities(model, u, w.kin);
  equality_errors(model, at, w.kin, w.errors);
  out.setZero(static_cast<Index>(w.errors.size()));
  const auto velocity = [&](Index body, const Vec3& p) {
    return point_velocity(model, w.kin, body, p);
  };
  const auto rate = [&](const Equality& e) {
    const double first = u[model.joints[e.first].dof];
    if (e.second < 0) return first;
    return first - joint_tie(model, e, at.qpos).slope * u[model.joints[e.second].dof];
  };
  add_rates(model, w.kin, velocity, rate, out.data());
  if (has_walls(sim)) add_driven_rates(model, w.kin, sim.work->drive_plus, out);
}

}  // namespace

void carry_equalities(Simulation& sim, double dt, Index first_row, VecX& chi_minus,
                      VecX& chi_plus) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  CarriedWork& c = w.carried;
  c.end = sim.state;
  integrate(model, c.end.qpos, sim.state.qvel, dt, RotationMap::cayley);
  if (!c.end.driven.empty()) move_driven(model, w.drive_plus, dt, c.end);
  equality_rates(sim, c.end, c, c.rates_end);
  equality_rates(sim, sim.state, c, c.rates_start);
  const Index count = c.rates_start.size();
  const VecX& change = c.rates_end -= c.rates_start;
  chi_minus.segment(first_row, count) -= 0.5 * change;
  chi_plus.segment(first_row, count) += 0.5 * change;
  if (!has_walls(sim)) return;
  c.rates_start.setZero();
  add_driven_rates(model, w.kin, w.drive_minus, c.rates_start);
  chi_minus.segment(first_row, count) += c.rates_start;
  c.rates_start.setZero();
  add_driven_rates(model, w.kin, w.drive_plus, c.rates_start);
  chi_plus.segment(first_row, count) += c.rates_start;
}

void add_turning(const Simulation& sim, double dt, VecX& out) {
  const StepWork& w = *sim.work;
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
    const RowGroup& group = w.rows.groups[i];
    if (group.key.source != RowSource::surface) break;
    // Of the rows that friction holds the last two are those along the plane.
    const std::span<const Index> held = held_rows(w.rows.laws[i]);
    if (held.size() < 2) continue;
    const SceneContact& c = w.contacts.contacts[group.place];
    const Vec3& p = group.X_WC.p;
    const double fastest = std::max(turning_speed(sim, c.geom1, p), turning_speed(sim, c.geom2, p));
    const double angle = sim.options.dt * fastest;
    if (angle <= tolerance::turn) continue;
    const bool first = sim.detect.size[c.geom1] <= sim.detect.size[c.geom2];
    const Index smaller = first ? c.geom1 : c.geom2;
    const Vec3 place = place_velocity(sim, smaller, group.X_WC);
    const Vec3 rate = side_rate(sim, c.geom1, p, place) - side_rate(sim, c.geom2, p, place);
    // What spins on the spot is carried nowhere, and rounding would make it slide.
    const double scale = fastest * (place.norm() + fastest * sim.detect.size[smaller]);
    if (rate.norm() <= tolerance::rounding * scale) continue;
    // What turns by more than a radian in a step is not at a rate any more.
    const double time = angle > 1 ? dt / angle : dt;
    const std::span<const Index> along = held.last(2);
    for (Index k = 0; k < 2; ++k)
      out[group.first_row + along[k]] += time * group.X_WC.R.col(k).dot(rate);
  }
}

}  // namespace tact
