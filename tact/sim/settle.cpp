// sim/settle.cpp - detect again, and move apart.
#include "tact/sim/settle.hpp"

#include <algorithm>
#include <cmath>

#include "tact/body/positions.hpp"
#include "tact/geom/contact_patch.hpp"
#include "tact/sim/position_step.hpp"

namespace tact {
namespace {

/// How far the gaps of this step may be wrong at its end [m]: ½ (h ω)² r of the bodies in contact.
double turning_error(const Simulation& sim, double dt) {
  const StepWork& w = sim.work;
  double worst = 0;
  for (const SceneContact& c : w.contacts.contacts)
    for (const Index geom : {c.geom1, c.geom2}) {
      const double size = sim.detect.size[geom];
      const Index link = sim.scene.model.tree.link_of(sim.scene.model.geoms[geom].body);
      if (link < 0 || !std::isfinite(size)) continue;
      const double angle = dt * point_velocity(sim.scene.model, w.kin,
                                               sim.scene.model.geoms[geom].body, c.surface.X_WC.p)
                                    .w.norm();
      worst = std::max(worst, 0.5 * angle * angle * size);
    }
  return worst;
}

}  // namespace

void settle_positions(Simulation& sim, double dt, State& end, StepReport& report) {
  const Model& model = sim.scene.model;
  StepWork& w = sim.work;
  SettleWork& s = w.settle;
  if (w.contacts.contacts.empty() || turning_error(sim, dt) < tolerance::turning) return;
  constexpr int passes = 3;
  double worst = 0;
  for (int pass = 0; pass < passes; ++pass) {
    forward_kinematics(model, end, s.kin);
    DetectOptions near;
    near.size_share = sim.options.margin_share;
    s.detect.memory = sim.detect.memory;
    detect(model, s.kin, near, s.detect, s.contacts);
    worst = 0;
    for (const SceneContact& c : s.contacts.contacts)
      worst = std::min(worst, least_gap(c.surface, s.contacts.buffer));
    if (worst >= -tolerance::turning) break;
    clear(s.rows);
    for (std::size_t i = 0; i < s.contacts.contacts.size(); ++i)
      add_surface(model, s.kin, s.contacts, static_cast<Index>(i), EffectivePatch{}, s.rows);
    s.gaps.resize(s.rows.groups.size());
    for (std::size_t i = 0; i < s.rows.groups.size(); ++i) s.gaps[i] = s.rows.groups[i].gap;
    scale_rows(model, w.factor, s.rows);
    make_delassus(model, s.rows, s.problem);
    s.velocity.setZero(s.rows.rows);
    s.sticks.assign(s.rows.groups.size(), false);
    const PositionStep position{
        s.rows, s.problem, s.gaps, s.velocity, s.sticks, dt, sim.largest_correction};
    SolveOptions options;
    options.tolerance = sim.options.tolerance;
    solve_positions(position, options, s.position.lu, s.position);
    ++report.position_solves;
    s.position.change.setZero(model.nv);
    add_row_impulses(model, s.rows, s.position.impulse, s.position.change);
    solve_in_place(model, w.factor, s.position.change);
    integrate(model, end.qpos, s.position.change, dt, RotationMap::cayley);
    s.moved += dt * s.position.change;
  }
  report.penetration = std::max(report.penetration, -worst);
}

}  // namespace tact
