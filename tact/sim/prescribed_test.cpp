#include "tact/sim/prescribed.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

TEST(Schedule, IsLinearBetweenItsTimesAndConstantBeyond) {
  Schedule s;
  s.time = {1, 3, 4};
  s.value = {VecX::Constant(2, 10), VecX::Constant(2, 20), VecX::Constant(2, 0)};
  VecX out(2);
  const auto at = [&](double t) {
    value_at(s, t, out);
    return out[1];
  };
  EXPECT_EQ(at(0), 10);
  EXPECT_EQ(at(1), 10);
  EXPECT_EQ(at(2), 15);
  EXPECT_EQ(at(3.25), 15);
  EXPECT_EQ(at(9), 0);
}

Model driven_scene() {
  Model m = testing::floor_scene(0.5);
  Body lift;
  lift.driven = true;
  lift.X_PB.p = Vec3(1, 2, 3);
  m.bodies.push_back(lift);
  Geom g;
  g.body = 1;
  g.shape = Box{Vec3(1, 1, 1)};
  m.geoms.push_back(g);
  testing::add_box(m, 1, Vec3(1, 1, 1), Pose{Mat3::Identity(), Vec3(0, 0, 9)}, 0.5);
  return testing::finished(std::move(m));
}

TEST(Prescribed, DrivenBodiesMoveAsTold) {
  const Model model = driven_scene();
  Prescribed p;
  Drive drive;
  drive.motion.time = {0};
  Vec6 motion;
  motion << 0, 0, 2, 0, 0, 0.5;
  drive.motion.value = {motion};
  p.drives.push_back(drive);
  State state = initial_state(model);
  std::vector<Twist> bodies;
  drive_velocities(model, p, 0.3, bodies);
  EXPECT_EQ(bodies[1].v, Vec3(0, 0, 2));
  EXPECT_EQ(bodies[0].v, Vec3(0, 0, 0));
  move_driven(model, bodies, 0.1, state);
  EXPECT_LT((state.driven[0].p - Vec3(1, 2, 3.2)).norm(), 1e-15);
  EXPECT_NEAR(state.driven[0].R(1, 0), std::sin(0.05), 1e-15);

  // A point of the body at a distance goes round with it.
  Kinematics kin;
  forward_kinematics(model, initial_state(model), kin);
  const Twist at = surface_velocity(model, kin, p, bodies, 1, Vec3(3, 2, 3));
  EXPECT_LT((at.v - Vec3(0, 1, 2)).norm(), 1e-15);
}

TEST(Prescribed, BeltsRunOverTheirGeom) {
  const Model model = driven_scene();
  Prescribed p;
  p.surfaces.push_back({0, Vec3(1.5, 0, 0), Vec3(0, 0, 2)});
  Kinematics kin;
  forward_kinematics(model, initial_state(model), kin);
  std::vector<Twist> bodies;
  drive_velocities(model, p, 0, bodies);
  const Twist at = surface_velocity(model, kin, p, bodies, 0, Vec3(1, 0, 0));
  EXPECT_LT((at.v - Vec3(1.5, 2, 0)).norm(), 1e-15);
  EXPECT_EQ(surface_velocity(model, kin, p, bodies, 2, Vec3(1, 0, 0)).v, Vec3(0, 0, 0));
}

}  // namespace
}  // namespace tact
