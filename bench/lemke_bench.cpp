// bench/lemke_bench.cpp - pivoting against size: towers of boxes on four corners, box friction.
//
// Every level adds four redundant contacts (12 rows, 24 unknowns of the LCP) and is pushed a
// little. Beside the time stand the pivots or systems and the judge's residual: the methods are
// compared at what they deliver, not at what they are asked for.
#include <vector>

#include <benchmark/benchmark.h>

#include "tact/solve/augmented_newton.hpp"
#include "tact/solve/box_direct.hpp"
#include "tact/solve/lemke.hpp"

namespace {

using namespace tact;

/// Unit cubes of mass 1 on each other, under their weight for 10 ms, the top one pushed sideways.
DelassusProblem tower(Index levels) {
  const Index dof = 6 * levels;
  MatX J = MatX::Zero(12 * levels, dof);
  MatX inverse_mass = MatX::Identity(dof, dof);
  std::vector<LocalLaw> laws;
  std::vector<Index> offset{0};
  const Vec2 corners[] = {{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}};
  for (Index k = 0; k < levels; ++k) {
    for (Index a = 3; a < 6; ++a) inverse_mass(6 * k + a, 6 * k + a) = 6;
    for (Index c = 0; c < 4; ++c) {
      const auto place = [&](Index body, double z, double sign) {
        const Vec3 r(corners[c][0], corners[c][1], z);
        for (Index a = 0; a < 3; ++a) {
          const Index row = 12 * k + 3 * c + a;
          J(row, 6 * body + a) += sign;
          J(row, 6 * body + 3 + (a + 1) % 3) += sign * r[(a + 2) % 3];
          J(row, 6 * body + 3 + (a + 2) % 3) -= sign * r[(a + 1) % 3];
        }
      };
      place(k, -0.5, 1);
      if (k > 0) place(k - 1, 0.5, -1);
      laws.push_back(local_law(BoxLaw{0.5}));
      offset.push_back(offset.back() + 3);
    }
  }
  VecX v = VecX::Zero(dof);
  for (Index k = 0; k < levels; ++k) v[6 * k + 2] = -0.0981;
  v[dof - 6] = 0.02;
  const MatX G = J * inverse_mass * J.transpose();
  return delassus_problem(laws, block_matrix(sparse(G), offset), J * v);
}

template <class Solve>
void run(benchmark::State& state, const Solve& solve) {
  const DelassusProblem p = tower(state.range(0));
  SolveReport report;
  for (auto _ : state) {
    VecX lambda = VecX::Zero(p.rows());
    report = solve(p, lambda);
    benchmark::DoNotOptimize(lambda.data());
  }
  state.counters["contacts"] = static_cast<double>(p.contacts());
  state.counters["iterations"] = report.iterations;
  state.counters["residual"] = report.residual.natural;
}

void lemke_tower(benchmark::State& state) {
  LemkeWorkspace work;
  run(state, [&](const DelassusProblem& p, VecX& l) { return lemke(p, {}, work, l); });
}
void box_tower(benchmark::State& state) {
  BoxWorkspace work;
  run(state, [&](const DelassusProblem& p, VecX& l) { return box_direct(p, {}, work, l); });
}
void newton_tower(benchmark::State& state) {
  AugmentedNewtonWorkspace work;
  run(state,
      [&](const DelassusProblem& p, VecX& l) { return augmented_newton(p, {}, {}, work, l); });
}

BENCHMARK(lemke_tower)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(box_tower)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(newton_tower)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);

}  // namespace
