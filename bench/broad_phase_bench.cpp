// bench/broad_phase_bench.cpp - pairs of overlapping boxes: the growth of the time with their
// number, beside sort-and-sweep along one axis.
//
// Scenes: `pile`, unit boxes at random in a room of five cubic metres a box; `mixed`, the same with
// sizes over six decades and a floor below all.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <benchmark/benchmark.h>

#include "tact/base/rng.hpp"
#include "tact/geom/broad_phase.hpp"

namespace {

using namespace tact;

std::vector<Bounds> pile(std::int64_t count) {
  Rng rng(1);
  const double room = std::cbrt(5.0 * static_cast<double>(count));
  std::vector<Bounds> boxes;
  for (std::int64_t i = 0; i < count; ++i) {
    const Vec3 at = room * Vec3(rng.uniform(), rng.uniform(), rng.uniform());
    const Vec3 half(rng.uniform(0.4, 0.7), rng.uniform(0.4, 0.7), rng.uniform(0.4, 0.7));
    boxes.push_back({at - half, at + half});
  }
  return boxes;
}

std::vector<Bounds> mixed(std::int64_t count) {
  Rng rng(2);
  std::vector<Bounds> boxes = pile(count);
  for (Bounds& box : boxes) {
    const double share = rng.log_uniform(1e-6, 1);
    box.upper = box.lower + share * (box.upper - box.lower);
  }
  const double room = std::cbrt(5.0 * static_cast<double>(count));
  boxes[0] = {Vec3(0, 0, -1), Vec3(room, room, 0)};
  return boxes;
}

void grid(benchmark::State& state, std::vector<Bounds> (*make)(std::int64_t)) {
  const auto boxes = make(state.range(0));
  BroadPhaseWorkspace workspace;
  std::vector<IndexPair> pairs;
  for (auto _ : state) overlapping_pairs(boxes, workspace, pairs);
  state.counters["pairs"] = static_cast<double>(pairs.size());
  state.SetComplexityN(state.range(0));
}

/// Boxes at rest, as of a pile: all but the first call look at the pairs that are kept.
void at_rest(benchmark::State& state) {
  const auto boxes = pile(state.range(0));
  KeptPairs kept;
  std::vector<IndexPair> pairs;
  for (auto _ : state) overlapping_pairs(boxes, kept, pairs, [](int, int) { return true; });
  state.counters["pairs"] = static_cast<double>(pairs.size());
}

/// Sorted along x; each box is compared with those that begin before it ends.
void sweep(benchmark::State& state, std::vector<Bounds> (*make)(std::int64_t)) {
  const auto boxes = make(state.range(0));
  std::vector<int> order(boxes.size());
  std::vector<IndexPair> pairs;
  for (auto _ : state) {
    pairs.clear();
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return boxes[a].lower[0] < boxes[b].lower[0]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Bounds& one = boxes[order[i]];
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (boxes[order[j]].lower[0] > one.upper[0]) break;
        if (!overlap(one, boxes[order[j]])) continue;
        pairs.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
      }
    }
    std::sort(pairs.begin(), pairs.end());
  }
  state.counters["pairs"] = static_cast<double>(pairs.size());
  state.SetComplexityN(state.range(0));
}

BENCHMARK_CAPTURE(grid, pile, pile)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Arg(3000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity(benchmark::oN);
BENCHMARK(at_rest)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep, pile, pile)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Arg(3000)
    ->Arg(10000)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity();
BENCHMARK_CAPTURE(grid, mixed, mixed)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sweep, mixed, mixed)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

}  // namespace
