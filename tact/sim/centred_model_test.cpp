#include "tact/sim/centred_model.hpp"

#include <gtest/gtest.h>

#include "tact/body/energy.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

Model off_centre_scene(Rng& rng) {
  Model m = testing::floor_scene(1);
  for (int i = 0; i < 3; ++i)
    testing::add_box(m, 1 + i, Vec3(0.1, 0.2, 0.3), testing::random_pose(rng), 1);
  for (std::size_t i = 1; i < m.bodies.size(); ++i) m.bodies[i].com_B = testing::random_vec3(rng);
  m.joints[1].damping = 0.1;  // this one keeps its frame
  return testing::finished(std::move(m));
}

State random_state(const Model& model, Rng& rng) {
  State state = initial_state(model);
  for (Index i = 0; i < state.qpos.size(); ++i) state.qpos[i] = rng.uniform(-1, 1);
  for (Index i = 0; i < state.qvel.size(); ++i) state.qvel[i] = rng.uniform(-1, 1);
  normalize_quaternions(model, state.qpos);
  return state;
}

TEST(CentredModel, IsTheSameScene) {
  Rng rng(7);
  const Model model = off_centre_scene(rng);
  const CentredModel made = centred(model);
  EXPECT_TRUE(made.flies[0]);
  EXPECT_FALSE(made.flies[1]);
  const State state = random_state(model, rng);
  State moved, back;
  to_centred(made, state, moved);
  from_centred(made, moved, back);
  EXPECT_LT((back.qpos - state.qpos).norm(), 1e-14);
  EXPECT_LT((back.qvel - state.qvel).norm(), 1e-14);

  Kinematics a, b;
  forward_kinematics(model, state, a);
  forward_velocities(model, state.qvel, a);
  forward_kinematics(made.model, moved, b);
  forward_velocities(made.model, moved.qvel, b);
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const Pose X = a.X_WB[model.geoms[g].body] * model.geoms[g].X_BG;
    const Pose Y = b.X_WB[made.model.geoms[g].body] * made.model.geoms[g].X_BG;
    EXPECT_LT((X.p - Y.p).norm() + (X.R - Y.R).norm(), 1e-13);
  }
  const double T = kinetic_energy(model, state.qvel, a);
  EXPECT_NEAR(kinetic_energy(made.model, moved.qvel, b), T, 1e-13 * T);
  EXPECT_NEAR(gravity_potential(made.model, b), gravity_potential(model, a), 1e-12);
  EXPECT_TRUE(made.model.tree.links[0].com_B.isZero(1e-15));
}

}  // namespace
}  // namespace tact
