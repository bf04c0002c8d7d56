// solve/newton.cpp - semismooth Newton with a non-monotone line search, made robust by a proximal
// term.
#include "tact/solve/newton.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/solve/gauss_seidel.hpp"
#include "tact/solve/proximal_newton.hpp"

namespace tact {
namespace {

/// Everything of one proximal problem.
struct Proximal {
  const DelassusProblem& p;
  NewtonMap map;
  NewtonWorkspace& work;
  double alpha;
  bool points;  ///< all have friction in two directions

  Residual judge(const VecX& lambda) const { return residual(p, lambda, work.judge); }

  void shifted_velocity(Index i, const VecX& lambda, double* out) const {
    const Index at = p.G.offset[i];
    detail::pulled_velocity(p.metric(i), alpha, lambda.data() + at, work.loop.centre.data() + at,
                            work.judge.u.data() + at, out);
  }

  /// u = G λ + b.
  void move(const VecX& lambda) const {
    multiply(p.G, lambda, work.judge.u);
    work.judge.u += p.b;
  }

  /// |F|_D.
  double evaluate(const VecX& lambda) const {
    move(lambda);
    double v[6], F[6];
    double sum = 0;
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index at = p.G.offset[i];
      shifted_velocity(i, lambda, v);
      local_equation(map, p.laws[i], p.metric(i), lambda.data() + at, v, F, work.judge.local);
      sum += energy(p.metric(i), F);
    }
    return std::sqrt(sum);
  }

  /// Row i of F' for a point with friction in two directions among its like, in fixed sizes;
  /// |F_i|²_D.
  double add_point(Index i, const VecX& lambda, VecX& step) const {
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    double v[3], F[3];
    Mat3 A, B, product;
    shifted_velocity(i, lambda, v);
    const bool closed = point_equation(p.laws[i], metric, lambda.data() + at, v, F, A, B);
    for (Index r = 0; r < 3; ++r) step[at + r] = -F[r];
    if (!closed) {
      work.lu.add(i, p.G.diagonal[i], Mat3::Identity());
      return energy(metric, F);
    }
    for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
      product.noalias() = B * Eigen::Map<const Mat3>(p.G.values.data() + p.G.at[e]);
      if (e == p.G.diagonal[i]) {
        product += A;
        product.noalias() += alpha * (B * Eigen::Map<const Mat3>(metric.values));
      }
      work.lu.add(i, e, product);
    }
    return energy(metric, F);
  }

  double add_any(Index i, const VecX& lambda, VecX& step) const {
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    LocalMatrix A, B, block;
    double v[6], F[6];
    shifted_velocity(i, lambda, v);
    local_equation(map, p.laws[i], metric, lambda.data() + at, v, F, A, B, work.judge.local);
    for (Index r = 0; r < metric.n; ++r) step[at + r] = -F[r];
    for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
      block.noalias() = B.lazyProduct(p.G.block(i, e));
      if (e == p.G.diagonal[i]) {
        block += A;
        block.noalias() += alpha * B.lazyProduct(metric.matrix());
      }
      work.lu.add(i, e, block);
    }
    return energy(metric, F);
  }

  /// Row i of F': (A + α B D) δ_ij + B G_ij.
  double linearise(const VecX& lambda) const {
    work.lu.clear();
    work.loop.step.resize(lambda.size());
    double sum = 0;
    for (Index i = 0; i < p.contacts(); ++i)
      sum += points && map == NewtonMap::natural ? add_point(i, lambda, work.loop.step)
                                                 : add_any(i, lambda, work.loop.step);
    return std::sqrt(sum);
  }

  /// -F is in place of the step.
  bool direction(VecX& step) const {
    if (!work.lu.factor()) return false;
    work.lu.solve(step);
    return step.allFinite();
  }
};

}  // namespace

SolveReport newton(const DelassusProblem& p, const SolveOptions& options,
                   const NewtonOptions& newton_options, NewtonWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_steps = 300;
  const int most = options.max_iterations > 0 ? options.max_iterations : default_steps;
  const SolverName solver = newton_options.map == NewtonMap::natural
                                ? SolverName::newton
                                : SolverName::fischer_burmeister;
  if (newton_options.sweeps > 0 && !lambda.isZero(0)) {
    // A start that is a solution is kept: sweeps would only move it.
    SolveReport kept;
    kept.solver = solver;
    kept.residual = residual(p, lambda, work.judge);
    kept.status = SolveStatus::converged;
    if (accepted(kept.residual, options.tolerance)) return kept;
  }
  for (int k = 0; k < newton_options.sweeps; ++k) gauss_seidel_sweep(p, lambda, work.judge.local);
  if (!work.lu.fits(p.G)) work.lu.analyse(p.G);
  const bool points = std::all_of(p.laws.begin(), p.laws.end(), [](const LocalLaw& law) {
    return law.kind == LawKind::disc || law.kind == LawKind::polygon;
  });
  Proximal system{p, newton_options.map, work, newton_options.proximal, points};
  SolveReport report =
      proximal_newton(system, options, most, energy_scale(p, lambda), work.loop, lambda);
  report.solver = solver;
  return report;
}

}  // namespace tact
