// solve/newton.cpp - semismooth Newton with a non-monotone line search, made robust by a proximal
// term.
#include "tact/solve/newton.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/solve/gauss_seidel.hpp"

namespace tact {
namespace {

constexpr int halvings = 10;
constexpr int memory = 5;        ///< line search: no worse than the worst of so many steps
constexpr int patience = 25;     ///< Newton steps for one proximal problem
constexpr double largest = 1e3;  ///< of α
constexpr double ten = 10;

/// Everything of one proximal problem.
struct Proximal {
  const DelassusProblem& p;
  NewtonWorkspace& work;
  double alpha;

  /// y = λ - D⁻¹ u - α (λ - λ_c) of contact i.
  void argument(Index i, const VecX& lambda, const VecX& u, double* y) const {
    const LocalMetric& metric = p.metrics[i];
    const Index at = p.G.offset[i];
    const Index n = p.laws[i].rows;
    for (Index r = 0; r < n; ++r) {
      y[r] = lambda[at + r] - alpha * (lambda[at + r] - work.centre[at + r]);
      for (Index c = 0; c < n; ++c) y[r] -= metric.inverse(r, c) * u[at + c];
    }
  }

  /// gap = F(λ), u = G λ + b; returns |F|_D.
  double evaluate(const VecX& lambda, VecX& gap, VecX& u) const {
    multiply(p.G, lambda, u);
    u += p.b;
    gap.resize(lambda.size());
    double y[6], image[6];
    double sum = 0;
    for (Index i = 0; i < p.contacts(); ++i) {
      argument(i, lambda, u, y);
      project(p.laws[i], p.metrics[i], y, image, work.judge.local);
      const Index at = p.G.offset[i];
      for (Index r = 0; r < p.laws[i].rows; ++r) gap[at + r] = lambda[at + r] - image[r];
      sum += energy(p.metrics[i], gap.data() + at);
    }
    return std::sqrt(sum);
  }

  /// step = -F'(λ)⁻¹ F(λ). Row i of F': (I - P + α P) δ_ij + P D⁻¹ G_ij.
  bool direction(const VecX& lambda, const VecX& u, const VecX& gap, VecX& step) const {
    work.lu.clear();
    LocalMatrix P, row;
    double y[6], image[6];
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index n = p.laws[i].rows;
      argument(i, lambda, u, y);
      project(p.laws[i], p.metrics[i], y, image, P, work.judge.local);
      row.noalias() = P * p.metrics[i].inverse;
      for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
        LocalMatrix block;
        block.noalias() = row.lazyProduct(p.G.block(i, e));
        if (e == p.G.diagonal[i]) {
          block += (alpha - 1) * P;
          for (Index r = 0; r < n; ++r) block(r, r) += 1;
        }
        work.lu.add(i, e, block);
      }
    }
    if (!work.lu.factor()) return false;
    step = -gap;
    work.lu.solve(step);
    return step.allFinite();
  }
};

/// λ + t step with the first t = 1, 1/2, ... that is no worse than the recent past.
bool line_search(const Proximal& prox, double& size, VecX& lambda) {
  NewtonWorkspace& work = prox.work;
  double reference = size;
  const std::size_t count = work.history.size();
  for (std::size_t k = count > memory ? count - memory : 0; k < count; ++k)
    reference = std::max(reference, work.history[k]);
  double t = 1;
  for (int h = 0; h < halvings; ++h, t *= 0.5) {
    work.trial = lambda + t * work.step;
    const double trial = prox.evaluate(work.trial, work.gap, work.u);
    if (trial < (1 - tolerance::armijo * t) * reference) {
      lambda.swap(work.trial);
      size = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

SolveReport newton(const DelassusProblem& p, const SolveOptions& options,
                   const NewtonOptions& newton_options, NewtonWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_steps = 300;
  const int most = options.max_iterations > 0 ? options.max_iterations : default_steps;
  SolveReport report;
  report.solver = SolverName::newton;
  for (int k = 0; k < newton_options.sweeps; ++k) gauss_seidel_sweep(p, lambda, work.judge.local);
  report.residual = residual(p, lambda, work.judge);
  work.best = lambda;
  if (!work.lu.fits(p.G)) work.lu.analyse(p.G);

  Proximal prox{p, work, newton_options.proximal};
  work.centre = lambda;
  work.history.clear();
  work.history.reserve(patience + 1);
  double size = prox.evaluate(lambda, work.gap, work.u);
  double first = size;
  const double scale = energy_scale(p, lambda);
  int inner = 0;
  for (int step = 1; step <= most && !accepted(report.residual, options.tolerance); ++step) {
    report.iterations = step;
    const bool moved =
        prox.direction(lambda, work.u, work.gap, work.step) && line_search(prox, size, lambda);
    ++inner;
    if (moved) {
      work.history.push_back(size);
      const Residual now = residual(p, lambda, work.judge);
      if (now.natural < report.residual.natural) {
        report.residual = now;
        work.best = lambda;
      }
    }
    const bool failed = !moved || inner > patience;
    const bool solved = !failed && size < 0.1 * std::min(first, tolerance::armijo * scale);
    if (!failed && !solved) continue;
    if (failed) {
      prox.alpha = std::min(largest, prox.alpha * ten);
      lambda = work.centre;
    } else {
      if (inner <= 4)
        prox.alpha = std::max(tolerance::metric, prox.alpha / ten);
      else if (inner <= 8)
        prox.alpha = std::max(tolerance::metric, prox.alpha / 3);
      work.centre = lambda;
    }
    work.history.clear();
    inner = 0;
    size = first = prox.evaluate(lambda, work.gap, work.u);
  }
  lambda = work.best;
  report.status = accepted(report.residual, options.tolerance) ? SolveStatus::converged
                                                               : SolveStatus::not_converged;
  return report;
}

}  // namespace tact
