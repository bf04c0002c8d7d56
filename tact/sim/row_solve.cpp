// sim/row_solve.cpp - first what is cheap and exact, then what is left.
#include "tact/sim/row_solve.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/parallel.hpp"
#include "tact/sim/step_islands.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

/// Whether the rows are fewer than the degrees of freedom of the bodies: G is the smaller matrix.
bool on_rows(const StepProblem& w) {
  return w.bodies.size() > w.problem.rows();
}

/// Whether the bodies of an island start at less than that share of what a step of free motion
/// gives them.
bool starts_below(double share, const Simulation& sim, const StepWork& w,
                  const StepIsland& island) {
  const Tree& tree = sim.scene.model.tree;
  double moves = 0, falls = 0;  // twice the energies, of the diagonal of M
  for (const Index d : island.bodies.of_dof) {
    const double m = w.mass.values[tree.row[d + 1] - 1];
    moves += m * sim.state.qvel[d] * sim.state.qvel[d];
    falls += m * w.smooth.z[d] * w.smooth.z[d];
  }
  return moves <= share * share * falls;
}

/// By the augmented Lagrangian from w.lambda, on the bodies or on G. What is at rest is solved to
/// rounding; where too much has changed for a few systems, none is begun.
SolveReport solve_augmented(const SolveOptions& options, bool rests, bool hurried, StepProblem& w) {
  AugmentedNewtonOptions settings;
  if (rests) settings.rest_tolerance = std::min(options.tolerance, tolerance::rest);
  settings.goal = tolerance::rest_goal;
  settings.acceptable = options.tolerance;
  constexpr int patience = 50;  // half the time of a step in which a ball hits a wall of bricks
  if (!rests) settings.most_idle = patience;
  if (hurried) settings.hopeless = tolerance::hopeless_in_piles;
  SolveReport report =
      on_rows(w) ? augmented_newton(w.problem, options, settings, w.newton, w.lambda, &w.expected)
                 : augmented_newton(BodyProblem{w.problem, w.bodies}, options, settings, w.newton,
                                    w.lambda, &w.expected);
  if (accepted(report.residual, options.tolerance)) report.status = SolveStatus::converged;
  return report;
}

/// The residual with which a step is done where the one that is asked for is not found at once.
/// What is missing moves the contact that gives way most by so much in the step, and less than gaps
/// are known to is noise: a contact between two that rest, too deep by that much, would be opened
/// by loads that tip one of them and by no others, and methods that go downhill come nowhere near.
double known_tolerance(const SolveOptions& options, const StepProblem& w) {
  double mobility = 0;  // [1/kg]
  for (Index i = 0; i < w.problem.contacts(); ++i) {
    const std::span<const Index> normal = normal_rows(w.problem.laws[i]);
    if (normal.empty()) continue;
    const Index r = normal.back();
    mobility = std::max(mobility, w.problem.G.diagonal_block(i)(r, r));
  }
  constexpr double most = 100;  // times what was asked for
  const double length = w.dt * std::sqrt(mobility) * energy_scale(w.problem, w.recalled);
  if (!(most * options.tolerance * length > tolerance::turning)) return most * options.tolerance;
  return std::max(options.tolerance, tolerance::turning / length);
}

/// What no method has solved gives no energy: its impulses shrink to the share that takes most
/// away, b.λ + ½ λ.Gλ <= 0, so that no velocity grows. Expects the whole G.
void bound_energy(StepProblem& w, SolveReport& report) {
  VecX& u = w.newton.u;
  multiply(w.problem.G, w.lambda, u);
  const double free = w.problem.b.dot(w.lambda), own = w.lambda.dot(u);
  // Self-stress beyond all digits has a square that is negative, by rounding.
  if (own >= 0 && free + 0.5 * own <= 0) return;
  const double share = std::isfinite(free) && own > 0 ? std::clamp(-free / own, 0.0, 1.0) : 0;
  if (share > 0)
    w.lambda *= share;
  else
    w.lambda.setZero();
  report.residual = residual(w.problem, w.lambda, w.newton.judge);
}

/// By the solver of contact problems, from what w.lambda is.
SolveReport solve_with_all(SolverName solver, SolveOptions options, StepProblem& w) {
  options.enough = known_tolerance(options, w);
  SolveReport report = solve_with(solver, w.problem, options, w.solve, w.lambda);
  const bool known = solver == SolverName::automatic && accepted(report.residual, options.enough);
  if (known) report.status = SolveStatus::converged;
  if (report.status != SolveStatus::converged) bound_energy(w, report);
  return report;
}

SolveOptions solve_options(const Simulation& sim) {
  SolveOptions options;
  options.tolerance = sim.options.tolerance;
  options.max_iterations = sim.options.max_iterations;
  return options;
}

/// Whether the bodies of an island move with less energy than a step of free motion gives them.
bool quiet(const Simulation& sim, const StepWork& w, StepIsland& island) {
  const Tree& tree = sim.scene.model.tree;
  island.leaves.clear();
  for (const Index i : island.members) {
    const RowGroup& group = w.rows.groups[i];
    for (Index s = group.first_side; s < group.first_side + group.side_count; ++s)
      island.leaves.push_back(w.rows.sides[s].leaf);
  }
  std::sort(island.leaves.begin(), island.leaves.end());
  const auto last = std::unique(island.leaves.begin(), island.leaves.end());
  double moves = 0, falls = 0;  // twice the energies
  for (auto leaf = island.leaves.begin(); leaf != last; ++leaf)
    for (Index e = tree.row[*leaf]; e < tree.row[*leaf + 1]; ++e) {
      const Index d = tree.column[e];
      moves += sim.state.qvel[d] * w.islands.momentum[d];
      falls += (w.smooth.z[d] - sim.state.qvel[d]) * w.islands.gained[d];
    }
  return moves <= falls;
}

/// M u⁻ and M (z - u⁻).
void note_momenta(const Simulation& sim, StepWork& w) {
  product(sim.scene.model, w.mass, sim.state.qvel, w.islands.momentum);
  product(sim.scene.model, w.mass, w.smooth.z, w.islands.gained);
  w.islands.gained -= w.islands.momentum;
}

/// Of a pile the islands that are not too large and next to rest, cut; the others are swept.
void cut_quiet_islands(const Simulation& sim, StepWork& w) {
  StepIslands& islands = w.islands;
  find_islands(sim.scene.model, w);
  if (sim.options.solved_island > 0) note_momenta(sim, w);
  islands.present.clear();
  for (const Index k : islands.found) {
    StepIsland& island = islands.kept[k];
    const bool large = static_cast<Index>(island.members.size()) > sim.options.solved_island;
    island.solved = !large && quiet(sim, w, island);
    if (!island.solved) continue;
    islands.present.push_back(k);
    cut_island(sim.scene.model, w, island);
  }
}

/// What moves in a pile gets a few systems: many of a large island cost more than they bring, and
/// the next step goes on.
SolveOptions island_options(const Simulation& sim, bool hurried, const StepIsland& island) {
  SolveOptions options = solve_options(sim);
  if (!hurried) return options;
  constexpr Index fewest = 8, many = 20, visits = 12000;
  options.max_iterations = static_cast<int>(
      std::clamp(visits / std::max(island.problem.contacts(), Index{1}), fewest, many));
  return options;
}

/// What the augmented Lagrangian has left, with what the other methods make of it.
void solve_otherwise(const Simulation& sim, StepIsland& island) {
  const int before = island.report.iterations;
  island.report = solve_with_all(sim.options.solver, solve_options(sim), island);
  island.report.iterations += before;
  island.solved = true;
}

/// |x|_{D⁻¹} of rates of the rows, over the scale of energy.
double share_in_motion(const StepIsland& island, const VecX& rates) {
  double sum = 0;
  for (Index i = 0; i < island.problem.contacts(); ++i) {
    const LocalMetric metric = island.problem.metric(i);
    const double* rate = rates.data() + island.problem.G.offset[i];
    for (Index r = 0; r < metric.n; ++r) sum += rate[r] * rate[r] * metric.inverse(r, r);
  }
  return std::sqrt(sum) / energy_scale(island.problem, island.lambda);
}

/// By how much the impulses change what goes on.
double set_in_motion(StepIsland& island) {
  const BodyProblem problem{island.problem, island.bodies};
  VecX& u = island.newton.u;
  body_impulses(problem, island.lambda, island.newton.force);
  body_velocities(problem, island.newton.force, u);
  u += island.problem.b - island.expected;
  return share_in_motion(island, u);
}

/// A structure at rest that begins to move, though some impulses would hold it, gets those.
void hold_if_possible(const Simulation& sim, const StepWork& w, StepIsland& island) {
  constexpr double begins = 0.1;
  if (!starts_below(tolerance::still, sim, w, island)) return;
  const auto rubs = [](const LocalLaw& law) { return law.mu > 0; };
  if (std::none_of(island.problem.laws.begin(), island.problem.laws.end(), rubs)) return;
  const double after = set_in_motion(island);
  if (after <= tolerance::rest) return;
  gather(w.rows, island, w.gamma_minus, island.moving);
  const double before = share_in_motion(island, island.moving);
  if (before > std::min(tolerance::at_rest, begins * after)) return;
  island.moving = island.lambda;
  const BodyProblem problem{island.problem, island.bodies};
  SolveOptions options = solve_options(sim);
  options.tolerance = tolerance::rest_goal;
  static_impulses(problem, options, island.statics, island.lambda);
  AugmentedNewtonWorkspace& work = island.newton;
  const Residual found = residual(problem, island.lambda, work.force, work.u, work.local);
  if (accepted(found, sim.options.tolerance) && set_in_motion(island) < begins * after) {
    island.report.residual = found;
    island.report.iterations += island.statics.iterations;
  } else {
    island.lambda = island.moving;
  }
}

/// Whether the impulses give no energy in the step: b.λ + ½ λ.Gλ <= 0.
bool takes_energy(StepIsland& island) {
  const BodyProblem problem{island.problem, island.bodies};
  AugmentedNewtonWorkspace& work = island.newton;
  body_impulses(problem, island.lambda, work.force);
  body_velocities(problem, work.force, work.u);
  return island.lambda.dot(island.problem.b + 0.5 * work.u) <= 0;
}

void solve_island(const Simulation& sim, const StepWork& w, StepIsland& island) {
  island.report = {};
  if (island.problem.contacts() == 1) return solve_otherwise(sim, island);
  island.lambda = island.recalled;
  constexpr double slow = 1e-4;
  const bool rests = starts_below(slow, sim, w, island), hurried = w.swept && !rests;
  island.report = solve_augmented(island_options(sim, hurried, island), rests, hurried, island);
  if (rests && island.report.status == SolveStatus::converged) hold_if_possible(sim, w, island);
  island.solved = island.report.status == SolveStatus::converged ||
                  (w.swept && island.report.residual.figure() <= tolerance::left_in_piles &&
                   takes_energy(island));
  if (!island.solved && w.swept) island.lambda = island.recalled;
}

/// The islands of which `done` does not hold are left.
template <class Done>
void note_left(const Done& done, StepIslands& islands) {
  islands.left.clear();
  for (const Index k : islands.found)
    if (!done(islands.kept[k])) islands.left.add(islands.kept[k].members);
}

/// All that are present, over threads. What is left of piles is swept later.
void solve_islands(const Simulation& sim, StepWork& w) {
  StepIslands& islands = w.islands;
  const Model& model = sim.scene.model;
  const auto count = static_cast<int>(islands.present.size());
  const auto at = [&](int k) -> StepIsland& { return islands.kept[islands.present[k]]; };
  for (int k = 0; k < count; ++k)
    if (on_rows(at(k))) couple_island(model, w, at(k));
  parallel_for(count, sim.options.threads, [&](int k, int) { solve_island(sim, w, at(k)); });
  if (!w.swept) {
    for (int k = 0; k < count; ++k)
      if (!at(k).solved) couple_island(model, w, at(k));
    parallel_for(count, sim.options.threads, [&](int k, int) {
      if (!at(k).solved) solve_otherwise(sim, at(k));
    });
  }
  for (const Index k : islands.present)
    scatter(w.rows, islands.kept[k], islands.kept[k].lambda, w.lambda);
}

/// The answer of all islands: solver and status are those of the worst, or of the one that took
/// longest.
SolveReport joint_report(const Simulation& sim, StepWork& w) {
  const StepIslands& islands = w.islands;
  const auto badness = [](SolveStatus status) {
    if (status == SolveStatus::converged) return 0;
    return status == SolveStatus::infeasible ? 2 : 1;
  };
  SolveReport out;
  out.status = SolveStatus::converged;
  Residual residual;
  residual.fc3d = 0;
  int longest = -1, sum = 0;
  for (const Index k : islands.present) {
    const SolveReport& one = islands.kept[k].report;
    join(one.residual, islands.kept[k].members, residual);
    const int worse = badness(one.status) - badness(out.status);
    sum += one.iterations;
    if (worse < 0 || (worse == 0 && one.iterations <= longest)) continue;
    out = one;
    longest = one.iterations;
  }
  out.iterations = sum;
  out.residual = residual;
  if (w.swept && out.status == SolveStatus::converged &&
      !accepted(out.residual, sim.options.tolerance))
    out.status = SolveStatus::not_converged;
  return out;
}

SolveReport solve_swept(const Simulation& sim, StepWork& w) {
  SolveReport report;
  report.solver = SolverName::gauss_seidel;
  report.iterations = sim.options.sweeps;
  report.residual = sweep_rows(sim.scene.model, w.rows, w.problem, w.islands.left,
                               sim.options.sweeps, sim.options.threads, w.sweep, w.lambda);
  if (accepted(report.residual, sim.options.tolerance)) report.status = SolveStatus::converged;
  return report;
}

/// A pile: islands next to rest are solved, the others swept.
SolveReport solve_pile(const Simulation& sim, StepWork& w) {
  cut_quiet_islands(sim, w);
  solve_islands(sim, w);
  // What many systems have left open sweeps do not mend: islands that were solved are done.
  note_left([](const StepIsland& island) { return island.solved; }, w.islands);
  return w.islands.left.empty() ? joint_report(sim, w) : solve_swept(sim, w);
}

/// What opens the gaps of the groups left, by sweeps.
void sweep_gaps(const Simulation& sim, const PositionStep& step, StepWork& w) {
  w.sweep.target.resize(w.rows.groups.size());
  for (const Index i : w.islands.left.groups) {
    const LocalLaw& law = w.rows.laws[i];
    Vec3 gap = step.gaps[i];
    gap[2] += std::max(0.0, -step.deepest - least_gap(law, gap));
    const Vec3 end = moved_gap(w.rows.groups[i], law, gap, step.rates, step.dt);
    w.sweep.target[i] = end / step.dt;
  }
  sweep_positions(sim.scene.model, w.rows, w.problem, w.islands.left, w.sticks,
                  sim.options.position_sweeps, sim.options.threads, w.sweep);
  unscaled(sim.scene.model, w.factor, w.sweep.w, w.position.change);
}

/// Λ of one island, if its gaps ask for it.
void open_island(const Simulation& sim, const PositionStep& step, StepWork& w, StepIsland& island) {
  island.opened = worst_gaps(step, island.members).worst() >= -step.allowed;
  if (island.opened || (w.swept && !island.solved)) return;
  const bool opened = solve_positions(sim.scene.model, step, island.members, w.islands.local,
                                      island.position, w.position.impulse);
  island.opened = opened || !w.swept;
}

void open_islands(const Simulation& sim, const PositionStep& step, StepWork& w) {
  StepIslands& islands = w.islands;
  w.position.impulse.setZero(w.rows.rows);
  parallel_for(static_cast<int>(islands.present.size()), sim.options.threads,
               [&](int k, int) { open_island(sim, step, w, islands.kept[islands.present[k]]); });
  note_left([](const StepIsland& island) { return island.solved && island.opened; }, islands);
}

}  // namespace

SolveReport solve_rows(const Simulation& sim, StepWork& w) {
  w.islands.present.clear();
  if (w.swept) return solve_pile(sim, w);
  const bool alone = w.problem.contacts() <= 1;
  if (alone || sim.options.solver != SolverName::automatic)
    return solve_with_all(sim.options.solver, solve_options(sim), w);
  cut_islands(sim.scene.model, w);
  solve_islands(sim, w);
  return joint_report(sim, w);
}

void open_gaps(const Simulation& sim, const PositionStep& step, StepWork& w) {
  const Model& model = sim.scene.model;
  if (!w.islands.present.empty()) {
    open_islands(sim, step, w);
  } else if (!w.swept) {
    w.islands.local.resize(static_cast<std::size_t>(model.nv));
    w.position.impulse.setZero(w.rows.rows);
    (void)solve_positions(model, step, w.rows.listed, w.islands.local, w.position,
                          w.position.impulse);
    w.islands.left.clear();
  } else {
    w.position.impulse.setZero(w.rows.rows);
  }
  if (w.islands.left.empty())
    w.position.change.setZero(model.nv);
  else
    sweep_gaps(sim, step, w);
  VecX& solved = w.impulse;
  solved.setZero(model.nv);
  add_row_impulses(model, w.rows, w.position.impulse, solved);
  solve_in_place(model, w.factor, solved);
  w.position.change += solved;
}

}  // namespace tact
