#include "tact/sim/warm_start.hpp"

#include <gtest/gtest.h>

#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

TEST(WarmStart, LoadsComeBackInTheSameFrame) {
  const Model model = testing::tower_scene(3, 5);
  SimOptions options;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  VecX recalled;
  recall_loads(sim.memory, sim.work->rows, recalled);
  EXPECT_LT((recalled - sim.work->lambda).norm(), 1e-14 * sim.work->lambda.norm());
}

TEST(WarmStart, AWrenchStaysTheSameInATurnedAndMovedFrame) {
  const Model model = testing::tower_scene(1, 1);
  Simulation sim = testing::simulation_of(model, initial_state(model), {});
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  ConstraintRows& rows = sim.work->rows;
  const VecX before = sim.work->lambda;
  // A frame turned by a quarter about its normal, its origin 3 cm along the old x.
  Mat3 quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Pose old = rows.groups[0].X_WC;
  rows.groups[0].X_WC = {old.R * quarter, old.p + old.R * Vec3(0.03, 0, 0)};
  VecX recalled;
  recall_loads(sim.memory, rows, recalled);
  EXPECT_NEAR(recalled[5], before[5], 1e-15);
  // m = r × f about the new origin: the force passes 3 cm on the other side, along the new axes.
  const Vec3 f(before[3], before[4], before[5]), m(before[0], before[1], before[2]);
  const Vec3 expected = quarter.transpose() * (m + Vec3(-0.03, 0, 0).cross(f));
  EXPECT_LT((recalled.head<3>() - expected).norm(), 1e-15);
}

TEST(WarmStart, NewContactsStartFromNothing) {
  const Model model = testing::tower_scene(2, 1);
  Simulation sim = testing::simulation_of(model, initial_state(model), {});
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  sim.memory.loads.erase(sim.memory.loads.begin());
  VecX recalled;
  recall_loads(sim.memory, sim.work->rows, recalled);
  EXPECT_TRUE(recalled.head<6>().isZero(0));
  EXPECT_FALSE(recalled.tail<6>().isZero(0));
}

}  // namespace
}  // namespace tact
