// bench/soft_pair_bench.cpp - what one evaluation of a compliant contact costs.
#include <benchmark/benchmark.h>

#include "tact/soft/hertz.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/soft_pair.hpp"

namespace {

using namespace tact;

/// Curvatures that change a little from call to call: nothing is found twice.
SoftPlace next_place(SoftPlace place, int i) {
  place.A_rel(0, 0) = 20 + 0.001 * (i % 10000);
  return place;
}

SoftPlace start() {
  SoftPlace place;
  place.gap = -1e-3;
  place.A_rel << 20, 5, 5, 50;
  return place;
}

void hertz_shape_of_ellipses(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(hertz_shape(20 + 0.001 * (++i % 10000), 80));
}
BENCHMARK(hertz_shape_of_ellipses);

void respond_hertz_mindlin(benchmark::State& state) {
  const SoftPair pair = *elastic_pair(Material{4e5, 0.48, 1}, Material{5e7, 0.3, 0}, 0.8);
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(respond(pair, next_place(start(), ++i)));
}
BENCHMARK(respond_hertz_mindlin);

void respond_linear_pads(benchmark::State& state) {
  SoftPair pair;
  pair.normal = LinearNormal{};
  pair.tangent = PadTangent{SoftPad{}, SoftPad{}};
  pair.friction.torsion_arm_m = 1e-3;
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(respond(pair, next_place(start(), ++i)));
}
BENCHMARK(respond_linear_pads);

void slip_of_one_step(benchmark::State& state) {
  const SoftPair pair = *elastic_pair(Material{4e5, 0.48, 1}, Material{5e7, 0.3, 0}, 0.8);
  const SoftResponse r = respond(pair, start());
  int i = 0;
  for (auto _ : state) {
    const Vec3 s(0.001 * (++i % 1000), 0.2, 0.01);
    benchmark::DoNotOptimize(slip_step(r.Q, r.normal.force, s, Vec3(0.1, 0.2, 0.3), 1));
  }
}
BENCHMARK(slip_of_one_step);

}  // namespace
