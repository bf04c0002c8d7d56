// solve/newton.cpp - semismooth Newton with a non-monotone line search, made robust by a proximal
// term.
#include "tact/solve/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/solve/gauss_seidel.hpp"

namespace tact {
namespace {

constexpr int halvings = 10;
constexpr int memory = 5;        ///< line search: no worse than the worst of so many steps
constexpr int patience = 12;     ///< Newton steps for one proximal problem
constexpr double largest = 1e3;  ///< of α
constexpr double ten = 10;

/// Everything of one proximal problem.
struct Proximal {
  const DelassusProblem& p;
  NewtonMap map;
  NewtonWorkspace& work;
  double alpha;

  /// u + α D (λ - λ_c) of contact i.
  void shifted_velocity(Index i, const VecX& lambda, const VecX& u, double* out) const {
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    for (Index r = 0; r < metric.n; ++r) out[r] = u[at + r];
    for (Index c = 0; c < metric.n; ++c) {
      const double pull = alpha * (lambda[at + c] - work.centre[at + c]);
      for (Index r = 0; r < metric.n; ++r) out[r] += metric.matrix(r, c) * pull;
    }
  }

  /// gap = F(λ), u = G λ + b; returns |F|_D.
  double evaluate(const VecX& lambda, VecX& gap, VecX& u) const {
    multiply(p.G, lambda, u);
    u += p.b;
    gap.resize(lambda.size());
    double v[6];
    double sum = 0;
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index at = p.G.offset[i];
      shifted_velocity(i, lambda, u, v);
      local_equation(map, p.laws[i], p.metric(i), lambda.data() + at, v, gap.data() + at,
                     work.judge.local);
      sum += energy(p.metric(i), gap.data() + at);
    }
    return std::sqrt(sum);
  }

  /// step = -F'(λ)⁻¹ F(λ). Row i of F': (A + α B D) δ_ij + B G_ij.
  bool direction(const VecX& lambda, const VecX& u, VecX& step) const {
    work.lu.clear();
    LocalMatrix A, B, block;
    double v[6], F[6];
    step.resize(lambda.size());
    for (Index i = 0; i < p.contacts(); ++i) {
      const LocalMetric metric = p.metric(i);
      const Index at = p.G.offset[i];
      shifted_velocity(i, lambda, u, v);
      local_equation(map, p.laws[i], metric, lambda.data() + at, v, F, A, B, work.judge.local);
      for (Index r = 0; r < metric.n; ++r) step[at + r] = -F[r];
      Mat3 own = Mat3::Zero(), B3 = Mat3::Zero();
      if (metric.n == 3) {
        B3 = B;
        own = Mat3(A) + alpha * (B3 * Mat3(metric.matrix()));
      }
      for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
        if (metric.n == 3 && p.G.rows_of(p.G.col[e]) == 3) {
          // The common case, in fixed sizes.
          Mat3 product = B3 * Eigen::Map<const Mat3>(p.G.values.data() + p.G.at[e]);
          if (e == p.G.diagonal[i]) product += own;
          work.lu.add(i, e, product);
          continue;
        }
        block.noalias() = B.lazyProduct(p.G.block(i, e));
        if (e == p.G.diagonal[i]) {
          block += A;
          block.noalias() += alpha * B.lazyProduct(metric.matrix());
        }
        work.lu.add(i, e, block);
      }
    }
    if (!work.lu.factor()) return false;
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
  report.solver = newton_options.map == NewtonMap::natural ? SolverName::newton
                                                           : SolverName::fischer_burmeister;
  for (int k = 0; k < newton_options.sweeps; ++k) gauss_seidel_sweep(p, lambda, work.judge.local);
  report.residual.natural = std::numeric_limits<double>::infinity();
  work.best = lambda;
  if (!work.lu.fits(p.G)) work.lu.analyse(p.G);

  Proximal prox{p, newton_options.map, work, newton_options.proximal};
  work.centre = lambda;
  work.history.clear();
  work.history.reserve(patience + 1);
  double size = prox.evaluate(lambda, work.gap, work.u);
  double first = size;
  const double scale = energy_scale(p, lambda);
  if (size <= options.tolerance * scale) report.residual = residual(p, lambda, work.judge);
  int inner = 0;
  for (int step = 1; step <= most && !accepted(report.residual, options.tolerance); ++step) {
    report.iterations = step;
    const bool moved = prox.direction(lambda, work.u, work.step) && line_search(prox, size, lambda);
    ++inner;
    if (moved) work.history.push_back(size);
    const bool failed = !moved || inner > patience;
    const bool solved = !failed && size < 0.1 * std::min(first, tolerance::armijo * scale);
    // The judge is asked when there is something to expect.
    if (moved && (solved || size <= options.tolerance * ten * scale)) {
      const Residual now = residual(p, lambda, work.judge);
      if (now.natural < report.residual.natural) {
        report.residual = now;
        work.best = lambda;
      }
    }
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
  if (!std::isfinite(report.residual.natural)) report.residual = residual(p, lambda, work.judge);
  report.status = accepted(report.residual, options.tolerance) ? SolveStatus::converged
                                                               : SolveStatus::not_converged;
  return report;
}

}  // namespace tact
