// solve/predicted_mode.cpp - pieces solved and judged, until they agree.
#include "tact/solve/predicted_mode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"

namespace tact {

SolveReport predicted_mode(const DelassusProblem& p, const SolveOptions& options,
                           PredictedModeWorkspace& w, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_solves = 4;
  constexpr double worth = 0.75;  // what one that goes on leaves of the error
  const int most = options.max_iterations > 0 ? options.max_iterations : default_solves;
  SolveReport report;
  report.solver = SolverName::newton;
  report.residual.natural = std::numeric_limits<double>::infinity();
  if (!w.lu.fits(p.G)) w.lu.analyse(p.G);
  multiply(p.G, lambda, w.judge.u);
  w.judge.u += p.b;
  const JudgedContacts contacts = judged(p);
  w.best = lambda;
  const double motion = energy_scales(contacts, lambda).motion;
  double least = std::numeric_limits<double>::infinity();
  while (report.iterations < most) {
    const double size = read_pieces(p, lambda, w.judge.u, w.pieces, w.judge.local);
    // A mode that leads away is the wrong one.
    if (!(size < least)) break;
    least = size;
    w.best = lambda;
    make_system(p, w.pieces, options.pull, w.lu);
    if (!w.lu.factor()) break;
    if (options.pull == 0) w.lu.name(w.pieces.words);
    w.step = w.pieces.right;
    w.lu.solve(w.step);
    if (!w.step.allFinite()) break;
    lambda += w.step;
    ++report.iterations;
    multiply(p.G, lambda, w.judge.u);
    w.judge.u += p.b;
    const Residual now = residual(contacts, lambda, w.judge.u, w.judge.local);
    if (accepted(now, options.tolerance)) {
      report.residual = now;
      report.status = SolveStatus::converged;
      return report;
    }
    // The judge has measured it already: his error is |λ - Π|_D over |b|.
    const double error = now.unhidden * motion;
    if (motion > 0 && error < std::sqrt(least)) w.best = lambda;
    if (motion > 0 && !(error < worth * std::sqrt(least))) break;
  }
  lambda = w.best;
  return report;
}

}  // namespace tact
