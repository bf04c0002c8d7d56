// bench/track_bench.cpp - points where smooth bodies face each other: followed, and found.
//
// Following: the second body rolls and slides by a millirad and 20 µm a step, as at dt 1 ms, and
// comes back. Counters: Newton's residual after the last step, which a fast wrong answer would
// show.
#include <algorithm>
#include <vector>

#include <benchmark/benchmark.h>

#include "tact/soft/track.hpp"
#include "tact/spatial/so3.hpp"

namespace {

using namespace tact;

const Surface ellipsoid{EllipsoidSurface{Vec3(0.05, 0.03, 0.02)}};
const Surface other_ellipsoid{EllipsoidSurface{Vec3(0.04, 0.06, 0.03)}};
const Surface sphere{SphereSurface{0.02}};
const Surface plane{PlaneSurface{}};
const Surface superellipsoid{SuperellipsoidSurface{Vec3(0.04, 0.03, 0.05), 0.7, 0.8}};
const Surface torus{TorusSurface{0.06, 0.02}};
const Surface bowl{SphereSurface{0.12}, true};

Pose start(double distance) {
  return {exp_so3(Vec3(0.3, -0.2, 0.5)), distance * Vec3(0.5, 0.4, 0.77)};
}

/// How far the points are from facing each other [m].
double residual(const FacingPoints& f, const Pose& X) {
  const Vec3 between = transform_point(X, f.two.p) - f.one.p;
  const double arm = f.one.p.norm();
  return (between - f.gap * f.one.n).norm() + arm * (f.one.n + X.R * f.two.n).norm();
}

void follow(benchmark::State& state, const Surface& one, const Surface& two, double distance) {
  Pose X = start(distance);
  const FacingSearch search = find_facing(one, two, X);
  if (search.found.empty()) return state.SkipWithError("nothing to follow");
  FacingPoints facing = search.found.front();
  const Twist step{Vec3(0.0006, -0.0005, 0.0006), Vec3(-0.00001, 0.00002, 0.000005)};
  constexpr std::size_t steps = 400;  // there and back
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < steps; ++i) {
    const double t = static_cast<double>(std::min(i, steps - i));
    poses.push_back(exp(t * step) * X);
  }
  std::size_t at = 0;
  for (auto _ : state) {
    X = poses[at++ % steps];
    if (track(one, two, X, facing) != TrackStatus::tracked)
      return state.SkipWithError("lost on the way");
    benchmark::DoNotOptimize(facing);
  }
  state.counters["residual"] = residual(facing, X);
}

void find(benchmark::State& state, const Surface& one, const Surface& two, double distance) {
  const Pose X = start(distance);
  FacingSearch search;
  for (auto _ : state) benchmark::DoNotOptimize(search = find_facing(one, two, X));
  if (search.found.empty()) return state.SkipWithError("nothing found");
  state.counters["found"] = static_cast<double>(search.found.size());
  state.counters["residual"] = residual(search.found.front(), X);
}

BENCHMARK_CAPTURE(follow, sphere_plane, plane, sphere, 0.03);
BENCHMARK_CAPTURE(follow, ellipsoid_plane, plane, ellipsoid, 0.04);
BENCHMARK_CAPTURE(follow, ellipsoid_ellipsoid, ellipsoid, other_ellipsoid, 0.07);
BENCHMARK_CAPTURE(follow, superellipsoid_ellipsoid, superellipsoid, ellipsoid, 0.08);
BENCHMARK_CAPTURE(follow, torus_sphere, torus, sphere, 0.09);
BENCHMARK_CAPTURE(follow, ellipsoid_in_bowl, bowl, ellipsoid, 0.04);
BENCHMARK_CAPTURE(find, ellipsoid_ellipsoid, ellipsoid, other_ellipsoid, 0.07);
BENCHMARK_CAPTURE(find, superellipsoid_ellipsoid, superellipsoid, ellipsoid, 0.08);
BENCHMARK_CAPTURE(find, torus_sphere, torus, sphere, 0.09);
BENCHMARK_CAPTURE(find, ellipsoid_in_bowl, bowl, ellipsoid, 0.04);

}  // namespace
