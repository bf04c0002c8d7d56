// bench/soft_table.cpp - compliant motion: error against time beside Simbody, and the grasp against
// the clock.
//
//   soft_table FOLDER [quick]     writes soft_bounce and soft_grasp, .csv and .md
//
// A ball bounces on a plane; its restitution has a closed form that knows neither mass nor
// stiffness: d v - ln(1 + d v) = -d e v - ln(1 - d e v). Simbody (where it is installed) chooses
// its steps for an accuracy, tact takes fixed ones. Then the scene `grasp` over five seconds at
// steps of a millisecond.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "peers/simbody_bounce.hpp"
#include "support/measure.hpp"
#include "support/table.hpp"
#include "tact/io/scene_simulation.hpp"
#include "tact/sim/simulate.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

double exact_restitution(double dv) {
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double e = (low + high) / 2;
    const double excess = (dv - std::log1p(dv)) - (-dv * e - std::log1p(-dv * e));
    (excess > 0 ? low : high) = e;
  }
  return low;
}

Model ball_on_plane(const Throw& what) {
  Model m;
  m.bodies.resize(1);
  Geom floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  m.geoms.push_back(floor);
  Body ball;
  ball.name = "ball";
  ball.mass = what.mass;
  ball.X_PB.p = Vec3(0, 0, what.radius);
  ball.inertia_com_B = 0.4 * what.mass * what.radius * what.radius * Mat3::Identity();
  m.bodies.push_back(ball);
  Joint joint;
  joint.type = JointType::free;
  joint.body = 1;
  m.joints.push_back(joint);
  Geom geom;
  geom.name = "ball";
  geom.body = 1;
  geom.shape = Sphere{what.radius};
  m.geoms.push_back(geom);
  m.gravity.setZero();
  return *make_model(std::move(m));
}

Bounce tact_bounce(const Throw& what, double dt) {
  const Model model = ball_on_plane(what);
  SoftPair pair;
  pair.normal = HertzNormal{what.modulus_Pa, what.dissipation_s_per_m};
  pair.friction.coefficient = 0;
  SoftScene soft;
  soft.pairs.push_back(*soft_geoms(model, 1, 0, pair));
  State start = initial_state(model);
  start.qvel[2] = -what.speed;
  SimOptions options;
  options.dt = dt;
  auto made = make_simulation(model, start, options, {}, {}, soft);
  if (!made) return {};
  Simulation sim = *std::move(made);
  StepReport report;
  Bounce out;
  const double begin = cpu_seconds();
  while (sim.state.time < what.duration) {
    if (!step(sim, report)) return {};
    ++out.steps;
  }
  out.seconds = cpu_seconds() - begin;
  out.restitution = sim.state.qvel[2] / what.speed;
  return out;
}

struct Point {
  std::string setting;
  double error = 0, seconds = 0;
  int steps = 0;
};

/// The best of several runs of one setting.
template <class Run>
Point best_of(int runs, double exact, const std::string& setting, Run run) {
  Point out{setting, 0, 1e9, 0};
  for (int k = 0; k < runs; ++k) {
    const Bounce b = run();
    out.error = std::abs(b.restitution - exact);
    out.steps = b.steps;
    out.seconds = std::min(out.seconds, b.seconds);
  }
  return out;
}

/// The least time of a setting that is at least as accurate; negative where there is none.
double time_for(const std::vector<Point>& points, double error) {
  double out = -1;
  for (const Point& p : points)
    if (p.error <= error && (out < 0 || p.seconds < out)) out = p.seconds;
  return out;
}

bool bounce_table(const std::string& folder, bool quick) {
  Throw what;
  what.dissipation_s_per_m = 0.3;
  // The time of contact of Hertz' law is 2.94 x/v at the largest depth x.
  const double k = 4.0 / 3 * what.modulus_Pa * std::sqrt(what.radius);
  const double depth = std::pow(1.25 * what.mass * what.speed * what.speed / k, 0.4);
  what.duration = 2 * 2.94 * depth / what.speed;
  const double exact = exact_restitution(what.dissipation_s_per_m * what.speed);
  const int runs = quick ? 3 : 15;
  std::vector<Point> ours, theirs;
  for (const double steps : {10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0})
    ours.push_back(best_of(runs, exact, "dt " + duration(what.duration / steps),
                           [&] { return tact_bounce(what, what.duration / steps); }));
#ifdef TACT_HAVE_SIMBODY
  for (int digits = 2; digits <= 10; ++digits) {
    const double accuracy = std::pow(10.0, -digits);
    theirs.push_back(best_of(runs, exact, "accuracy " + figure(accuracy),
                             [&] { return simbody_bounce(what, accuracy, cpu_seconds); }));
  }
#else
  std::puts("Simbody is not here and is left out; to have it: apt install libsimbody-dev");
#endif
  Table table({"engine", "setting", "steps", "error of restitution", "CPU time of the bounce"});
  for (const Point& p : ours)
    table.add({"tact", p.setting, std::to_string(p.steps), figure(p.error), duration(p.seconds)});
  for (const Point& p : theirs)
    table.add(
        {"Simbody", p.setting, std::to_string(p.steps), figure(p.error), duration(p.seconds)});
  Table ratios({"error at most", "tact", "Simbody", "tact / Simbody"});
  for (const double error : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const double a = time_for(ours, error), b = time_for(theirs, error);
    ratios.add({figure(error), a < 0 ? "not reached" : duration(a),
                b < 0 ? "not reached" : duration(b), a < 0 || b < 0 ? "-" : figure(a / b)});
  }
  return write_table(folder, "soft_bounce", table.csv() + ratios.csv(),
                     table.markdown() + "\n" + ratios.markdown());
}

bool grasp_table(const std::string& folder, bool quick) {
  const std::string path = std::string(TACT_SCENES) + "/sim/grasp.xml";
  const auto scene = read_scene(path);
  if (!scene) {
    std::fprintf(stderr, "%s\n", scene.error().message.c_str());
    return false;
  }
  SimOptions options;
  options.dt = 1e-3;
  const auto setup = scene_setup(*scene, path, "", options);
  if (!setup) return false;
  const double seconds = quick ? 1 : 5;
  std::vector<double> times;
  for (int k = 0; k < (quick ? 3 : 9); ++k) {
    auto made = make_simulation(scene->model, setup->start, setup->options, setup->prescribed,
                                setup->choices, setup->soft);
    if (!made) return false;
    Simulation sim = *std::move(made);
    StepReport report;
    const double begin = cpu_seconds();
    while (sim.state.time < seconds)
      if (!step(sim, report)) return false;
    times.push_back(cpu_seconds() - begin);
  }
  Table table({"scene", "simulated", "CPU time, median", "best", "times faster than real time"});
  const double middle = median(times);
  table.add({"grasp, dt 1 ms", duration(seconds), duration(middle),
             duration(*std::min_element(times.begin(), times.end())), figure(seconds / middle)});
  return write_table(folder, "soft_grasp", table.csv(), table.markdown());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "soft_table FOLDER [quick]\n");
    return 2;
  }
  const bool quick = argc > 2 && std::string(argv[2]) == "quick";
  return bounce_table(argv[1], quick) && grasp_table(argv[1], quick) ? 0 : 1;
}
