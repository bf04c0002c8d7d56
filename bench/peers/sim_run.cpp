#include "sim_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "support/measure.hpp"
#include "tact/base/rng.hpp"
#include "tact/body/energy.hpp"
#include "tact/contact/detect.hpp"
#include "tact/io/file.hpp"
#include "tact/io/scene_moment.hpp"

namespace tact::bench {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double slow_spin = 0.1;  ///< share of the spin that ends the clock of Truth::spin
constexpr Index warm_up = 10;      ///< steps

/// Watches a run from outside.
class Watch {
 public:
  explicit Watch(const SimTask& task)
      : task_(task), model_(task.scene.scene.model), state_(task.scene.start) {
    prepare(model_, detect_);
    forward_kinematics(model_, state_, kin_);
    start_ = kin_.X_WB;
    last_spin_ = task.truth == Truth::spin ? spin() : 0;
  }

  void after_step(const World& world, Index number, double time, double dt) {
    const bool look = number % task_.look_every == 0 && time > task_.landed;
    if (!look && task_.truth != Truth::spin) return;
    world.read(state_);
    if (task_.truth == Truth::spin) watch_spin(time, dt);
    if (look) look_at_gaps();
  }

  void finish(const World& world, double time, SimFigures& out) {
    world.read(state_);
    look_at_gaps();
    forward_velocities(model_, state_.qvel, kin_);
    out.kinetic = kinetic_energy(model_, state_.qvel, kin_);
    out.penetration = deepest_;
    out.error = error(time);
    out.residual = world.residual();
    out.finished = state_.qpos.allFinite() && state_.qvel.allFinite();
  }

 private:
  [[nodiscard]] double spin() const { return std::abs(state_.qvel[5]); }

  void watch_spin(double time, double dt) {
    const double now = spin();
    const double end = slow_spin * std::abs(task_.scene.start.qvel[5]);
    if (!(spun_down_ > 0) && now <= end)
      spun_down_ = time - dt * (end - now) / std::max(last_spin_ - now, end * 1e-9);
    last_spin_ = now;
  }

  void look_at_gaps() {
    if (!state_.qpos.allFinite()) return;
    forward_kinematics(model_, state_, kin_);
    detect(model_, kin_, {}, detect_, contacts_);
    for (const SceneContact& c : contacts_.contacts)
      deepest_ = std::max(deepest_, -c.surface.distance);
  }

  [[nodiscard]] Vec3 moved(std::size_t body) const { return kin_.X_WB[body].p - start_[body].p; }

  [[nodiscard]] double error(double time) const {
    const double exact = exact_value(task_);
    double worst = 0;
    switch (task_.truth) {
      case Truth::drift:
        return moved(1).norm();
      case Truth::acceleration:
        return state_.qvel.head<3>().norm() / time / exact - 1;
      case Truth::distance:
        for (std::size_t b = 1; b < start_.size(); ++b) {
          const double off = moved(b).head<2>().norm() / exact - 1;
          if (std::abs(off) > std::abs(worst)) worst = off;
        }
        return worst;
      case Truth::spin:
        return spun_down_ > 0 ? spun_down_ / ((1 - slow_spin) * exact) - 1 : nan;
      case Truth::standing:
        for (std::size_t b = 1; b < start_.size(); ++b) worst = std::max(worst, moved(b).norm());
        return worst;
      case Truth::energy:
        break;
    }
    return nan;
  }

  const SimTask& task_;
  const Model& model_;
  State state_;
  Kinematics kin_;
  DetectWorkspace detect_;
  SceneContacts contacts_;
  std::vector<Pose> start_;
  double deepest_ = 0, last_spin_ = 0, spun_down_ = 0;
};

void run_here(const SimTask& task, World& world, const Setting& setting, double dt,
              SimFigures& out) {
  const double clock = clock_cost();
  const auto steps = static_cast<Index>(std::lround(task.duration / dt));
  const auto landed = static_cast<Index>(std::lround(task.landed / dt));
  double before_landing = 0;
  Watch watch(task);
  for (Index k = 0; k < steps; ++k) {
    if (k == landed) {
      before_landing = out.whole;
      world.forget_residual();
    }
    bool good = true;
    const double before = cpu_seconds();
    for (int s = 0; s < setting.substeps; ++s) good = world.step() && good;
    const double spent = std::max(0.0, cpu_seconds() - before - clock);
    if (!good) return;
    out.whole += spent;
    if (k >= warm_up) out.slowest = std::max(out.slowest, spent);
    watch.after_step(world, k, static_cast<double>(k + 1) * dt, dt);
  }
  out.step = (out.whole - before_landing) / static_cast<double>(steps - landed);
  watch.finish(world, static_cast<double>(steps) * dt, out);
}

/// The mean step of all but the first, with two readings of the clock. A reading is a call into the
/// kernel, and a short step pays for it once more with what the call has displaced.
double unwatched_step(const SimTask& task, World& world, const Setting& setting, double dt) {
  const auto steps = static_cast<Index>(std::lround(task.duration / dt));
  const auto advance = [&](Index count) {
    for (Index k = 0; k < count * setting.substeps; ++k) (void)world.step();
  };
  const Index first = std::min(warm_up, steps / 2);
  advance(first);
  const double before = cpu_seconds();
  advance(steps - first);
  return (cpu_seconds() - before) / static_cast<double>(steps - first);
}

std::string box_text(const char* head, const Vec3& at, const Vec3& turn, const char* tail) {
  char out[300];
  std::snprintf(out, sizeof out, "%s pos=\"%.6f %.6f %.6f\" euler=\"%.3f %.3f %.3f\"%s\n", head,
                at[0], at[1], at[2], turn[0], turn[1], turn[2], tail);
  return out;
}

/// Mean distance of a unit square's points from its middle.
double square_arm() {
  return (std::numbers::sqrt2 + std::log1p(std::numbers::sqrt2)) / 6;
}

/// The arm of the friction moment μ N · arm under uniform pressure.
double spin_arm(const Shape& shape) {
  if (const auto* disc = std::get_if<Cylinder>(&shape)) return 2.0 / 3 * disc->radius;
  if (const auto* box = std::get_if<Box>(&shape)) return square_arm() * 2 * box->half_extents[0];
  return nan;
}

}  // namespace

const char* name(Truth truth) {
  constexpr const char* names[] = {"drift [m]",      "acceleration", "distance",
                                   "spin-down time", "moved [m]",    ""};
  return names[static_cast<int>(truth)];
}

SimTask sim_task(const std::string& path, const std::string& text, Truth truth, double duration) {
  SimTask task;
  auto scene = read_mjcf_text(text, path, disk_files());
  if (!scene) throw std::runtime_error(scene.error().message);
  task.scene.scene = *std::move(scene);
  auto start = scene_state(task.scene.scene, path, "");
  if (!start) throw std::runtime_error(start.error().message);
  task.scene.start = *std::move(start);
  task.scene.name = task.scene.scene.model.name;
  task.scene.path = path;
  task.scene.text = text;
  task.truth = truth;
  task.duration = duration;
  return task;
}

SimTask sim_task(const std::string& path, Truth truth, double duration) {
  const auto text = read_file(path);
  if (!text) throw std::runtime_error(text.error().message);
  return sim_task(path, *text, truth, duration);
}

std::string heap_text(int side, int layers, double space, bool bin) {
  constexpr double lift = 0.24, half = 0.1, wall = 0.05, shift = 0.02, turn = 8;
  Rng rng(1);
  const auto any = [&](double size) {
    const double x = rng.uniform(-size, size), y = rng.uniform(-size, size);
    return Vec3(x, y, rng.uniform(-size, size));
  };
  const double inside = 0.5 * space * side + 0.05, tall = 0.5 * lift * layers;
  char size[2][80];
  std::snprintf(size[0], sizeof size[0], " type=\"box\" size=\"%.3f %.3f %.3f\"/>", wall,
                inside + 2 * wall, tall);
  std::snprintf(size[1], sizeof size[1], " type=\"box\" size=\"%.3f %.3f %.3f\"/>", inside, wall,
                tall);
  std::string out = "<mujoco model=\"pile " + std::to_string(side * side * layers) +
                    (space < 0.25 ? " near" : "") + (bin ? "" : " without a bin") +
                    "\">\n<option timestep=\"0.002\" gravity=\"0 0 -9.81\"/>\n"
                    "<default><geom friction=\"0.5 0.005 0.0001\"/></default>\n<worldbody>\n"
                    "<geom type=\"plane\" size=\"50 50 1\"/>\n";
  for (const double sign : {-1.0, 1.0}) {
    if (!bin) break;
    const double at = sign * (inside + wall);
    out += box_text("<geom", {at, 0, tall}, Vec3::Zero(), size[0]);
    out += box_text("<geom", {0, at, tall}, Vec3::Zero(), size[1]);
  }
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const Vec3 jitter = any(shift);
        const Vec3 at(space * (i - 0.5 * (side - 1)) + jitter[0],
                      space * (j - 0.5 * (side - 1)) + jitter[1], 0.16 + lift * k);
        out += box_text("<body", at, any(turn), "><freejoint/>");
        char geom[100];
        std::snprintf(geom, sizeof geom,
                      "<geom type=\"box\" size=\"%g %g %g\" mass=\"1\"/></body>\n", half, half,
                      half);
        out += geom;
      }
  return out + "</worldbody>\n</mujoco>\n";
}

double exact_value(const SimTask& task) {
  const Model& model = task.scene.scene.model;
  const auto floor = std::find_if(model.geoms.begin(), model.geoms.end(), [](const Geom& g) {
    return std::holds_alternative<HalfSpace>(g.shape);
  });
  if (floor == model.geoms.end() || model.bodies.size() < 2) return nan;
  const Vec3 n = floor->X_BG.R.col(2);
  const double mu = floor->friction[0], weight = std::abs(n.dot(model.gravity));
  const Vec3 down = model.gravity - n.dot(model.gravity) * n;
  const VecX& u = task.scene.start.qvel;
  switch (task.truth) {
    case Truth::acceleration:
      return down.norm() - mu * weight;
    case Truth::distance:
      return u.head<3>().squaredNorm() / (2 * mu * weight);
    case Truth::spin: {
      const Body& body = model.bodies[1];
      const double moment = mu * body.mass * weight * spin_arm(model.geoms[body.first_geom].shape);
      return body.inertia_com_B(2, 2) * std::abs(u[5]) / moment;
    }
    default:
      return nan;
  }
}

SimFigures run_sim(const SimTask& task, MakeWorld make, const Setting& setting, double dt,
                   double limit) {
  SimFigures out;
  const bool back = limited(limit, out, [&](SimFigures& figures) {
    try {
      const auto world = make(task.scene, dt / setting.substeps, setting);
      figures.made = true;
      run_here(task, *world, setting, dt, figures);
      constexpr double brief = 1e-4;  // [s]
      if (figures.finished && figures.step < brief) {
        const auto again = make(task.scene, dt / setting.substeps, setting);
        figures.step = unwatched_step(task, *again, setting, dt);
      }
    } catch (const std::exception& e) {
      std::snprintf(figures.why, sizeof figures.why, "%s", e.what());
    }
  });
  if (!back) std::snprintf(out.why, sizeof out.why, "ended after %g s or by itself", limit);
  return out;
}

}  // namespace tact::bench
