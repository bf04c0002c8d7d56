// solve/gauss_seidel.cpp - sweeps, and the judge when a sweep changed little enough.
#include "tact/solve/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/contact/six_rows.hpp"
#include "tact/solve/one_contact.hpp"

namespace tact {

namespace {

/// Where there is no exact answer (a singular or indefinite block): one step of the natural map.
void natural_step(const LocalLaw& law, const LocalMetric& metric, const double* block,
                  const double* b, const double* lambda, double* next, LocalWorkspace& work) {
  double u[6], y[6];
  for (Index r = 0; r < law.rows; ++r) u[r] = b[r];
  for (Index c = 0; c < law.rows; ++c)
    for (Index r = 0; r < law.rows; ++r) u[r] += block[c * law.rows + r] * lambda[c];
  natural_argument(metric, lambda, u, y);
  project(law, metric, y, next, work);
}

/// A point with friction, Rows - 1 directions of it; |change|²_D.
template <int Rows>
double visit_point(const DelassusProblem& p, Index i, VecX& lambda, LocalWorkspace& work) {
  const Index at = p.G.offset[i];
  double* l = lambda.data() + at;
  double b[3];
  for (int r = 0; r < Rows; ++r) b[r] = p.b[at + r];
  add_row_without_diagonal(p.G, i, lambda.data(), b);
  const LocalMetric metric{Rows, p.metric_values.data() + p.metric_at[i]};
  double next[3] = {};
  if (!(b[Rows - 1] >= 0)) {
    const double* block = p.G.values.data() + p.G.at[p.G.diagonal[i]];
    if (!solve_point_contact(p.laws[i], block, b, l, next))
      natural_step(p.laws[i], metric, block, b, l, next, work);
  }
  double change[3] = {};
  for (int r = 0; r < Rows; ++r) {
    change[r] = next[r] - l[r];
    l[r] = next[r];
  }
  return energy(metric, change);
}

double visit_any(const DelassusProblem& p, Index i, VecX& lambda, LocalWorkspace& work) {
  const LocalLaw& law = p.laws[i];
  const LocalMetric metric = p.metric(i);
  double* l = lambda.data() + p.G.offset[i];
  double b[6], next[6], change[6];
  std::copy_n(p.b.data() + p.G.offset[i], law.rows, b);
  std::copy_n(l, law.rows, next);
  add_row_without_diagonal(p.G, i, lambda.data(), b);
  const auto block = p.G.diagonal_block(i);
  if (!solve_one_contact(law, metric, block, b, next, work))
    natural_step(law, metric, block.data(), b, l, next, work);
  for (Index r = 0; r < law.rows; ++r) {
    change[r] = next[r] - l[r];
    l[r] = next[r];
  }
  return energy_of(metric, change);
}

}  // namespace

double gauss_seidel_sweep(const DelassusProblem& p, VecX& lambda, LocalWorkspace& work) {
  double changed = 0;
  for (Index i = 0; i < p.contacts(); ++i) {
    switch (p.laws[i].kind) {
      case LawKind::interval:
        changed += visit_point<2>(p, i, lambda, work);
        break;
      case LawKind::disc:
      case LawKind::polygon:
        changed += visit_point<3>(p, i, lambda, work);
        break;
      default:
        changed += visit_any(p, i, lambda, work);
    }
  }
  return changed;
}

SolveReport gauss_seidel(const DelassusProblem& p, const SolveOptions& options,
                         GaussSeidelWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_sweeps = 100000;
  const int most = options.max_iterations > 0 ? options.max_iterations : default_sweeps;
  SolveReport report;
  report.solver = SolverName::gauss_seidel;
  report.residual = residual(p, lambda, work.judge);
  work.best = lambda;
  // The judge costs about a sweep: it is asked when the change of a sweep suggests success, then
  // after twice as many sweeps as last time.
  const double scale = energy_scale(p, lambda);
  int next_check = 1;
  for (int sweep = 1; sweep <= most; ++sweep) {
    if (accepted(report.residual, options.tolerance)) break;
    const double change = std::sqrt(gauss_seidel_sweep(p, lambda, work.local));
    report.iterations = sweep;
    const bool promising = change <= options.tolerance * scale;
    if (!promising && sweep < next_check && sweep < most) continue;
    next_check = sweep + std::max(1, sweep / 4);
    const Residual now = residual(p, lambda, work.judge);
    if (now.figure() < report.residual.figure() || !std::isfinite(report.residual.figure())) {
      report.residual = now;
      work.best = lambda;
    }
  }
  lambda = work.best;
  report.status = accepted(report.residual, options.tolerance) ? SolveStatus::converged
                                                               : SolveStatus::not_converged;
  return report;
}

}  // namespace tact
