#include "tact/sim/carried_rows.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/body/positions.hpp"
#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

constexpr double dt = 1e-3;

/// A plate that two joints turn and move, a box on it, and a ball on the box's other side.
Model plate_scene() {
  Model m;
  m.bodies.resize(1);
  m.gravity = Vec3(0, 0, -9.81);
  Body arm;
  arm.mass = 3;
  arm.com_B = Vec3(0.1, 0, 0);
  arm.inertia_com_B = Mat3::Identity();
  m.bodies.push_back(arm);
  Joint hinge;
  hinge.body = 1;
  hinge.type = JointType::hinge;
  hinge.axis_B = Vec3::UnitZ();
  m.joints.push_back(hinge);
  Body plate = arm;
  plate.parent = 1;
  plate.X_PB.p = Vec3(0.3, 0.2, 0);
  m.bodies.push_back(plate);
  hinge.body = 2;
  m.joints.push_back(hinge);
  Geom g;
  g.body = 2;
  g.shape = Box{Vec3(1, 1, 0.05)};
  g.friction[0] = 0.8;
  m.geoms.push_back(g);
  testing::add_free_body(m, Box{Vec3(0.1, 0.1, 0.1)}, 1, Vec3(0.1, 0.1, 0.1),
                         Pose{Mat3::Identity(), Vec3(0.6, 0.3, 0.15)}, 0.8);
  testing::add_free_body(m, Sphere{0.1}, 1, Vec3(0.1, 0.1, 0.1),
                         Pose{Mat3::Identity(), Vec3(0.1, -0.3, 0.15)}, 0.8);
  return testing::finished(std::move(m));
}

/// Velocity of body 1 less that of body 2 at a place that moves, some time after the middle of the
/// step, at unchanged u.
Vec3 slip_after(const Simulation& sim, double time, const RowGroup& group, const Vec3& place) {
  const Model& model = sim.scene.model;
  const SceneContact& c = sim.work->contacts.contacts[group.place];
  State state = sim.work->mid;
  integrate(model, state.qpos, sim.work->mid.qvel, time, RotationMap::cayley);
  Kinematics kin;
  forward_kinematics(model, state, kin);
  forward_velocities(model, state.qvel, kin);
  const Vec3 p = group.X_WC.p + time * place;
  return point_velocity(model, kin, model.geoms[c.geom1].body, p).v -
         point_velocity(model, kin, model.geoms[c.geom2].body, p).v;
}

TEST(CarriedRows, RatesAreThoseOfTheMotionItself) {
  const Model model = plate_scene();
  Rng rng(7);
  int seen = 0;
  for (int k = 0; k < 50; ++k) {
    State start = initial_state(model);
    for (double& v : start.qvel) v = rng.normal();
    // Nothing but spin about the normal: what tips or rolls has no place that a formula here knows.
    for (const Index body : {2, 8})
      for (const Index d : {2, 3, 4}) start.qvel[body + d] = 0;
    SimOptions options;
    options.dt = dt;
    Simulation sim = testing::simulation_of(model, start, options);
    StepReport report;
    ASSERT_TRUE(step(sim, report));
    StepWork& w = *sim.work;
    Kinematics& kin = w.kin;  // at u⁻, whatever the step took for its forces
    forward_kinematics(sim.scene.model, w.mid, kin);
    forward_velocities(sim.scene.model, w.mid.qvel, kin);
    VecX rates = VecX::Zero(w.rows.rows);
    add_turning(sim, 1, rates);
    for (const RowGroup& group : w.rows.groups) {
      if (group.key.source != RowSource::surface) continue;
      ++seen;
      const SceneContact& c = w.contacts.contacts[group.place];
      const Index geom = sim.scene.model.geoms[c.geom1].body == 2 ? c.geom2 : c.geom1;
      const Index body = sim.scene.model.geoms[geom].body;
      // The box takes its patch along, the ball its point below its centre.
      const Vec3 from = body == 3 ? group.X_WC.p : kin.X_WB[4].p;
      const Vec3 place = point_velocity(sim.scene.model, kin, body, from).v;
      constexpr double time = 1e-4;
      const Vec3 difference =
          (slip_after(sim, time, group, place) - slip_after(sim, -time, group, place)) / (2 * time);
      const Index first = group.first_row + (group.row_count == 6 ? 3 : 0);
      for (Index axis = 0; axis < 2; ++axis)
        EXPECT_NEAR(rates[first + axis], group.X_WC.R.col(axis).dot(difference), 1e-5) << k;
    }
  }
  EXPECT_GE(seen, 100);
}

/// At rest, and where nothing turns, not a bit changes.
TEST(CarriedRows, WithoutTurningThereIsNothingToAdd) {
  const Model model = testing::tower_scene(3, 1);
  SimOptions options;
  options.dt = dt;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(step(sim, report));
  VecX rates = VecX::Zero(sim.work->rows.rows);
  add_turning(sim, 1, rates);
  EXPECT_TRUE(rates.isZero(0));
}

}  // namespace
}  // namespace tact
