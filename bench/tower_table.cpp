// bench/tower_table.cpp - what a step of a tower costs while it stands, and when a mode changes.
//
//   tower_table FOLDER [quick]       writes tower_table, .csv and .md
//   tower_table FOLDER START...      only these rows: standing, dropped, pushed, turned, rocked
//
// Towers of 10 and 30 boxes, all alike or the top 100 times as heavy, dt 1 ms: standing, dropped
// with gaps of 0.1 mm, offsets and turns, and shaken: after they have stood for 20 ms one box in
// the middle is pushed, turned or rocked by 0.3 m/s or 0.3 rad/s. A step changes a mode where the
// regime of some contact is not that of the step before. Every motion is run several times; a step
// counts with the least of its times, which are CPU times.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/measure.hpp"
#include "support/table.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/io/scene_simulation.hpp"
#include "tact/sim/observe.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

enum class Start { standing, dropped, pushed, turned, rocked };
constexpr Start starts[] = {Start::standing, Start::dropped, Start::pushed, Start::turned,
                            Start::rocked};

const char* name(Start start) {
  constexpr const char* names[] = {"standing", "dropped", "pushed", "turned", "rocked"};
  return names[static_cast<int>(start)];
}

struct Tower {
  const char* words;
  const char* file;
};
constexpr Tower towers[] = {{"10", "box_tower"},
                            {"10, top x100", "box_tower_heavy_top"},
                            {"30", "tall_tower"},
                            {"30, top x100", "heavy_top_tower"}};

/// The scene of the file, its boxes lifted, shifted and turned where they are dropped.
Simulation make_tower(const Tower& tower, Start start) {
  const std::string path = std::string(TACT_SCENES) + "/sim/" + tower.file + ".xml";
  auto scene = read_scene(path);
  if (!scene) throw std::runtime_error(scene.error().message);
  auto at = scene_state(*scene, path, "");
  if (!at) throw std::runtime_error(at.error().message);
  State state = *std::move(at);
  if (start == Start::dropped) {
    constexpr double gap = 1e-4, offset = 0.008, turn = 0.05;
    VecX& q = state.qpos;
    for (Index b = 0; 7 * b < q.size(); ++b) {
      const auto k = static_cast<double>(b);
      q[7 * b] += offset * std::sin(1.3 * k);
      q[7 * b + 1] += offset * std::cos(2.1 * k);
      q[7 * b + 2] += gap * (k + 1);
      const double half = 0.5 * turn * std::sin(1.7 * k + 0.4);
      q[7 * b + 3] = std::cos(half);
      q[7 * b + 6] = std::sin(half);
    }
  }
  auto setup = scene_setup(*scene, path, "", SimOptions{});
  if (!setup) throw std::runtime_error(setup.error().message);
  auto made =
      make_simulation(scene->model, state, setup->options, setup->prescribed, setup->choices);
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

void shake(Simulation& sim, Start start) {
  constexpr double speed = 0.3;
  const int dof[] = {-1, -1, 0, 5, 3};
  const int which = dof[static_cast<int>(start)];
  if (which < 0) return;
  State x = state_of(sim);
  const Index box = x.qvel.size() / 12;
  x.qvel[6 * box + which] += speed;
  set_state(sim, x);
}

struct Run {
  std::vector<double> seconds;  ///< of every step
  std::vector<bool> changed;    ///< whether some regime is not that of the step before
  double penetration = 0, residual = 0;
  Index unsolved = 0;  ///< steps above the tolerance
};

using Regimes = std::vector<std::pair<std::uint64_t, int>>;

Regimes regimes_of(const Simulation& sim, std::vector<ContactSample>& samples) {
  Regimes out;
  observe(sim, samples);
  for (const ContactSample& s : samples)
    out.emplace_back(pair_key(s.geom1, s.geom2) * 8 + s.which, static_cast<int>(s.label.regime));
  std::sort(out.begin(), out.end());
  return out;
}

/// `watched`: labels are read after every step, which costs the next one its caches.
Run run(const Tower& tower, Start start, Index steps, bool watched) {
  constexpr Index stood = 20;
  const double clock = clock_cost();
  Run out;
  Simulation sim = make_tower(tower, start);
  StepReport report;
  std::vector<ContactSample> samples;
  Regimes before;
  const Index warm = start == Start::dropped ? 0 : stood;
  for (Index k = 0; k < steps + warm; ++k) {
    if (k == warm) shake(sim, start);
    const double begin = cpu_seconds();
    const bool good = step(sim, report);
    const double spent = std::max(0.0, cpu_seconds() - begin - clock);
    if (!good) throw std::runtime_error("a step failed");
    Regimes now;
    if (watched) now = regimes_of(sim, samples);
    const bool changed = now != before;
    before = std::move(now);
    if (k < warm) continue;
    out.seconds.push_back(spent);
    out.changed.push_back(changed);
    out.penetration = std::max(out.penetration, report.penetration);
    out.residual = std::max(out.residual, report.solve.residual.figure());
    if (report.solve.status != SolveStatus::converged) ++out.unsolved;
  }
  return out;
}

/// The least time of every step over several runs of the same motion; what it does is watched in
/// one more.
Run best_of(const Tower& tower, Start start, Index steps, int runs) {
  Run out = run(tower, start, steps, true);
  for (int r = 0; r < runs; ++r) {
    const Run again = run(tower, start, steps, false);
    for (std::size_t k = 0; k < out.seconds.size(); ++k)
      out.seconds[k] = std::min(out.seconds[k], again.seconds[k]);
  }
  return out;
}

std::vector<double> chosen(const Run& run, bool changed) {
  std::vector<double> out;
  for (std::size_t k = 0; k < run.seconds.size(); ++k)
    if (run.changed[k] == changed) out.push_back(run.seconds[k]);
  return out;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::string time_text(const std::vector<double>& values, double of) {
  return values.empty() ? "" : duration(of);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "tower_table FOLDER [quick | START...]\n");
    return 2;
  }
  std::vector<std::string> only(argv + 2, argv + argc);
  const bool quick = !only.empty() && only.front() == "quick";
  if (quick) only.clear();
  const Index steps = quick ? 60 : 300;
  const int runs = quick ? 2 : only.empty() ? 7 : 1;
  Table csv({"tower", "start", "kept_median_us", "changed_steps", "changed_median_us",
             "changed_mean_us", "changed_slowest_us", "penetration_m", "residual", "unsolved"});
  Table markdown({"tower", "start", "mode kept, median", "steps that change a mode", "median",
                  "mean", "slowest", "penetration [m]", "residual", "above the tolerance"});
  try {
    for (const Tower& tower : towers)
      for (const Start start : starts) {
        if (!only.empty() && std::find(only.begin(), only.end(), name(start)) == only.end())
          continue;
        const Run r = best_of(tower, start, steps, runs);
        const std::vector<double> kept = chosen(r, false), changed = chosen(r, true);
        csv.add({tower.file, name(start), figure(1e6 * median(kept)),
                 std::to_string(changed.size()), figure(1e6 * median(changed)),
                 figure(1e6 * mean(changed)), figure(1e6 * largest(changed)), figure(r.penetration),
                 figure(r.residual), std::to_string(r.unsolved)});
        markdown.add({tower.words, name(start), time_text(kept, median(kept)),
                      std::to_string(changed.size()), time_text(changed, median(changed)),
                      time_text(changed, mean(changed)), time_text(changed, largest(changed)),
                      figure(r.penetration), figure(r.residual), std::to_string(r.unsolved)});
        std::fprintf(stderr, ".");
      }
    std::fprintf(stderr, "\n");
    return write_table(argv[1], "tower_table", csv.csv(), markdown.markdown()) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
