#include "tact/sim/interaction.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/sim/sensors.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

constexpr double g = 9.81;

/// A rod of a length on a hinge along y at the origin, hanging down; a second one below it.
Model pendulum(double length, double mass) {
  Model m;
  m.bodies.resize(1);
  m.gravity = Vec3(0, 0, -g);
  for (Index i = 1; i <= 2; ++i) {
    Body b;
    b.parent = i - 1;
    b.mass = mass;
    b.com_B = Vec3(0, 0, -length / 2);
    b.inertia_com_B = Vec3(1, 1, 0.1).asDiagonal() * (mass * length * length / 12);
    if (i == 2) b.X_PB.p = Vec3(0, 0, -length);
    m.bodies.push_back(b);
    Joint j;
    j.type = JointType::hinge;
    j.body = i;
    j.axis_B = Vec3::UnitY();
    m.joints.push_back(j);
    Site s;
    s.body = i;
    m.sites.push_back(s);
  }
  return testing::finished(std::move(m));
}

std::vector<double> read(const Simulation& sim, const char* type, Index site) {
  std::vector<ContactSample> contacts;
  observe(sim, contacts);
  std::vector<double> out;
  EXPECT_TRUE(sensor_is_modelled(type));
  read_sensor(sim, contacts, Sensor{"s", type, "site", site}, out);
  return out;
}

Simulation stepped(const Model& model, const State& start, double dt, int steps) {
  SimOptions options;
  options.dt = dt;
  Simulation sim = testing::simulation_of(model, start, options);
  StepReport report;
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(step(sim, report));
  return sim;
}

TEST(Interaction, AHingeCarriesWhatHangsOnIt) {
  const Model model = pendulum(0.5, 2);
  const Simulation sim = stepped(model, initial_state(model), 1e-3, 3);
  EXPECT_NEAR(read(sim, "force", 0).at(2), 4 * g, 1e-9);
  EXPECT_NEAR(read(sim, "force", 1).at(2), 2 * g, 1e-9);
  EXPECT_NEAR(read(sim, "torque", 0).at(1), 0, 1e-9);
  EXPECT_NEAR(read(sim, "subtreecom", 0).at(2), -0.5, 1e-12);
}

/// A swing: a hinge without friction carries no moment about itself, and the force along the rods
/// is weight and centripetal force. Both follow to the first order of the step.
TEST(Interaction, ASwingPullsAtItsHinge) {
  const double length = 0.5, mass = 2;
  double before = 0;
  for (const double dt : {4e-4, 2e-4, 1e-4}) {
    Model m = pendulum(length, mass);
    m.joints.resize(1);  // one rod of two parts
    m = testing::finished(std::move(m));
    State start = initial_state(m);
    start.qpos[0] = 1;
    const Simulation sim = stepped(m, start, dt, static_cast<int>(std::lround(0.3 / dt)));
    const double angle = sim.state.qpos[0], rate = sim.state.qvel[0];
    const auto force = read(sim, "force", 0), torque = read(sim, "torque", 0);
    const double along = 2 * mass * (g * std::cos(angle) + rate * rate * length);
    const double error = std::abs(force.at(2) - along) + std::abs(torque.at(1));
    if (before > 0) EXPECT_LE(error, 0.7 * before);
    before = error;
    EXPECT_LE(error, 200 * dt * along);
    // Momentum about the centre of mass: that of a rod of twice the length that turns.
    EXPECT_NEAR(read(sim, "subtreeangmom", 0).at(1), rate * 2 * mass * (4 * length * length) / 12,
                1e-9);
    EXPECT_NEAR(Eigen::Map<const Vec3>(read(sim, "subtreelinvel", 0).data()).norm(),
                std::abs(rate) * length, 1e-9);
  }
}

TEST(Interaction, NothingHoldsAFreeBodyThatStandsOnTheFloor) {
  const Model model = testing::tower_scene(2, 3);
  const Simulation sim = stepped(model, initial_state(model), 1e-3, 5);
  Kinematics kin;
  forward_kinematics(sim.scene.model, sim.state, kin);
  forward_velocities(sim.scene.model, sim.state.qvel, kin);
  std::vector<ContactSample> contacts;
  observe(sim, contacts);
  for (Index body = 1; body <= 2; ++body) {
    const auto wrench = interaction_wrench(sim, kin, contacts, body, Vec3(0.3, 0.2, 0.1));
    ASSERT_TRUE(wrench);
    EXPECT_LE(wrench->f.norm(), 1e-8);
    EXPECT_LE(wrench->m.norm(), 1e-8);
  }
}

TEST(Interaction, HasNoAnswerBeforeAStepAndWhereAConstraintHelps) {
  Model m = pendulum(0.5, 2);
  EXPECT_TRUE(read(testing::simulation_of(m, initial_state(m), {}), "force", 0).empty());
  Equality e;
  e.type = EqualityType::connect;
  e.first = 2;
  e.second = 0;
  e.anchor_first = Vec3(0, 0, -0.5);
  e.anchor_second = Vec3(0, 0, -1);
  m.equalities.push_back(e);
  m = testing::finished(std::move(m));
  const Simulation sim = stepped(m, initial_state(m), 1e-3, 2);
  EXPECT_TRUE(read(sim, "force", 1).empty());
}

}  // namespace
}  // namespace tact
