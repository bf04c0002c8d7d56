#include "tact/io/checkpoint.hpp"

#include <bit>
#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tact/io/run_digest.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/sim/simulate.hpp"

namespace tact {
namespace {

/// Boxes, balls and a rod thrown onto a floor and each other; a pendulum with a limit, where trees
/// are asked for; a plate that is driven.
Model thrown(bool with_tree) {
  std::string text = R"(<mujoco><option timestep="0.004"/><worldbody>
    <geom type="plane" size="5 5 0.1" friction="0.4"/>
    <body pos="0 0 0.25"><freejoint/><geom type="box" size="0.1 0.15 0.2" mass="2" friction="0.3"/></body>
    <body pos="0.05 0.02 0.7" euler="20 30 10"><freejoint/>
      <geom type="box" size="0.1 0.1 0.1" pos="0.03 0 0" mass="1" friction="0.5"/></body>
    <body pos="0.1 0.05 1.0"><freejoint/><geom type="sphere" size="0.08" mass="0.5"/></body>
    <body pos="-0.3 0 0.3" euler="0 80 0"><freejoint/><geom type="capsule" size="0.04 0.15" mass="0.7"/></body>
    <body name="plate" mocap="true" pos="0.8 0 0.2"><geom type="box" size="0.1 0.3 0.15"/></body>)";
  if (with_tree)
    text +=
        R"(<body pos="-0.9 0 0.8"><joint type="hinge" axis="0 1 0" damping="0.02" limited="true" range="-60 60"/>
      <geom type="box" size="0.03 0.03 0.2" pos="0 0 -0.2" mass="1"/>
      <body pos="0 0 -0.4"><joint type="hinge" axis="0 1 0" frictionloss="0.05"/>
      <geom type="box" size="0.03 0.03 0.2" pos="0 0 -0.2" mass="1"/></body></body>)";
  text += "</worldbody></mujoco>";
  auto scene = read_mjcf_text(text, "thrown.xml", no_files());
  EXPECT_TRUE(scene.has_value());
  return scene->model;
}

Simulation start(const Model& model, double restitution) {
  State state = initial_state(model);
  for (Index i = 0; i < model.nv; ++i) state.qvel[i] = 0.4 * std::sin(1.7 * static_cast<double>(i));
  SurfaceChoices choices;
  choices.common.restitution = restitution;
  Prescribed prescribed;
  prescribed.drives.push_back(
      {0, {{0.0, 1.0}, {(VecX(6) << -0.6, 0, 0, 0, 0, 0).finished(), VecX::Zero(6)}}, {}});
  auto made = make_simulation(model, state, {}, prescribed, choices);
  EXPECT_TRUE(made.has_value());
  return *std::move(made);
}

void run(Simulation& sim, int steps) {
  StepReport report;
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(step(sim, report));
}

/// Sums of the ledger to their last bit.
std::vector<std::uint64_t> ledger_bits(const EnergyLedger& ledger) {
  std::vector<std::uint64_t> out;
  const auto add = [&](const CompensatedSum& s) {
    out.push_back(std::bit_cast<std::uint64_t>(s.sum));
    out.push_back(std::bit_cast<std::uint64_t>(s.rest));
  };
  for (const CompensatedSum& s : ledger.accounts) add(s);
  add(ledger.kinetic_change);
  add(ledger.potential_change);
  out.push_back(std::bit_cast<std::uint64_t>(ledger.moved));
  return out;
}

struct Case {
  bool with_tree;
  double restitution;
};

class Checkpoint : public ::testing::TestWithParam<Case> {};

TEST_P(Checkpoint, ARunGoesOnBitForBit) {
  const Model model = thrown(GetParam().with_tree);
  Simulation whole = start(model, GetParam().restitution);
  for (const int at : {1, 60, 100, 150}) {
    run(whole, at - static_cast<int>(whole.steps));
    Simulation again = start(model, GetParam().restitution);
    ASSERT_FALSE(restore_checkpoint(checkpoint_bytes(whole), "c", again));
    EXPECT_EQ(state_hash(again.state), state_hash(whole.state));
    Simulation reference = whole;
    for (int k = 0; k < 50; ++k) {
      run(reference, 1);
      run(again, 1);
      ASSERT_EQ(state_hash(again.state), state_hash(reference.state))
          << "from step " << at << " on, after " << k + 1;
    }
    EXPECT_EQ(ledger_bits(again.ledger), ledger_bits(reference.ledger));
    EXPECT_EQ(again.steps, reference.steps);
    EXPECT_EQ(checkpoint_bytes(again), checkpoint_bytes(reference));
  }
  EXPECT_NE(state_hash(whole.state), state_hash(start(model, GetParam().restitution).state));
}

INSTANTIATE_TEST_SUITE_P(Scenes, Checkpoint,
                         ::testing::Values(Case{false, 0}, Case{true, 0}, Case{false, 0.5},
                                           Case{true, 0.6}));

/// What is not in the checkpoint must not matter: the workspaces of another run.
TEST(Checkpoint, WorkspacesCarryNothing) {
  for (const double restitution : {0.0, 0.5}) {
    const Model model = thrown(true);
    Simulation whole = start(model, restitution);
    run(whole, 100);
    Simulation dirty = start(model, restitution);
    run(dirty, 37);
    ASSERT_FALSE(restore_checkpoint(checkpoint_bytes(whole), "c", dirty));
    run(whole, 100);
    run(dirty, 100);
    EXPECT_EQ(state_hash(whole.state), state_hash(dirty.state));
    EXPECT_EQ(ledger_bits(whole.ledger), ledger_bits(dirty.ledger));
  }
}

TEST(Checkpoint, OfSomethingElseIsRefused) {
  const Model model = thrown(false);
  Simulation sim = start(model, 0);
  run(sim, 10);
  const std::string bytes = checkpoint_bytes(sim);
  const auto refused = [&](const std::string& content, Simulation other, const char* part) {
    const std::uint64_t before = state_hash(other.state);
    const auto error = restore_checkpoint(content, "run.checkpoint", other);
    ASSERT_TRUE(error.has_value()) << part;
    EXPECT_NE(error->message.find(part), std::string::npos) << error->message;
    EXPECT_TRUE(error->message.starts_with("run.checkpoint: "));
    EXPECT_EQ(state_hash(other.state), before);
  };
  refused(bytes, start(thrown(true), 0), "another scene");
  refused(bytes, start(model, 0.5), "another scene");
  Model heavier = model;
  heavier.bodies[1].mass *= 1 + 1e-15;
  refused(bytes, start(heavier, 0), "another scene");
  Simulation finer = start(model, 0);
  finer.options.dt /= 2;
  refused(bytes, finer, "other options");
  refused("", start(model, 0), "no checkpoint");
  refused("TACTREC1", start(model, 0), "no checkpoint");
  for (std::size_t cut = 9; cut < bytes.size(); cut += 7)
    refused(bytes.substr(0, cut), start(model, 0), "cut off or damaged");
  for (std::size_t at = 8; at < bytes.size(); at += 5) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 4);
    refused(wrong, start(model, 0), "cut off or damaged");
  }
  refused(bytes + "x", start(model, 0), "cut off or damaged");
}

TEST(Checkpoint, AsAFile) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("tact_checkpoint_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "run.checkpoint").string();
  const Model model = thrown(false);
  Simulation sim = start(model, 0);
  run(sim, 10);
  EXPECT_FALSE(write_checkpoint(path, sim));
  Simulation again = start(model, 0);
  EXPECT_FALSE(read_checkpoint(path, again));
  EXPECT_EQ(checkpoint_bytes(again), checkpoint_bytes(sim));
  EXPECT_TRUE(read_checkpoint((folder / "other").string(), again));
  std::filesystem::remove_all(folder);
}

TEST(RunDigest, KnowsTheSceneAndTheOptionsAndNotTheThreads) {
  const Model model = thrown(true);
  const Simulation sim = start(model, 0);
  const std::uint64_t own = run_digest(sim);
  const auto changed = [&](const std::function<void(Simulation&)>& change) {
    Simulation other = sim;
    change(other);
    return run_digest(other) != own;
  };
  EXPECT_FALSE(changed([](Simulation& s) { s.options.threads = 2; }));
  EXPECT_FALSE(changed([](Simulation& s) { s.scene.model.bodies[1].name = "x"; }));
  EXPECT_FALSE(changed([](Simulation& s) { s.state.time = 3; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.options.solver = SolverName::admm; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.options.law = Moreau{0}; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.prescribed.drives[0].motion.value[0][1] = 0.1; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.choices.common.pressure = VertexModel{}; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.scene.model.geoms[1].friction[0] = 0.2; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.scene.model.geoms[1].shape = Sphere{0.1}; }));
  EXPECT_TRUE(changed([](Simulation& s) { s.scene.model.joints.back().damping = 1; }));
}

}  // namespace
}  // namespace tact
