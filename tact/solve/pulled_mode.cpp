// solve/pulled_mode.cpp - Newton's method, held back where it leaps.
#include "tact/solve/pulled_mode.hpp"

#include <algorithm>
#include <utility>

#include "tact/base/expects.hpp"
#include "tact/contact/residual.hpp"
#include "tact/solve/proximal_newton.hpp"

namespace tact {
namespace {

struct Search {
  const DelassusProblem& p;
  double pull = 0;
  BlockLu& lu;
  PulledModeWorkspace& w;
  VecX& lambda;
  double error = 0;  ///< |λ - Π|²_D
  double held = 0;   ///< how much stronger the pull of the next system is

  void begin() {
    w.centre = lambda;
    multiply(p.G, lambda, w.u);
    w.u += p.b;
    w.pulled = w.u;
    error = read_pieces(p, lambda, w.pulled, w.pieces, w.local);
  }

  /// λ and u that far along the step, and u with the pull D (λ - λ₀).
  void go(double share) {
    lambda = w.from + share * w.direction;
    w.u = w.from_u + share * w.rate;
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index at = p.G.offset[i];
      detail::pulled_velocity(p.metric(i), pull, lambda.data() + at, w.centre.data() + at,
                              w.u.data() + at, w.pulled.data() + at);
    }
  }

  /// The first of 1, ½ and ¼ of a step that brings the error down.
  [[nodiscard]] bool descend() {
    w.from = lambda;
    w.from_u = w.u;
    multiply(p.G, w.direction, w.rate);
    for (const double share : {1.0, 0.5, 0.25}) {
      go(share);
      const double now = read_pieces(p, lambda, w.pulled, w.trial, w.local, error);
      if (!(now < error)) continue;
      error = now;
      std::swap(w.pieces, w.trial);
      return true;
    }
    lambda = w.from;
    w.u = w.from_u;
    return false;
  }

  /// One system. False where it has no answer.
  [[nodiscard]] bool move() {
    constexpr double tenfold = 10;
    make_system(p, w.pieces, pull + held, lu);
    if (!lu.factor()) return false;
    w.direction = w.pieces.right;
    lu.solve(w.direction);
    if (!w.direction.allFinite()) return false;
    if (descend())
      held = held > pull ? held / tenfold : 0;
    else
      held = tenfold * std::max(held, pull);
    return true;
  }
};

}  // namespace

PulledMode pulled_mode(const DelassusProblem& p, const SolveOptions& options, BlockLu& lu,
                       PulledModeWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows() && options.pull > 0);
  // Many systems of a large problem would cost more than they bring: the next step goes on.
  constexpr Index fewest = 8, many = 24, visits = 8000;
  const auto affordable = std::clamp(visits / std::max(p.contacts(), Index{1}), fewest, many);
  const int most =
      options.max_iterations > 0 ? options.max_iterations : static_cast<int>(affordable);
  const double enough = options.tolerance * energy_scale(p, lambda);
  if (!lu.fits(p.G)) lu.analyse(p.G);
  Search search{p, options.pull, lu, work, lambda};
  search.begin();
  PulledMode out;
  while (!(search.error <= enough * enough)) {
    if (out.systems == most || !search.move()) return out;
    ++out.systems;
  }
  out.settled = true;
  return out;
}

SolveReport proximal_modes(const DelassusProblem& p, const SolveOptions& options, BlockLu& lu,
                           PulledModeWorkspace& work, JudgeWorkspace& judge, VecX& lambda) {
  constexpr int most = 8;
  constexpr double tenth = 0.1;
  SolveOptions one = options;
  SolveReport report;
  report.solver = SolverName::newton;
  report.residual = residual(p, lambda, judge);
  work.best = lambda;
  bool stuck = false;
  for (int k = 0; k < most && !accepted(report.residual, options.tolerance); ++k) {
    const PulledMode mode = pulled_mode(p, one, lu, work, lambda);
    report.iterations += mode.systems;
    const Residual now = residual(p, lambda, judge);
    if (accepted(now, options.tolerance) || now.figure() < report.residual.figure()) {
      report.residual = now;
      work.best = lambda;
    }
    // A stronger pull does not help either, or nothing is left to do that the judge would like.
    if ((stuck && !mode.settled) || (mode.settled && mode.systems == 0)) break;
    stuck = !mode.settled;
    one.pull *= mode.settled ? tenth : 1 / tenth;
  }
  lambda = work.best;
  if (accepted(report.residual, options.tolerance)) report.status = SolveStatus::converged;
  return report;
}

}  // namespace tact
