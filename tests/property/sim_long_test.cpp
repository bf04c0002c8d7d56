// sim_long_test.cpp - a run that goes on and on: the memory of a pile.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// Memory of this process that is in use [bytes].
long resident() {
  std::ifstream in("/proc/self/statm");
  long pages = 0, in_use = 0;
  in >> pages >> in_use;
  return in_use * sysconf(_SC_PAGESIZE);
}

/// Boxes that fall onto a turntable's place: the floor tilts slowly to and fro, so that they keep
/// sliding, tipping and landing.
Model heap(int n) {
  Model m = testing::floor_scene(0.3);
  for (int i = 0; i < n; ++i)
    testing::add_box(m, 1, Vec3(0.1, 0.08, 0.06),
                     Pose{Mat3::Identity(), Vec3(0.05 * (i % 2), 0.04 * (i % 3), 0.07 + 0.13 * i)},
                     0.3);
  return testing::finished(std::move(m));
}

// A million steps where TACT_MANY is set, else twenty thousand.
TEST(SimLong, APileDoesNotGrowInMemory) {
  const Model model = heap(8);
  SimOptions options;
  options.dt = 2e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  const long steps = std::getenv("TACT_MANY") != nullptr ? 1000000 : 20000;
  StepReport report;
  long early = 0;
  double deepest = 0;
  for (long k = 0; k < steps; ++k) {
    const double tilt = 0.1 * std::sin(0.5e-3 * static_cast<double>(k));
    sim.scene.model.gravity = 9.81 * Vec3(std::sin(tilt), 0, -std::cos(tilt));
    sim.scene.model.tree.gravity = sim.scene.model.gravity;
    ASSERT_TRUE(step(sim, report)) << k;
    if (k > 2000) deepest = std::max(deepest, report.penetration);
    if (k == steps / 10) early = resident();
  }
  EXPECT_LT(resident() - early, 1 << 20);
  EXPECT_LT(deepest, 1e-4);
}

}  // namespace
}  // namespace tact
