// What inverse dynamics costs: a walker of 12 actuators on four point feet, a humanoid of 29 on two
// patches, and how it grows with the feet.
#include <benchmark/benchmark.h>

#include "tests/support/actuated.hpp"

namespace tact {
namespace {

void run(benchmark::State& state, Index joints, const std::vector<Law>& laws) {
  Rng rng(1);
  testing::Actuated a = testing::standing_robot(rng, joints, laws);
  a.wish.velocity = testing::forward(a, testing::random_dense(rng, joints, 1));
  if (a.wish.velocity.size() == 0) return state.SkipWithError("no motion");
  for (auto _ : state) {
    const auto report = inverse_dynamics(a.problem, a.wish);
    if (!report || report->status != InverseStatus::solved)
      return state.SkipWithError("not solved");
    benchmark::DoNotOptimize(report->tau.data());
    state.counters["programs"] = report->patterns;
  }
}

void walker(benchmark::State& state) {
  run(state, 12, std::vector<Law>(4, CoulombLaw{0.7}));
}
void humanoid(benchmark::State& state) {
  run(state, 29, std::vector<Law>(2, FrictionalPatch{testing::rectangle(0.1, 0.05), 0.7}));
}
void feet(benchmark::State& state) {
  run(state, 12, std::vector<Law>(static_cast<std::size_t>(state.range(0)), CoulombLaw{0.7}));
}
BENCHMARK(walker)->Unit(benchmark::kMillisecond);
BENCHMARK(humanoid)->Unit(benchmark::kMillisecond);
BENCHMARK(feet)->RangeMultiplier(2)->Range(1, 16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tact
