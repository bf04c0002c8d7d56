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
  int most = 0;           ///< systems
  int farthest_leap = 0;  ///< systems of one
  double error = 0;       ///< |λ - Π|²_D
  double held = 0;        ///< how much stronger the pull of the next system is
  int systems = 0;        ///< so far

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

  void note_start() {
    w.from = lambda;
    w.from_u = w.u;
    multiply(p.G, w.direction, w.rate);
  }

  /// The first of 1, ½ and ¼ of a step that brings the error down.
  [[nodiscard]] bool descend() {
    note_start();
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

  /// The direction of one system with this pull. False where it has none.
  [[nodiscard]] bool aim(double strength) {
    ++systems;
    make_system(p, w.pieces, strength, lu);
    if (!lu.factor()) return false;
    w.direction = w.pieces.right;
    lu.solve(w.direction);
    return w.direction.allFinite();
  }

  /// The whole step and a few more, whatever the error does on the way: true where it ends below
  /// what it was.
  [[nodiscard]] bool leap() {
    if (farthest_leap == 0) return false;
    w.leapt_from = lambda;
    w.leapt_from_u = w.u;
    std::swap(w.pieces, w.leapt_from_pieces);
    for (int k = 0; k < farthest_leap; ++k) {
      if (k > 0) {
        if (systems >= most || !aim(pull)) break;
        note_start();
      }
      go(1);
      const double now = read_pieces(p, lambda, w.pulled, w.pieces, w.local);
      if (!(now < error)) continue;
      error = now;
      return true;
    }
    lambda = w.leapt_from;
    w.u = w.leapt_from_u;
    std::swap(w.pieces, w.leapt_from_pieces);
    return false;
  }

  /// One system, or those of a leap. False where it has no answer.
  [[nodiscard]] bool move() {
    constexpr double tenfold = 10;
    if (!aim(pull + held)) return false;
    if (descend() || leap())
      held = held > pull ? held / tenfold : 0;
    else
      held = tenfold * std::max(held, pull);
    return true;
  }
};

}  // namespace

PulledMode pulled_mode(const DelassusProblem& p, const SolveOptions& options, BlockLu& lu,
                       PulledModeWorkspace& work, VecX& lambda, int farthest_leap) {
  TACT_EXPECTS(lambda.size() == p.rows() && options.pull > 0);
  // Many systems of a large problem would cost more than they bring: the next step goes on.
  constexpr Index fewest = 8, many = 24, visits = 8000;
  const auto affordable = std::clamp(visits / std::max(p.contacts(), Index{1}), fewest, many);
  const double enough = options.tolerance * energy_scale(p, lambda);
  if (!lu.fits(p.G)) lu.analyse(p.G);
  Search search{p, options.pull, lu, work, lambda};
  search.most = options.max_iterations > 0 ? options.max_iterations : static_cast<int>(affordable);
  search.farthest_leap = farthest_leap;
  search.begin();
  const auto settled = [&] { return search.error <= enough * enough; };
  while (!settled() && search.systems < search.most && search.move()) continue;
  return {search.systems, settled()};
}

SolveReport proximal_modes(const DelassusProblem& p, const SolveOptions& options, BlockLu& lu,
                           PulledModeWorkspace& work, JudgeWorkspace& judge, VecX& lambda) {
  constexpr int most = 8, farthest_leap = 8;
  constexpr double tenth = 0.1;
  constexpr int with_leaps = 36;  // systems
  SolveOptions one = options;
  if (one.max_iterations == 0) one.max_iterations = with_leaps;
  SolveReport report;
  report.solver = SolverName::newton;
  report.residual = residual(p, lambda, judge);
  work.best = lambda;
  bool stuck = false;
  for (int k = 0; k < most && !accepted(report.residual, options.tolerance); ++k) {
    const PulledMode mode = pulled_mode(p, one, lu, work, lambda, farthest_leap);
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
