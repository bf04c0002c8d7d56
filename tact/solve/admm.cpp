// solve/admm.cpp - factor, step, look at the balance, judge.
#include "tact/solve/admm.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"

namespace tact {
namespace {

constexpr double eta = tolerance::proximal;

/// G + (η + ρ) D, factored.
bool factor(const DelassusProblem& p, double rho, BlockLu& lu) {
  lu.clear();
  LocalMatrix block;
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
      if (e == p.G.diagonal[i]) {
        block = p.G.block(i, e) + (eta + rho) * p.metric(i).matrix();
        lu.add(i, e, block);
      } else {
        lu.add(i, e, p.G.block(i, e));
      }
    }
  return lu.factor();
}

/// Squared residuals of one step, in the metric D.
struct Balance {
  double primal = 0;  ///< |x - z|²
  double dual = 0;    ///< ρ² |z - z_last|²
};

/// rhs = -b + D (η x + ρ z - y).
void right_hand_side(const DelassusProblem& p, double rho, AdmmWorkspace& w) {
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    for (Index r = 0; r < metric.n; ++r) w.rhs[at + r] = -p.b[at + r];
    for (Index c = 0; c < metric.n; ++c) {
      const double v = eta * w.x[at + c] + rho * w.z[at + c] - w.y[at + c];
      for (Index r = 0; r < metric.n; ++r) w.rhs[at + r] += metric.matrix(r, c) * v;
    }
  }
}

Balance step(const DelassusProblem& p, double rho, double relaxation, AdmmWorkspace& w) {
  right_hand_side(p, rho, w);
  w.x = w.rhs;
  w.lu.solve(w.x);
  Balance out;
  double y[6], next[6], primal[6], dual[6];
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    for (Index r = 0; r < metric.n; ++r) {
      const double relaxed = relaxation * w.x[at + r] + (1 - relaxation) * w.z[at + r];
      y[r] = relaxed + w.y[at + r] / rho;
    }
    project(p.laws[i], metric, y, next, w.judge.local);
    for (Index r = 0; r < metric.n; ++r) {
      primal[r] = w.x[at + r] - next[r];
      dual[r] = rho * (next[r] - w.z[at + r]);
      w.y[at + r] = rho * (y[r] - next[r]);
      w.z[at + r] = next[r];
    }
    out.primal += energy(metric, primal);
    out.dual += energy(metric, dual);
  }
  return out;
}

/// y of the start: -D⁻¹ (G λ + b), what a solution would have.
void start(const DelassusProblem& p, const VecX& lambda, AdmmWorkspace& w) {
  w.rhs.resize(p.rows());
  w.y.resize(p.rows());
  w.x = w.z = lambda;
  multiply(p.G, lambda, w.last);
  w.last += p.b;
  constexpr double zero[6] = {};
  for (Index i = 0; i < p.contacts(); ++i)
    natural_argument(p.metric(i), zero, w.last.data() + p.G.offset[i], w.y.data() + p.G.offset[i]);
}

}  // namespace

SolveReport admm(const DelassusProblem& p, const SolveOptions& options,
                 const AdmmOptions& admm_options, AdmmWorkspace& w, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_steps = 10000;
  const int most = options.max_iterations > 0 ? options.max_iterations : default_steps;
  SolveReport report;
  report.solver = SolverName::admm;
  report.residual = residual(p, lambda, w.judge);
  w.best = lambda;
  if (!w.lu.fits(p.G)) w.lu.analyse(p.G);
  start(p, lambda, w);
  double rho = admm_options.penalty;
  bool regular = factor(p, rho, w.lu);
  const double scale = energy_scale(p, lambda);
  int next_look = admm_options.patience;
  constexpr double unbalanced = 10;
  for (int k = 1; k <= most && regular && !accepted(report.residual, options.tolerance); ++k) {
    report.iterations = k;
    const Balance now = step(p, rho, admm_options.relaxation, w);
    const double primal = std::sqrt(now.primal);
    const double dual = std::sqrt(now.dual);
    const bool promising = std::max(primal, dual) <= 10 * options.tolerance * scale;
    if (!promising && k < next_look && k < most) continue;
    const Residual judged = residual(p, w.z, w.judge);
    if (judged.figure() < report.residual.figure()) {
      report.residual = judged;
      w.best = w.z;
    }
    if (k < next_look) continue;
    next_look = k + admm_options.patience;
    if (primal > unbalanced * dual || dual > unbalanced * primal) {
      const double change = std::clamp(std::sqrt(primal / std::max(dual, tolerance::smallest)),
                                       1 / unbalanced, unbalanced);
      rho *= change;
      regular = factor(p, rho, w.lu);
      next_look += k / 2;  // ever rarer, so that ρ settles
    }
  }
  lambda = w.best;
  report.status = accepted(report.residual, options.tolerance) ? SolveStatus::converged
                                                               : SolveStatus::not_converged;
  return report;
}

}  // namespace tact
