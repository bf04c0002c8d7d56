// sim/settle.cpp - detect again, and move apart.
#include "tact/sim/settle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "tact/body/positions.hpp"
#include "tact/geom/contact_patch.hpp"
#include "tact/geom/distance.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

/// How far the gaps of this step may be wrong at its end [m]: ½ (h ω)² r of the bodies in contact.
double turning_error(const Simulation& sim, double dt) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  double worst = 0;
  for (const SceneContact& c : w.contacts.contacts)
    for (const Index geom : {c.geom1, c.geom2}) {
      const double size = sim.detect.size[geom];
      if (!std::isfinite(size)) continue;
      const Index link = model.tree.link_of(model.geoms[geom].body);
      const double angle =
          dt * (link >= 0 ? w.kin.velocity[link].w
                          : w.drive_plus[driven_carrier(model, model.geoms[geom].body)].w)
                   .norm();
      worst = std::max(worst, 0.5 * angle * angle * size);
    }
  return worst;
}

/// |R' - R|² = 8 sin² ½a of a body that turned by a since the middle of the step.
double turned_square(const Simulation& sim, Index geom) {
  const Index body = sim.scene.model.geoms[geom].body;
  return (sim.work->settle.kin.X_WB[body].R - sim.work->kin.X_WB[body].R).squaredNorm();
}

/// Whether every geom has stayed, since the middle of the step, within the room that detection gave
/// it there: two that were not near then do not touch now.
bool kept_in_reach(const Simulation& sim) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double size : sim.detect.size) smallest = std::min(smallest, size);
  for (Index i = 0; i < static_cast<Index>(model.geoms.size()); ++i) {
    const Geom& g = model.geoms[i];
    const double size = sim.detect.size[i];
    const Pose &mid = w.kin.X_WB[g.body], &end = w.settle.kin.X_WB[g.body];
    const double turned = std::sqrt(0.5 * turned_square(sim, i));  // of a point, per distance
    const double moved = (end.p - mid.p + (end.R - mid.R) * g.X_BG.p).norm();
    if (moved == 0 && turned == 0) continue;
    const double room = sim.detect.reach[i] + 0.5 * sim.options.margin_share * smallest;
    if (!(moved + turned * size <= room)) return false;
  }
  return true;
}

/// The deepest that a pair of which one has turned fast overlaps at the end of the step, as a
/// distance <= 0; minus infinity where that takes a detection. The gaps of the others are right.
double overlap_of_turned(const Simulation& sim) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  constexpr double unknown = -std::numeric_limits<double>::infinity();
  if (!kept_in_reach(sim)) return unknown;
  // The rows are those of the middle; what turns steadily has turned by ½ h ω since.
  const auto fast = [&](Index geom) {
    const double size = sim.detect.size[geom];
    return std::isfinite(size) && turned_square(sim, geom) * size >= tolerance::turning;
  };
  double worst = 0;
  for (std::size_t k = 0; k < sim.detect.pairs.size(); ++k) {
    const Index a = sim.detect.pairs[k].first, b = sim.detect.pairs[k].second;
    if (!fast(a) && !fast(b)) continue;
    const Geom &one = model.geoms[a], &two = model.geoms[b];
    if (std::holds_alternative<HeightField>(one.shape) ||
        std::holds_alternative<HeightField>(two.shape))
      return unknown;
    Convex first = convex_of(one.shape, w.settle.kin.X_WB[one.body] * one.X_BG);
    Convex second = convex_of(two.shape, w.settle.kin.X_WB[two.body] * two.X_BG);
    const Vec3 from = (fast(a) ? first : second).X_W.p;  // close by: no digits are lost
    first.X_W.p -= from;
    second.X_W.p -= from;
    worst = std::min(worst, convex_distance(first, second, 0, Vec3::Zero(), false).at.distance);
  }
  return worst;
}

}  // namespace

void settle_positions(Simulation& sim, double dt, State& end, StepReport& report) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  SettleWork& s = w.settle;
  if (w.contacts.contacts.empty() || turning_error(sim, dt) < tolerance::turning) return;
  forward_kinematics(model, end, s.kin);
  double worst = overlap_of_turned(sim);
  constexpr int passes = 3;
  for (int pass = 0; pass < passes && worst < -tolerance::turning; ++pass) {
    if (pass > 0) forward_kinematics(model, end, s.kin);
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
    make_own_blocks(model, s.rows, s.problem);
    worst = 0;
    for (std::size_t i = 0; i < s.rows.groups.size(); ++i) {
      (void)leave_overlap(s.rows, i, s.gaps[i]);
      worst = std::min(worst, least_gap(s.rows.laws[i], s.gaps[i]));
    }
    if (worst >= -tolerance::turning) break;
    s.velocity.setZero(s.rows.rows);
    s.sticks.assign(s.rows.groups.size(), false);
    const PositionStep position{
        s.rows, s.problem, s.gaps, s.velocity, s.sticks, dt, sim.largest_correction};
    s.local.resize(static_cast<std::size_t>(model.nv));
    s.position.impulse.setZero(s.rows.rows);
    (void)solve_positions(model, position, s.rows.listed, s.local, s.position, s.position.impulse);
    ++report.position_solves;
    s.position.change.setZero(model.nv);
    add_row_impulses(model, s.rows, s.position.impulse, s.position.change);
    solve_in_place(model, w.factor, s.position.change);
    row_velocities(model, s.rows, s.position.change, s.velocity);
    constexpr double least = 1e-3;
    if (!(worst_gaps(position).worst() > (1 - least) * worst)) break;  // no better than none
    integrate(model, end.qpos, s.position.change, dt, RotationMap::cayley);
    s.moved += dt * s.position.change;
  }
  report.penetration = std::max(report.penetration, -worst);
}

}  // namespace tact
