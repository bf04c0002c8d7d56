// bench/narrow_phase_bench.cpp - contacts of pairs of convex shapes, beside libccd.
//
// Ours makes the whole patch (named corners, affine gap, exact distance); libccd answers with one
// point, a depth and a direction, or with yes or no. Counters say how many points the patch has.
#include <vector>

#include <benchmark/benchmark.h>

#ifdef TACT_HAVE_CCD
extern "C" {
#include <ccd/ccd.h>
#include <ccd/quat.h>
}
#endif

#include "tact/geom/collide.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/polyhedra.hpp"

namespace {

using namespace tact;

struct Scene {
  Shape first, second;
  Pose X_W1, X_W2;
};

Pose at(const Vec3& turn, const Vec3& p) {
  return {exp_so3(turn), p};
}

/// A box on another, turned and aside: a patch of eight corners.
Scene boxes_on_faces() {
  return {Box{Vec3(0.5, 0.5, 0.5)},
          Box{Vec3(0.5, 0.5, 0.5)},
          at(Vec3(0, 0, 0.6), Vec3(0.05, 0.1, 0.999)),
          {}};
}
Scene boxes_on_edges() {
  return {Box{Vec3(0.5, 0.5, 0.5)}, Box{Vec3(0.5, 0.5, 0.5)},
          at(Vec3(0.785, 0, 0), Vec3(0, 0, 1.41)), at(Vec3(0, 0.785, 0), Vec3::Zero())};
}
Scene boxes_apart() {
  Scene s = boxes_on_faces();
  s.X_W1.p[2] = 1.3;
  return s;
}
Scene boxes_apart_by_corners() {
  return {Box{Vec3(0.5, 0.5, 0.5)},
          Box{Vec3(0.5, 0.5, 0.5)},
          at(Vec3(0.3, 0.2, 0.5), Vec3(1.05, 1.04, 1.02)),
          {}};
}
Scene box_on_plane() {
  return {Box{Vec3(0.5, 0.5, 0.5)}, HalfSpace{}, at(Vec3(0.01, 0, 0.3), Vec3(0, 0, 0.5)), {}};
}
Scene capsule_on_box() {
  return {Capsule{0.1, 0.4},
          Box{Vec3(0.5, 0.5, 0.5)},
          at(Vec3(1.5707963, 0, 0), Vec3(0, 0, 0.599)),
          {}};
}
Scene sphere_on_box() {
  return {Sphere{0.1}, Box{Vec3(0.5, 0.5, 0.5)}, at(Vec3::Zero(), Vec3(0, 0.2, 0.599)), {}};
}
Scene cylinder_on_plane() {
  return {Cylinder{0.3, 0.4}, HalfSpace{}, at(Vec3(0.01, 0, 0), Vec3(0, 0, 0.4)), {}};
}
Scene cylinder_on_box() {
  return {Cylinder{0.3, 0.4}, Box{Vec3(0.5, 0.5, 0.5)}, at(Vec3::Zero(), Vec3(0.3, 0, 0.899)), {}};
}
Scene ellipsoids() {
  return {Ellipsoid{Vec3(0.5, 0.3, 0.2)},
          Ellipsoid{Vec3(0.3, 0.4, 0.5)},
          at(Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0, 0.68)),
          {}};
}
Scene meshes(int corners, double height) {
  Rng rng(1);
  const Vec3 axes(0.5, 0.5, 0.5);
  return {testing::mesh_shape(testing::random_polyhedron(rng, corners, axes)),
          testing::mesh_shape(testing::random_polyhedron(rng, corners, axes)),
          at(Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0, height)),
          {}};
}
Scene meshes_touching(int corners) {
  return meshes(corners, 0.9);
}
Scene meshes_apart(int corners) {
  return meshes(corners, 1.2);
}

void run(benchmark::State& state, const Scene& s, double margin, bool remember) {
  ContactBuffer out;
  PairMemory memory;
  for (auto _ : state) {
    out.clear();
    if (!remember) memory = {};
    collide(s.first, s.X_W1, s.second, s.X_W2, {margin}, memory, out);
    benchmark::DoNotOptimize(out.contacts.data());
  }
  state.counters["contacts"] = static_cast<double>(out.contacts.size());
  state.counters["points"] = static_cast<double>(out.points.size());
}

void ours(benchmark::State& state, Scene (*make)()) {
  run(state, make(), 0.001, true);
}
void forgetful(benchmark::State& state, Scene (*make)()) {
  run(state, make(), 0.001, false);
}
void in_margin(benchmark::State& state, Scene (*make)()) {
  run(state, make(), 0.5, true);
}
void ours_mesh(benchmark::State& state, Scene (*make)(int)) {
  run(state, make(static_cast<int>(state.range(0))), 0.001, true);
}
void forgetful_mesh(benchmark::State& state, Scene (*make)(int)) {
  run(state, make(static_cast<int>(state.range(0))), 0.001, false);
}
BENCHMARK_CAPTURE(ours, box_box_faces, boxes_on_faces);
BENCHMARK_CAPTURE(ours, box_box_edges, boxes_on_edges);
BENCHMARK_CAPTURE(ours, box_box_apart, boxes_apart);
BENCHMARK_CAPTURE(forgetful, box_box_apart, boxes_apart);
BENCHMARK_CAPTURE(forgetful, box_box_corners_apart, boxes_apart_by_corners);
BENCHMARK_CAPTURE(in_margin, box_box_corners_apart, boxes_apart_by_corners);
BENCHMARK_CAPTURE(ours, box_plane, box_on_plane);
BENCHMARK_CAPTURE(ours, sphere_box, sphere_on_box);
BENCHMARK_CAPTURE(ours, capsule_box, capsule_on_box);
BENCHMARK_CAPTURE(ours, cylinder_plane, cylinder_on_plane);
BENCHMARK_CAPTURE(ours, cylinder_box, cylinder_on_box);
BENCHMARK_CAPTURE(ours, ellipsoids, ellipsoids);
BENCHMARK_CAPTURE(ours_mesh, touching, meshes_touching)->Arg(20)->Arg(60)->Arg(200);
BENCHMARK_CAPTURE(forgetful_mesh, apart, meshes_apart)->Arg(20)->Arg(200);
BENCHMARK_CAPTURE(ours_mesh, apart, meshes_apart)->Arg(20)->Arg(200);

#ifdef TACT_HAVE_CCD

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const auto& c = *static_cast<const Convex*>(object);
  Vec3 d(direction->v[0], direction->v[1], direction->v[2]);
  if (d.squaredNorm() == 0) d = Vec3::UnitX();
  int vertex = 0;
  Vec3 x = core_support_world(c, d, vertex);
  if (c.radius > 0) x += c.radius * d.normalized();
  ccdVec3Set(out, x[0], x[1], x[2]);
}

void libccd(benchmark::State& state, const Scene& s) {
  const Convex one = convex_of(s.first, s.X_W1), two = convex_of(s.second, s.X_W2);
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = ccd_support;
  ccd.max_iterations = 100;
  ccd_real_t depth = 0;
  ccd_vec3_t way, point;
  int answer = 0;
  for (auto _ : state) {
    answer = ccdGJKPenetration(&one, &two, &ccd, &depth, &way, &point);
    benchmark::DoNotOptimize(answer);
  }
  state.counters["contacts"] = answer == 0 ? 1 : 0;
  state.counters["depth_error"] =
      answer == 0 ? -distance(s.first, s.X_W1, s.second, s.X_W2).distance - depth : 0;
}
void ccd_pair(benchmark::State& state, Scene (*make)()) {
  libccd(state, make());
}
void ccd_mesh(benchmark::State& state, Scene (*make)(int)) {
  libccd(state, make(static_cast<int>(state.range(0))));
}
BENCHMARK_CAPTURE(ccd_pair, box_box_faces, boxes_on_faces);
BENCHMARK_CAPTURE(ccd_pair, box_box_edges, boxes_on_edges);
BENCHMARK_CAPTURE(ccd_pair, box_box_apart, boxes_apart);
BENCHMARK_CAPTURE(ccd_pair, sphere_box, sphere_on_box);
BENCHMARK_CAPTURE(ccd_pair, capsule_box, capsule_on_box);
BENCHMARK_CAPTURE(ccd_pair, cylinder_box, cylinder_on_box);
BENCHMARK_CAPTURE(ccd_pair, ellipsoids, ellipsoids);
BENCHMARK_CAPTURE(ccd_mesh, touching, meshes_touching)->Arg(20)->Arg(200);
BENCHMARK_CAPTURE(ccd_mesh, apart, meshes_apart)->Arg(20)->Arg(200);

#endif

}  // namespace
