// bench/hull_bench.cpp - planar hulls against Qhull, on friendly and on degenerate input, and hulls
// in space of shallow domes, all of whose points count.
//
// Same points, same run. Ours decides by exact signs and answers on every input; Qhull joggles or
// merges, and on flat input (segments, points) it refuses, which is counted as its failure.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#ifdef TACT_HAVE_QHULL
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#endif

#include "tact/base/rng.hpp"
#include "tact/geom/convex_hull.hpp"
#include "tact/poly/hull.hpp"

namespace {

using namespace tact;

std::vector<Vec2> in_square(std::size_t count) {
  Rng rng(1);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(rng.uniform(), rng.uniform());
  return points;
}
std::vector<Vec2> on_circle(std::size_t count) {
  Rng rng(2);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = rng.uniform(0, 7);
    points.emplace_back(std::cos(a), std::sin(a));
  }
  return points;
}
std::vector<Vec2> on_segment(std::size_t count) {
  Rng rng(3);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(rng.uniform() * Vec2(0.3, 0.7));
  return points;
}

void ours(benchmark::State& state, std::vector<Vec2> (*make)(std::size_t)) {
  const auto points = make(static_cast<std::size_t>(state.range(0)));
  std::size_t corners = 0;
  for (auto _ : state) corners = convex_hull(points).size();
  state.counters["corners"] = static_cast<double>(corners);
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(ours, square, in_square)
    ->RangeMultiplier(8)
    ->Range(8, 32768)
    ->Complexity(benchmark::oNLogN);
BENCHMARK_CAPTURE(ours, circle, on_circle)
    ->RangeMultiplier(8)
    ->Range(8, 32768)
    ->Complexity(benchmark::oNLogN);
BENCHMARK_CAPTURE(ours, segment, on_segment)->Arg(64);

/// On a grid, where triangles pair up to flat quadrilaterals.
std::vector<Vec3> dome_of_quadrilaterals(std::size_t count) {
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < side * side; ++i) {
    const double x = double(i / side) / double(side - 1), y = double(i % side) / double(side - 1);
    points.emplace_back(x, y, 0.1 * (x * (1 - x) + y * (1 - y)));
  }
  return points;
}
std::vector<Vec3> dome_of_triangles(std::size_t count) {
  Rng rng(4);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = rng.uniform(), y = rng.uniform();
    points.emplace_back(x, y, 0.1 * (x * (1 - x) + y * (1 - y)));
  }
  return points;
}

void in_space(benchmark::State& state, std::vector<Vec3> (*make)(std::size_t)) {
  const auto points = make(static_cast<std::size_t>(state.range(0)));
  std::size_t corners = 0;
  for (auto _ : state) {
    const auto hull = convex_hull(std::span<const Vec3>(points));
    corners = hull ? hull->vertices.size() : 0;  // 0: refused
  }
  state.counters["corners"] = static_cast<double>(corners);
}
BENCHMARK_CAPTURE(in_space, quadrilaterals, dome_of_quadrilaterals)
    ->RangeMultiplier(10)
    ->Range(1000, 100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(in_space, triangles, dome_of_triangles)
    ->RangeMultiplier(10)
    ->Range(1000, 100'000)
    ->Unit(benchmark::kMillisecond);

#ifdef TACT_HAVE_QHULL
/// Number of corners, or -1 where Qhull refuses the input.
int qhull_corners(std::vector<double>& coordinates) {
  qhT instance;
  qhT* qh = &instance;
  std::FILE* nowhere = std::fopen("/dev/null", "w");
  qh_zero(qh, nowhere);
  char command[] = "qhull Qt";
  const int status = qh_new_qhull(qh, 2, static_cast<int>(coordinates.size() / 2),
                                  coordinates.data(), False, command, nullptr, nowhere);
  const int corners = status == 0 ? qh->num_vertices : -1;
  qh_freeqhull(qh, !qh_ALL);
  int current = 0, total = 0;
  qh_memfreeshort(qh, &current, &total);
  std::fclose(nowhere);
  return corners;
}

void qhull(benchmark::State& state, std::vector<Vec2> (*make)(std::size_t)) {
  const auto points = make(static_cast<std::size_t>(state.range(0)));
  std::vector<double> coordinates;
  for (const Vec2& x : points) {
    coordinates.push_back(x[0]);
    coordinates.push_back(x[1]);
  }
  int corners = 0;
  for (auto _ : state) corners = qhull_corners(coordinates);
  state.counters["corners"] = corners;  // -1: refused
}
BENCHMARK_CAPTURE(qhull, square, in_square)->RangeMultiplier(8)->Range(8, 32768);
BENCHMARK_CAPTURE(qhull, circle, on_circle)->RangeMultiplier(8)->Range(8, 32768);
BENCHMARK_CAPTURE(qhull, segment, on_segment)->Arg(64);
#endif

}  // namespace
