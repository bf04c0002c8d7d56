// solve/gauss_seidel.cpp - sweeps, and the judge when a sweep changed little enough.
#include "tact/solve/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/solve/one_contact.hpp"

namespace tact {

namespace {

/// A point that carried nothing and is not approached.
bool stays_apart(const LocalLaw& law, const double* b, const double* lambda) {
  if (law.is_patch() || !(b[law.normal_row()] >= 0)) return false;
  for (Index r = 0; r < law.rows; ++r)
    if (lambda[r] != 0) return false;
  return true;
}

}  // namespace

double gauss_seidel_sweep(const DelassusProblem& p, VecX& lambda, LocalWorkspace& work) {
  double changed = 0;
  double b[6], next[6], change[6];
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalLaw& law = p.laws[i];
    const LocalMetric metric = p.metric(i);
    double* l = lambda.data() + p.G.offset[i];
    for (Index r = 0; r < law.rows; ++r) {
      b[r] = p.b[p.G.offset[i] + r];
      next[r] = l[r];
    }
    add_row_without_diagonal(p.G, i, lambda.data(), b);
    if (stays_apart(law, b, l)) continue;
    const auto block = p.G.diagonal_block(i);
    if (!solve_one_contact(law, metric, block, b, next, work)) {
      // No exact answer (a singular or indefinite block): one step of the natural map.
      double y[6];
      for (Index r = 0; r < law.rows; ++r) {
        y[r] = l[r];
        for (Index c = 0; c < law.rows; ++c) {
          double u = b[c];
          for (Index k = 0; k < law.rows; ++k) u += block(c, k) * l[k];
          y[r] -= metric.inverse(r, c) * u;
        }
      }
      project(law, metric, y, next, work);
    }
    for (Index r = 0; r < law.rows; ++r) {
      change[r] = next[r] - l[r];
      l[r] = next[r];
    }
    changed += energy(metric, change);
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
