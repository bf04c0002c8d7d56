// bench/modes_bench.cpp - what modes cost: counting and visiting the paper's scenes, beside cddlib.
//
// One thread, from rows in memory to counts by dimension; nothing is kept between runs. The peer
// finds the extreme rays of the cone of the normals (cddlib, rationals) and closes their incidences
// to all faces: the first half of the job, contacting and separating alone.
#include <string>

#include <benchmark/benchmark.h>

#include "tact/modes/mode_scenes.hpp"
#include "tact/modes/modes.hpp"
#include "tests/support/cdd_faces.hpp"

namespace {

using namespace tact;

constexpr const char* scenes[] = {"box-1", "box-2",     "box-3",     "box-4",      "box-5",
                                  "peg-8", "box-box-1", "box-box-2", "box-in-hand"};

ModeSystem scene(const std::string& name) {
  return mode_scene(name)->system;
}

/// What the scene is known to have; a wrong answer is no time.
bool known(const std::string& name, const ModeCounts& counts, bool full) {
  for (const ModeSceneName& about : mode_scene_names())
    if (about.name == name) return full ? counts.full == *about.full : counts.cs == *about.cs;
  return false;
}

void count(benchmark::State& state, const std::string& name, ModePolicy policy, ModeKind kind) {
  const ModeSystem system = scene(name);
  ModeOptions options;
  options.policy = policy;
  options.kind = kind;
  ModeCounts counts;
  for (auto _ : state) counts = *count_modes(system, options);
  if (!known(name, counts, kind == ModeKind::sliding)) state.SkipWithError("wrong count");
  state.counters["modes"] = static_cast<double>(counts.full);
}

void visit(benchmark::State& state, const std::string& name) {
  const ModeSystem system = scene(name);
  ModeVisit all;
  for (auto _ : state) all = *visit_modes(system, {}, {});
  if (!known(name, all.counts, true)) state.SkipWithError("wrong count");
  state.counters["modes"] = static_cast<double>(all.counts.full);
  state.counters["ns/mode"] = benchmark::Counter(
      static_cast<double>(all.counts.full) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

#ifdef TACT_HAVE_CDD
void cddlib(benchmark::State& state, const std::string& name) {
  const ModeSystem system = scene(name);
  std::size_t faces = 0;
  for (auto _ : state) faces = testing::cdd_faces(system).size();
  ModeCounts counts;
  counts.cs = faces;
  if (!known(name, counts, false)) state.SkipWithError("wrong count");
}
#endif

const int registered = [] {
  for (const std::string name : scenes) {
    const auto add = [&](const std::string& what, auto... words) {
      benchmark::RegisterBenchmark((what + "/" + name).c_str(), words...)
          ->Unit(benchmark::kMicrosecond);
    };
    add("count exact", count, name, ModePolicy::exact, ModeKind::sliding);
    add("count tolerance", count, name, ModePolicy::tolerance, ModeKind::sliding);
    add("visit exact", visit, name);
    add("contacting exact", count, name, ModePolicy::exact, ModeKind::contacting);
#ifdef TACT_HAVE_CDD
    add("contacting cddlib", cddlib, name);
#endif
  }
  return 0;
}();

}  // namespace
