#include "tact/sim/settle.hpp"

#include <gtest/gtest.h>

#include "tact/geom/contact_patch.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// The deepest overlap of a state, by a detection of all pairs that knows nothing of the step.
double deepest(const Simulation& sim) {
  DetectWorkspace detection;
  prepare(sim.scene.model, detection);
  Kinematics kin;
  forward_kinematics(sim.scene.model, sim.state, kin);
  SceneContacts found;
  detect(sim.scene.model, kin, DetectOptions{}, detection, found);
  double worst = 0;
  for (const SceneContact& c : found.contacts)
    worst = std::min(worst, least_gap(c.surface, found.buffer));
  return -worst;
}

Simulation tower(int boxes) {
  const Model model = testing::tower_scene(boxes, 1, 0.8);
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(step(sim, report));
  return sim;
}

/// Pairs that did not turn fast are not looked at again: nothing is deeper for that than what fast
/// turning may leave.
TEST(Settle, LeavesNoOverlapInAShakenTower) {
  for (const Index dof : {3, 4, 5})
    for (const double speed : {0.1, 0.3, 1.0}) {
      Simulation sim = tower(6);
      State x = state_of(sim);
      x.qvel[6 * 3 + dof] += speed;
      x.qvel[6 * 3] += 0.3;
      set_state(sim, x);
      StepReport report;
      for (int k = 0; k < 60; ++k) {
        report = {};
        ASSERT_TRUE(step(sim, report));
        const double depth = deepest(sim);
        EXPECT_LE(depth, 10 * tolerance::turning) << dof << " " << speed << " step " << k;
        EXPECT_GE(report.penetration, depth - tolerance::turning);
      }
    }
}

/// Without fast turning nothing is done.
TEST(Settle, IsNotForWhatStands) {
  Simulation sim = tower(4);
  State end = sim.state;
  StepReport report;
  sim.work->settle.moved.setZero(sim.scene.model.nv);
  settle_positions(sim, sim.options.dt, end, report);
  EXPECT_EQ(report.position_solves, 0);
  EXPECT_EQ(end.qpos, sim.state.qpos);
}

/// A box that is struck leaves the room that detection gave it, and meets one that was not near.
TEST(Settle, FindsAPairThatWasNotNear) {
  Model m = testing::floor_scene(0.2);
  m.gravity.setZero();
  const Vec3 half(0.1, 0.1, 0.1);
  testing::add_box(m, 100, half, Pose{Mat3::Identity(), Vec3(0, 0, 1)}, 0.2);
  testing::add_box(m, 1, half, Pose{Mat3::Identity(), Vec3(0.2, 0.05, 1)}, 0.2);
  testing::add_box(m, 100, half, Pose{Mat3::Identity(), Vec3(0.403, 0, 1)}, 0.2);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  State start = initial_state(model);
  start.qvel[0] = 10;
  start.qvel[5] = 1;
  Simulation sim = testing::simulation_of(model, start, options);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  EXPECT_GE(report.position_solves, 1);
  EXPECT_LE(deepest(sim), 1e-6);
}

}  // namespace
}  // namespace tact
