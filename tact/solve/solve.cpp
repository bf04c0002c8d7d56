// solve/solve.cpp - the choice of method, island by island.
#include "tact/solve/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/base/parallel.hpp"

namespace tact {
namespace {

/// Keeps the better of what was and what is now, by the judge's figure.
void keep_better(const SolveReport& now, const VecX& lambda, SolveReport& best, VecX& best_lambda) {
  const int iterations = best.iterations + now.iterations;
  if (now.residual.figure() < best.residual.figure() && lambda.allFinite()) {
    best = now;
    best_lambda = lambda;
  }
  best.iterations = iterations;
}

/// Not judged yet: anything is better.
Residual unknown() {
  Residual out;
  out.natural = std::numeric_limits<double>::infinity();
  return out;
}

/// Whether no contact that carries a load acts on another one that does.
bool separate(const DelassusProblem& p, const VecX& lambda) {
  const auto carries = [&](Index i) {
    for (Index r = p.G.offset[i]; r < p.G.offset[i + 1]; ++r)
      if (lambda[r] != 0) return true;
    return false;
  };
  for (Index i = 0; i < p.contacts(); ++i) {
    if (!carries(i)) continue;
    for (Index e = p.G.row_begin[i]; e < p.G.diagonal[i]; ++e)
      if (carries(p.G.col[e])) return false;
  }
  return true;
}

/// At most `budget` sweeps; fewer when a sweep changes nothing that counts. The judge is asked when
/// the last one changed so little that there is something to expect.
SolveReport sweeps(const DelassusProblem& p, const SolveOptions& options, int budget,
                   IslandWorkspace& w, VecX& lambda) {
  SolveReport report;
  report.solver = SolverName::gauss_seidel;
  const bool uncoupled = static_cast<Index>(p.G.col.size()) == p.contacts();
  constexpr double hope = 10;
  bool promising = uncoupled;
  double goal = 0, last = 0;
  const auto judge = [&] {
    report.residual = residual(p, lambda, w.sweeps.judge);
    if (accepted(report.residual, options.tolerance)) report.status = SolveStatus::converged;
  };
  while (report.iterations < budget) {
    const double change = std::sqrt(gauss_seidel_sweep(p, lambda, w.sweeps.local));
    ++report.iterations;
    if (uncoupled) break;
    if (report.iterations == 1) {
      // Loads that do not see each other have settled in one sweep.
      if (separate(p, lambda)) judge();
      if (report.status == SolveStatus::converged) return report;
      goal = options.tolerance * energy_scale(p, lambda);
    }
    promising = change <= hope * goal;
    if (change <= goal) break;
    // Three more at this rate, and it is done: cheaper than anything else.
    const double rate = change / last;
    if (report.iterations == budget && budget > 1 && change * rate * rate * rate <= goal) ++budget;
    last = change;
  }
  if (!lambda.allFinite()) lambda.setZero();
  report.residual = unknown();
  if (promising) judge();
  return report;
}

/// One visit of every contact by an iterative method, in microseconds, roughly.
double visit_cost(const DelassusProblem& p) {
  double sum = 0;
  for (const LocalLaw& law : p.laws) {
    if (law.kind != LawKind::patch_friction)
      sum += 0.5;
    else
      sum += std::holds_alternative<VertexModel>(law.patch->model) ? 1e5 : 200.0;
  }
  return sum;
}

/// How many sweeps are worth doing before Newton's method: as many as cost a few of its steps. In
/// the plane, where the natural map is piecewise linear and Newton's method may walk from piece to
/// piece, more of them pay (measured: docs/solvers.md).
int worthwhile_sweeps(const DelassusProblem& p, const BlockLu& lu) {
  constexpr Index few_contacts = 8;  // a step costs little more than a sweep
  if (p.contacts() <= few_contacts) return 2;
  const auto stored = static_cast<double>(p.G.values.size());
  constexpr double visit = 60, assembly = 4;  // a one-contact solve, an entry; in multiplications
  const double sweep = stored + visit * static_cast<double>(p.contacts());
  const double step = lu.multiplications() + assembly * stored;
  const bool planar =
      std::all_of(p.laws.begin(), p.laws.end(), [](const LocalLaw& law) { return law.rows <= 2; });
  constexpr double many = 20, few = 1;
  constexpr int least = 3;
  constexpr double most = 200, microseconds = 1e5;
  const double affordable = std::min(most, microseconds / visit_cost(p));
  return std::max(least,
                  static_cast<int>(std::min((planar ? many : few) * step / sweep, affordable)));
}

/// One line of the strategy: a method, its setting, and what it begins from.
struct Attempt {
  SolverName solver;
  double setting;  ///< ρ of the alternating direction method
  int iterations;  ///< at most; 0: what two seconds afford
  bool from_zero;
};

/// The augmented Lagrangian, far beyond what is asked for as long as that comes quickly:
/// nearly redundant constraints make more of a residual than it is.
SolveReport augmented(const DelassusProblem& p, const SolveOptions& options, IslandWorkspace& w,
                      VecX& lambda) {
  SolveReport here;
  here.solver = SolverName::newton;
  here.residual = residual(p, lambda, w.sweeps.judge);
  here.status = SolveStatus::converged;
  if (accepted(here.residual, options.tolerance)) return here;
  constexpr double beyond = 1e-4;
  SolveOptions finer = options;
  finer.tolerance = std::max(beyond * options.tolerance, tolerance::polished);
  AugmentedNewtonOptions settings;
  settings.acceptable = options.tolerance;
  SolveReport report = augmented_newton(p, finer, settings, w.augmented, lambda);
  if (report.status == SolveStatus::infeasible)
    w.ray = w.augmented.ray;
  else if (accepted(report.residual, options.tolerance))
    report.status = SolveStatus::converged;
  return report;
}

SolveReport run(const Attempt& attempt, const DelassusProblem& p, const SolveOptions& options,
                IslandWorkspace& w, VecX& lambda) {
  SolveOptions limited = options;
  // Friction on a patch costs a thousand times what a point does: an attempt gets two seconds.
  constexpr double microseconds = 2e6;
  constexpr int least = 3;
  const int affordable =
      std::max(least, static_cast<int>(std::min(microseconds / visit_cost(p), 1e9)));
  limited.max_iterations =
      attempt.iterations > 0 ? std::min(affordable, attempt.iterations) : affordable;
  if (attempt.solver == SolverName::gauss_seidel) return gauss_seidel(p, limited, w.sweeps, lambda);
  if (attempt.solver == SolverName::admm) {
    AdmmOptions settings;
    settings.penalty = attempt.setting;
    return admm(p, limited, settings, w.admm, lambda);
  }
  return augmented(p, limited, w, lambda);
}

/// The strategy, where a factor is cheap and where it is not: a method that does not reach the
/// tolerance hands its best impulses on to the next.
constexpr Attempt newton_first[] = {
    {SolverName::newton, 0, 200, false},
    {SolverName::newton, 0, 400, true},
    {SolverName::admm, 0.1, 2000, false},
    {SolverName::gauss_seidel, 0, 0, false},
};
constexpr Attempt admm_first[] = {
    {SolverName::admm, 0.1, 300, false},     {SolverName::newton, 0, 200, false},
    {SolverName::newton, 0, 400, true},      {SolverName::admm, 0.01, 5000, true},
    {SolverName::gauss_seidel, 0, 0, false},
};

/// Whether a factorisation costs so much more than a solve that fifty of the latter are cheaper
/// than a dozen of the former.
bool factor_is_costly(const BlockLu& lu) {
  constexpr double ratio = 15;
  constexpr double large = 1e6;
  return lu.multiplications() > large &&
         lu.multiplications() > ratio * static_cast<double>(lu.stored());
}

/// Infeasible problems have velocities that no impulse repairs.
bool may_be_infeasible(const Residual& residual) {
  constexpr double visible = 1e-3;  // of the free velocity
  constexpr double diverging = 1e3;
  return !(residual.unhidden < visible && residual.growth < diverging);
}

/// A ray, where there is one: then the problem is infeasible.
void find_ray(const DelassusProblem& p, IslandWorkspace& w, SolveReport& report) {
  constexpr Index largest = 3000;  // rows; the search is dense
  if (p.rows() > largest) return;
  if (auto ray = jam_ray(p)) {
    w.ray = *std::move(ray);
    report.status = SolveStatus::infeasible;
  }
}

/// Looks for the reason of a failure.
void explain_failure(const DelassusProblem& p, IslandWorkspace& w, SolveReport& report) {
  w.ray.resize(0);
  if (may_be_infeasible(report.residual)) find_ray(p, w, report);
}

/// The growth that showed there is no solution stands where the search finds nothing finer.
void explain_growth(const DelassusProblem& p, IslandWorkspace& w, SolveReport& report) {
  explain_failure(p, w, report);
  if (w.ray.size() > 0) return;
  w.ray = w.augmented.ray;
}

/// Whether nothing costly is begun any more: for what is good enough, and, where a step is one of
/// many, for what diverges.
bool is_enough(const Residual& residual, const SolveOptions& options) {
  constexpr double jammed = 1e6;  // what stops the contacts is so much less than their impulses
  return accepted(residual, options.enough) || (options.enough > 0 && residual.growth > jammed);
}

SolveReport solve_island(const DelassusProblem& p, const SolveOptions& options, IslandWorkspace& w,
                         VecX& lambda) {
  if (p.contacts() == 1) {
    const SolveReport report = sweeps(p, options, 1, w, lambda);
    if (report.status == SolveStatus::converged) return report;
  }
  BlockLu& lu = w.augmented.lu;
  if (!lu.fits(p.G)) lu.analyse(p.G);
  const bool costly = factor_is_costly(lu);
  constexpr int few = 5;
  SolveReport best = sweeps(p, options, costly ? few : worthwhile_sweeps(p, lu), w, lambda);
  if (best.status == SolveStatus::converged) return best;
  w.best = lambda;
  const std::span<const Attempt> attempts =
      costly ? std::span<const Attempt>(admm_first) : newton_first;
  for (const Attempt& attempt : attempts) {
    const bool first = &attempt == attempts.data();
    if (!first && is_enough(best.residual, options)) break;
    if (attempt.from_zero)
      lambda.setZero();
    else
      lambda = w.best;
    SolveReport now = run(attempt, p, options, w, lambda);
    if (first && now.status != SolveStatus::converged && !std::isfinite(best.residual.natural))
      best.residual = residual(p, w.best, w.sweeps.judge);
    keep_better(now, lambda, best, w.best);
    if (best.status == SolveStatus::converged) break;
    if (now.status == SolveStatus::infeasible) {
      best.status = now.status;
      explain_growth(p, w, best);
      break;
    }
    if (attempt.solver == SolverName::newton) explain_failure(p, w, best);
    if (best.status == SolveStatus::infeasible) break;
  }
  lambda = w.best;
  return best;
}

/// A few Newton steps from a solution, kept if the judge likes them better.
void polish(const DelassusProblem& p, double tolerance, IslandWorkspace& w, VecX& lambda,
            SolveReport& report) {
  SolveOptions options;
  options.tolerance = tolerance::polished;
  options.max_iterations = 4;
  AugmentedNewtonOptions settings;
  w.best = lambda;
  const SolveReport now = augmented_newton(p, options, settings, w.augmented, lambda);
  report.iterations += now.iterations;
  if (now.residual.figure() < report.residual.figure() && accepted(now.residual, tolerance))
    report.residual = now.residual;
  else
    lambda = w.best;
}

SolveReport run_method(SolverName solver, const DelassusProblem& p, const SolveOptions& options,
                       IslandWorkspace& w, VecX& lambda) {
  switch (solver) {
    case SolverName::gauss_seidel:
      return gauss_seidel(p, options, w.sweeps, lambda);
    case SolverName::admm:
      return admm(p, options, AdmmOptions{}, w.admm, lambda);
    case SolverName::newton:
      return augmented(p, options, w, lambda);
    case SolverName::lemke:
      return lemke(p, options, w.lemke, lambda);
    case SolverName::box:
      return box_direct(p, options, w.box, lambda);
    default: {
      SolveReport report = solve_island(p, options, w, lambda);
      if (options.polish && report.status == SolveStatus::converged)
        polish(p, options.tolerance, w, lambda, report);
      return report;
    }
  }
}

SolveReport run_named(SolverName solver, const DelassusProblem& p, const SolveOptions& options,
                      IslandWorkspace& w, VecX& lambda) {
  w.ray.resize(0);
  SolveReport report = run_method(solver, p, options, w, lambda);
  const bool unexplained = report.status == SolveStatus::not_converged ||
                           (report.status == SolveStatus::infeasible && w.ray.size() == 0);
  if (unexplained) {
    report.status = SolveStatus::not_converged;
    explain_failure(p, w, report);
  }
  return report;
}

/// One report for all islands: the worst status, and the solver that failed or else worked longest.
SolveReport combine(const std::vector<SolveReport>& reports, std::size_t count) {
  SolveReport all;
  all.status = SolveStatus::converged;
  double worst = -1;
  for (std::size_t k = 0; k < count; ++k) {
    all.iterations += reports[k].iterations;
    if (reports[k].status != SolveStatus::converged && all.status != SolveStatus::infeasible)
      all.status = reports[k].status;
    const double weight =
        reports[k].iterations + (reports[k].status == SolveStatus::converged ? 0 : 1e9);
    if (weight > worst) {
      worst = weight;
      all.solver = reports[k].solver;
    }
  }
  return all;
}

/// Nothing approaches: there is nothing to do, and the judge's figures are zero.
SolveReport at_rest(const DelassusProblem& p) {
  SolveReport report;
  report.status = SolveStatus::converged;
  report.solver = SolverName::gauss_seidel;
  report.residual.worst_contact = 0;
  const bool points = std::all_of(p.laws.begin(), p.laws.end(), [](const LocalLaw& law) {
    return law.kind != LawKind::polygon && law.kind != LawKind::rolling &&
           law.kind != LawKind::bounded;
  });
  if (points) report.residual.fc3d = 0;
  return report;
}

/// Without splitting.
SolveReport solve_whole(SolverName solver, const DelassusProblem& p, const SolveOptions& options,
                        SolveWorkspace& work, VecX& lambda) {
  SolveReport report = run_named(solver, p, options, work.workers.front(), lambda);
  if (report.status == SolveStatus::infeasible) work.jam_ray = work.workers.front().ray;
  return report;
}

/// The first island's ray that there is, in the rows of the whole.
void gather_ray(const DelassusProblem& p, SolveWorkspace& work) {
  for (std::size_t k = 0; k < work.islands.problems.size(); ++k) {
    if (work.reports[k].status != SolveStatus::infeasible) continue;
    work.jam_ray.setZero(p.rows());
    const DelassusProblem& part = work.islands.problems[k];
    for (std::size_t j = 0; j < work.islands.contacts[k].size(); ++j)
      work.jam_ray.segment(p.G.offset[work.islands.contacts[k][j]], part.laws[j].rows) =
          work.rays[k].segment(part.G.offset[j], part.laws[j].rows);
    return;
  }
}

/// Small problems are not worth splitting: sweeps do not mind.
constexpr Index worth_splitting = 8;

}  // namespace

SolveReport solve_with(SolverName solver, const DelassusProblem& p, const SolveOptions& options,
                       SolveWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows() && !work.workers.empty());
  if (work.jam_ray.size() > 0) work.jam_ray.resize(0);
  if (p.contacts() == 0) {
    SolveReport empty;
    empty.status = SolveStatus::converged;
    return empty;
  }
  if (solver == SolverName::automatic && is_apart(p, lambda)) return at_rest(p);
  const bool uncoupled = static_cast<Index>(p.G.col.size()) == p.contacts();
  if (p.contacts() <= worth_splitting && !(uncoupled && solver == SolverName::automatic))
    return solve_whole(solver, p, options, work, lambda);
  if (solver == SolverName::automatic) {
    // Sweeps do not mind islands: many problems are solved before they need splitting.
    constexpr int few = 3;
    const SolveReport swept = sweeps(p, options, few, work.workers.front(), lambda);
    if (swept.status == SolveStatus::converged && !options.polish) return swept;
  }
  split(p, work.islands);
  const std::size_t count = work.islands.problems.size();
  if (count == 1) return solve_whole(solver, p, options, work, lambda);
  if (work.reports.size() < count) work.reports.resize(count);
  if (work.rays.size() < count) work.rays.resize(count);
  if (work.factors.size() < count) work.factors.resize(count);
  const auto threads = static_cast<int>(work.workers.size());
  parallel_for(static_cast<int>(count), threads, [&](int k, int worker) {
    const DelassusProblem& part = work.islands.problems[k];
    const auto& contacts = work.islands.contacts[k];
    IslandWorkspace& w = work.workers[worker];
    // Every island keeps its own analysis of the pattern.
    if (contacts.size() > 1) std::swap(w.augmented.lu, work.factors[k]);
    w.lambda.resize(part.rows());
    for (std::size_t j = 0; j < contacts.size(); ++j)
      w.lambda.segment(part.G.offset[j], part.laws[j].rows) =
          lambda.segment(p.G.offset[contacts[j]], part.laws[j].rows);
    work.reports[k] = run_named(solver, part, options, w, w.lambda);
    work.rays[k].swap(w.ray);
    if (contacts.size() > 1) std::swap(w.augmented.lu, work.factors[k]);
    for (std::size_t j = 0; j < contacts.size(); ++j)
      lambda.segment(p.G.offset[contacts[j]], part.laws[j].rows) =
          w.lambda.segment(part.G.offset[j], part.laws[j].rows);
  });
  SolveReport report = combine(work.reports, count);
  if (report.status == SolveStatus::infeasible) gather_ray(p, work);
  report.residual = residual(p, lambda, work.judge);
  // Every island must hold by itself, and the judge has the last word on the whole.
  if (report.status == SolveStatus::converged && !accepted(report.residual, options.tolerance))
    report.status = SolveStatus::not_converged;
  return report;
}

SolveReport solve_mass(const ContactProblem& given, const MassProblem& p,
                       const SolveOptions& options, SolveWorkspace& work, VecX& lambda) {
  IslandWorkspace& w = work.workers.front();
  SolveReport report = augmented_newton(p, options, {}, w.augmented, lambda);
  w.ray.resize(0);
  if (report.status != SolveStatus::converged) {
    constexpr Index few = 300;  // rows of which a search costs nothing: for weak contradictions too
    const bool doubtful = report.status == SolveStatus::infeasible || p.rows() <= few;
    if (const auto reduced = reduce(given);
        reduced && (doubtful || may_be_infeasible(report.residual)))
      find_ray(*reduced, w, report);
    if (w.ray.size() == 0) w.ray = w.augmented.ray;
  }
  work.jam_ray = w.ray;
  return report;
}

SolveReport solve(const DelassusProblem& p, const SolveOptions& options, SolveWorkspace& work,
                  VecX& lambda) {
  return solve_with(SolverName::automatic, p, options, work, lambda);
}

SolveReport solve(const DelassusProblem& p, const SolveOptions& options, VecX& lambda) {
  SolveWorkspace work;
  lambda.setZero(p.rows());
  return solve(p, options, work, lambda);
}

}  // namespace tact
