// bench/structures_table.cpp - what a step of a structure costs, and how true it is.
//
//   structures_table FOLDER [quick]      writes structures_table, .csv and .md
//   structures_table FOLDER NAME...      only these scenes; a name that ends in .xml is a file
//   structures_table FOLDER write        writes every scene to FOLDER as NAME.xml
//
// Structures are what iterative solvers find hard: pyramids, walls, arches and cubes that touch on
// all sides, whose contact forces are statically indeterminate; piles; mechanisms with loops,
// limits and dry friction; chains with a heavy end. MuJoCo runs beside tact where it is installed.
//
// A run ends after the scene's duration or a budget of CPU time, so that slow methods have a row
// too: `steps` says how far it came. Times are CPU times of a step, medians over the runs.
// Penetration, joint error, energy and drift come from the states of both simulators, by tact's
// kinematics; residual and contact forces are known of tact only.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "peers/world.hpp"
#include "support/measure.hpp"
#include "support/mechanisms.hpp"
#include "support/structures.hpp"
#include "support/table.hpp"
#include "tact/body/energy.hpp"
#include "tact/contact/detect.hpp"
#include "tact/io/file.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/io/scene_simulation.hpp"
#include "tact/sim/observe.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// What is known of a scene without simulating it.
struct Facts {
  double duration = 1;       ///< [s] worth simulating
  bool stands = false;       ///< by statics: every body keeps its place
  bool symmetric = false;    ///< about x = 0: so are its contact forces
  Vec3 push = Vec3::Zero();  ///< [m/s] velocity that the last free body starts with
  Index look_every = 20;     ///< steps between two looks at the state
};
struct Structure {
  std::string name;
  Facts facts;
  std::function<std::string(const std::string& name)> mjcf;
};

/// The scenes, in the order of the table.
std::vector<Structure> structures() {
  using Name = const std::string&;
  std::vector<Structure> out;
  const auto add = [&](const char* name, const Facts& facts, auto mjcf) {
    out.push_back({name, facts, std::move(mjcf)});
  };
  const Facts balanced{.stands = true, .symmetric = true}, still{.stands = true};
  const auto add_pyramid = [&](const char* name, const Facts& facts, const Pyramid& pyramid) {
    add(name, facts, [pyramid](Name n) { return pyramid_mjcf(n, pyramid); });
  };
  const Facts dropped{.symmetric = true}, pushed{.push = {0.5, 0.05, 0}};
  add_pyramid("pyr10", balanced, {.rows = 10});
  add_pyramid("pyr20", balanced, {.rows = 20});
  add_pyramid("pyr40", balanced, {.rows = 40});
  add_pyramid("pyr20_1ms", balanced, {.rows = 20, .dt = 0.001});
  add_pyramid("pyr10_gap", dropped, {.rows = 10, .gap = 1e-4});
  add_pyramid("pyr20_gap", dropped, {.rows = 20, .gap = 1e-4});
  add_pyramid("pyr10_push", pushed, {.rows = 10});
  add_pyramid("pyr20_push", pushed, {.rows = 20});

  const auto add_cubes = [&](const char* name, const Facts& facts, const CubeBlock& block) {
    add(name, facts, [block](Name n) { return cubes_mjcf(n, block); });
  };
  const auto crate = [](int n, double tilt = 0) {
    return CubeBlock{.along_x = n, .along_y = n, .along_z = n, .crate = true, .tilt = tilt};
  };
  constexpr double tilt = 0.2617993877991494;  // 15 degrees
  constexpr CubeBlock light{.mass = 1, .friction = 0.5};
  CubeBlock upright = light, flat = light;
  upright.along_x = upright.along_z = flat.along_x = flat.along_y = 6;
  upright.along_y = flat.along_z = 1;
  add_cubes("cubes36", balanced, upright);
  add_cubes("cubes36_flat", balanced, flat);
  add_cubes("pallet27", balanced, light);
  add_cubes("crate8", balanced, crate(2));
  add_cubes("crate27", balanced, crate(3));
  add_cubes("crate64", balanced, crate(4));
  add_cubes("crate27_tilt", still, crate(3, tilt));

  add("wall6", balanced, [](Name n) { return wall_mjcf(n, {.rows = 6, .bricks = 7}); });
  add("wall20", balanced, [](Name n) { return wall_mjcf(n, {.rows = 20, .bricks = 20}); });
  const auto add_arch = [&](const char* name, double thickness, bool stands) {
    add(name, Facts{.duration = 2, .stands = stands, .symmetric = true},
        [thickness](Name n) { return arch_mjcf(n, {.thickness = thickness}); });
  };
  add_arch("arch21_t12", 0.12, true);
  add_arch("arch21_t1085", 0.1085, true);
  add_arch("arch21_t1065", 0.1065, false);
  add_arch("arch21_t105", 0.105, false);
  add("cards", balanced, card_house_mjcf);

  const auto add_bin = [&](const char* name, BinFill fill, std::uint64_t seed) {
    add(name, Facts{.duration = 1.5}, [=](Name n) { return bin_mjcf(n, fill, 100, seed); });
  };
  add_bin("bin_capsules", BinFill::capsules, 1);
  add_bin("bin_cylinders", BinFill::cylinders, 2);
  add_bin("bin_meshes", BinFill::meshes, 3);
  add_bin("bin_mixed", BinFill::mixed, 4);
  const Facts many{.duration = 1, .look_every = 50};
  add("boxes1000", many, [](Name n) { return loose_boxes_mjcf(n, 10, 10, 5); });
  add("boxes4000", many, [](Name n) { return loose_boxes_mjcf(n, 20, 10, 6); });
  add("boxes10000", many, [](Name n) { return loose_boxes_mjcf(n, 25, 16, 7); });

  const Facts moving{.duration = 2};
  add("car4", moving, [](Name n) { return car_mjcf(n, true); });
  add("car4_cyl", moving, [](Name n) { return car_mjcf(n, false); });
  add("cassie_leg", moving, [](Name n) { return biped_mjcf(n, true); });
  add("cassie_leg_open", moving, [](Name n) { return biped_mjcf(n, false); });
  add("gripper", moving, [](Name n) { return gripper_mjcf(n, true); });
  add("gripper_open", moving, [](Name n) { return gripper_mjcf(n, false); });
  add("hand", moving, [](Name n) { return hand_mjcf(n, true); });
  add("hand_open", moving, [](Name n) { return hand_mjcf(n, false); });
  add("sib_leg", moving, overlapping_leg_mjcf);
  add("coaxial", moving, coaxial_mjcf);
  const auto add_chain = [&](const char* name, const Chain& chain) {
    add(name, moving, [chain](Name n) { return chain_mjcf(n, chain); });
  };
  add_chain("chain10", {.links = 10});
  add_chain("chain40", {.links = 40});
  add_chain("chain10_level", {.links = 10, .swing = 90});
  add_chain("chain40_level", {.links = 40, .swing = 90});
  add("stool3", still, [](Name n) { return stool_mjcf(n, 3); });
  add("stool4", balanced, [](Name n) { return stool_mjcf(n, 4); });
  return out;
}

SimScene scene_of(const Structure& structure) {
  SimScene out;
  out.name = structure.name;
  out.path = structure.name + ".xml";
  out.text = structure.mjcf(structure.name);
  auto scene = read_scene_text(out.text, out.path);
  if (!scene) throw std::runtime_error(scene.error().message);
  out.scene = *std::move(scene);
  auto start = scene_state(out.scene, out.path, "");
  if (!start) throw std::runtime_error(start.error().message);
  out.start = *std::move(start);
  const Vec3& push = structure.facts.push;
  if (!push.isZero(0)) out.start.qvel.tail<6>().head<3>() = push;
  return out;
}

/// Of one run. Comes back from a process of its own, so it is plain data.
struct Measured {
  bool good = false;   ///< every step was made and every number is finite
  char why[120] = "";  ///< where not
  Index steps = 0, contacts = -1, unsolved = -1;  ///< negative: not known
  double median = 0, mean = 0, slowest = 0;       ///< [s] CPU of a step; the slowest but the first
  double residual = nan;
  double penetration = 0;    ///< [m] the deepest
  double joint_error = 0;    ///< [m, rad] the worst of the equalities
  double drift = 0;          ///< [m] of the body that went farthest from its place, at the end
  double energy_gained = 0;  ///< [J] the largest rise above the least so far
  double asymmetry = nan;    ///< of normal forces, over the largest
};

/// Looks at the states of a run from outside.
class Watch {
 public:
  Watch(const SimScene& scene, Measured& out) : model_(scene.scene.model), out_(out) {
    prepare(model_, detect_);
    forward_kinematics(model_, scene.start, kin_);
    start_ = kin_.X_WB;
    look(scene.start);
  }

  /// False where a number is not finite.
  bool look(const State& state) {
    if (!state.qpos.allFinite() || !state.qvel.allFinite()) return false;
    forward_kinematics(model_, state, kin_);
    forward_velocities(model_, state.qvel, kin_);
    detect(model_, kin_, {}, detect_, contacts_);
    for (const SceneContact& c : contacts_.contacts)
      out_.penetration = std::max(out_.penetration, -c.surface.distance);
    equality_rows(model_, state, kin_, equalities_);
    for (const double error : equalities_.error)
      out_.joint_error = std::max(out_.joint_error, std::abs(error));
    const double energy = kinetic_energy(model_, state.qvel, kin_) +
                          gravity_potential(model_, kin_) + spring_potential(model_, state);
    least_energy_ = std::min(least_energy_, energy);
    out_.energy_gained = std::max(out_.energy_gained, energy - least_energy_);
    out_.drift = 0;
    for (std::size_t b = 1; b < start_.size(); ++b)
      out_.drift = std::max(out_.drift, (kin_.X_WB[b].p - start_[b].p).norm());
    return true;
  }

 private:
  const Model& model_;
  Measured& out_;
  Kinematics kin_;
  DetectWorkspace detect_;
  SceneContacts contacts_;
  EqualityRows equalities_;
  std::vector<Pose> start_;
  double least_energy_ = std::numeric_limits<double>::infinity();
};

/// The largest difference between a contact's normal force and that of its mirror image about
/// x = 0, over the largest force.
double force_asymmetry(const Simulation& sim) {
  std::vector<ContactSample> samples;
  observe(sim, samples);
  struct Force {
    Vec3 at;
    double normal;
  };
  std::vector<Force> forces;
  double largest = 0, worst = 0;
  for (const ContactSample& s : samples) {
    Vec3 middle = Vec3::Zero();
    for (const Vec2& p : s.points) middle.head<2>() += p / static_cast<double>(s.points.size());
    const double normal = std::abs(s.wrench_C.f_n());
    forces.push_back({s.X_WC.p + s.X_WC.R * middle, normal});
    largest = std::max(largest, normal);
  }
  for (const Force& f : forces) {
    const Vec3 mirrored(-f.at[0], f.at[1], f.at[2]);
    const auto farther = [&](const Force& a, const Force& b) {
      return (a.at - mirrored).squaredNorm() < (b.at - mirrored).squaredNorm();
    };
    const Force& image = *std::min_element(forces.begin(), forces.end(), farther);
    worst = std::max(worst, std::abs(f.normal - image.normal));
  }
  return largest > 0 ? worst / largest : nan;
}

/// How much a run may cost.
struct Budget {
  int runs = 3;
  double run = 20;     ///< [s] CPU of the steps of a run: none is begun after
  double enough = 10;  ///< [s] CPU of all runs of a row: none is begun after
};

/// `step()` makes one step and says whether it could; `read()` gives the state.
template <class Step, class Read>
void drive(const SimScene& scene, const Facts& facts, double limit, Step step, Read read,
           Measured& out) {
  const double dt = scene.scene.model.timestep, clock = clock_cost();
  const auto steps = static_cast<Index>(std::lround(facts.duration / dt));
  Watch watch(scene, out);
  std::vector<double> seconds;
  double spent = 0;
  out.good = true;
  while (out.steps < steps && spent < limit && out.good) {
    const double before = cpu_seconds();
    out.good = step();
    seconds.push_back(std::max(0.0, cpu_seconds() - before - clock));
    spent += seconds.back();
    ++out.steps;
    const bool last = out.steps == steps || spent >= limit;
    if (out.good && (last || out.steps % facts.look_every == 0)) out.good = watch.look(read());
  }
  if (!out.good) std::snprintf(out.why, sizeof out.why, "failed at step %d", int(out.steps));
  out.mean = spent / static_cast<double>(seconds.size());
  out.median = median(seconds);
  out.slowest = *std::max_element(seconds.begin() + (seconds.size() > 1 ? 1 : 0), seconds.end());
}

void run_tact(const SimScene& scene, const Facts& facts, double limit, Measured& out) {
  auto setup = scene_setup(scene.scene, scene.path, "", SimOptions{});
  if (!setup) throw std::runtime_error(setup.error().message);
  auto made = make_simulation(scene.scene.model, scene.start, setup->options, setup->prescribed,
                              setup->choices, setup->soft);
  if (!made) throw std::runtime_error(made.error().message);
  Simulation sim = *std::move(made);
  StepReport report;
  out.contacts = out.unsolved = 0;
  out.residual = 0;
  const auto advance = [&] {
    if (!step(sim, report)) return false;
    out.contacts = std::max(out.contacts, report.contacts);
    out.residual = std::max(out.residual, report.solve.residual.figure());
    if (report.solve.status != SolveStatus::converged) ++out.unsolved;
    return true;
  };
  drive(
      scene, facts, limit, advance, [&] { return state_of(sim); }, out);
  if (facts.symmetric && out.good) out.asymmetry = force_asymmetry(sim);
}

#ifdef TACT_HAVE_MUJOCO
void run_mujoco(const SimScene& scene, const Facts& facts, double limit, Measured& out) {
  const auto world = mujoco_world(scene, scene.scene.model.timestep, Setting{});
  State state = scene.start;
  const auto read = [&]() -> const State& {
    world->read(state);
    return state;
  };
  drive(
      scene, facts, limit, [&] { return world->step(); }, read, out);
}
#endif

struct Simulator {
  const char* name;
  void (*run)(const SimScene& scene, const Facts& facts, double limit, Measured& out);
};
constexpr Simulator simulators[] = {
    {"tact", run_tact},
#ifdef TACT_HAVE_MUJOCO
    {"MuJoCo", run_mujoco},
#endif
};

/// Several runs, each in a process of its own; times are the medians over them.
Measured measure(const SimScene& scene, const Facts& facts, const Simulator& simulator,
                 const Budget& budget) {
  constexpr double hanging = 5;  // times the budget: the process is ended
  Measured out;
  std::vector<double> medians, means, slowest;
  double spent = 0;
  for (int r = 0; r < budget.runs && spent < budget.enough; ++r) {
    Measured once;
    const bool back = limited(hanging * (budget.run + 1), once, [&](Measured& m) {
      try {
        simulator.run(scene, facts, budget.run, m);
      } catch (const std::exception& e) {
        m.good = false;
        std::snprintf(m.why, sizeof m.why, "%s", e.what());
      }
    });
    if (!back) std::snprintf(once.why, sizeof once.why, "ended by itself or by its limit");
    out = once;
    if (!back || !once.good) break;
    medians.push_back(once.median);
    means.push_back(once.mean);
    slowest.push_back(once.slowest);
    spent += once.mean * static_cast<double>(once.steps);
  }
  if (!out.good) return out;
  out.median = median(medians);
  out.mean = median(means);
  out.slowest = median(slowest);
  return out;
}

std::string length(double metres) {
  if (metres >= 1) return figure(metres) + " m";
  if (metres >= 1e-3) return figure(1e3 * metres) + " mm";
  if (metres >= 1e-6) return figure(1e6 * metres) + " µm";
  return metres < 1e-12 ? "0" : figure(1e9 * metres) + " nm";
}
std::string known(double x) {
  return std::isfinite(x) ? figure(x) : "";
}
std::string known(Index count) {
  return count >= 0 ? std::to_string(count) : "";
}
/// Not to be mistaken for cells.
std::string in_one_cell(std::string words) {
  for (char& c : words)
    if (c == ',' || c == '|' || c == '\n') c = ';';
  return words;
}

void add_rows(const SimScene& scene, const Facts& facts, const Simulator& simulator,
              const Measured& m, Table& csv, Table& markdown) {
  const Model& model = scene.scene.model;
  const auto bodies = std::to_string(model.bodies.size() - 1);  // without the world
  const bool passive = model.actuators.empty(), linked = !model.equalities.empty();
  const double drift = facts.stands ? m.drift : nan;
  const double gained = passive ? m.energy_gained : nan;
  const double joint_error = linked ? m.joint_error : nan;
  const std::string why = in_one_cell(m.why);
  if (!(m.mean > 0)) {  // not made, or stopped by an exception
    csv.add({scene.name, simulator.name, bodies, "", figure(model.timestep),
             std::to_string(m.steps), "", "", "", "", "", "", "", "", "", "", why});
    markdown.add({scene.name, simulator.name, bodies, "", duration(model.timestep), why, "", "", "",
                  "", "", "", "", "", "", ""});
    return;
  }
  csv.add({scene.name, simulator.name, bodies, known(m.contacts), figure(model.timestep),
           std::to_string(m.steps), figure(1e6 * m.median), figure(1e6 * m.mean),
           figure(1e6 * m.slowest), known(m.residual), known(m.unsolved), known(m.penetration),
           known(drift), known(gained), known(joint_error), known(m.asymmetry), why});
  markdown.add({scene.name, simulator.name, bodies, known(m.contacts), duration(model.timestep),
                why.empty() ? std::to_string(m.steps) : why, duration(m.median), duration(m.mean),
                duration(m.slowest), known(m.residual), known(m.unsolved), length(m.penetration),
                facts.stands ? length(drift) : "", known(gained), known(joint_error),
                known(m.asymmetry)});
}

bool write_scenes(const std::string& folder) {
  for (const Structure& s : structures()) {
    const FileContent file[] = {{folder + "/" + s.name + ".xml", s.mjcf(s.name)}};
    if (const auto error = write_files(file)) {
      std::fprintf(stderr, "%s\n", error->message.c_str());
      return false;
    }
  }
  return true;
}

/// The scenes of these names, files among them; all where there are none.
std::vector<Structure> chosen(const std::vector<std::string>& only) {
  std::vector<Structure> all = structures(), out;
  if (only.empty()) return all;
  for (const std::string& name : only) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Structure& s) { return s.name == name; });
    if (at != all.end()) {
      out.push_back(*at);
      continue;
    }
    if (!name.ends_with(".xml")) throw std::runtime_error(name + " is no scene of this table");
    const auto text = read_file(name);
    if (!text) throw std::runtime_error(text.error().message);
    const auto slash = name.rfind('/');
    const std::string stem = slash == std::string::npos ? name : name.substr(slash + 1);
    out.push_back(
        {stem.substr(0, stem.size() - 4), {}, [t = *text](const std::string&) { return t; }});
  }
  return out;
}

bool compare(const std::string& folder, const std::vector<Structure>& scenes,
             const Budget& budget) {
  Table csv({"scene", "simulator", "bodies", "contacts", "dt_s", "steps", "median_us", "mean_us",
             "slowest_us", "residual", "unsolved", "penetration_m", "drift_m", "energy_gained_J",
             "joint_error", "asymmetry", "why"});
  Table markdown({"scene", "simulator", "bodies", "contacts", "dt", "steps", "median", "mean",
                  "slowest", "residual", "not converged", "penetration", "drift",
                  "energy gained [J]", "joint error [m, rad]", "force asymmetry"});
  for (const Structure& structure : scenes) {
    const SimScene scene = scene_of(structure);
    for (const Simulator& simulator : simulators)
      add_rows(scene, structure.facts, simulator,
               measure(scene, structure.facts, simulator, budget), csv, markdown);
    std::fprintf(stderr, ".");
    if (!write_table(folder, "structures_table", csv.csv(), markdown.markdown())) return false;
  }
  std::fprintf(stderr, "\n");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "structures_table FOLDER [quick | write | NAME...]\n");
    return 2;
  }
  const std::string folder = argv[1];
  std::vector<std::string> only(argv + 2, argv + argc);
  const bool quick = !only.empty() && only.front() == "quick";
  if (quick) only.clear();
  try {
    if (!only.empty() && only.front() == "write") return write_scenes(folder) ? 0 : 1;
    const Budget budget = quick ? Budget{1, 0.2, 0.2} : Budget{};
    return compare(folder, chosen(only), budget) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
