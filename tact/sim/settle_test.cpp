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

/// Free bodies in a row, each tied to the one before and the first to the world, the last a
/// thousand times as heavy; level at the start. `torn`: that one is tied to a place out of reach,
/// too.
Simulation chain(EqualityType type, int links, double dt, bool torn = false) {
  Model m;
  m.bodies.resize(1);
  m.gravity = Vec3(0, 0, -9.81);
  const Vec3 half(0.05, 0.01, 0.01);
  for (int k = 0; k <= links; ++k)
    testing::add_box(m, k < links ? 0.1 : 100, half,
                     Pose{Mat3::Identity(), Vec3(0.1 * k + 0.05, 0, 5)}, 0);
  for (Geom& g : m.geoms) g.contype = g.conaffinity = 0;
  for (Index k = 0; k <= links; ++k) {
    Equality tie;
    tie.type = type;
    tie.first = k + 1;
    tie.second = k;
    tie.anchor_first = Vec3(-0.05, 0, 0);
    tie.anchor_second = k == 0 ? Vec3(0, 0, 5) : Vec3(0.05, 0, 0);
    m.equalities.push_back(tie);
  }
  if (torn) {
    m.equalities.push_back(m.equalities.back());
    m.equalities.back().second = 0;
    m.equalities.back().anchor_second = Vec3(0.2 * links, 0, 5);
  }
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = dt;
  return testing::simulation_of(model, initial_state(model), options);
}

/// Ties are closed where they are at the end of the step, with a heavy end too; in what rests there
/// is nothing to do.
TEST(Settle, ClosesEquationsAtTheEndOfTheStep) {
  for (const EqualityType type : {EqualityType::connect, EqualityType::weld}) {
    Simulation sim = chain(type, 6, 1e-3);
    StepReport report;
    double worst = 0;
    for (int k = 0; k < 500; ++k) {
      report = {};
      ASSERT_TRUE(step(sim, report)) << k;
      worst = std::max(worst, report.joint_error);
    }
    EXPECT_LT(worst, 1e-9);
    EXPECT_LT(std::abs(sim.ledger.closure()), 1e-9);
    if (type == EqualityType::weld) EXPECT_EQ(report.position_solves, 0);
  }
}

/// An error that no motion takes back is left: nothing runs away.
TEST(Settle, DoesNotChaseWhatIsOutOfReach) {
  Simulation sim = chain(EqualityType::connect, 3, 1e-3, true);
  StepReport report;
  for (int k = 0; k < 200; ++k) {
    report = {};
    ASSERT_TRUE(step(sim, report)) << k;
    EXPECT_GT(report.joint_error, 0.05);
    EXPECT_LT(report.joint_error, 0.6);
  }
  EXPECT_LT(sim.state.qvel.cwiseAbs().maxCoeff(), 20);
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
