// compliant_grasp_test.cpp - the built-in scene `grasp` along a reference motion.
#include <cmath>

#include <gtest/gtest.h>

#include "compliant_oracle.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/sim_scenes.hpp"

namespace tact {
namespace {

using testing::read;

double yaw(const VecX& qpos, Index at) {
  return 2 * std::atan2(qpos[at + 6], qpos[at + 3]);
}

struct Apart {
  double place = 0, turn = 0, force = 0;  ///< [m], [rad], [N]
};

/// The largest distances from the reference at its samples, at this many steps a second.
Apart apart_at(int steps) {
  Simulation sim = testing::sim_scene("grasp", [&](Scene&, SceneSetup& setup) {
    setup.options.dt = 1.0 / steps;
    // The reference damps the virtual object against the world, not against what leads it.
    SceneSpring damper = setup.soft.springs[0];
    damper.body2 = 0;
    damper.X_B2B = Pose{};
    damper.spring.stiffness_N_per_m = damper.spring.turning_Nm_per_rad = 0;
    setup.soft.springs[0].spring.damping_Ns_per_m = 0;
    setup.soft.springs[0].spring.turning_damping_Nms_per_rad = 0;
    setup.soft.springs.push_back(damper);
  });
  const SoftWork& w = sim.work->soft;
  StepReport report;
  Apart out;
  int done = 0;
  for (const auto& sample : testing::compliant_cases("grasp.json")) {
    const auto until = std::lround(sample["time"].get<double>() * steps);
    for (; done < until; ++done) EXPECT_TRUE(step(sim, report));
    const VecX& q = sim.state.qpos;
    if (done == 0) continue;
    out.place = std::max(out.place, (q.segment<3>(7) - read<Vec3>(sample["position"])).norm());
    out.turn = std::max({out.turn, std::abs(yaw(q, 7) - sample["yaw"].get<double>()),
                         std::abs(yaw(q, 0) - sample["virtual_yaw"].get<double>())});
    for (Index i = 0; i < 3; ++i)
      out.force = std::max(out.force, std::abs(w.elements[i].answer.normal_force -
                                               sample["forces"][i].get<double>()));
  }
  return out;
}

TEST(CompliantMotion, TheGraspFollowsTheReference) {
  const Apart coarse = apart_at(1000), fine = apart_at(4000);
  RecordProperty("place", std::to_string(fine.place));
  EXPECT_LT(fine.place, 1e-6) << coarse.place;
  EXPECT_LT(fine.turn, 1e-5) << coarse.turn;
  EXPECT_LT(fine.force, 1e-3) << coarse.force;
}

}  // namespace
}  // namespace tact
