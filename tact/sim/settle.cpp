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
#include "tact/sim/row_solve.hpp"
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

/// The farthest that a correction moves a point of any geom in the step [m].
double correction_size(Simulation& sim, const VecX& change, double dt) {
  const Model& model = sim.scene.model;
  Kinematics& kin = sim.work->kin;
  forward_velocities(model, change, kin);
  double most = 0;
  for (std::size_t i = 0; i < model.geoms.size(); ++i) {
    const Geom& geom = model.geoms[i];
    if (model.tree.link_of(geom.body) < 0 || !std::isfinite(sim.detect.size[i])) continue;
    const Twist twist = point_velocity(model, kin, geom.body, (kin.X_WB[geom.body] * geom.X_BG).p);
    most = std::max(most, twist.v.norm() + sim.detect.size[i] * twist.w.norm());
  }
  forward_velocities(model, sim.state.qvel, kin);
  return dt * most;
}

/// Contacts as they are at the end of the step, detected again; those that are left count as
/// closed.
void detect_again(Simulation& sim) {
  const Model& model = sim.scene.model;
  SettleWork& s = sim.work->settle;
  DetectOptions near;
  near.size_share = sim.options.margin_share;
  s.detect.memory = sim.detect.memory;
  detect(model, s.kin, near, s.detect, s.contacts);
  clear(s.rows);
  s.gaps.clear();
  for (std::size_t i = 0; i < s.contacts.contacts.size(); ++i) {
    add_surface(model, s.kin, s.contacts, static_cast<Index>(i), EffectivePatch{}, s.rows);
    s.gaps.push_back(s.rows.groups.back().gap);
    (void)leave_overlap(s.rows, i, s.gaps.back());
  }
}

/// The gaps `from` of the step's own rows, moved by rates; what overlaps counts as closed, for the
/// next step opens it.
void move_gaps(const StepWork& w, const std::vector<Vec3>& from, double dt, SettleWork& s) {
  s.gaps.resize(w.rows.groups.size());
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
    const LocalLaw& law = w.rows.laws[i];
    s.gaps[i] = moved_gap(w.rows.groups[i], law, from[i], s.velocity, dt);
    s.gaps[i][2] -= std::min(0.0, least_gap(law, s.gaps[i]));
  }
}

/// Equations with the rows and errors that they have at the end of the step, behind the others.
void take_equations(const Simulation& sim, const State& end, ConstraintRows& rows, SettleWork& s) {
  while (!rows.groups.empty() && rows.groups.back().key.source == RowSource::equality)
    drop_last(rows);
  s.gaps.resize(rows.groups.size());
  equality_rows(sim.scene.model, end, s.kin, s.equalities);
  for (Index i = 0; i < s.equalities.groups(); ++i) {
    add_equality(sim.scene.model, s.equalities, i, rows);
    s.gaps.push_back(rows.groups.back().gap);
  }
  scale_rows(sim.scene.model, sim.work->factor, rows);
}

/// Kinematics at the end of the step; the largest error of an equation there [m, rad].
double look_at(const Simulation& sim, const State& end, SettleWork& s) {
  forward_kinematics(sim.scene.model, end, s.kin);
  equality_errors(sim.scene.model, end, s.kin, s.equalities.error);
  double worst = 0;
  for (const double error : s.equalities.error) worst = std::max(worst, std::abs(error));
  return worst;
}

/// Rows and gaps at the end of the step; rates are zero there.
void pose(Simulation& sim, const State& end, bool again, ConstraintRows& rows) {
  SettleWork& s = sim.work->settle;
  if (again) detect_again(sim);
  take_equations(sim, end, rows, s);
  if (again) make_own_blocks(sim.scene.model, s.rows, s.problem);
  s.sticks.assign(s.rows.groups.size(), false);
  s.velocity.setZero(rows.rows);
}

/// Whether nothing overlaps: equations are all that is left.
bool is_apart(const WorstGaps& gaps) {
  return gaps.unilateral() >= -tolerance::turning;
}

/// Whether the worst of what a correction is for falls by more than a thousandth.
bool is_better(const WorstGaps& before, const WorstGaps& after) {
  constexpr double least = 1e-3;
  return is_apart(before) ? after.worst() > (1 - least) * before.worst()
                          : after.unilateral() > (1 - least) * before.unilateral();
}

/// What opens the gaps: of contacts that were detected again all at once, else island by island.
VecX& open(Simulation& sim, const PositionStep& position, bool again) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  if (!again) {
    open_gaps(sim, position, w);
    return w.position.change;
  }
  SettleWork& s = w.settle;
  s.local.resize(static_cast<std::size_t>(model.nv));
  s.position.impulse.setZero(s.rows.rows);
  (void)solve_positions(model, position, s.rows.listed, s.local, s.position, s.position.impulse);
  s.position.change.setZero(model.nv);
  add_row_impulses(model, s.rows, s.position.impulse, s.position.change);
  solve_in_place(model, w.factor, s.position.change);
  return s.position.change;
}

/// Goes along a correction, no point of any geom farther than `most` [m]; the error that is left.
double move_on(Simulation& sim, double dt, double most, VecX& change, State& end) {
  change *= share_of_correction(sim, change, most, dt);
  integrate(sim.scene.model, end.qpos, change, dt, RotationMap::cayley);
  return look_at(sim, end, sim.work->settle);
}

/// The same where equations miss: the heavy end of a chain stays, and its links move far for that.
/// Whole where the true error falls by half, as that of Newton's method does, else by the lever.
double close_errors(Simulation& sim, double dt, double error, double lever, VecX& change,
                    State& end) {
  constexpr double half = 0.5;
  VecX& before = sim.work->settle.before;
  before = end.qpos;
  const double left = move_on(sim, dt, sim.largest_correction, change, end);
  if (left <= half * error) return left;
  end.qpos = before;
  return move_on(sim, dt, lever, change, end);
}

}  // namespace

double share_of_correction(Simulation& sim, const VecX& change, double most, double dt) {
  const double size = correction_size(sim, change, dt);
  return size > most ? most / size : 1;
}

void settle_positions(Simulation& sim, double dt, State& end, StepReport& report) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  SettleWork& s = w.settle;
  const bool turned = !w.contacts.contacts.empty() && turning_error(sim, dt) >= tolerance::turning;
  if (!turned && model.equalities.empty()) return;
  double error = look_at(sim, end, s);
  double depth = turned ? -overlap_of_turned(sim) : 0;
  const bool again = depth > tolerance::turning;
  ConstraintRows& rows = again ? s.rows : w.rows;
  const PositionStep position{rows,
                              again ? s.problem : w.problem,
                              s.gaps,
                              s.velocity,
                              again ? s.sticks : w.sticks,
                              dt,
                              sim.largest_correction,
                              again ? nullptr : &w.lambda,
                              tolerance::turning};
  row_velocities(model, w.rows, w.mean, s.velocity);
  s.velocity += 0.5 * (w.chi_minus + w.chi_plus);
  constexpr int passes = 3;
  for (int pass = 0; pass < passes && (again || error > tolerance::turning); ++pass) {
    if (!again) move_gaps(w, pass == 0 ? w.gaps : s.gaps, dt, s);
    pose(sim, end, again, rows);
    const WorstGaps before = worst_gaps(position);
    if (again) depth = -before.surfaces;
    if (before.worst() >= -tolerance::turning) break;
    VecX& change = open(sim, position, again);
    ++report.position_solves;
    row_velocities(model, rows, change, s.velocity);
    if (!is_better(before, worst_gaps(position))) break;
    const double lever = -correction_lever * before.worst();
    error = is_apart(before) ? close_errors(sim, dt, error, lever, change, end)
                             : move_on(sim, dt, lever, change, end);
    row_velocities(model, rows, change, s.velocity);
    s.moved += dt * change;
  }
  report.penetration = std::max(report.penetration, depth);
  report.joint_error = std::max(report.joint_error, error);
}

}  // namespace tact
