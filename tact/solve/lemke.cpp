// solve/lemke.cpp - write the LCP, pivot, ask the judge.
#include "tact/solve/lemke.hpp"

#include "tact/base/expects.hpp"
#include "tact/solve/jam.hpp"

namespace tact {

SolveReport lemke(const DelassusProblem& p, const SolveOptions& options, LemkeWorkspace& work,
                  VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  SolveReport report;
  report.solver = SolverName::lemke;
  if (!write_lcp(p, work.lcp)) {
    report.status = SolveStatus::unsupported;
    report.residual = residual(p, lambda, work.judge);
    return report;
  }
  const PivotOptions pivot_options{options.max_iterations};
  const PivotReport pivots = solve_lcp(work.lcp.M, work.lcp.q, pivot_options, work.pivots, work.z);
  report.iterations = pivots.pivots;
  if (pivots.end == PivotEnd::solution) impulses(p, work.lcp, work.z, lambda);
  report.residual = residual(p, lambda, work.judge);
  if (accepted(report.residual, options.tolerance)) {
    report.status = SolveStatus::converged;
  } else if (pivots.end == PivotEnd::ray && jam_ray(p)) {
    report.status = SolveStatus::infeasible;
  }
  return report;
}

}  // namespace tact
