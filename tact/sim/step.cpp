// sim/step.cpp - detect, assemble, solve, move, book.
#include "tact/sim/step.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/body/energy.hpp"
#include "tact/body/positions.hpp"
#include "tact/sim/carried_rows.hpp"
#include "tact/sim/impact_phase.hpp"
#include "tact/sim/landings.hpp"
#include "tact/sim/observe.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/sim/row_solve.hpp"
#include "tact/sim/settle.hpp"
#include "tact/sim/smooth_motion.hpp"
#include "tact/sim/soft_stage.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/sim/step_work.hpp"
#include "tact/sim/warm_start.hpp"

namespace tact {
namespace {

/// The middle of the step, where forces and contacts are taken.
void go_to_middle(Simulation& sim, double dt) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  State& state = sim.state;
  if (!sim.prescribed.controls.empty())
    value_at(sim.prescribed.controls, state.time + dt / 2, state.ctrl);
  w.mid = state;
  w.mid.time += dt / 2;
  integrate(model, w.mid.qpos, state.qvel, dt / 2, RotationMap::cayley);
  drive_velocities(model, sim.prescribed, state.time, w.drive_minus);
  drive_velocities(model, sim.prescribed, state.time + dt, w.drive_plus);
  if (!state.driven.empty()) move_driven(model, w.drive_minus, dt / 2, w.mid);
  forward_kinematics(model, w.mid, w.kin);
  forward_velocities(model, state.qvel, w.kin);
}

void detect_contacts(Simulation& sim, double dt) {
  StepWork& w = *sim.work;
  driven_travel(sim.scene.model, w.kin, w.drive_minus, w.drive_plus, sim.detect.size, dt, w.driven);
  DetectOptions near;
  near.size_share = sim.options.margin_share;
  near.travel_time = dt;
  near.driven = w.driven;
  // What gravity adds to the approach in this step and the next.
  near.reach = 2 * sim.scene.model.gravity.norm() * dt * dt;
  detect(sim.scene.model, sim.work->kin, near, sim.detect, sim.work->contacts);
}

/// Joints near their limits, dry friction and equalities at the middle of the step.
void add_joint_rows(const Simulation& sim, double dt, StepWork& w) {
  const Model& model = sim.scene.model;
  const double reach = 4 * dt * w.mid.qvel.cwiseAbs().maxCoeff() + sim.options.margin_share;
  limit_rows(model, w.mid, reach, w.limits);
  for (Index i = 0; i < w.limits.rows.rows(); ++i) add_limit(model, w.limits, i, w.rows);
  dry_friction_rows(model, w.dry);
  for (Index i = 0; i < w.dry.rows.rows(); ++i) add_dry_friction(model, w.dry, i, dt, w.rows);
  equality_rows(model, w.mid, w.kin, w.equalities);
  for (Index i = 0; i < w.equalities.groups(); ++i) add_equality(model, w.equalities, i, w.rows);
}

/// By how much the gap of the last group was larger at the start of the step than at its middle.
Vec3 closed_since(const Simulation& sim, double dt, StepWork& w) {
  const auto last = static_cast<Index>(w.rows.groups.size()) - 1;
  row_velocities(sim.scene.model, w.rows, sim.state.qvel, w.gamma_minus);
  add_wall_velocity(sim, w.kin, w.contacts, w.rows, last, w.drive_minus, w.gamma_minus);
  return moved_gap(w.rows.groups[last], w.rows.laws[last], Vec3::Zero(), w.gamma_minus, -dt / 2);
}

void assemble(Simulation& sim, double dt, const LeftOut& left_out) {
  StepWork& w = *sim.work;
  const Model& model = sim.scene.model;
  clear(w.rows);
  const std::size_t found = w.contacts.contacts.size();
  for (std::size_t i = 0; i < found; ++i) {
    const SceneContact& c = w.contacts.contacts[i];
    const ContactChoice& choice = sim.choices.of(c.geom1, c.geom2);
    add_surface(model, w.kin, w.contacts, static_cast<Index>(i), choice.pressure, w.rows);
    const RowKey& key = w.rows.groups.back().key;
    if (std::find(left_out.keys.begin(), left_out.keys.end(), key) == left_out.keys.end()) continue;
    const Vec3 since = closed_since(sim, dt, w);
    drop_last(w.rows);
    // What supports stays: without its pivot a block would fly to the impact of its other edge.
    if (append_closed_part(w.contacts, static_cast<Index>(i), tolerance::support, w.impact.points,
                           w.contacts, since))
      add_surface(model, w.kin, w.contacts, static_cast<Index>(w.contacts.contacts.size()) - 1,
                  choice.pressure, w.rows);
  }
  add_joint_rows(sim, dt, w);
  scale_rows(model, w.factor, w.rows);
  const bool automatic = sim.options.solver == SolverName::automatic;
  const Index from = sim.options.swept_from;
  w.swept = automatic && !sim.tree_kinetic && model.equalities.empty() && from > 0 &&
            static_cast<Index>(w.rows.groups.size()) >= from;
  if (automatic && sim.soft.empty())
    make_own_blocks(model, w.rows, w.problem);
  else
    make_delassus(model, w.rows, w.problem);

  w.chi_minus.setZero(w.rows.rows);
  w.chi_plus.setZero(w.rows.rows);
  // What sweeps leave is more than turning makes of it.
  if (!w.swept) {
    add_turning(sim, -dt / 2, w.chi_minus);
    w.chi_plus -= w.chi_minus;
  }
  if (!model.equalities.empty())
    carry_equalities(sim, dt, w.rows.rows - w.equalities.rows.rows(), w.chi_minus, w.chi_plus);
  if (sim.prescribed.drives.empty() && sim.prescribed.surfaces.empty()) return;
  for (Index i = 0; i < static_cast<Index>(w.rows.groups.size()); ++i) {
    if (w.rows.groups[i].key.source != RowSource::surface) continue;
    add_wall_velocity(sim, w.kin, w.contacts, w.rows, i, w.drive_minus, w.chi_minus);
    add_wall_velocity(sim, w.kin, w.contacts, w.rows, i, w.drive_plus, w.chi_plus);
  }
}

/// b = J z + χ⁺ + Γ⁺/h, Γ = Γ_m - ½h γ(u⁻) the gap at the start of the step, lifted where it is
/// negative. Links of one robot that overlap, as those of many files do where they meet, are not
/// driven apart: their joints would have to go where nobody meant them to. They only come no
/// deeper.
void set_free_velocity(const Simulation& sim, double dt, StepWork& w) {
  const Model& model = sim.scene.model;
  row_velocities(model, w.rows, sim.state.qvel, w.gamma_minus);
  w.gamma_minus += w.chi_minus;
  row_velocities(model, w.rows, w.smooth.z, w.problem.b);
  w.problem.b += w.chi_plus;
  w.expected = w.gamma_minus;
  w.gaps.resize(w.rows.groups.size());
  // In a part of a step, before or after an impact, what floats is closed: a pivot would fall by
  // its small gap at a speed that grows as the part gets shorter, and the impact would stop it.
  const double closed = allowed_overlap(w.rows, w.gamma_minus, dt);
  w.left.clear();
  const double floating = dt < sim.options.dt ? tolerance::support : 0;
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
    const RowGroup& group = w.rows.groups[i];
    const LocalLaw& law = w.rows.laws[i];
    w.gaps[i] = moved_gap(group, law, group.gap, w.gamma_minus, -dt / 2);
    if (group.key.source == RowSource::equality)
      std::copy_n(w.carried.errors.begin() + group.place, law.rows, w.gaps[i].end() - law.rows);
    const std::span<const Index> rows = normal_rows(law);
    const auto count = static_cast<Index>(rows.size());
    if (count == 0) continue;
    if (const double depth = leave_overlap(w.rows, i, w.gaps[i]); depth > 0) {
      const SceneContact& c = w.contacts.contacts[group.place];
      note_overlap({c.geom1, c.geom2, depth, group.one_robot}, w.left);
    }
    Vec3 lifted = w.gaps[i];
    const double least = least_gap(law, lifted);
    if (least < floating) lifted[2] -= least;
    if (widest_gap(law, lifted) <= closed) continue;
    for (Index k = 0; k < count; ++k) {
      const double closing = lifted[3 - count + k] / dt;
      w.problem.b[group.first_row + rows[k]] += closing;
      w.expected[group.first_row + rows[k]] += closing;
    }
  }
  // What has no square moves nothing: energies of it would be none, and no load good enough.
  constexpr double none = tolerance::smallest / tolerance::epsilon;
  for (double& rate : w.problem.b)
    if (rate * rate < none) rate = 0;
}

/// What is left of a velocity that the loads have stopped is rounding, and is none: every tree of
/// bodies for itself. Else it would add up over the steps, and what rests would creep and be solved
/// anew every few dozen of them.
void stop_noise(const Model& model, const MassMatrix& mass, const VecX& free, VecX& velocity) {
  const Tree& tree = model.tree;
  for (Index first = 0; first < model.nv;) {
    Index end = first;
    double moves = 0, would = 0;  // twice the energies, of the diagonal of M
    do {
      const double m = mass.values[tree.row[end + 1] - 1];
      moves += m * velocity[end] * velocity[end];
      would += m * free[end] * free[end];
      ++end;
    } while (end < model.nv && tree.column[tree.row[end]] == first);
    if (moves <= tolerance::noise * tolerance::noise * would)
      velocity.segment(first, end - first).setZero();
    first = end;
  }
}

/// γ after the step, without gaps.
void apply_loads(const Simulation& sim, StepWork& w) {
  const Model& model = sim.scene.model;
  w.impulse.setZero(model.nv);
  add_row_impulses(model, w.rows, w.lambda, w.impulse);
  solve_in_place(model, w.factor, w.impulse);
  w.velocity = w.smooth.z + w.impulse;
  stop_noise(model, w.mass, w.smooth.z, w.velocity);
  row_velocities(model, w.rows, w.velocity, w.gamma_plus);
  w.gamma_plus += w.chi_plus;
}

/// Whether a group carries a load and none of its points moves along the plane.
bool sticks(const StepWork& w, std::size_t i, double slow) {
  const RowGroup& group = w.rows.groups[i];
  const LocalLaw& law = w.rows.laws[i];
  if (law.mu <= 0 || law.kind == LawKind::bounded) return false;
  if (!(w.lambda[group.first_row + law.normal_row()] > 0)) return false;
  const double* g = w.gamma_plus.data() + group.first_row;
  const double reach = law.is_patch() ? law.patch->cone.hull().radius() : 0;
  switch (law.kind) {
    case LawKind::patch_friction:
      return std::sqrt(g[3] * g[3] + g[4] * g[4]) + reach * std::abs(g[2]) <= slow;
    case LawKind::rolling:
      return std::hypot(g[3], g[4]) <= slow;
    case LawKind::interval:
      return std::abs(g[0]) <= slow;
    default:
      return std::hypot(g[0], g[1]) <= slow;
  }
}

/// Rates of all rows at a mean velocity, walls included.
void set_rates(StepWork& w, const Model& model, const VecX& mean) {
  row_velocities(model, w.rows, mean, w.position.rates);
  w.position.rates += 0.5 * (w.chi_minus + w.chi_plus);
}

/// ū: the mean velocity, corrected where a gap must be opened. Errors of equations alone wait for
/// the end of the step, where their rows are exact.
void move_positions(Simulation& sim, double dt, StepReport& report, VecX& mean0) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  mean0 = 0.5 * (sim.state.qvel + w.velocity);
  w.mean = mean0;
  w.position.rates = 0.5 * (w.gamma_minus + w.gamma_plus);
  const double slow = tolerance::label * (model.gravity.norm() * dt + w.velocity.norm());
  w.sticks.resize(w.rows.groups.size());
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) w.sticks[i] = sticks(w, i, slow);
  const PositionStep position{w.rows,
                              w.problem,
                              w.gaps,
                              w.position.rates,
                              w.sticks,
                              dt,
                              sim.largest_correction,
                              &w.lambda,
                              allowed_overlap(w.rows, w.position.rates, dt)};
  WorstGaps gaps = worst_gaps(position);
  const double farthest = -correction_lever * gaps.unilateral();
  VecX& trial = w.impulse;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const double allowed = attempt == 0 ? position.allowed : tolerance::turning;
    if (!(gaps.unilateral() < -allowed)) break;
    if (attempt > 0) {
      // What sticks is held, unless it is in the way: in a jam nothing opens that does not slip.
      if (w.swept || std::find(w.sticks.begin(), w.sticks.end(), true) == w.sticks.end()) break;
      std::fill(w.sticks.begin(), w.sticks.end(), false);
      set_rates(w, model, mean0);
    }
    open_gaps(sim, position, w);
    ++report.position_solves;
    const VecX& change = w.position.change;
    trial = mean0 + share_of_correction(sim, change, farthest, dt) * change;
    set_rates(w, model, trial);
    const WorstGaps opened = worst_gaps(position);
    // A correction that brings nothing is none: the next step tries again.
    constexpr double least = 1e-3;
    if (!believable(trial) || !(opened.unilateral() > (1 - least) * gaps.unilateral())) continue;
    gaps = opened;
    w.mean = trial;
  }
  report.penetration = std::max(report.penetration, -gaps.surfaces);
  for (const Overlap& left : w.left) {
    report.penetration = std::max(report.penetration, left.depth);
    note_overlap(left, report.overlaps_left);
  }
  report.joint_error = std::max(report.joint_error, -gaps.limits);
}

/// The account of joints that gained most since `before`, and how much.
std::pair<Account, double> most_given(const EnergyLedger& before, const EnergyLedger& now) {
  std::pair out{Account::equalities, -std::numeric_limits<double>::infinity()};
  for (const Account account : accounts_of_joints)
    if (const double work = now.of(account) - before.of(account); work > out.second)
      out = {account, work};
  return out;
}

/// Whether the forces of joints gave energy in the step: more than a share of what moved and of
/// what moves, of which integration makes less where a step is short enough.
void judge_joints(Simulation& sim, const EnergyLedger& before, StepReport& report) {
  const auto [account, work] = most_given(before, sim.ledger);
  if (!(work > rounding_work(sim))) return;
  if (!(work > tolerance::given_in_a_step * (sim.ledger.moved - before.moved))) return;
  StepWork& w = *sim.work;
  product(sim.scene.model, w.mass, w.velocity, w.smooth.total);
  if (!(work > tolerance::given_in_a_step * 0.5 * w.velocity.dot(w.smooth.total))) return;
  report.constraint_verdict = WorkVerdict::generating;
  if (work <= report.constraint_work) return;
  report.constraint_work = work;
  report.constraint = account;
}

/// ½(γ⁻ + γ⁺).L row by row into its account, and what the walls put in.
void book_rows(const StepWork& w, EnergyLedger& ledger) {
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
    const RowGroup& group = w.rows.groups[i];
    const std::span<const Index> normal = normal_rows(w.rows.laws[i]);
    double total = 0, along = 0, wall = 0;
    for (Index r = group.first_row; r < group.first_row + group.row_count; ++r) {
      total += 0.5 * (w.gamma_minus[r] + w.gamma_plus[r]) * w.lambda[r];
      wall -= 0.5 * (w.chi_minus[r] + w.chi_plus[r]) * w.lambda[r];
    }
    for (const Index k : normal) {
      const Index r = group.first_row + k;
      along += 0.5 * (w.gamma_minus[r] + w.gamma_plus[r]) * w.lambda[r];
    }
    switch (group.key.source) {
      case RowSource::surface:
        ledger.book(Account::normal, along);
        ledger.book(Account::friction, total - along);
        break;
      case RowSource::limit:
        ledger.book(Account::limits, total);
        break;
      case RowSource::dry_friction:
        ledger.book(Account::dry_friction, total);
        break;
      case RowSource::equality:
        ledger.book(Account::equalities, total);
        break;
    }
    if (wall != 0) ledger.book(Account::wall, wall);
  }
}

/// Works of the smooth impulses at the mean velocity.
void book_smooth(const Simulation& sim, double dt, EnergyLedger& ledger) {
  const StepWork& w = *sim.work;
  const SmoothMotion& s = w.smooth;
  double actuators = 0, damping = 0, gyroscopic = 0;
  for (Index d = 0; d < w.velocity.size(); ++d) {
    const double before = sim.state.qvel[d], after = w.velocity[d];
    const double sum = before + after, change = dt * (after - before);
    actuators += (s.actuators[d] - s.implicit_servo[d] * change) * sum;
    damping += (s.damping[d] - (s.implicit[d] - s.implicit_servo[d]) * change) * sum;
    gyroscopic += s.gyroscopic[d] * sum;
  }
  ledger.book(Account::actuators, 0.5 * actuators);
  ledger.book(Account::damping, 0.5 * damping);
  ledger.book(Account::gyroscopic, 0.5 * gyroscopic);
}

/// T and V of free bodies by their changes: at rest every term is zero, however large V is.
void book_flight(Simulation& sim, double dt, const VecX& mean0, const VecX& extra) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  EnergyLedger& ledger = sim.ledger;
  double kinetic = 0, potential0 = 0, lifted = 0;
  for (const Tree::Link& link : model.tree.links) {
    const Index d = link.first_dof;
    const Vec3 v0 = sim.state.qvel.segment<3>(d), v1 = w.velocity.segment<3>(d);
    const Vec3 w0 = sim.state.qvel.segment<3>(d + 3), w1 = w.velocity.segment<3>(d + 3);
    kinetic += 0.5 * link.mass * (v1 - v0).dot(v1 + v0);
    kinetic += 0.5 * (w1 + w0).dot(link.inertia_com_B * (w1 - w0));
    const double share = 1 - model.bodies[link.body].gravity_compensation;
    const Vec3 weight = share * link.mass * model.gravity;
    potential0 -= dt * weight.dot(mean0.segment<3>(d));
    lifted -= weight.dot(dt * (w.mean.segment<3>(d) - mean0.segment<3>(d)) + extra.segment<3>(d));
  }
  ledger.kinetic_change.add(kinetic);
  ledger.potential_change.add(potential0);
  ledger.potential_change.add(lifted);
  const double work = 0.5 * w.smooth.conservative.dot(sim.state.qvel + w.velocity);
  ledger.book(Account::integration, work + potential0);
  ledger.book(Account::stabilisation, lifted);
}

double potential_of(const Model& model, const State& state, Kinematics& kin) {
  forward_kinematics(model, state, kin);
  return gravity_potential(model, kin) + spring_potential(model, state);
}

/// ½ uᵀM u.
double half_square(const Model& model, const MassMatrix& mass, const VecX& u, VecX& scratch) {
  product(model, mass, u, scratch);
  return 0.5 * u.dot(scratch);
}

/// The same with trees: the mass matrix changes over the step.
void book_trees(Simulation& sim, double dt, const State& end) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  EnergyLedger& ledger = sim.ledger;
  const bool corrected = w.mean != w.mean0 || !w.settle.moved.isZero(0);
  double V0 = 0;
  if (corrected) {
    w.uncorrected = end;
    w.uncorrected.qpos = sim.state.qpos;
    integrate(model, w.uncorrected.qpos, w.mean0, dt, RotationMap::cayley);
    V0 = potential_of(model, w.uncorrected, w.kin_end);
  }
  const double V1 = potential_of(model, end, w.kin_end);
  if (!corrected) V0 = V1;
  forward_velocities(model, end.qvel, w.kin_end);
  const double T1 = kinetic_energy(model, end.qvel, w.kin_end);
  VecX& scratch = w.smooth.total;
  const double before = *sim.tree_kinetic - half_square(model, w.mass, sim.state.qvel, scratch);
  const double after = T1 - half_square(model, w.mass, w.velocity, scratch);
  const double work = 0.5 * w.smooth.conservative.dot(sim.state.qvel + w.velocity);
  ledger.kinetic_change.add(T1 - *sim.tree_kinetic);
  ledger.potential_change.add(V1 - *sim.tree_potential);
  ledger.book(Account::integration, after - before + work + (V0 - *sim.tree_potential));
  ledger.book(Account::stabilisation, V1 - V0);
  sim.tree_kinetic = T1;
  sim.tree_potential = V1;
}

}  // namespace

void add_wall_velocity(const Simulation& sim, const Kinematics& kin, const SceneContacts& contacts,
                       const ConstraintRows& rows, Index at, const std::vector<Twist>& drives,
                       VecX& chi) {
  const Model& model = sim.scene.model;
  const RowGroup& group = rows.groups[at];
  const SceneContact& c = contacts.contacts[group.place];
  const Vec3& p = group.X_WC.p;
  const Mat3 R_CW = group.X_WC.R.transpose();
  const auto relative = [&](const auto& velocity) {
    const Twist one = velocity(c.geom1), two = velocity(c.geom2);
    return Twist{R_CW * (one.w - two.w), R_CW * (one.v - two.v)};
  };
  const Twist driven = relative(
      [&](Index geom) { return driven_velocity(model, kin, drives, model.geoms[geom].body, p); });
  Vec3 turn = driven.w, move = driven.v;
  if (!sim.prescribed.surfaces.empty()) {
    // A belt takes along what lies on it, but closes no gap: a roller's surface stays where it is.
    const Twist belt =
        relative([&](Index geom) { return belt_velocity(model, kin, sim.prescribed, geom, p); });
    turn[2] += belt.w[2];
    move.head<2>() += belt.v.head<2>();
  }
  const double all[6] = {turn[0], turn[1], turn[2], move[0], move[1], move[2]};
  double* out = chi.data() + group.first_row;
  if (rows.laws[at].kind == LawKind::patch) {
    out[0] += all[0];
    out[1] += all[1];
    out[2] += all[5];
    return;
  }
  // The last rows of [ω_T, ω_N, v_T, v_N]: all, [t1, t2, n] or [n].
  for (Index r = 0; r < group.row_count; ++r) out[r] += all[6 - group.row_count + r];
}

double rounding_work(const Simulation& sim) {
  const Model& model = sim.scene.model;
  double mass = 0;
  for (const Tree::Link& link : model.tree.links) mass += link.mass;
  const double speed = model.gravity.norm() * sim.options.dt;
  return tolerance::rounding * 0.5 * mass * speed * speed;
}

bool prepare_step(Simulation& sim, double dt) {
  go_to_middle(sim, dt);
  return smooth_motion(sim, dt, *sim.work);
}

namespace {

/// One step, or nothing: where it fails, state, memory and ledger are as they were.
bool attempt_step(Simulation& sim, double dt, const LeftOut& left_out, StepReport& report) {
  const Model& model = sim.scene.model;
  StepWork& w = *sim.work;
  w.dt = dt;
  if (!prepare_step(sim, dt)) return false;
  detect_contacts(sim, dt);
  assemble(sim, dt, left_out);
  recall_loads(sim.memory, w.rows, w.lambda);
  w.recalled = w.lambda;
  if (!w.swept) expect_loads(sim, dt, w);
  set_free_velocity(sim, dt, w);

  if (!believable(w.smooth.z) || !believable(w.problem.b)) return false;
  report.solve = solve_rows(sim, w);
  apply_loads(sim, w);
  if (!believable(w.velocity)) return false;
  if (!soft_stage(sim, dt, report)) return false;
  note_landings(sim, report);
  report.contacts = static_cast<Index>(w.contacts.contacts.size());
  report.patches = std::count_if(w.rows.laws.begin(), w.rows.laws.end(),
                                 [](const LocalLaw& law) { return law.is_patch(); });

  move_positions(sim, dt, report, w.mean0);
  State& end = w.end;
  end = sim.state;
  end.time += dt;
  end.qvel = w.velocity;
  integrate(model, end.qpos, w.mean, dt, RotationMap::cayley);
  for (std::size_t i = 0; i < w.drive_minus.size(); ++i)
    w.drive_minus[i] = {0.5 * (w.drive_minus[i].w + w.drive_plus[i].w),
                        0.5 * (w.drive_minus[i].v + w.drive_plus[i].v)};
  if (!end.driven.empty()) move_driven(model, w.drive_minus, dt, end);
  w.settle.moved.setZero(model.nv);
  if (!w.swept) settle_positions(sim, dt, end, report);
  if (!believable(end.qpos)) return false;
  const bool corrected = w.mean != w.mean0 || !w.settle.moved.isZero(0);
  if (!finish_soft_stage(sim, end, corrected)) return false;

  const EnergyLedger before = sim.ledger;
  book_rows(w, sim.ledger);
  book_smooth(sim, dt, sim.ledger);
  if (sim.tree_kinetic)
    book_trees(sim, dt, end);
  else
    book_flight(sim, dt, w.mean0, w.settle.moved);
  judge_joints(sim, before, report);
  w.velocity_before = sim.state.qvel;
  remember_loads(w.rows, w.recalled, w.lambda, sim.memory);
  std::swap(sim.state, end);
  if (!sim.soft.empty()) find_soft_touches(sim);
  return true;
}

}  // namespace

bool plain_step(Simulation& sim, double dt, const LeftOut& left_out, StepReport& report) {
  constexpr double shortest = 1.0 / 1024;  // of a step
  const std::size_t impacts = report.impacts.size();
  sim.work->soft.failed = false;
  if (attempt_step(sim, dt, left_out, report)) return true;
  // An elastic contact too stiff or too fast for this step: two of half the length.
  report.impacts.resize(impacts);
  if (!sim.work->soft.failed) return false;
  const SoftWork& soft = sim.work->soft;
  const bool ended =
      soft.why == TrackStatus::lost_convexity || soft.why == TrackStatus::past_window;
  if (ended && sim.soft.pairs[soft.failed_pair].rigid_when_lost) {
    set_soft(sim, soft.failed_pair, false);
    return plain_step(sim, dt, left_out, report);
  }
  if (dt <= shortest * sim.options.dt) return false;
  return plain_step(sim, dt / 2, left_out, report) && plain_step(sim, dt / 2, left_out, report);
}

}  // namespace tact
