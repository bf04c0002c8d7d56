// What every scene of scenes/sim must keep: nothing penetrates, no energy is without an account,
// and the bits do not depend on threads.
#include "tests/support/sim_scenes.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tact {
namespace {

using testing::run;
using testing::sim_scene;

constexpr double g = 9.81;

bool many() {
  return std::getenv("TACT_MANY") != nullptr;
}

std::vector<std::string> all_scenes() {
  std::vector<std::string> out;
  const std::string folder = std::string(TACT_TEST_DATA) + "/../../scenes/sim";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".xml") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

/// How long each is run [s]: with TACT_MANY ten seconds.
double duration(const std::string& scene) {
  if (many()) return 10;
  if (scene == "pile") return 0.6;
  if (scene == "tall_tower" || scene == "heavy_top_tower") return 0.5;
  return 2;
}

/// m g L of what moves, L the reach of the scene from its floor or its middle.
double energy_scale(const Simulation& sim) {
  const Model& model = sim.scene.model;
  double scale = 0;
  Kinematics kin;
  forward_kinematics(model, sim.state, kin);
  for (std::size_t b = 1; b < model.bodies.size(); ++b)
    scale += model.bodies[b].mass * g * std::max(1.0, kin.X_WB[b].p.norm());
  return scale;
}

class SimScenes : public ::testing::TestWithParam<std::string> {};

TEST_P(SimScenes, NothingPenetratesAndEveryJouleIsBooked) {
  Simulation sim = sim_scene(GetParam());
  const double scale = energy_scale(sim);
  double worst = 0;
  const RunSummary summary = run(sim, duration(GetParam()), [&](const StepReport&) {
    worst = std::max(worst, std::abs(sim.ledger.closure()));
  });
  std::printf("             penetration %.1e m, closure %.1e J of %.3g J, impacts %ld\n",
              summary.max_penetration, worst, std::max(sim.ledger.moved, scale),
              static_cast<long>(summary.impacts_dissipative));
  EXPECT_LE(worst, 1e-9 * std::max(sim.ledger.moved, scale));
  if (GetParam() != "pile") {
    EXPECT_LE(summary.max_penetration, 1e-6);
  }
  EXPECT_EQ(summary.impacts_generating, 0);
  EXPECT_EQ(summary.impacts_unsolved, 0);
  EXPECT_EQ(summary.not_converged, 0);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, SimScenes, ::testing::ValuesIn(all_scenes()),
                         [](const auto& info) { return info.param; });

/// A peg that chatters in its hole turns so fast that gaps close later than their rates say: every
/// impact is met all the same, by every law.
TEST(SimImpacts, WhatTurnsFastIsMetWhereItCloses) {
  for (const ImpactLaw& law : {ImpactLaw(Moreau{}), ImpactLaw(Newton{}), ImpactLaw(Poisson{}),
                               ImpactLaw(Fremond{}), ImpactLaw(Sequential{})}) {
    Simulation sim = sim_scene("peg_in_hole", [&](Scene&, SceneSetup& setup) {
      setup.options.law = law;
      setup.choices.common.restitution = 0.5;
      for (auto& [key, choice] : setup.choices.pairs) choice.restitution = 0.5;
    });
    const RunSummary summary = run(sim, 2);
    EXPECT_GT(summary.impacts_dissipative, 0);
    EXPECT_EQ(summary.impacts_generating, 0);
    EXPECT_EQ(summary.impacts_unsolved, 0);
  }
}

TEST(SimAccounts, ABeltGivesABoxTwiceWhatItKeeps) {
  Simulation sim = sim_scene("conveyor");
  run(sim, 1);
  // The belt pulls with μ m g over v²/(μ g) of its way; the box keeps half of that.
  EXPECT_NEAR(sim.ledger.of(Account::wall), 1, 1e-6);
  EXPECT_NEAR(sim.ledger.of(Account::friction), -0.5, 1e-6);
  EXPECT_NEAR(sim.ledger.kinetic_change.value(), 0.5, 1e-6);
  EXPECT_NEAR(sim.state.qpos[0], -10 + 1 - 1 / (2 * 0.3 * g), 1e-5);
}

TEST(SimAccounts, ALiftPaysForTheHeight) {
  Simulation sim = sim_scene("lift");
  run(sim, 3);
  EXPECT_NEAR(sim.state.qpos[2], 1.1, 1e-9);
  EXPECT_NEAR(sim.ledger.of(Account::wall), g, 1e-6);
  EXPECT_NEAR(sim.ledger.of(Account::friction), 0, 1e-9);
  EXPECT_NEAR(sim.ledger.of(Account::normal), 0, 1e-6);
  run(sim, 5);
  EXPECT_NEAR(sim.state.qpos[2], 0.1, 1e-9);
  EXPECT_NEAR(sim.ledger.of(Account::wall), 0, 1e-6);
}

TEST(SimAccounts, AYankedPlatePullsWithFrictionAlone) {
  Simulation sim = sim_scene("yanked_plate");
  run(sim, 0.3);
  // Friction μ m g accelerates the box once the plate is faster; the plate's way is its own.
  const double wall = sim.ledger.of(Account::wall), friction = sim.ledger.of(Account::friction);
  const double kinetic = sim.ledger.kinetic_change.value();
  const double v = sim.state.qvel[0], started = 0.2;
  EXPECT_NEAR(v, 0.3 * g * (0.3 - started), 1e-5);
  const double plate = 0.5 * 0.05 * 2 + 0.05 * 2;
  EXPECT_NEAR(wall, 0.3 * g * plate, 1e-4);
  EXPECT_NEAR(kinetic, 0.5 * v * v, 1e-9);
  EXPECT_NEAR(friction, kinetic - wall, 1e-9);
}

TEST(SimAccounts, AMassOnABeltSticksAndThenSwings) {
  Simulation sim = sim_scene("stick_slip_oscillator");
  const double belt = 0.2, rate = 10, grip = 0.5 * g / 100;  // μ m g/k
  // It slips until it has the belt's speed, is carried to where the spring lets it go, and swings.
  const double slips = std::asin(belt / (grip * rate)) / rate;
  const double caught = grip * (1 - std::cos(rate * slips));
  const double sticks = (grip - caught) / belt;
  run(sim, 3);
  const double t = sim.state.time - slips - sticks;
  EXPECT_GT(t, 0);
  EXPECT_NEAR(sim.state.qpos[0], grip + belt / rate * std::sin(rate * t), 1e-4);
  const double work = 0.5 * g * belt * (slips + t) + 0.5 * 100 * (grip * grip - caught * caught);
  EXPECT_NEAR(sim.ledger.of(Account::wall), work, 1e-3 * work);
  EXPECT_NEAR(sim.ledger.of(Account::actuators), 0, 1e-12);
}

TEST(SimBits, DoNotDependOnThreads) {
  for (const char* scene : {"pile", "domino_row", "sliding_boxes"}) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 4}) {
      Simulation sim =
          sim_scene(scene, [&](Scene&, SceneSetup& setup) { setup.options.threads = threads; });
      run(sim, 0.1);
      const std::uint64_t hash = state_hash(state_of(sim));
      if (threads == 1) first = hash;
      EXPECT_EQ(hash, first) << scene << " " << threads;
    }
  }
}

TEST(SimBits, AllTogetherAsOneByOne) {
  const std::vector<std::string> names = {"tipping_box", "wedge",           "bouncing_ball",
                                          "lift",        "pinched_capsule", "foot_roll_over"};
  std::vector<Simulation> sims;
  for (const std::string& name : names) sims.push_back(sim_scene(name));
  RunOptions options;
  options.duration = 0.5;
  const std::vector<RunSummary> all = simulate_all(sims, options, 4);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Simulation alone = sim_scene(names[i]);
    const RunSummary one = simulate(alone, options);
    EXPECT_EQ(state_hash(state_of(alone)), state_hash(state_of(sims[i]))) << names[i];
    EXPECT_EQ(one.max_residual, all[i].max_residual) << names[i];
    EXPECT_EQ(one.steps, all[i].steps) << names[i];
  }
}

}  // namespace
}  // namespace tact
