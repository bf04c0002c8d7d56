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

/// The least mean of batches of calls: one call of the smallest takes no longer than some readings
/// of the clock.
template <class Call>
double seconds(int calls, const Call& call) {
  constexpr int batches = 200;
  constexpr double enough = 2;  // seconds
  double best = enough, spent = 0;
  for (int k = 0; k < batches && spent < enough; ++k) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / calls);
    spent += took.count();
  }
  return best;
}

void book(benchmark::State& state, const Case& c) {
  LedgerWorkspace work;
  StepLedger ledger;
  const StepClaim claim{c.free, c.after, c.lambda, std::nullopt};
  const auto keep = [&] {
    step_ledger(c.problem, c.reduced.laws, claim, work, ledger);
    benchmark::DoNotOptimize(ledger.W_contact);
  };
  for (auto _ : state) keep();
  SolveWorkspace solving;
  VecX lambda(c.reduced.rows());
  const auto contacts = static_cast<int>(c.problem.contacts.size());
  const int calls = std::max(1, 100 / contacts);
  const double ledger_seconds = seconds(calls, keep);
  const double solve_seconds = seconds(calls, [&] {
    lambda.setZero();
    solve(c.reduced, {}, solving, lambda);
  });
  const double step_seconds = seconds(calls, [&] {
    lambda.setZero();
    solve(*reduce(c.problem), {}, solving, lambda);
  });
  state.counters["contacts"] = contacts;
  state.counters["best"] = ledger_seconds;
  state.counters["share"] = ledger_seconds / solve_seconds;
  state.counters["of_step"] = ledger_seconds / step_seconds;
  state.counters["closure"] = ledger.closure.relative();
}

void ledger_of_column(benchmark::State& state) {
  book(state, make(bench::column(static_cast<int>(state.range(0)), 1, CoulombLaw{0.5}, 1)));
}
void ledger_of_pile(benchmark::State& state) {
  book(state, make(bench::pile(state.range(0), 0.5, 1)));
}
BENCHMARK(ledger_of_pile)->Arg(10)->Arg(50)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(ledger_of_column)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(50)
    ->Arg(100)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
