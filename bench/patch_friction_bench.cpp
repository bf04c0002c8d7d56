// bench/patch_friction_bench.cpp - what friction on a patch costs: the set, its force, its
// projection.
//
// Loads are given as multiples of the limit of stick (100 = on it). Beside the time stand the mean
// number of iterations and the worst residual; a case that did not converge is an error.
#include <algorithm>
#include <vector>

#include <benchmark/benchmark.h>

#include "tact/base/rng.hpp"
#include "tact/cone/patch_friction.hpp"
#include "tact/cone/uniform_pressure.hpp"

namespace {

using namespace tact;

constexpr std::size_t draws = 64;

PlanarSet square() {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
}

std::vector<Vec2> centres() {
  Rng rng(1);
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < draws; ++i)
    out.emplace_back(rng.uniform(-0.6, 0.6), rng.uniform(-0.4, 0.4));
  return out;
}

void second_moment_of(benchmark::State& state, const PlanarSet& hull) {
  EffectivePatchWorkspace work;
  const std::vector<Vec2> c = centres();
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(effective_moment(hull, c[i++ % draws], work));
}
BENCHMARK_CAPTURE(second_moment_of, square, square());
BENCHMARK_CAPTURE(second_moment_of, disc, PlanarSet::ellipse(disc_form({0, 0}, 1)));

void make_set(benchmark::State& state, const PatchFriction& model) {
  PatchFrictionWorkspace work;
  FrictionSet set;
  const PlanarSet hull = square();
  const std::vector<Vec2> c = centres();
  std::size_t i = 0;
  for (auto _ : state)
    make_friction_set(model, hull, NormalLoad::at(c[i++ % draws], 1), 0.5, work, set);
}
BENCHMARK_CAPTURE(make_set, one_six, EffectivePatch{});
BENCHMARK_CAPTURE(make_set, ellipsoid, EllipsoidAtCop{});

void project(benchmark::State& state, const PatchFriction& model) {
  const FrictionSet set = make_friction_set(model, square(), NormalLoad::at({0.2, 0.1}, 1), 0.5);
  const double share = static_cast<double>(state.range(0)) / 100;
  Rng rng(2);
  std::vector<Mat3> metrics;
  std::vector<Vec3> loads;
  for (std::size_t i = 0; i < draws; ++i) {
    Mat3 b;
    for (Index k = 0; k < 9; ++k) b(k) = rng.normal();
    metrics.emplace_back(b * b.transpose() + 0.1 * Mat3::Identity());
    const Vec3 T(rng.normal(), rng.normal(), rng.normal());
    loads.emplace_back(share / set.gauge(T) * T);
  }
  FrictionWorkspace work;
  double iterations = 0, residual = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const FrictionSolution s = set.project(metrics[i], loads[i], work);
    if (s.status != FrictionStatus::converged) state.SkipWithError("not converged");
    iterations += s.iterations;
    residual = std::max(residual, s.residual);
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(set.project(metrics[i % draws], loads[i % draws], work));
    ++i;
  }
  state.counters["iterations"] = iterations / static_cast<double>(draws);
  state.counters["residual"] = residual;
}
BENCHMARK_CAPTURE(project, one_six, EffectivePatch{})
    ->Arg(30)
    ->Arg(90)
    ->Arg(99)
    ->Arg(101)
    ->Arg(200)
    ->Arg(1000);
BENCHMARK_CAPTURE(project, four_eight_twelve, EffectivePatch{NodePattern::four_eight_twelve})
    ->Arg(30)
    ->Arg(200);
BENCHMARK_CAPTURE(project, ellipsoid, EllipsoidAtCop{})->Arg(30)->Arg(200);
BENCHMARK_CAPTURE(project, vertices, VertexModel{})->Arg(30)->Arg(200);

void force_of_even_pressure(benchmark::State& state) {
  const UniformPressure set = uniform_pressure(square(), NormalLoad::at({0.2, 0.1}, 1), 0.5);
  for (auto _ : state) benchmark::DoNotOptimize(friction_force(set, {0.3, 0.4, 0.5}));
}
BENCHMARK(force_of_even_pressure);

}  // namespace
