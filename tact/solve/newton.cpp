// solve/newton.cpp - semismooth Newton with a non-monotone line search, made robust by a proximal
// term.
#include "tact/solve/newton.hpp"

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

  Residual judge(const VecX& lambda) const { return residual(p, lambda, work.judge); }

  void shifted_velocity(Index i, const VecX& lambda, double* out) const {
    const Index at = p.G.offset[i];
    detail::pulled_velocity(p.metric(i), alpha, lambda.data() + at, work.loop.centre.data() + at,
                            work.judge.u.data() + at, out);
  }

  /// u = G λ + b is kept; returns |F|_D.
  double evaluate(const VecX& lambda) const {
    VecX& u = work.judge.u;
    multiply(p.G, lambda, u);
    u += p.b;
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

  /// step = -F'(λ)⁻¹ F(λ). Row i of F': (A + α B D) δ_ij + B G_ij.
  bool direction(const VecX& lambda, VecX& step) const {
    work.lu.clear();
    LocalMatrix A, B, block;
    double v[6], F[6];
    step.resize(lambda.size());
    for (Index i = 0; i < p.contacts(); ++i) {
      const LocalMetric metric = p.metric(i);
      const Index at = p.G.offset[i];
      shifted_velocity(i, lambda, v);
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

}  // namespace

SolveReport newton(const DelassusProblem& p, const SolveOptions& options,
                   const NewtonOptions& newton_options, NewtonWorkspace& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_steps = 300;
  const int most = options.max_iterations > 0 ? options.max_iterations : default_steps;
  for (int k = 0; k < newton_options.sweeps; ++k) gauss_seidel_sweep(p, lambda, work.judge.local);
  if (!work.lu.fits(p.G)) work.lu.analyse(p.G);
  Proximal system{p, newton_options.map, work, newton_options.proximal};
  SolveReport report =
      proximal_newton(system, options, most, energy_scale(p, lambda), work.loop, lambda);
  report.solver = newton_options.map == NewtonMap::natural ? SolverName::newton
                                                           : SolverName::fischer_burmeister;
  return report;
}

}  // namespace tact
