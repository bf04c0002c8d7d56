// sim/soft_stage_test.cpp - compliant pairs and springs in a simulation: closed forms, the ledger,
// rigid and soft in one scene.
#include "tact/sim/soft_stage.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/sim/simulate.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

constexpr double radius = 0.02, mass = 0.1;

/// A ball, a little above the floor.
Model ball_scene(double height) {
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Sphere{radius}, mass, Vec3::Constant(radius),
                         Pose{Mat3::Identity(), Vec3(0, 0, radius + height)}, 0.5);
  return testing::finished(std::move(m));
}

SoftScene soft_pair(const Model& model, Index geom1, Index geom2, const SoftPair& pair) {
  auto made = soft_geoms(model, geom1, geom2, pair);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  SoftScene out;
  out.pairs.push_back(*std::move(made));
  return out;
}

using testing::soft_simulation;

double closure_share(const Simulation& sim) {
  const double off = std::abs(sim.ledger.closure());
  return sim.ledger.moved > 0 ? off / sim.ledger.moved : off;
}

/// Speed of separation over speed of approach of a ball thrown onto the floor without weight.
double bounce(const SoftPair& pair, double speed, double dt) {
  Model model = ball_scene(0);
  model.gravity.setZero();
  State start = initial_state(model);
  start.qvel[2] = -speed;
  Simulation sim = soft_simulation(model, start, dt, soft_pair(model, 1, 0, pair));
  StepReport report;
  for (int k = 0; k < 100000 && (sim.state.qvel[2] < 0 || sim.state.qpos[2] < radius); ++k)
    EXPECT_TRUE(step(sim, report));
  EXPECT_LT(closure_share(sim), 1e-12);
  return sim.state.qvel[2] / speed;
}

// Hunt and Crossley: d v - ln(1 + d v) = -d e v - ln(1 - d e v), whatever stiffness and mass.
TEST(SoftStage, ABounceIsWhatHuntAndCrossleySay) {
  SoftPair pair;
  pair.friction.coefficient = 0;
  for (const double v : {0.5, 2.0})
    for (const double d : {0.2, 0.6}) {
      pair.normal = HertzNormal{1e6, d};
      double low = 0, high = 1;
      for (int k = 0; k < 60; ++k) {
        const double e = (low + high) / 2;
        const double excess =
            (d * v - std::log(1 + d * v)) - (-d * e * v - std::log(1 - d * e * v));
        (excess > 0 ? low : high) = e;
      }
      const double coarse = std::abs(bounce(pair, v, 4e-5) - low);
      const double fine = std::abs(bounce(pair, v, 1e-5) - low);
      EXPECT_LT(fine, 1e-6);
      EXPECT_LT(fine, coarse / 8);  // second order: 16
    }
  pair.normal = HertzNormal{1e6, 0};
  EXPECT_NEAR(bounce(pair, 1, 1e-3), 1, 1e-12);  // lossless at any step
}

// At rest the elastic force is the weight.
TEST(SoftStage, ABallRestsAtItsStaticDepth) {
  const Model model = ball_scene(0);
  SoftPair pair;
  LinearNormal normal;
  normal.stiffness_N_per_m = 2000;
  normal.damping_Ns_per_m = 10;
  pair.normal = normal;
  Simulation sim = soft_simulation(model, initial_state(model), 1e-3, soft_pair(model, 1, 0, pair));
  const RunSummary run = simulate(sim, {.duration = 3, .label_every = 0});
  ASSERT_EQ(run.status, RunStatus::finished) << run.why;
  EXPECT_NEAR(sim.state.qpos[2], radius - mass * 9.81 / 2000, 1e-12);
  // At rest each step may leave the rounding of force times size: 3000 of them.
  EXPECT_LT(closure_share(sim), 1e-11);
  EXPECT_EQ(run.soft_pairs.size(), 1U);
}

// Fast, spinning, with slip: nothing is gained in any step.
TEST(SoftStage, ASlippingBounceKeepsItsBooks) {
  const Model model = ball_scene(1e-3);
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 0.3};
  pair.friction.coefficient = 0.3;
  for (const double dt : {1e-4, 1e-3, 5e-3}) {
    State start = initial_state(model);
    start.qvel << 2, -1, -1, 20, -30, 40;
    Simulation sim = soft_simulation(model, start, dt, soft_pair(model, 1, 0, pair));
    StepReport report;
    for (int k = 0; k < 0.2 / dt; ++k) {
      const EnergyLedger before = sim.ledger;
      ASSERT_TRUE(step(sim, report));
      EXPECT_LE(sim.ledger.of(Account::viscous), before.of(Account::viscous));
      EXPECT_LE(sim.ledger.of(Account::slip), before.of(Account::slip) + 1e-16);
    }
    EXPECT_LT(closure_share(sim), 1e-12);
    EXPECT_LT(sim.ledger.of(Account::slip), -1e-3);
    EXPECT_LE(sim.ledger.of(Account::elastic), 1e-15 * sim.ledger.moved);  // rounding of the sum
  }
}

// An ellipsoid rocks on its side: with the rolling wrench the steps converge with second order.
TEST(SoftStage, ARockingEllipsoidConvergesWithSecondOrder) {
  Model m = testing::floor_scene(0.5);
  const Vec3 axes(0.05, 0.035, 0.025);
  const Mat3 R = exp_so3(Vec3(0.25, 0.35, 0.1));
  const Vec3 down = R.transpose() * Vec3(0, 0, -1);
  const Vec3 lowest = axes.cwiseAbs2().cwiseProduct(down) / axes.cwiseProduct(down).norm();
  const double height = -(R * lowest)[2] - 3e-4;
  testing::add_free_body(m, Ellipsoid{axes}, 0.2, axes, Pose{R, Vec3(0, 0, height)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SoftPair pair;
  pair.normal = HertzNormal{2e5, 0};
  pair.tangent = PadTangent{SoftPad{3000 * Mat2::Identity(), 0.5, Vec3::UnitX()}, std::nullopt};
  pair.friction.coefficient = std::numeric_limits<double>::infinity();
  pair.centre_share = 0;
  const auto end = [&](double dt) {
    State start = initial_state(model);
    start.qvel << 0, 0, 0, 1.2, -0.9, 1.8;
    Simulation sim = soft_simulation(model, start, dt, soft_pair(model, 1, 0, pair));
    StepReport report;
    const int steps = static_cast<int>(std::lround(0.2 / dt));
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(step(sim, report));
    EXPECT_LT(closure_share(sim), 1e-11);
    return VecX(sim.state.qpos);
  };
  const VecX exact = end(2.5e-5);
  const double coarse = (end(8e-4) - exact).norm(), fine = (end(2e-4) - exact).norm();
  EXPECT_LT(fine, coarse / 10);  // second order: 16
  EXPECT_LT(fine, 1e-3);
}

// A soft ball on a rigid block on a rigid floor: one contact problem, one ledger.
TEST(SoftStage, RigidAndSoftShareTheirBodies) {
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Ellipsoid{Vec3(0.1, 0.1, 0.05)}, 1, Vec3(0.1, 0.1, 0.05),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0.05)}, 0.5);
  testing::add_free_body(m, Sphere{radius}, mass, Vec3::Constant(radius),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0.1 + radius)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SoftPair pair;
  LinearNormal normal;
  normal.stiffness_N_per_m = 5000;
  normal.damping_Ns_per_m = 8;
  pair.normal = normal;
  Simulation sim = soft_simulation(model, initial_state(model), 1e-3, soft_pair(model, 2, 1, pair));
  const RunSummary run = simulate(sim, {.duration = 2, .label_every = 0});
  ASSERT_EQ(run.status, RunStatus::finished) << run.why;
  EXPECT_NEAR(sim.state.qpos[2], 0.05, 1e-9);
  EXPECT_NEAR(sim.state.qpos[9], 0.1 + radius - mass * 9.81 / 5000, 1e-7);
  EXPECT_LT(closure_share(sim), 1e-10);
}

// Soft, rigid, and soft again in the middle of a bounce: what was stored goes to `switched`.
TEST(SoftStage, ASwitchedPairKeepsTheBooksClosed) {
  const Model model = ball_scene(0);
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 0.2};
  State start = initial_state(model);
  start.qvel[2] = -1;
  Simulation sim = soft_simulation(model, start, 1e-4, soft_pair(model, 1, 0, pair));
  StepReport report;
  const auto run = [&](int steps) {
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(step(sim, report));
  };
  run(30);
  const double stored = -sim.ledger.of(Account::elastic);
  EXPECT_GT(stored, 1e-3);
  set_soft(sim, 0, false);
  EXPECT_NEAR(sim.ledger.of(Account::elastic), 0, 1e-15 * stored);
  EXPECT_NEAR(sim.ledger.of(Account::switched), -stored, 1e-15);
  run(30);
  EXPECT_NEAR(sim.ledger.of(Account::elastic), 0, 1e-15 * stored);
  EXPECT_NEAR(sim.state.qpos[2], radius, 1e-4);
  set_soft(sim, 0, true);
  run(30);
  EXPECT_LT(closure_share(sim), 1e-12);
}

// From the step on that it is switched a pair has the other contact, however little it moves.
TEST(SoftStage, ASwitchedPairHasTheOtherContactAtOnce) {
  const Model model = ball_scene(0);
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 0.2};
  State start = initial_state(model);
  Simulation sim = soft_simulation(model, start, 1e-6, soft_pair(model, 1, 0, pair));
  for (const bool soft : {true, false, true, false}) {
    set_soft(sim, 0, soft);
    StepReport report;
    ASSERT_TRUE(step(sim, report));
    EXPECT_EQ(report.contacts, soft ? 0 : 1);
  }
}

// Two bodies on a spring, no gravity: the period of the reduced mass, and energy for a thousand
// periods.
TEST(SoftStage, ASpringBetweenBodiesKeepsItsPeriodAndEnergy) {
  Model m;
  m.bodies.resize(1);
  testing::add_free_body(m, Sphere{0.01}, 1, Vec3::Constant(0.01),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0)}, 0);
  testing::add_free_body(m, Sphere{0.01}, 3, Vec3::Constant(0.01),
                         Pose{Mat3::Identity(), Vec3(1, 0, 0)}, 0);
  Model model = testing::finished(std::move(m));
  model.gravity.setZero();
  SoftScene soft;
  SceneSpring spring;
  spring.body1 = 1;
  spring.body2 = 2;
  spring.X_B1A.p = Vec3(0.9, 0, 0);
  spring.spring.stiffness_N_per_m = 300;
  soft.springs.push_back(spring);
  Simulation sim = soft_simulation(model, initial_state(model), 1e-3, soft);
  // Stretched by 0.1 m; reduced mass 3/4, ω = 20.
  const double period = 2 * std::numbers::pi / 20;
  StepReport report;
  const int steps = static_cast<int>(std::lround(10 * period / 1e-3));
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(step(sim, report));
  EXPECT_NEAR(sim.state.qpos[7] - sim.state.qpos[0], 1, 1e-3);
  EXPECT_LT(closure_share(sim), 1e-12);
  EXPECT_NEAR(sim.ledger.kinetic_change.value(), sim.ledger.of(Account::springs), 1e-12);
}

// A line of contact ends the run with the names of the geoms, or makes the pair rigid.
TEST(SoftStage, LinesOfContactAreNotMissed) {
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Capsule{0.02, 0.1}, 0.1, Vec3(0.02, 0.02, 0.1),
                         Pose{exp_so3(Vec3(0, std::numbers::pi / 2, 0)), Vec3(1, 0, 0.02)}, 0.5);
  const Model model = testing::finished(std::move(m));
  // A capsule lying on the floor touches along a line.
  Simulation sim =
      soft_simulation(model, initial_state(model), 1e-3, soft_pair(model, 1, 0, SoftPair{}));
  const RunSummary stopped = simulate(sim, {.duration = 0.5, .label_every = 0});
  ASSERT_EQ(stopped.status, RunStatus::diverged);
  EXPECT_NE(stopped.why.find("b1"), std::string::npos) << stopped.why;

  SoftScene falls_back = soft_pair(model, 1, 0, SoftPair{});
  falls_back.pairs[0].rigid_when_lost = true;
  Simulation rigid = soft_simulation(model, initial_state(model), 1e-3, falls_back);
  EXPECT_EQ(simulate(rigid, {.duration = 0.5, .label_every = 0}).status, RunStatus::finished);
  EXPECT_LT(closure_share(rigid), 1e-12);
}

}  // namespace
}  // namespace tact
