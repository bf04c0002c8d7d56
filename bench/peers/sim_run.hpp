// peers/sim_run.hpp - one run of one simulator on one scene: what it cost and how true it was.
//
// Penetration is what tact's detection finds in the states, energy what tact's kinematics make of
// them, for all simulators alike. Only steps are on the clock.
#pragma once

#include "world.hpp"

namespace tact::bench {

/// What is known of a scene without simulating it. Errors are relative for the second to fourth,
/// and metres for the others.
enum class Truth {
  drift,         ///< the first body stays where it is
  acceleration,  ///< of the first body, from rest: its speed at the end over the time
  distance,      ///< every body stops after the same way; the worst counts
  spin,          ///< time in which the first body's spin falls to a tenth
  standing,      ///< no body moves from its place; the one that went farthest counts
  energy,        ///< nothing but that a heap comes to rest
};
/// The column's words.
[[nodiscard]] const char* name(Truth truth);

struct SimTask {
  SimScene scene;
  Truth truth = Truth::energy;
  double duration = 1;   ///< [s]
  Index look_every = 1;  ///< steps between two looks at penetration
  /// [s] What falls has landed by then: penetration, residual and times are those of what comes.
  double landed = 0;
};

/// Reads the text; throws std::runtime_error where tact refuses it.
[[nodiscard]] SimTask sim_task(const std::string& path, const std::string& text, Truth truth,
                               double duration);
/// From a file.
[[nodiscard]] SimTask sim_task(const std::string& path, Truth truth, double duration);

/// MJCF of side² · layers boxes above a bin that they fall into, dt 2 ms; turned and shifted at
/// random from a seed. At `space` below 25 cm columns lean on each other.
[[nodiscard]] std::string heap_text(int side, int layers, double space = 0.26, bool bin = true);

/// Acceleration, distance or time by the closed form; NaN where there is none.
[[nodiscard]] double exact_value(const SimTask& task);

struct SimFigures {
  bool made = false;       ///< the simulator took the scene
  bool finished = false;   ///< all steps were made and all numbers are finite
  char why[120] = "";      ///< of not made
  double step = 0;         ///< [s] CPU for one step of the scene's length, mean from `landed` on;
                           ///< of short steps in a second run, without a clock in between
  double slowest = 0;      ///< [s] the first ten steps apart: memory is got there
  double whole = 0;        ///< [s] all steps
  double penetration = 0;  ///< [m] the deepest
  double error = 0;
  double kinetic = 0;  ///< [J] at the end
  double residual = -1;
};

/// In a process of its own, ended after `limit` seconds of CPU time: then not finished.
[[nodiscard]] SimFigures run_sim(const SimTask& task, MakeWorld make, const Setting& setting,
                                 double dt, double limit);

}  // namespace tact::bench
