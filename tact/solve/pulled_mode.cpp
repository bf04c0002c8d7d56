// solve/pulled_mode.cpp - Newton's method, held back where it leaps.
#include "tact/solve/pulled_mode.hpp"

#include <algorithm>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/contact/residual.hpp"
#include "tact/contact/six_rows.hpp"

namespace tact {
namespace {

struct Search {
  const DelassusProblem& p;
  const double pull;
  ModeSystem& system;
  PulledModeWorkspace& w;
  VecX& lambda;
  double error = 0;  ///< |λ - Π|²_D
  double held = 0;   ///< how much stronger the pull of the next system is

  /// work.pulled = u + pull D (λ - λ₀).
  void add_pull() {
    w.pulled = w.u;
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index at = p.G.offset[i];
      const LocalMetric metric = p.metric(i);
      for (Index c = 0; c < metric.n; ++c) {
        const double by = pull * (lambda[at + c] - w.centre[at + c]);
        if (by == 0) continue;
        for (Index r = 0; r < metric.n; ++r) w.pulled[at + r] += metric.matrix(r, c) * by;
      }
    }
  }

  double make_system(double most = std::numeric_limits<double>::infinity()) {
    return linearise(p, lambda, w.pulled, pull + held, system, w.local, most);
  }

  /// |λ - Π|²_D without a system, or more than the error of before.
  double missed() {
    double sum = 0;
    double y[6], image[6];
    for (Index i = 0; i < p.contacts(); ++i) {
      const LocalMetric metric = p.metric(i);
      const Index at = p.G.offset[i];
      argument_of(metric, lambda.data() + at, w.pulled.data() + at, y);
      project(p.laws[i], metric, y, image, w.local, lambda.data() + at);
      for (Index r = 0; r < metric.n; ++r) image[r] -= lambda[at + r];
      sum += energy_of(metric, image);
      if (sum > error) break;
    }
    return sum;
  }

  void begin() {
    w.centre = lambda;
    multiply(p.G, lambda, w.u);
    w.u += p.b;
    w.pulled = w.u;
    error = make_system();
  }

  void go(double share) {
    lambda = w.from + share * w.direction;
    w.u = w.from_u + share * w.rate;
    add_pull();
  }

  /// The first of 1, ½ and ¼ of a step that brings the error down, and the next system. Most steps
  /// are whole ones: there the system is made at once.
  [[nodiscard]] bool descend() {
    w.from = lambda;
    w.from_u = w.u;
    multiply(p.G, w.direction, w.rate);
    go(1);
    const double whole = make_system(error);
    if (whole < error) {
      error = whole;
      return true;
    }
    for (const double share : {0.5, 0.25}) {
      go(share);
      const double part = missed();
      if (!(part < error)) continue;
      error = make_system();
      return true;
    }
    go(0);
    return false;
  }

  /// One system. False where it has no answer.
  [[nodiscard]] bool move() {
    constexpr double tenfold = 10;
    if (!system.lu.factor()) return false;
    w.direction.swap(system.step);
    system.lu.solve(w.direction);
    if (!w.direction.allFinite()) return false;
    const double before = held;
    held = held > pull ? held / tenfold : 0;
    if (descend()) return true;
    held = tenfold * std::max(before, pull);
    (void)make_system();
    return true;
  }
};

}  // namespace

PulledMode pulled_mode(const DelassusProblem& p, const SolveOptions& options, ModeSystem& system,
                       PulledModeWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows() && options.pull > 0);
  // Many systems of a large problem would cost more than they bring: the next step goes on.
  constexpr Index fewest = 8, many = 24, visits = 8000;
  const auto affordable = std::clamp(visits / std::max(p.contacts(), Index{1}), fewest, many);
  const int most = options.max_iterations > 0 ? options.max_iterations : static_cast<int>(affordable);
  const double enough = options.tolerance * energy_scale(p, lambda);
  if (!system.lu.fits(p.G)) system.lu.analyse(p.G);
  Search search{p, options.pull, system, work, lambda};
  search.begin();
  PulledMode out;
  while (!(search.error <= enough * enough)) {
    if (out.systems == most || !search.move()) return out;
    ++out.systems;
  }
  out.settled = true;
  return out;
}

}  // namespace tact
