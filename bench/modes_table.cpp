// bench/modes_table.cpp - the paper's table beside the truth, and how the cost of modes grows.
//
//   modes_table FOLDER [QUICK]     writes modes_table.csv, modes_table.md, modes_stages.csv, ...
//
// Counting on one thread, exact policy unless it says otherwise; the best of repetitions over at
// least 0.2 s. hand-ball (673 million modes) is counted once, not with QUICK.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "support/measure.hpp"
#include "support/table.hpp"
#include "tact/base/rng.hpp"
#include "tact/modes/mode_scenes.hpp"
#include "tact/modes/mode_work.hpp"
#include "tact/modes/modes.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

struct Timed {
  ModeCounts counts;
  double seconds = 0;
};

Timed timed(const ModeSystem& system, ModeKind kind, ModePolicy policy = ModePolicy::exact) {
  ModeOptions options;
  options.kind = kind;
  options.policy = policy;
  Timed out;
  double spent = 0;
  constexpr double enough = 0.2;
  for (int round = 0; round == 0 || spent < enough; ++round) {
    const double start = cpu_seconds();
    out.counts = *count_modes(system, options);
    const double seconds = cpu_seconds() - start;
    spent += seconds;
    if (round == 0 || seconds < out.seconds) out.seconds = seconds;
  }
  return out;
}

double visiting(const ModeSystem& system) {
  const double start = cpu_seconds();
  const auto all = visit_modes(system, {}, {});
  return all ? cpu_seconds() - start : 0;
}

std::string number(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "–";
}

Table paper_table(bool quick) {
  Table table({"scene", "contacts", "dof", "cs printed", "cs true", "ss printed", "full true",
               "stick/slip", "cs", "full, exact", "full, tolerance", "visited"});
  for (const ModeSceneName& about : mode_scene_names()) {
    if (quick && about.name == "hand-ball") continue;
    const ModeSystem system = mode_scene(about.name)->system;
    const Timed cs = timed(system, ModeKind::contacting);
    const Timed full = timed(system, ModeKind::sliding);
    const bool large = about.name == "hand-ball";
    const Timed rough = large ? Timed{} : timed(system, ModeKind::sliding, ModePolicy::tolerance);
    const Timed slip = timed(system, ModeKind::slipping);
    table.add({std::string(about.name), std::to_string(system.contacts.size()),
               std::to_string(system.dof()), number(about.printed_cs), to_string(cs.counts.cs),
               number(about.printed_ss), to_string(full.counts.full), to_string(slip.counts.full),
               duration(cs.seconds), duration(full.seconds), large ? "–" : duration(rough.seconds),
               large ? "–" : duration(visiting(system))});
    std::fprintf(stderr, "%s\n", std::string(about.name).c_str());
  }
  return table;
}

/// One count: making the cone of velocities, and going through its faces.
struct Stages {
  double description = 0;
  double faces = 0;
};

/// The best of each.
Stages stages(const ModeSystem& system, ModeKind kind) {
  ModeOptions options;
  options.kind = kind;
  Stages out;
  double spent = 0;
  constexpr double enough = 0.2;
  for (int round = 0; round == 0 || spent < enough; ++round) {
    const double start = cpu_seconds();
    ModeWork work = *ModeWork::prepare(system, options, false);
    const double prepared = cpu_seconds();
    std::uint64_t next = 0;
    (void)work.run([&] { return std::optional(next++); }, [](const ModeBlock&) {}, {});
    const double end = cpu_seconds();
    spent += end - start;
    if (round == 0 || prepared - start < out.description) out.description = prepared - start;
    if (round == 0 || end - prepared < out.faces) out.faces = end - prepared;
  }
  return out;
}

/// Where the time of "full, exact" goes. Sliding is what it takes longer than contacting alone.
Table stage_table(bool quick) {
  Table table({"scene", "presolve and description", "contacting modes", "sliding modes"});
  for (const ModeSceneName& about : mode_scene_names()) {
    if (quick && about.name == "hand-ball") continue;
    const ModeSystem system = mode_scene(about.name)->system;
    const Stages cs = stages(system, ModeKind::contacting);
    const Stages full = stages(system, ModeKind::sliding);
    table.add({std::string(about.name), duration(full.description), duration(cs.faces),
               duration(std::max(0.0, full.faces - cs.faces))});
    std::fprintf(stderr, "stages of %s\n", std::string(about.name).c_str());
  }
  return table;
}

/// A body in the plane whose contacts are all needed: normals (1, t, t^2) bound a cone of as many
/// facets, and each tangent cuts some of them.
ModeSystem planar(int contacts) {
  ModeSystem system;
  for (int t = 1; t <= contacts; ++t) {
    MatX tangent(1, 3);
    tangent << 2, 1 - 2 * t, t;
    add_contact(system, Vec3(1, t, t * t), tangent);
  }
  return system;
}

/// Points of a flat face with `planes` dividing planes each, a body with six freedoms.
ModeSystem flat_face(int contacts, Index planes) {
  ModeSystem system;
  for (int k = 0; k < contacts; ++k) {
    const double angle = 2 * std::numbers::pi * k / contacts;
    const Vec3 p(std::cos(angle), std::sin(angle), 0);
    const auto row = [&](const Vec3& n) {
      VecX out(6);
      out << n, p.cross(n);
      return out;
    };
    add_contact(system, row(Vec3::UnitZ()),
                dividing_planes(row(Vec3::UnitX()), row(Vec3::UnitY()), planes));
  }
  return system;
}

/// Small whole numbers at random: `dof` freedoms, as many contacts, `tangents` each.
ModeSystem random_body(int dof, int contacts, Index tangents) {
  Rng rng(static_cast<std::uint64_t>(dof) * 1000 + static_cast<std::uint64_t>(contacts));
  const auto entry = [&] { return static_cast<double>(rng.below(7)) - 3; };
  ModeSystem system;
  for (int k = 0; k < contacts; ++k) {
    VecX normal = VecX::NullaryExpr(dof, entry);
    normal[0] = 4;  // all can separate together
    add_contact(system, normal, MatX::NullaryExpr(tangents, dof, entry));
  }
  return system;
}

void add_growth(Table& table, const std::string& family, int size, const ModeSystem& system,
                ModePolicy policy) {
  const Timed full = timed(system, ModeKind::sliding, policy);
  table.add({family, std::to_string(size), to_string(full.counts.cs), to_string(full.counts.full),
             duration(full.seconds),
             duration(full.seconds / static_cast<double>(full.counts.full))});
  std::fprintf(stderr, "%s %d\n", family.c_str(), size);
}

Table growth_table(bool quick) {
  Table table({"family", "size", "cs", "full", "time", "per mode"});
  const auto policy = ModePolicy::tolerance;
  for (const int n : {4, 8, 16, 32, 64, 100, 200})
    if (!quick || n <= 16) add_growth(table, "plane, contacts", n, planar(n), ModePolicy::exact);
  for (const int n : {4, 8, 16, 32, 64, 100, 200})
    if (!quick || n <= 8) add_growth(table, "flat face, contacts", n, flat_face(n, 1), policy);
  for (const int n : {1, 2, 3, 4, 6, 8})
    if (!quick || n <= 2) add_growth(table, "flat face of 4, planes", n, flat_face(4, n), policy);
  for (int d = 2; d <= 17; d += quick ? 4 : 1)
    add_growth(table, "random, 6 contacts, 2 planes, dof", d, random_body(d, 6, 2),
               ModePolicy::exact);
  for (const int n : {4, 6, 8, 10, 12, 14})
    if (!quick || n <= 6)
      add_growth(table, "random, 6 dof, 2 planes, contacts", n, random_body(6, n, 2),
                 ModePolicy::exact);
  return table;
}

/// Seconds per mode of a visit that sees `most` modes, or all.
std::string per_mode(const ModeSystem& system, ModeMethod method, std::int64_t most) {
  ModeOptions options;
  options.method = method;
  std::int64_t seen = 0;
  const double start = cpu_seconds();
  (void)visit_modes(system, options, [&](const ModeView&) { return ++seen != most; });
  return duration((cpu_seconds() - start) / static_cast<double>(seen));
}

/// Twice as many contacts as dof: rays and witnesses side by side, while rays can be had.
Table method_table(bool quick) {
  constexpr std::int64_t first = 10000;
  Table table({"contacts", "dof", "rays at most", "first modes, rays", "first modes, witnesses",
               "all cs modes, rays", "all cs modes, witnesses"});
  for (const int d : {4, 6, 8, 10, 12, 16, 20}) {
    if (quick && d > 8) break;
    const ModeSystem full = random_body(d, 2 * d, 2);
    const ModeSystem cs = random_body(d, 2 * d, 0);
    const bool described = d <= 12;
    table.add({std::to_string(2 * d), std::to_string(d),
               std::to_string(static_cast<std::int64_t>(most_rays(2 * d, d))),
               described ? per_mode(full, ModeMethod::rays, first) : "–",
               per_mode(full, ModeMethod::witnesses, first),
               described ? per_mode(cs, ModeMethod::rays, 0) : "–",
               described ? per_mode(cs, ModeMethod::witnesses, 0) : "–"});
    std::fprintf(stderr, "methods %d\n", d);
  }
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "modes_table FOLDER [QUICK]\n");
    return 2;
  }
  const bool quick = argc > 2;
  const Table paper = paper_table(quick);
  const Table stage = stage_table(quick);
  const Table growth = growth_table(quick);
  const Table methods = method_table(quick);
  const bool written = write_table(argv[1], "modes_table", paper.csv(), paper.markdown()) &&
                       write_table(argv[1], "modes_stages", stage.csv(), stage.markdown()) &&
                       write_table(argv[1], "modes_growth", growth.csv(), growth.markdown()) &&
                       write_table(argv[1], "modes_methods", methods.csv(), methods.markdown());
  return written ? 0 : 1;
}
