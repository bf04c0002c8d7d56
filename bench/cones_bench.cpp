// bench/cones_bench.cpp - what a projection costs, how it grows, and against a generic method.
//
// Every case projects the same seeded cloud of points, each in a random metric of its own (factored
// beforehand, or anew where the name says so), and reports beside the time the worst violation of
// the optimality conditions over the cloud: speed without accuracy is no result. The generic method
// is accelerated projected gradient on the same problem (only Euclidean projections onto the cone
// are needed), stopped at a residual of 1e-10.
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <benchmark/benchmark.h>

#include "tact/base/rng.hpp"
#include "tact/cone/coulomb.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/cone/polyhedral.hpp"

namespace {

using namespace tact;

constexpr std::size_t cloud_size = 512;

struct Cloud {
  std::vector<Vec3> points;
  std::vector<Mat3> matrices;
  std::vector<Metric<3>> metrics;
};

const Cloud& cloud() {
  static const Cloud instance = [] {
    Cloud c;
    Rng rng(1);
    for (std::size_t i = 0; i < cloud_size; ++i) {
      Mat3 a;
      for (Index k = 0; k < 9; ++k) a.data()[k] = rng.normal();
      c.matrices.emplace_back(a * a.transpose() + 0.1 * Mat3::Identity());
      c.metrics.push_back(Metric<3>::from_spd(c.matrices.back()));
      c.points.emplace_back(rng.normal(), rng.normal(), rng.normal());
    }
    return c;
  }();
  return instance;
}

PatchCone polygon(int corners) {
  PolygonShape shape;
  for (int i = 0; i < corners; ++i) {
    const double a = 2 * std::numbers::pi * (i + 0.5) / corners;
    shape.points.emplace_back(std::cos(a), std::sin(a));
  }
  return PatchCone(*convex_hull_of({shape}));
}
PatchCone disc() {
  return PatchCone(*convex_hull_of({DiscShape{Vec2(0.2, 0.1), 1}}));
}
PatchCone stadium() {
  return PatchCone(*convex_hull_of({StadiumShape{Vec2(-1, 0), Vec2(1, 0), 0.5}}));
}

/// max of |<p, d>| and of the worst product of a generator with d = M(p - z), relative to |z|_M.
template <class K>
double violation(const K& k, const Vec3& z, const Metric<3>& m, const Vec3& p) {
  const Vec3 d = m.apply(p - z);
  const Vec3 generator = k.support(Vec3(-d));
  const double size = m.norm(z);
  return std::max(std::abs(p.dot(d)) / (size * size),
                  -generator.dot(d) / (size * m.norm(generator)));
}

/// One projection an iteration; `factored`: the metric's factors are at hand, as in a solver's
/// sweep.
template <class K>
void run(benchmark::State& state, const K& k, bool factored) {
  const Cloud& c = cloud();
  double worst = 0;
  for (std::size_t i = 0; i < cloud_size; ++i)
    worst = std::max(worst,
                     violation(k, c.points[i], c.metrics[i], k.project(c.points[i], c.metrics[i])));
  std::size_t i = 0;
  for (auto _ : state) {
    if (factored) {
      benchmark::DoNotOptimize(k.project(c.points[i], c.metrics[i]));
    } else {
      benchmark::DoNotOptimize(k.project(c.points[i], Metric<3>::from_spd(c.matrices[i])));
    }
    i = (i + 1) % cloud_size;
  }
  state.counters["violation"] = worst;
  if (!(worst < 1e-12)) state.SkipWithError("did not reach 1e-12");
}

void square_in_metric(benchmark::State& state) {
  run(state, polygon(4), true);
}
BENCHMARK(square_in_metric);

void square_in_new_metric(benchmark::State& state) {
  run(state, polygon(4), false);
}
BENCHMARK(square_in_new_metric);

void disc_in_metric(benchmark::State& state) {
  run(state, disc(), true);
}
BENCHMARK(disc_in_metric);

void disc_in_new_metric(benchmark::State& state) {
  run(state, disc(), false);
}
BENCHMARK(disc_in_new_metric);

void stadium_in_metric(benchmark::State& state) {
  run(state, stadium(), true);
}
BENCHMARK(stadium_in_metric);

void coulomb_in_metric(benchmark::State& state) {
  run(state, CoulombCone(0.6), true);
}
BENCHMARK(coulomb_in_metric);

/// Growth with the number of corners: linear, every corner is looked at once or twice.
void polygon_in_metric(benchmark::State& state) {
  run(state, polygon(static_cast<int>(state.range(0))), true);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(polygon_in_metric)->RangeMultiplier(2)->Range(4, 256)->Complexity();

/// FISTA with restart on min ½|y - z|²_M over K, from the Euclidean projection.
template <class K>
Vec3 accelerated_gradient(const K& k, const Vec3& z, const Metric<3>& m, int& iterations) {
  const double step = 1 / m.matrix().template selfadjointView<Eigen::Lower>().eigenvalues()[2];
  Vec3 y = k.project(z), ahead = y;
  double momentum = 1;
  for (iterations = 0; iterations < 100000; ++iterations) {
    const Vec3 next = k.project(Vec3(ahead - step * m.apply(ahead - z)));
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const bool uphill = (ahead - next).dot(next - y) > 0;
    ahead = uphill ? next : Vec3(next + (momentum - 1) / next_momentum * (next - y));
    momentum = uphill ? 1 : next_momentum;
    y = next;
    if (violation(k, z, m, y) < 1e-10) break;
  }
  return y;
}

template <class K>
void run_generic(benchmark::State& state, const K& k) {
  const Cloud& c = cloud();
  std::size_t i = 0;
  double total = 0, count = 0;
  for (auto _ : state) {
    int iterations = 0;
    benchmark::DoNotOptimize(accelerated_gradient(k, c.points[i], c.metrics[i], iterations));
    total += iterations;
    ++count;
    i = (i + 1) % cloud_size;
  }
  state.counters["iterations"] = total / count;
}

void square_generic(benchmark::State& state) {
  run_generic(state, polygon(4));
}
BENCHMARK(square_generic);

void disc_generic(benchmark::State& state) {
  run_generic(state, disc());
}
BENCHMARK(disc_generic);

/// The active-set least-squares projection that any polyhedral cone gets.
void square_by_least_squares(benchmark::State& state) {
  const Cloud& c = cloud();
  MatX rays(3, 4);
  rays << 1, -1, -1, 1, 1, 1, -1, -1, 1, 1, 1, 1;
  const auto k = PolyhedralCone::from_rays(rays);
  std::vector<Metric<Eigen::Dynamic>> metrics;
  for (const Mat3& m : c.matrices) metrics.push_back(Metric<Eigen::Dynamic>::from_spd(m));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(k.project(c.points[i], metrics[i]));
    i = (i + 1) % cloud_size;
  }
}
BENCHMARK(square_by_least_squares);

}  // namespace
