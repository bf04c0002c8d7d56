// bench/ledger_bench.cpp - what the books cost beside the solve they are kept of.
//
// Columns and piles of spheres, as in the benchmarks of the solvers: the same problem is
// solved from zero by solve(), and then booked. `share` is the ledger's time over the solve's,
// `of_step` over that of reduce() and solve(), all measured in the same run; the judge, which every
// solve calls at least once, is in the solve.
#include <algorithm>
#include <chrono>
#include <utility>

#include <benchmark/benchmark.h>

#include "support/scenes.hpp"
#include "tact/impact/ledger.hpp"
#include "tact/solve/solve.hpp"

namespace {

using namespace tact;

struct Case {
  ContactProblem problem;
  DelassusProblem reduced;
  VecX free, after, lambda;
};

Case make(ContactProblem problem) {
  Case out;
  out.problem = std::move(problem);
  out.reduced = *reduce(out.problem);
  out.lambda = VecX::Zero(out.reduced.rows());
  SolveWorkspace work;
  solve(out.reduced, {}, work, out.lambda);
  out.free = velocity_after(out.problem, VecX::Zero(out.reduced.rows()));
  out.after = velocity_after(out.problem, out.lambda);
  return out;
}

/// Of one solve; with `whole`, of the reduction to G and b before it as well.
double solve_seconds(const Case& c, bool whole) {
  SolveWorkspace work;
  VecX lambda = VecX::Zero(c.reduced.rows());
  double best = 1;
  for (int k = 0; k < 20; ++k) {
    lambda.setZero();
    const auto start = std::chrono::steady_clock::now();
    if (whole)
      solve(*reduce(c.problem), {}, work, lambda);
    else
      solve(c.reduced, {}, work, lambda);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

void book(benchmark::State& state, const Case& c) {
  LedgerWorkspace work;
  StepLedger ledger;
  const StepClaim claim{c.free, c.after, c.lambda, std::nullopt};
  double best = 1;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    step_ledger(c.problem, c.reduced.laws, claim, work, ledger);
    benchmark::DoNotOptimize(ledger.W_contact);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  state.counters["contacts"] = static_cast<double>(c.problem.contacts.size());
  state.counters["share"] = best / solve_seconds(c, false);
  state.counters["of_step"] = best / solve_seconds(c, true);
  state.counters["closure"] = ledger.closure.relative();
}

void ledger_of_column(benchmark::State& state) {
  book(state, make(bench::column(static_cast<int>(state.range(0)), 1, CoulombLaw{0.5}, 1)));
}
void ledger_of_pile(benchmark::State& state) {
  book(state, make(bench::pile(state.range(0), 0.5, 1)));
}
BENCHMARK(ledger_of_pile)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(ledger_of_column)->Arg(2)->Arg(5)->Arg(20)->Arg(100)->Unit(benchmark::kMicrosecond);

}  // namespace
