// solve/proximal_newton.hpp - the loop shared by Newton's method on G and on M: a non-monotone line
// search inside a proximal-point iteration.
//
// A System is one proximal problem, F(λ) = 0 with the pull α D (λ - centre) added to the velocity:
//     void   move(λ)              remembers the velocities that belong to λ
//     double evaluate(λ)          moves; |F(λ)|_D
//     double linearise(λ)         |F(λ)|_D and F'(λ), at the λ last moved to
//     bool   direction(step)      step = -F'(λ)⁻¹ F(λ), as linearised
//     Residual judge(λ)           of the problem itself
//     double& alpha, VecX& centre
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tact/solve/solver.hpp"

namespace tact {

struct ProximalWorkspace {
  VecX centre, trial, step, best;
  std::vector<double> history;
};

namespace detail {

/// u + α D (λ - centre) of one contact: the velocity the proximal problem's law sees.
inline void pulled_velocity(const LocalMetric& metric, double alpha, const double* lambda,
                            const double* centre, const double* u, double* out) {
  const double* D = metric.values;
  if (metric.n == 3) {
    const double x[3] = {alpha * (lambda[0] - centre[0]), alpha * (lambda[1] - centre[1]),
                         alpha * (lambda[2] - centre[2])};
    for (Index r = 0; r < 3; ++r) out[r] = u[r] + (D[r] * x[0] + D[3 + r] * x[1] + D[6 + r] * x[2]);
    return;
  }
  for (Index r = 0; r < metric.n; ++r) out[r] = u[r];
  for (Index c = 0; c < metric.n; ++c) {
    const double pull = alpha * (lambda[c] - centre[c]);
    for (Index r = 0; r < metric.n; ++r) out[r] += metric.matrix(r, c) * pull;
  }
}

inline constexpr int newton_patience = 12;  ///< Newton steps for one proximal problem
inline constexpr int newton_memory = 5;  ///< line search: no worse than the worst of so many steps

/// λ + t step with the first t = 1, 1/2, ... that is no worse than the recent past.
template <class System>
bool line_search(System& system, ProximalWorkspace& work, double& size, VecX& lambda) {
  double reference = size;
  const std::size_t count = work.history.size();
  for (std::size_t k = count > newton_memory ? count - newton_memory : 0; k < count; ++k)
    reference = std::max(reference, work.history[k]);
  constexpr int halvings = 10;
  double t = 1;
  for (int h = 0; h < halvings; ++h, t *= 0.5) {
    work.trial = lambda + t * work.step;
    const double trial = system.evaluate(work.trial);
    if (trial < (1 - tolerance::armijo * t) * reference) {
      lambda.swap(work.trial);
      size = trial;
      return true;
    }
  }
  return false;
}

/// α after a proximal problem: smaller when it was easy, larger when it was not solved.
inline double next_alpha(double alpha, bool failed, int steps) {
  constexpr double largest = 1e3, ten = 10, three = 3;
  constexpr int easy = 4, fair = 8;
  if (failed) return std::min(largest, alpha * ten);
  if (steps <= easy) return std::max(tolerance::weakest_pull, alpha / ten);
  return steps <= fair ? std::max(tolerance::weakest_pull, alpha / three) : alpha;
}

/// The state of the loop below.
template <class System>
struct ProximalLoop {
  System& system;
  const SolveOptions& options;
  double scale = 0;
  ProximalWorkspace& work;
  VecX& lambda;
  SolveReport report;
  double size = 0;   ///< |F| at λ
  double first = 0;  ///< |F| where this proximal problem began
  double least = std::numeric_limits<double>::infinity();  ///< |F| of the best centre
  int inner = 0;                                           ///< steps of this proximal problem

  [[nodiscard]] bool done() const { return accepted(report.residual, options.tolerance); }
  [[nodiscard]] bool judged() const { return std::isfinite(report.residual.natural); }

  void judge(const VecX& at) {
    const Residual now = system.judge(at);
    if (!(now.figure() < report.residual.figure())) return;
    report.residual = now;
    work.best = at;
  }

  /// Until the judge was asked, the best centre is the one with the smallest F, which is the
  /// judge's error there, the pull being none.
  void linearise() {
    const double here = system.linearise(lambda);
    if (inner > 0) return;
    size = first = here;
    if (report.iterations == 0 && size <= options.tolerance * scale) judge(lambda);
    if (size < least && !judged()) work.best = lambda;
    least = std::min(least, size);
  }

  /// One step. Where it squares the error, the judge comes first: nothing else may be needed.
  bool move() {
    if (!system.direction(work.step)) return false;
    if (size * size <= options.tolerance * scale * scale) {
      work.trial = lambda + work.step;
      const Residual now = system.judge(work.trial);
      if (accepted(now, options.tolerance)) {
        report.residual = now;
        work.best = work.trial;
        return false;
      }
    }
    return line_search(system, work, size, lambda);
  }

  /// After a step: the judge when there is something to expect, and the next proximal problem.
  void follow(bool moved) {
    constexpr double hope = 10, at_centre = 300;  // the scale may have grown since
    ++inner;
    if (moved) work.history.push_back(size);
    const bool failed = !moved || inner > newton_patience;
    const bool solved = !failed && size < 0.1 * std::min(first, tolerance::armijo * scale);
    const double near = (solved ? at_centre : hope) * options.tolerance * scale;
    if (moved && (size <= near || (solved && judged()))) judge(lambda);
    if (!failed && !solved) return;
    system.alpha = next_alpha(system.alpha, failed, inner);
    if (failed) {
      lambda = work.centre;
      system.move(lambda);
    } else {
      work.centre = lambda;
    }
    work.history.clear();
    inner = 0;
  }
};

}  // namespace detail

/// At most `most` linear systems; `scale` is the energy scale of the problem.
template <class System>
SolveReport proximal_newton(System& system, const SolveOptions& options, int most, double scale,
                            ProximalWorkspace& work, VecX& lambda) {
  detail::ProximalLoop<System> loop{system, options, scale, work, lambda, {}};
  SolveReport& report = loop.report;
  report.residual.natural = std::numeric_limits<double>::infinity();
  work.best = work.centre = lambda;
  work.history.clear();
  work.history.reserve(detail::newton_patience + 1);
  system.move(lambda);
  while (report.iterations < most) {
    loop.linearise();
    if (loop.done()) break;
    ++report.iterations;
    const bool moved = loop.move();
    if (loop.done()) break;
    loop.follow(moved);
    if (loop.done()) break;
  }
  lambda = work.best;
  if (!loop.judged()) report.residual = system.judge(lambda);
  report.status = loop.done() ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

}  // namespace tact
