#include "tact/sim/smooth_motion.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// One wheel on a hinge about z, without weight.
Model wheel(double damping, double servo) {
  Model m;
  m.bodies.resize(1);
  Body b;
  b.name = "wheel";
  b.mass = 1;
  b.inertia_com_B = 0.5 * Mat3::Identity();
  m.bodies.push_back(b);
  Joint j;
  j.body = 1;
  j.damping = damping;
  m.joints.push_back(j);
  if (servo > 0) {
    Actuator a;
    a.gain = Vec3::Zero();
    a.bias = Vec3(0, 0, -servo);
    m.actuators.push_back(a);
  }
  return testing::finished(std::move(m));
}

/// The work of a damper of d at 3 rad/s is the difference of numbers like h d ω²: so are its
/// digits.
double rounding(double dt, double d) {
  return 1e-13 * (1 + dt * d);
}

double speed_after(const Model& model, double dt, int steps, Account account, double& booked) {
  State start = initial_state(model);
  start.qvel[0] = 3;
  SimOptions options;
  options.dt = dt;
  Simulation sim = testing::simulation_of(model, start, options);
  StepReport report;
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(step(sim, report));
  booked = sim.ledger.of(account);
  const double slope =
      model.joints[0].damping + (model.actuators.empty() ? 0 : -model.actuators[0].bias[2]);
  EXPECT_LT(std::abs(sim.ledger.closure()), rounding(dt, slope));
  return sim.state.qvel[0];
}

TEST(SmoothMotion, DampingIsImplicit) {
  double booked = 0;
  // u⁺ = u⁻ / (1 + h d / I), whatever d.
  EXPECT_NEAR(speed_after(wheel(2, 0), 0.01, 1, Account::damping, booked), 3 / 1.04, 1e-14);
  const double stiff = speed_after(wheel(1e6, 0), 0.01, 5, Account::damping, booked);
  EXPECT_GE(stiff, 0);
  EXPECT_LT(stiff, 1e-15);
  EXPECT_NEAR(booked, -0.5 * 0.5 * 9, rounding(0.01, 1e6));
}

TEST(SmoothMotion, AServoThatBrakesIsImplicitToo) {
  double booked = 0;
  EXPECT_NEAR(speed_after(wheel(0, 2), 0.01, 1, Account::actuators, booked), 3 / 1.04, 1e-14);
  EXPECT_LT(std::abs(speed_after(wheel(0, 1e6), 0.01, 5, Account::actuators, booked)), 1e-15);
  EXPECT_NEAR(booked, -0.5 * 0.5 * 9, rounding(0.01, 1e6));
}

TEST(SmoothMotion, ASpringSwingsInItsOwnPeriod) {
  Model m = wheel(0, 0);
  m.joints[0].stiffness = 0.5 * 4 * 9.8696044010893586;  // one turn of phase a second
  const Model model = testing::finished(std::move(m));
  State start = initial_state(model);
  start.qpos[0] = 0.1;
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, start, options);
  StepReport report;
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(step(sim, report));
  EXPECT_NEAR(sim.state.qpos[0], 0.1, 1e-6);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-13);
}

}  // namespace
}  // namespace tact
