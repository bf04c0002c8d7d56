// MuJoCo is a second opinion about poses, mass matrix and bias force of any tree.
#include <gtest/gtest.h>

#include "tact/body/bias.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tests/support/mujoco_peer.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::MujocoPeer;

/// Ten links deep, each product of rotations keeps all digits but one or two.
constexpr double agreement = 1e-12;

void compare(const Model& model, const State& state, MujocoPeer& peer) {
  peer.set(state);
  peer.run();
  Kinematics kin;
  MassMatrix mass;
  BiasWorkspace work;
  VecX c;
  forward_kinematics(model, state, kin);
  forward_velocities(model, state.qvel, kin);
  mass_matrix(model, kin, mass);
  bias_force(model, state.qvel, kin, work, c);
  for (Index i = 0; i < static_cast<Index>(model.bodies.size()); ++i)
    EXPECT_LE(testing::pose_error(kin.X_WB[i], peer.body(i)),
              agreement * (1 + kin.X_WB[i].p.norm()));
  if (model.nv == 0) return;
  const MatX M = peer.mass();
  EXPECT_LE(max_error(dense(model, mass), M), agreement * M.cwiseAbs().maxCoeff());
  const VecX bias = peer.over_dofs(peer.d->qfrc_bias);
  EXPECT_LE(max_error(c, bias), agreement * (1 + bias.cwiseAbs().maxCoeff()));
}

TEST(MujocoPeer, AgreesOnTheRobots) {
  Rng rng(1);
  for (const Model& model : {testing::quadruped(), testing::humanoid()}) {
    MujocoPeer peer(model);
    for (int i = 0; i < 100; ++i) compare(model, testing::random_state(model, rng), peer);
  }
}

TEST(MujocoPeer, AgreesOnRandomTreesOfAllJoints) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    const Model model = testing::random_tree(rng, 1 + static_cast<Index>(rng.below(12)));
    MujocoPeer peer(model);
    for (int k = 0; k < 3; ++k) compare(model, testing::random_state(model, rng), peer);
  }
}

}  // namespace
}  // namespace tact
