// sim/soft_stage.cpp - elements, their rows, Newton's method, and the books.
#include "tact/sim/soft_stage.hpp"

#include <algorithm>
#include <cmath>

#include "tact/body/positions.hpp"
#include "tact/geom/surface_support.hpp"
#include "tact/sim/soft_matrix.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

// ---- the elements of a step
// -----------------------------------------------------------------------

SoftWork::Element& next_element(SoftWork& w) {
  if (w.element_count == static_cast<Index>(w.elements.size())) w.elements.emplace_back();
  SoftWork::Element& e = w.elements[w.element_count++];
  e.touch = e.pair = e.spring = e.group = -1;
  e.followed = true;
  return e;
}

bool fail(SoftWork& w, TrackStatus why, Index pair) {
  w.failed = true;
  w.why = why;
  w.failed_pair = pair;
  return false;
}

/// Whether the pair may touch before the step ends, as far as its own motion tells.
bool may_touch(const SoftContactModel& model, const SoftContactState& state, double gap_middle) {
  constexpr double share = 1e-3;
  const double size = std::min(extent(model.one), extent(model.two));
  const double approach = std::max(0.0, state.facing.gap - gap_middle);
  const double margin = share * (std::isfinite(size) ? size : 1);
  return std::min(state.facing.gap, gap_middle) - 3 * approach < margin;
}

/// The same where the points are lost at `there`: whether the bodies moved far enough to meet.
bool may_have_met(const SoftContactModel& model, const SoftContactState& state, const Pose& there) {
  constexpr double factor = 3;
  const double size = std::min(extent(model.one), extent(model.two));
  const double turned = (there.R - state.X_12.R).norm() * (std::isfinite(size) ? size : 1);
  const double moved = (there.p - state.X_12.p).norm() + turned;
  return may_touch(model, state, state.facing.gap - factor * moved);
}

void add_touch_rows(Simulation& sim, const SoftGeoms& pair, SoftWork::Element& e) {
  const Model& model = sim.scene.model;
  const Kinematics& kin = sim.work->kin;
  SoftWork& w = sim.work->soft;
  const Pose X_WC = geom_pose(model, kin, pair.geom2) * e.frame.X_1C;
  e.group = static_cast<Index>(w.rows.groups.size());
  add_twist_rows(model, kin, model.geoms[pair.geom1].body, model.geoms[pair.geom2].body, X_WC.R,
                 X_WC.p, X_WC.p, w.rows);
}

/// The frames of all touches and springs at the middle of the step, and rows for those that act.
bool gather(Simulation& sim) {
  const Model& model = sim.scene.model;
  SoftWork& w = sim.work->soft;
  const Kinematics& kin = sim.work->kin;
  w.element_count = 0;
  clear(w.rows);
  if (sim.soft_memory.lost_pair >= 0)
    return fail(w, sim.soft_memory.why, sim.soft_memory.lost_pair);
  for (std::size_t i = 0; i < sim.soft_memory.touches.size(); ++i) {
    const SoftTouch& touch = sim.soft_memory.touches[i];
    const SoftGeoms& pair = sim.soft.pairs[touch.pair];
    SoftWork::Element& e = next_element(w);
    e.touch = static_cast<Index>(i);
    e.pair = touch.pair;
    const Pose X_12 = relative_pose(model, kin, pair);
    const TrackStatus status = begin_soft_step(pair.model, touch.state, X_12, e.frame);
    e.frame.iterated = true;
    if (status != TrackStatus::tracked) {
      e.followed = false;
      if (!may_have_met(pair.model, touch.state, X_12)) continue;
      return fail(w, status, touch.pair);
    }
    if (may_touch(pair.model, touch.state, e.frame.facing.gap)) add_touch_rows(sim, pair, e);
  }
  for (std::size_t i = 0; i < sim.soft.springs.size(); ++i) {
    const SceneSpring& s = sim.soft.springs[i];
    SoftWork::Element& e = next_element(w);
    e.spring = static_cast<Index>(i);
    e.group = static_cast<Index>(w.rows.groups.size());
    spring_poses(kin, s, e.X_WA, e.X_WB);
    add_twist_rows(model, kin, s.body1, s.body2, Mat3::Identity(), e.X_WA.p, e.X_WB.p, w.rows);
  }
  return true;
}

/// The driven body that this one is, or hangs on without joints.
Index carrier_of(const Model& model, Index body) {
  while (body > 0 && model.bodies[body].joint_count == 0 && !model.bodies[body].driven)
    body = model.bodies[body].parent;
  return body;
}

Twist driven_velocity(const Simulation& sim, const std::vector<Twist>& drives, Index body,
                      const Vec3& point_W) {
  const Index carrier = carrier_of(sim.scene.model, body);
  const Twist& T = drives[carrier];
  return {T.w, T.v + T.w.cross(point_W - sim.work->kin.X_WB[carrier].p)};
}

/// What drives and belts give to the twists of the elements.
void wall_rates(const Simulation& sim, const std::vector<Twist>& drives, VecX& chi) {
  const SoftWork& w = sim.work->soft;
  const Model& model = sim.scene.model;
  const Kinematics& kin = sim.work->kin;
  chi.setZero(w.rows.rows);
  if (sim.prescribed.drives.empty() && sim.prescribed.surfaces.empty()) return;
  for (Index i = 0; i < w.element_count; ++i) {
    const SoftWork::Element& e = w.elements[i];
    if (e.group < 0) continue;
    const RowGroup& group = w.rows.groups[e.group];
    Twist T;
    if (e.spring >= 0) {
      const SceneSpring& s = sim.soft.springs[e.spring];
      T = driven_velocity(sim, drives, s.body1, e.X_WA.p) -
          driven_velocity(sim, drives, s.body2, e.X_WB.p);
    } else {
      const SoftGeoms& pair = sim.soft.pairs[sim.soft_memory.touches[e.touch].pair];
      const Vec3& p = group.X_WC.p;
      T = surface_velocity(model, kin, sim.prescribed, drives, pair.geom1, p) -
          surface_velocity(model, kin, sim.prescribed, drives, pair.geom2, p);
    }
    chi.segment<3>(group.first_row) = group.X_WC.R.transpose() * T.w;
    chi.segment<3>(group.first_row + 3) = group.X_WC.R.transpose() * T.v;
  }
}

// ---- what the elements do
// --------------------------------------------------------------------------

/// What the elements do when the step ends with this velocity: their answers, impulses and the
/// residual of the momentum over the chosen dofs.
bool evaluate(Simulation& sim, double dt, const VecX& u) {
  const Model& model = sim.scene.model;
  StepWork& step = *sim.work;
  SoftWork& w = step.soft;
  w.mean = 0.5 * (sim.state.qvel + u);
  w.end.qpos = sim.state.qpos;
  integrate(model, w.end.qpos, w.mean, dt, RotationMap::cayley);
  forward_kinematics(model, w.end, w.kin);
  row_velocities(model, w.rows, w.mean, w.rates);
  w.rates += 0.5 * (w.chi_minus + w.chi_plus);
  w.impulses.setZero(w.rows.rows);
  for (Index i = 0; i < w.element_count; ++i) {
    SoftWork::Element& e = w.elements[i];
    if (e.group < 0) continue;
    const Index row = w.rows.groups[e.group].first_row;
    const Twist T = Twist::from(w.rates.segment<6>(row));
    if (e.spring >= 0) {
      const SceneSpring& s = sim.soft.springs[e.spring];
      const SoftMemory::Spring& before = sim.soft_memory.springs[e.spring];
      spring_poses(w.kin, s, e.X_WA, e.X_WB);
      e.spring_answer =
          try_spring_step(s.spring, before.energy, before.X_WA, before.X_WB, e.X_WA, e.X_WB, T, dt);
      w.impulses.segment<6>(row) = e.spring_answer.impulse;
      continue;
    }
    const SoftTouch& touch = sim.soft_memory.touches[e.touch];
    const SoftGeoms& pair = sim.soft.pairs[touch.pair];
    try_soft_step(pair.model, touch.state, e.frame, T, dt, relative_pose(model, w.kin, pair),
                  e.answer);
    if (e.answer.status != TrackStatus::tracked) return fail(w, e.answer.status, touch.pair);
    w.impulses.segment<6>(row) = e.answer.impulse;
  }
  return true;
}

/// g(ū) of the free bodies among the chosen dofs, into the step's own.
void turn_at_mean(Simulation& sim, double dt, VecX& change) {
  const Model& model = sim.scene.model;
  const SoftWork& w = sim.work->soft;
  const SmoothMotion& s = sim.work->smooth;
  for (std::size_t i = 0; i < model.tree.links.size(); ++i) {
    const Tree::Link& link = model.tree.links[i];
    if (!sim.scene.flies[i] || w.place[link.first_dof] < 0) continue;
    const Index d = link.first_dof + 3;
    const Vec3 omega = w.mean.segment<3>(d);
    change.segment<3>(d) +=
        dt * (link.inertia_com_B * omega).cross(omega) - s.gyroscopic.segment<3>(d);
  }
}

/// M (u - z) - J_sᵀp - (g(ū) - g) - Jᵀλ over the chosen dofs.
void momentum_residual(Simulation& sim, double dt, const VecX& u) {
  const Model& model = sim.scene.model;
  SoftWork& w = sim.work->soft;
  VecX& load = w.last;
  load.setZero(model.nv);
  add_row_impulses(model, w.rows, w.impulses, load);
  add_row_impulses(model, sim.work->rows, sim.work->lambda, load);
  turn_at_mean(sim, dt, load);
  const auto n = static_cast<Index>(w.dofs.size());
  w.correction.resize(n);
  w.residual.resize(n);
  for (Index i = 0; i < n; ++i) {
    w.correction[i] = u[w.dofs[i]] - sim.work->smooth.z[w.dofs[i]];
    w.residual[i] = -load[w.dofs[i]];
  }
  w.residual.noalias() += w.mass * w.correction;
}

// ---- rigid rows on the same trees
// -----------------------------------------------------------------

/// The rows of rigid contacts over the chosen dofs. False where there are none.
bool gather_rigid_rows(const Simulation& sim, SoftWork& w) {
  const Tree& tree = sim.scene.model.tree;
  const ConstraintRows& rows = sim.work->rows;
  w.rigid_rows.setZero(rows.rows, static_cast<Index>(w.dofs.size()));
  bool some = false;
  for (const ChainRows& side : rows.sides) {
    const Index* dofs = tree.column.data() + tree.row[side.leaf];
    if (w.place[dofs[0]] < 0) continue;
    some = true;
    const RowGroup& group = rows.groups[side.group];
    const double* J = rows.jacobian.data() + side.at;
    for (Index r = 0; r < group.row_count; ++r, J += side.length)
      for (Index k = 0; k < side.length; ++k)
        w.rigid_rows(group.first_row + r, w.place[dofs[k]]) += J[k];
  }
  return some;
}

/// G + J (M~⁻¹ - M⁻¹) Jᵀ as a matrix of all blocks.
void couple(const StepWork& step, SoftWork& w) {
  const BlockMatrix& G = step.problem.G;
  BlockMatrix& out = w.coupled.G;
  const Index blocks = G.blocks();
  out.offset = G.offset;
  out.row_begin.assign(1, 0);
  out.col.clear();
  out.at.clear();
  out.diagonal.resize(static_cast<std::size_t>(blocks));
  out.values.clear();
  // With a symmetric part alone, for the contact problem is one of a convex energy.
  w.mass_answers -= w.answers;
  w.coupling.noalias() = -w.rigid_rows * w.mass_answers;
  const MatX& half = w.coupling;
  for (Index i = 0; i < blocks; ++i) {
    Index e = G.row_begin[i];
    for (Index j = 0; j < blocks; ++j) {
      if (i == j) out.diagonal[i] = static_cast<Index>(out.col.size());
      out.col.push_back(j);
      out.at.push_back(static_cast<Index>(out.values.size()));
      const bool stored = e < G.row_begin[i + 1] && G.col[e] == j;
      for (Index c = 0; c < G.rows_of(j); ++c)
        for (Index r = 0; r < G.rows_of(i); ++r) {
          const Index a = G.offset[i] + r, b = G.offset[j] + c;
          double value = 0.5 * (half(a, b) + half(b, a));
          if (stored) value += G.block(i, e)(r, c);
          out.values.push_back(value);
        }
      if (stored) ++e;
    }
    out.row_begin.push_back(static_cast<Index>(out.col.size()));
  }
  w.coupled.laws = step.problem.laws;
  update_metrics(w.coupled);
}

/// One iteration with rigid rows: the velocity without them, their loads with the elastic matrix,
/// and the velocity with both. `residual` must be that without rigid loads.
SolveReport coupled_step(Simulation& sim, const VecX& u, VecX& next) {
  StepWork& step = *sim.work;
  SoftWork& w = step.soft;
  w.rigid_columns = w.rigid_rows.transpose();
  w.lu.solve(w.rigid_columns, w.answers);
  w.mass_lu.solve(w.rigid_columns, w.mass_answers);
  couple(step, w);
  const auto n = static_cast<Index>(w.dofs.size());
  w.correction = w.residual;
  w.lu.solve_in_place(w.correction);
  w.free.resize(n);
  w.change.resize(n);
  for (Index i = 0; i < n; ++i) {
    w.free[i] = u[w.dofs[i]] - w.correction[i];
    w.change[i] = w.free[i] - step.smooth.z[w.dofs[i]];
  }
  w.coupled.b = step.problem.b;
  w.coupled.b.noalias() += w.rigid_rows * w.change;
  SolveOptions options;
  options.tolerance = std::min(sim.options.tolerance, tolerance::solved);
  options.max_iterations = sim.options.max_iterations;
  const SolveReport report =
      solve_with(sim.options.solver, w.coupled, options, step.solve, step.lambda);
  // Dofs that no element acts on move by the rigid loads alone.
  next.setZero(sim.scene.model.nv);
  add_row_impulses(sim.scene.model, step.rows, step.lambda, next);
  solve_in_place(sim.scene.model, step.factor, next);
  next += step.smooth.z;
  w.free.noalias() += w.answers * step.lambda;
  for (Index i = 0; i < n; ++i) next[w.dofs[i]] = w.free[i];
  return report;
}

// ---- Newton's method
// ------------------------------------------------------------------------------

double largest(const VecX& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
}

/// One iteration from u to `next`; with a new matrix where it is asked for, false if that has no
/// inverse.
bool iterate(Simulation& sim, double dt, bool coupled, bool anew, StepReport& report) {
  StepWork& step = *sim.work;
  SoftWork& w = step.soft;
  const VecX& u = w.velocity;
  if (anew && !factor_soft_matrix(sim, w)) return false;
  if (coupled) {
    if (!w.mass_lu.factor(w.mass)) return false;
    w.rigid_loads = step.lambda;
    step.lambda.setZero();
    momentum_residual(sim, dt, u);
    step.lambda = w.rigid_loads;
    report.solve = coupled_step(sim, u, w.next);
    return true;
  }
  momentum_residual(sim, dt, u);
  w.correction = w.residual;
  w.lu.solve_in_place(w.correction);
  w.next = u;
  for (std::size_t i = 0; i < w.dofs.size(); ++i)
    w.next[w.dofs[i]] -= w.correction[static_cast<Index>(i)];
  return true;
}

/// Where the last steps lead to: u + ∇u + ∇²u + ..., as far as the differences shrink. Dof by dof:
/// what trembles on a stiff contact must not be led on by what moves evenly.
void predict(const Simulation& sim, double dt, SoftWork& w) {
  const SoftMemory& memory = sim.soft_memory;
  const Index orders = memory.past_dt == dt ? static_cast<Index>(memory.past.size()) : 0;
  MatX& D = w.differences;
  D.resize(sim.scene.model.nv, orders + 1);
  D.col(0) = sim.state.qvel;
  for (Index i = 1; i <= orders; ++i) D.col(i) = memory.past[static_cast<std::size_t>(i - 1)];
  for (Index k = 1; k <= orders; ++k)
    for (Index i = orders; i >= k; --i) D.col(i) = D.col(i - 1) - D.col(i);
  for (const Index d : w.dofs) {
    w.velocity[d] = D(d, 0);
    for (Index k = 1; k <= orders; ++k) {
      // Order k errs by about the difference of order k + 1.
      const double size = std::abs(D(d, k));
      const bool shrinks =
          k < orders ? std::abs(D(d, k + 1)) < size : 2 * size < std::abs(D(d, k - 1));
      if (!shrinks) break;
      w.velocity[d] += D(d, k);
    }
  }
}

void remember_velocity(Simulation& sim) {
  constexpr std::size_t most = 3;
  SoftMemory& memory = sim.soft_memory;
  if (memory.past_dt != sim.work->dt) memory.past.clear();
  memory.past_dt = sim.work->dt;
  if (memory.past.size() < most) memory.past.emplace_back();
  std::rotate(memory.past.begin(), memory.past.end() - 1, memory.past.end());
  memory.past.front() = sim.state.qvel;
}

/// By how much the rounding of gaps and energies shakes the velocity: no iterate is better.
double shaking(const Simulation& sim, SoftWork& w) {
  constexpr double units = 4;  // in the last place
  w.shakes.setZero(w.rows.rows);
  for (Index i = 0; i < w.element_count; ++i) {
    const SoftWork::Element& e = w.elements[i];
    if (e.group < 0) continue;
    w.shakes.segment<6>(w.rows.groups[e.group].first_row) =
        e.spring >= 0 ? e.spring_answer.shake : e.answer.shake;
  }
  w.last.setZero(sim.scene.model.nv);
  add_row_impulses(sim.scene.model, w.rows, w.shakes, w.last);
  double most = 0;
  for (std::size_t i = 0; i < w.dofs.size(); ++i) {
    const double mobility = 1 / w.matrix(static_cast<Index>(i), static_cast<Index>(i));
    most = std::max(most, std::abs(w.last[w.dofs[i]]) * mobility);
  }
  return units * most;
}

/// Ends when the next step would be rounding, as far as the last two tell, or steps no longer
/// shrink and are far below what matters. The slopes leave out how the geometry changes, so that
/// steps shrink a thousandfold with the first matrix as with any other: it is kept while they do.
/// The answers belong to the velocity that is left in the end.
bool newton(Simulation& sim, double dt, bool coupled, int most, StepReport& report) {
  constexpr double stalled = 0.25, slow = 0.03, most_left = 0.1 * tolerance::quadratic;
  StepWork& step = *sim.work;
  SoftWork& w = step.soft;
  VecX& u = w.velocity;
  double before = std::numeric_limits<double>::infinity();
  bool anew = true;
  const double scale =
      largest(sim.state.qvel) + largest(step.smooth.z) + sim.scene.model.gravity.norm() * dt;
  double exact = tolerance::rounding * scale, shakes = exact;
  // What is not corrected errs to the same side step after step, as where it began does: all
  // digits, or one correction more.
  double left = tolerance::epsilon * scale;
  for (int k = 0; k < most; ++k) {
    if (!evaluate(sim, dt, u)) return false;
    if (!iterate(sim, dt, coupled, anew, report)) break;
    const double moved = (w.next - u).cwiseAbs().maxCoeff();
    if (!std::isfinite(moved)) break;
    if (moved <= left) return true;
    if (k == 0) {
      const double noise = shaking(sim, w), least = std::min(noise, most_left * scale);
      exact = std::max(exact, least);
      left = std::max(left, least);
      shakes = std::max(noise, tolerance::quadratic * scale);
    }
    if (k > 2 && moved <= shakes && moved >= stalled * before) return true;
    // A step that grew is taken half: friction and first touch are kinks.
    u += (k > 2 && moved > before ? 0.5 : 1.0) * (w.next - u);
    const double shrinks = std::isfinite(before) ? moved / before : 1;
    if (moved * shrinks <= exact) return evaluate(sim, dt, u);
    anew = coupled || (k > 0 && shrinks > slow);
    before = moved;
  }
  return fail(w, TrackStatus::not_converged, -1);
}

/// From where the last steps lead to; from the last velocity where that leads astray, for friction
/// and stiff contacts have kinks.
bool solve(Simulation& sim, double dt, bool coupled, StepReport& report) {
  constexpr int few = 8, most = 40;
  SoftWork& w = sim.work->soft;
  if (w.differences.cols() > 1) {
    if (newton(sim, dt, coupled, few, report)) return true;
    w.failed = false;
    for (const Index d : w.dofs) w.velocity[d] = sim.state.qvel[d];
  }
  return newton(sim, dt, coupled, most, report);
}

/// A touch that was taken to be too far and is not, after all.
bool surprised(Simulation& sim, bool& again) {
  SoftWork& w = sim.work->soft;
  again = false;
  for (Index i = 0; i < w.element_count; ++i) {
    SoftWork::Element& e = w.elements[i];
    if (e.group >= 0 || e.touch < 0) continue;
    const SoftTouch& touch = sim.soft_memory.touches[e.touch];
    const SoftGeoms& pair = sim.soft.pairs[touch.pair];
    e.answer.end = touch.state;
    const Pose X_12 = relative_pose(sim.scene.model, w.kin, pair);
    if (e.followed)
      try_soft_step(pair.model, touch.state, e.frame, Twist{}, sim.work->dt, X_12, e.answer);
    if (!e.followed || e.answer.status != TrackStatus::tracked) {
      if (may_have_met(pair.model, touch.state, X_12))
        return fail(w, TrackStatus::not_converged, touch.pair);
      e.answer.end.facing.gap = std::numeric_limits<double>::infinity();  // looked for again later
      continue;
    }
    if (!e.answer.end.touches) continue;
    add_touch_rows(sim, pair, e);
    again = true;
  }
  return true;
}

void book(EnergyLedger& ledger, const SoftWork& w, const SoftMemory& memory) {
  for (Index i = 0; i < w.element_count; ++i) {
    const SoftWork::Element& e = w.elements[i];
    if (e.group < 0) continue;
    const Index row = w.rows.groups[e.group].first_row;
    const Vec6 chi = 0.5 * (w.chi_minus.segment<6>(row) + w.chi_plus.segment<6>(row));
    const double wall = -chi.dot(w.impulses.segment<6>(row));
    if (wall != 0) ledger.book(Account::wall, wall);
    if (e.spring >= 0) {
      const double before = memory.springs[e.spring].energy;
      ledger.book(Account::springs, (before - e.spring_answer.energy) - e.spring_answer.loss);
      continue;
    }
    const SoftContactState& before = memory.touches[e.touch].state;
    ledger.book(Account::elastic, stored_energy(before) - stored_energy(e.answer.end));
    ledger.book(Account::viscous, -e.answer.viscous_loss);
    ledger.book(Account::slip, -e.answer.slip_loss);
  }
}

}  // namespace

bool soft_stage(Simulation& sim, double dt, StepReport& report) {
  if (sim.soft.empty()) return true;
  StepWork& step = *sim.work;
  SoftWork& w = step.soft;
  w.failed = false;
  w.end = sim.state;
  w.drives.resize(step.drive_minus.size());
  for (std::size_t i = 0; i < w.drives.size(); ++i)
    w.drives[i] = {0.5 * (step.drive_minus[i].w + step.drive_plus[i].w),
                   0.5 * (step.drive_minus[i].v + step.drive_plus[i].v)};
  if (!w.end.driven.empty()) move_driven(sim.scene.model, w.drives, dt, w.end);
  if (!gather(sim)) return false;
  w.velocity = step.velocity;
  for (bool again = true, first = true; again; first = false) {
    wall_rates(sim, step.drive_minus, w.chi_minus);
    wall_rates(sim, step.drive_plus, w.chi_plus);
    choose_soft_dofs(sim, w);
    fill_soft_mass(sim, w);
    if (first) predict(sim, dt, w);
    const bool coupled = gather_rigid_rows(sim, w);
    if (!solve(sim, dt, coupled, report) || !surprised(sim, again)) return false;
  }
  step.velocity = w.velocity;
  VecX& gyroscopic = step.smooth.gyroscopic;
  turn_at_mean(sim, dt, gyroscopic);
  step.impulse.setZero(sim.scene.model.nv);
  add_row_impulses(sim.scene.model, step.rows, step.lambda, step.impulse);
  solve_in_place(sim.scene.model, step.factor, step.impulse);
  row_velocities(sim.scene.model, step.rows, step.velocity, step.gamma_plus);
  step.gamma_plus += step.chi_plus;
  return true;
}

bool finish_soft_stage(Simulation& sim, const State& end, bool corrected) {
  if (sim.soft.empty()) return true;
  SoftWork& w = sim.work->soft;
  if (corrected) forward_kinematics(sim.scene.model, end, w.kin);
  // Followed first: a step that fails must leave the books alone.
  std::vector<double>& lifted = w.lifted;
  lifted.assign(static_cast<std::size_t>(w.element_count), 0.0);
  if (corrected)
    for (Index i = 0; i < w.element_count; ++i) {
      SoftWork::Element& e = w.elements[i];
      if (e.spring >= 0) {
        const SceneSpring& s = sim.soft.springs[e.spring];
        spring_poses(w.kin, s, e.X_WA, e.X_WB);
        lifted[i] = spring_energy(s.spring, e.X_WA, e.X_WB) - e.spring_answer.energy;
        continue;
      }
      if (!std::isfinite(e.answer.end.facing.gap)) continue;
      const SoftTouch& touch = sim.soft_memory.touches[e.touch];
      const SoftGeoms& pair = sim.soft.pairs[touch.pair];
      const double before = stored_energy(e.answer.end);
      const TrackStatus status =
          move_soft_contact(pair.model, relative_pose(sim.scene.model, w.kin, pair), e.answer.end);
      if (status != TrackStatus::tracked) return fail(w, status, touch.pair);
      lifted[i] = stored_energy(e.answer.end) - before;
    }
  book(sim.ledger, w, sim.soft_memory);
  for (Index i = 0; i < w.element_count; ++i) {
    SoftWork::Element& e = w.elements[i];
    if (e.spring >= 0) {
      if (lifted[i] != 0) {
        sim.ledger.book(Account::springs, -lifted[i]);
        sim.ledger.book(Account::stabilisation, lifted[i]);
      }
      sim.soft_memory.springs[e.spring] = {e.spring_answer.energy + lifted[i], e.X_WA, e.X_WB};
      continue;
    }
    if (lifted[i] != 0) {
      if (e.group < 0) sim.ledger.book(Account::elastic, -lifted[i]);
      sim.ledger.book(Account::stabilisation, lifted[i]);
    }
    sim.soft_memory.touches[e.touch].state = e.answer.end;
  }
  remember_velocity(sim);
  return true;
}

}  // namespace tact
