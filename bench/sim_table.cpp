// bench/sim_table.cpp - the simulator beside others on the same scenes: cost and truth of a step.
//
//   sim_table FOLDER [quick]       writes sim_table and sim_sweep, .csv and .md
//   sim_table FOLDER SCENE...      only these rows of sim_table, by the models' names; and piles of
//                                  your own, boxes in an MJCF scene, by its path (.xml)
//
// sim_table: every scene at its own dt, every simulator as it comes and set to be as true as it
// gets. Times are CPU times of a step of the scene's length, medians of five runs that take turns.
// sim_sweep: error against CPU time for the scenes with a closed form, dt and tolerances varied.
// Simulators that are not installed are left out.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "peers/sim_run.hpp"
#include "support/measure.hpp"
#include "support/table.hpp"
#include "tact/io/file.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

struct Simulator {
  std::string name;
  std::string friction;
  bool robots = false;
  MakeWorld make = nullptr;
  std::vector<Setting> settings;
};

/// Scenes with more bodies are left to iterative methods.
constexpr Index few = 40;
/// And those with as many are piles, which sweeps are for.
constexpr Index many = 900;
/// Beyond, every simulator as it comes.
constexpr Index most = 2000;

Setting set(std::string words, int iterations, bool other, Index most_bodies = 0) {
  Setting out;
  out.words = std::move(words);
  out.iterations = iterations;
  out.other = other;
  out.most_bodies = most_bodies;
  return out;
}

std::vector<Simulator> simulators() {
  std::vector<Simulator> out;
  Setting quick = set("1e-4, ellipsoid", 0, true);
  quick.tolerance = 1e-4;
  Setting swept = set("swept only", 0, false);
  swept.swept = true;
  swept.least_bodies = many;
  Setting swept_ellipsoid = swept;
  swept_ellipsoid.words = "swept only, ellipsoid";
  swept_ellipsoid.other = true;
  out.push_back({"tact", "patch", true, tact_world, {Setting{}, quick, swept, swept_ellipsoid}});
#ifdef TACT_HAVE_MUJOCO
  out.push_back({"MuJoCo",
                 "points, soft; pyramid or cone",
                 true,
                 mujoco_world,
                 {Setting{}, set("elliptic, noslip 10", 0, true, most)}});
#endif
#ifdef TACT_HAVE_BULLET
  out.push_back({"Bullet",
                 "points, cone",
                 false,
                 bullet_world,
                 {Setting{}, set("100 iterations", 100, false, most)}});
#endif
#ifdef TACT_HAVE_ODE
  out.push_back({"ODE",
                 "points, pyramid",
                 false,
                 ode_world,
                 {set("quick, 20", 0, false), set("quick, 100", 100, false, most),
                  set("exact LCP", 0, true, few)}});
#endif
#ifdef TACT_HAVE_DART
  Setting finer = set("dt/4", 0, false, few / 2);
  finer.substeps = 4;
  out.push_back(
      {"DART", "points, pyramid", false, dart_world, {set("default", 0, false, few), finer}});
#endif
  return out;
}

std::string scene_path(const char* name) {
  return std::string(TACT_SCENES) + "/sim/" + name + ".xml";
}

SimTask pile_task(const std::string& path, const std::string& text) {
  SimTask out = sim_task(path, text, Truth::energy, 3);
  out.look_every = 20;
  out.landed = 0.6;
  return out;
}

/// Those of the table; more piles by the paths of their scenes.
std::vector<SimTask> tasks(bool quick, const std::vector<std::string>& only) {
  std::vector<SimTask> out;
  const auto add = [&](const char* file, Truth truth, double duration, Index look = 20) {
    out.push_back(sim_task(scene_path(file), truth, duration));
    out.back().look_every = look;
  };
  add("incline_stick", Truth::drift, quick ? 0.2 : 10);
  add("incline_slip", Truth::acceleration, quick ? 0.2 : 1);
  add("sliding_boxes", Truth::distance, 1);
  add("spinning_disc", Truth::spin, 0.5);
  add("spinning_square", Truth::spin, 0.5);
  add("box_tower", Truth::standing, quick ? 0.1 : 2);
  add("box_tower_heavy_top", Truth::standing, quick ? 0.1 : 2);
  add("tall_tower", Truth::standing, quick ? 0.02 : 1);
  add("heavy_top_tower", Truth::standing, quick ? 0.02 : 1);
  add("quadruped_standing", Truth::standing, quick ? 0.2 : 2);
  add("humanoid_standing", Truth::standing, quick ? 0.2 : 2);
  add("pile", Truth::energy, quick ? 0.1 : 2);
  for (const std::string& path : only) {
    if (!path.ends_with(".xml")) continue;
    const auto text = read_file(path);
    if (!text) throw std::runtime_error(text.error().message);
    out.push_back(pile_task(path, *text));
    out.back().scene.name = path;
  }
  if (quick) return out;
  for (const int side : {5, 10, 20})
    out.push_back(pile_task("heap.xml", heap_text(side, side == 5 ? 5 : 10)));
  for (const bool bin : {true, false})
    out.push_back(pile_task("heap.xml", heap_text(10, 10, 0.24, bin)));
  return out;
}

/// One simulator in one setting on one scene, over several runs.
struct Entry {
  const Simulator* simulator = nullptr;
  const Setting* setting = nullptr;
  double dt = 0;
  SimFigures last;
  std::vector<double> steps, slowest;
  double spent = 0;
};

struct Effort {
  int runs = 5;
  double limit = 90;   ///< CPU seconds of a run
  double enough = 15;  ///< CPU seconds of all runs of an entry: none is begun after
};

/// The entries take turns.
void measure(const SimTask& task, const Effort& effort, std::vector<Entry>& entries) {
  for (int run = 0; run < effort.runs; ++run)
    for (Entry& e : entries) {
      const bool failed = run > 0 && !e.last.finished;
      if (failed || e.spent > effort.enough) continue;
      e.last = run_sim(task, e.simulator->make, *e.setting, e.dt, effort.limit);
      e.spent += e.last.whole;
      if (!e.last.finished) continue;
      e.steps.push_back(e.last.step);
      e.slowest.push_back(e.last.slowest);
    }
}

bool has_robot(const Model& model) {
  return std::any_of(model.joints.begin(), model.joints.end(),
                     [](const Joint& j) { return j.type != JointType::free; });
}

std::string number(double x) {
  return std::isfinite(x) ? figure(x) : "";
}
std::string length(double metres) {
  if (metres >= 1) return figure(metres) + " m";
  if (metres >= 1e-3) return figure(1e3 * metres) + " mm";
  if (metres >= 1e-6) return figure(1e6 * metres) + " µm";
  return metres < 1e-12 ? "0" : figure(1e9 * metres) + " nm";
}
/// Percent where the error is relative.
std::string error_text(Truth truth, double error) {
  if (!std::isfinite(error)) return "";
  const bool relative =
      truth == Truth::acceleration || truth == Truth::distance || truth == Truth::spin;
  return relative ? figure(100 * error) + " %" : length(error);
}

std::string no_run(const SimFigures& f) {
  if (f.why[0] != '\0') return std::string("failed: ") + f.why;
  return "failed: stopped";
}

void write_entry(const SimTask& task, const Entry& e, double base, Table& csv, Table& markdown) {
  const SimFigures& f = e.last;
  const std::string &who = e.simulator->name, &how = e.setting->words;
  if (!f.finished) {
    std::string why = no_run(f);
    std::replace(why.begin(), why.end(), ',', ';');
    std::replace(why.begin(), why.end(), '\n', ' ');
    csv.add(
        {task.scene.name, who, how, e.simulator->friction, "", "", "", "", "", "", "", "", why});
    markdown.add({task.scene.name, who, how, why, "", "", "", "", "", ""});
    return;
  }
  const double step = median(e.steps), slowest = median(e.slowest);
  const std::string kinetic = task.truth == Truth::energy ? number(f.kinetic) : "";
  const std::string residual = f.residual >= 0 ? figure(f.residual) : "";
  std::string friction = e.simulator->friction, quoted = how;
  std::replace(friction.begin(), friction.end(), ',', ';');
  std::replace(quoted.begin(), quoted.end(), ',', ';');
  csv.add({task.scene.name, who, quoted, friction, std::to_string(1e6 * step),
           number(base > 0 ? step / base : 0), std::to_string(1e6 * slowest), number(f.penetration),
           name(task.truth), number(f.error), kinetic, residual, std::to_string(e.steps.size())});
  markdown.add({task.scene.name, who, how, duration(step), base > 0 ? figure(step / base) : "",
                duration(slowest), length(f.penetration), error_text(task.truth, f.error), kinetic,
                residual});
}

std::vector<Entry> entries_for(const SimTask& task, const std::vector<Simulator>& all, double dt) {
  const Model& model = task.scene.scene.model;
  const bool robot = has_robot(model);
  std::vector<Entry> out;
  for (const Simulator& s : all)
    for (const Setting& setting : s.settings) {
      const auto bodies = static_cast<Index>(model.bodies.size());
      const bool unfit = (setting.most_bodies > 0 && bodies > setting.most_bodies) ||
                         bodies < setting.least_bodies;
      if ((robot && !s.robots) || unfit) continue;
      Entry e;
      e.simulator = &s;
      e.setting = &setting;
      e.dt = dt;
      out.push_back(std::move(e));
    }
  return out;
}

/// `only`: names of scenes; none means all.
bool compare(const std::string& folder, bool quick, const std::vector<std::string>& only,
             const std::vector<Simulator>& all) {
  Table csv({"scene", "simulator", "setting", "friction", "step_us", "ratio", "slowest_us",
             "penetration_m", "truth", "error", "kinetic_J", "residual", "runs"});
  Table markdown({"scene", "simulator", "setting", "step", "of tact's", "slowest step",
                  "penetration", "error", "kinetic energy [J]", "residual"});
  const Effort effort = quick ? Effort{1, 10, 10} : Effort{};
  for (const SimTask& task : tasks(quick, only)) {
    if (!only.empty() && std::find(only.begin(), only.end(), task.scene.name) == only.end())
      continue;
    std::vector<Entry> entries = entries_for(task, all, task.scene.scene.model.timestep);
    measure(task, effort, entries);
    const double base = median(entries.front().steps);
    for (const Entry& e : entries) write_entry(task, e, base, csv, markdown);
    std::fprintf(stderr, ".");
    if (!write_table(folder, "sim_table", csv.csv(), markdown.markdown())) return false;
  }
  return true;
}

/// The settings of the sweep: those of the table, and tact at tolerances in between.
std::vector<Simulator> swept(std::vector<Simulator> all) {
  for (const double tolerance : {1e-4, 1e-6}) {
    Setting s;
    s.words = tolerance < 1e-5 ? "1e-6" : "1e-4";
    s.tolerance = tolerance;
    all.front().settings.push_back(s);
  }
  for (Simulator& s : all)
    std::erase_if(s.settings, [](const Setting& x) { return x.substeps > 1; });
  return all;
}

bool sweep(const std::string& folder, bool quick, const std::vector<Simulator>& all) {
  Table csv({"scene", "simulator", "setting", "dt_s", "cpu_per_simulated", "error"});
  std::vector<std::string> head = {"scene", "simulator", "setting"};
  const std::vector<double> lengths =
      quick ? std::vector{0.002, 0.001} : std::vector{0.004, 0.002, 0.001, 0.0005, 0.00025};
  for (const double dt : lengths) head.push_back("dt " + figure(1e3 * dt) + " ms");
  Table markdown(head);
  const double standing = quick ? 0.02 : 0.5;
  SimTask scenes[] = {
      sim_task(scene_path("incline_stick"), Truth::drift, quick ? 0.1 : 2),
      sim_task(scene_path("incline_slip"), Truth::acceleration, quick ? 0.1 : 1),
      sim_task(scene_path("sliding_boxes"), Truth::distance, 1),
      sim_task(scene_path("spinning_disc"), Truth::spin, 0.5),
      sim_task(scene_path("spinning_square"), Truth::spin, 0.5),
      sim_task(scene_path("box_tower"), Truth::standing, standing),
      sim_task(scene_path("box_tower_heavy_top"), Truth::standing, standing),
  };
  const Effort effort = quick ? Effort{1, 10, 10} : Effort{3, 20, 2};
  for (SimTask& task : scenes) {
    task.look_every = 1000;
    std::vector<std::vector<Entry>> columns;
    for (const double dt : lengths) {
      columns.push_back(entries_for(task, all, dt));
      measure(task, effort, columns.back());
    }
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
      const Entry& first = columns.front()[i];
      std::vector<std::string> row = {task.scene.name, first.simulator->name, first.setting->words};
      std::string quoted = first.setting->words;
      std::replace(quoted.begin(), quoted.end(), ',', ';');
      for (const auto& column : columns) {
        const Entry& e = column[i];
        const double share = median(e.steps) / e.dt;
        row.push_back(e.last.finished
                          ? error_text(task.truth, e.last.error) + " at " + duration(share)
                          : "failed");
        csv.add({task.scene.name, e.simulator->name, quoted, number(e.dt), number(share),
                 number(e.last.error)});
      }
      markdown.add(row);
    }
    std::fprintf(stderr, ".");
    if (!write_table(folder, "sim_sweep", csv.csv(), markdown.markdown())) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "sim_table FOLDER [quick | SCENE...]\n");
    return 2;
  }
  std::vector<std::string> only(argv + 2, argv + argc);
  const bool quick = !only.empty() && only.front() == "quick";
  if (quick) only.clear();
  try {
    const std::vector<Simulator> all = simulators();
    const bool swept_too = !only.empty() || sweep(argv[1], quick, swept(all));
    const bool written = swept_too && compare(argv[1], quick, only, all);
    std::fprintf(stderr, "\n");
    return written ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
