#include "tact/sim/simulation.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"
#include "tests/support/robots.hpp"

namespace tact {
namespace {

TEST(Simulation, RefusesWhatCannotBeStepped) {
  const Model model = testing::tower_scene(1, 1);
  SimOptions options;
  options.dt = -1;
  const auto negative = make_simulation(model, initial_state(model), options);
  ASSERT_FALSE(negative);
  EXPECT_NE(negative.error().message.find("dt"), std::string::npos);
  SurfaceChoices choices;
  choices.common.restitution = 2;
  EXPECT_FALSE(make_simulation(model, initial_state(model), {}, {}, choices));
  const Model empty = testing::finished(testing::floor_scene(1));
  EXPECT_FALSE(make_simulation(empty, initial_state(empty), {}));
}

/// Wherever it stands: a maximum over the numbers next to it passes over what is none.
TEST(Simulation, NothingBelievesWhatIsNoNumber) {
  EXPECT_TRUE(believable(VecX()));
  for (Index size = 1; size < 20; ++size)
    for (Index at = 0; at < size; ++at) {
      VecX x = VecX::LinSpaced(size, -1, 1);
      EXPECT_TRUE(believable(x));
      for (const double wild : {std::numeric_limits<double>::quiet_NaN(),
                                -std::numeric_limits<double>::infinity(), 1e30}) {
        x[at] = wild;
        EXPECT_FALSE(believable(x)) << wild << " at " << at << " of " << size;
      }
    }
}

TEST(Simulation, PairsHaveTheirOwnChoice) {
  SurfaceChoices choices;
  ContactChoice own;
  own.restitution = 0.5;
  choices.pairs.emplace_back(pair_key(4, 2), own);
  EXPECT_EQ(choices.of(2, 4).restitution, 0.5);
  EXPECT_EQ(choices.of(4, 2).restitution, 0.5);
  EXPECT_EQ(choices.of(4, 3).restitution, 0);
}

TEST(Simulation, AFreeFallIsAParabola) {
  Model m;
  m.bodies.resize(1);
  testing::add_box(m, 2, Vec3(0.1, 0.2, 0.3), Pose{Mat3::Identity(), Vec3(0, 0, 10)}, 1);
  m.bodies[1].com_B = Vec3(0.05, -0.02, 0.01);
  const Model model = testing::finished(std::move(m));
  State start = initial_state(model);
  start.qvel << 1, 2, 3, 0.5, -4, 2;
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, start, options);
  const Vec3 c0 = sim.state.qpos.head<3>(), v0 = sim.state.qvel.head<3>();
  StepReport report;
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(step(sim, report));
  const Vec3 expected = c0 + 0.5 * v0 + 0.5 * 0.25 * model.gravity;
  EXPECT_LT((sim.state.qpos.head<3>() - expected).norm(), 1e-12);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-12);
}

TEST(Simulation, ASwingingRobotKeepsItsEnergyToSecondOrder) {
  const auto run = [](double dt) {
    Model draft = testing::quadruped();
    for (Joint& j : draft.joints) j.damping = j.stiffness = j.dry_friction = 0;
    draft.geoms.clear();
    const Model model = testing::finished(std::move(draft));
    State start = initial_state(model);
    for (Index d = 0; d < model.nv; ++d) start.qvel[d] = std::sin(1.0 + 3.0 * double(d));
    SimOptions options;
    options.dt = dt;
    Simulation sim = testing::simulation_of(model, start, options);
    StepReport report;
    for (double t = 0; t < 0.2 - dt / 2; t += dt) EXPECT_TRUE(step(sim, report));
    EXPECT_LT(std::abs(sim.ledger.closure()), 1e-11 * (1 + sim.ledger.moved));
    return sim.ledger.of(Account::integration);
  };
  const double coarse = run(4e-3), fine = run(1e-3);
  EXPECT_LT(std::abs(fine), 0.15 * std::abs(coarse));
}

TEST(Simulation, ThreadsDoNotChangeABit) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Model m = testing::floor_scene(0.4);
    for (int i = 0; i < 12; ++i)
      testing::add_box(m, 1 + 0.1 * i, Vec3(0.1, 0.1, 0.1),
                       Pose{Mat3::Identity(), Vec3(0.5 * (i / 3), 0, 0.1 + 0.2001 * (i % 3))}, 0.4);
    const Model model = testing::finished(std::move(m));
    State start = initial_state(model);
    for (Index d = 0; d < model.nv; ++d) start.qvel[d] = 0.1 * std::sin(double(d));
    SimOptions options;
    options.dt = 2e-3;
    options.threads = threads;
    Simulation sim = testing::simulation_of(model, start, options);
    StepReport report;
    for (int k = 0; k < 60; ++k) ASSERT_TRUE(step(sim, report));
    hashes.push_back(state_hash(state_of(sim)));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace tact
