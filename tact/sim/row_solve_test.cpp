#include "tact/sim/row_solve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "tact/body/energy.hpp"
#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

double kinetic_per_body(const Simulation& sim) {
  Kinematics kin;
  forward_kinematics(sim.scene.model, sim.state, kin);
  forward_velocities(sim.scene.model, sim.state.qvel, kin);
  return kinetic_energy(sim.scene.model, sim.state.qvel, kin) /
         static_cast<double>(sim.scene.model.tree.links.size());
}

/// Columns of boxes of 20 cm in a square, each turned and shifted a little, dropped by 1 cm per
/// layer; at 0.215 m so close that turned boxes stand on two columns here and there.
Simulation heap(int side, int layers, double spacing, SimOptions options) {
  Model m = testing::floor_scene(0.6);
  int k = 0;
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x, ++k) {
        const Mat3 R = Eigen::AngleAxisd(0.2 * std::sin(1.7 * k), Vec3::UnitZ()).matrix();
        const Vec3 p(spacing * x + 0.01 * std::sin(2.3 * k), spacing * y + 0.01 * std::cos(3.1 * k),
                     0.105 + 0.21 * z);
        testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), Pose{R, p}, 0.6);
      }
  const Model model = testing::finished(std::move(m));
  return testing::simulation_of(model, initial_state(model), options);
}

/// The normal impulses of all contacts, ascending.
std::vector<double> normal_loads(const Simulation& sim) {
  const ConstraintRows& rows = sim.work->rows;
  std::vector<double> out;
  for (std::size_t i = 0; i < rows.groups.size(); ++i)
    out.push_back(sim.work->lambda[rows.groups[i].first_row + normal_rows(rows.laws[i]).back()]);
  std::sort(out.begin(), out.end());
  return out;
}

/// More contacts than bodies: some body is held by two others, and loads are not unique.
bool has_loop(const ConstraintRows& rows, const std::vector<Index>& groups) {
  std::set<Index> bodies;
  for (const Index i : groups)
    for (Index s = 0; s < rows.groups[i].side_count; ++s)
      bodies.insert(rows.sides[rows.groups[i].first_side + s].leaf);
  return groups.size() > bodies.size();
}
bool has_loop(const Simulation& sim) {
  std::vector<Index> all(sim.work->rows.groups.size());
  std::iota(all.begin(), all.end(), Index{0});
  return has_loop(sim.work->rows, all);
}

/// A plank over two columns presses each by half its weight and is held by both: self-stress is
/// anyone's, the step is solved all the same, and nothing moves. Of all loads the method has those
/// nearest to the last ones, so that both columns carry the same.
TEST(RowSolve, AGateStandsToRounding) {
  Model m = testing::floor_scene(0.5);
  for (const double x : {-0.3, 0.3})
    for (int k = 0; k < 3; ++k)
      testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1),
                       Pose{Mat3::Identity(), Vec3(x, 0.01 * k, 0.1 + 0.2 * k)}, 0.5);
  testing::add_box(m, 2, Vec3(0.5, 0.1, 0.05), Pose{Mat3::Identity(), Vec3(0, 0, 0.65)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 2e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  const State start = state_of(sim);
  StepReport report;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(report.solve.status, SolveStatus::converged) << k;
  }
  ASSERT_TRUE(has_loop(sim));
  EXPECT_LE(report.solve.iterations, 2);
  const std::vector<double> loads = normal_loads(sim);
  ASSERT_EQ(loads.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    // Boxes that the contact carries; half of the plank is as heavy as one.
    const auto boxes = static_cast<double>(i / 2 + 1);
    EXPECT_NEAR(loads[i], boxes * 9.81 * options.dt, 1e-9 * options.dt) << i;
  }
  EXPECT_LE((state_of(sim).qpos - start.qpos).cwiseAbs().maxCoeff(), 1e-12);
}

/// A loop that is shaken: every step has an answer that the judge accepts, until it rests.
TEST(RowSolve, AShakenGateIsSolved) {
  for (const double speed : {0.05, 0.2, 0.5}) {
    Model m = testing::floor_scene(0.5);
    for (const double x : {-0.3, 0.3})
      for (int k = 0; k < 3; ++k)
        testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1),
                         Pose{Mat3::Identity(), Vec3(x, 0, 0.1 + 0.2 * k)}, 0.5);
    testing::add_box(m, 2, Vec3(0.5, 0.1, 0.05), Pose{Mat3::Identity(), Vec3(0, 0, 0.65)}, 0.5);
    const Model model = testing::finished(std::move(m));
    State state = initial_state(model);
    state.qvel[6 * 6 + 1] = speed;
    state.qvel[6 * 6 + 5] = speed;
    SimOptions options;
    options.dt = 2e-3;
    Simulation sim = testing::simulation_of(model, state, options);
    StepReport report;
    for (int k = 0; k < 400; ++k) {
      ASSERT_TRUE(step(sim, report));
      ASSERT_EQ(report.solve.status, SolveStatus::converged) << speed << ' ' << k;
    }
    EXPECT_LE(kinetic_per_body(sim), 1e-20) << speed;
    EXPECT_LE(std::abs(sim.ledger.closure()), 1e-10 * sim.ledger.moved);
  }
}

/// A plank that slides over two columns: friction is at its bound on both ends of the loop, and the
/// active set of the last step is that of the next.
TEST(RowSolve, ASlidingGateGoesOnAsItDid) {
  Model m = testing::floor_scene(0.9);
  for (const double x : {-0.3, 0.3})
    testing::add_box(m, 5, Vec3(0.1, 0.1, 0.1), Pose{Mat3::Identity(), Vec3(x, 0, 0.1)}, 0.2);
  testing::add_box(m, 2, Vec3(0.7, 0.1, 0.05), Pose{Mat3::Identity(), Vec3(0, 0, 0.25)}, 0.2);
  const Model model = testing::finished(std::move(m));
  State state = initial_state(model);
  state.qvel[2 * 6] = 0.6;
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, state, options);
  StepReport report;
  int most = 0, sum = 0;
  constexpr int steps = 200;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(report.solve.status, SolveStatus::converged) << k;
    sum += report.solve.iterations;
    if (k > 2) most = std::max(most, report.solve.iterations);
  }
  ASSERT_TRUE(has_loop(sim));
  // One system a step, and a few more where a bound is met.
  EXPECT_LE(sum, steps + 20);
  EXPECT_LE(most, 10);
  EXPECT_NEAR(sim.state.qvel[2 * 6], 0.6 - 0.2 * 9.81 * 0.2, 1e-9);
}

/// Sweeps alone leave boxes creeping; islands next to rest are solved, and the pile rests.
TEST(RowSolve, ASweptHeapComesToRest) {
  SimOptions options;
  options.dt = 2e-3;
  options.swept_from = 20;
  Simulation sim = heap(4, 4, 0.215, options);
  StepReport report;
  double deepest = 0;
  bool loops = false, swept = false;
  for (int k = 0; k < 1500; ++k) {
    report = {};
    ASSERT_TRUE(step(sim, report));
    if (k > 300) deepest = std::max(deepest, report.penetration);
    swept = swept || report.solve.solver == SolverName::gauss_seidel;
    for (const Index i : sim.work->islands.present)
      loops = loops || has_loop(sim.work->rows, sim.work->islands.kept[i].members);
  }
  EXPECT_TRUE(swept);
  EXPECT_TRUE(loops) << "no box stands on two columns";
  EXPECT_LE(kinetic_per_body(sim), 1e-12);
  EXPECT_LE(report.solve.residual.figure(), 1e-6);
  EXPECT_LE(deepest, 1e-4);
  EXPECT_LE(std::abs(sim.ledger.closure()), 1e-10 * sim.ledger.moved);
}

/// A gate as a pile: all contacts are one island, and next to rest it is solved; where islands are
/// not, it is swept, and the step says what that leaves.
TEST(RowSolve, AnIslandOfAllContactsIsSolvedToo) {
  for (const Index largest : {Index{3000}, Index{0}}) {
    SimOptions options;
    options.dt = 2e-3;
    options.swept_from = 4;
    options.solved_island = largest;
    Simulation sim = heap(1, 6, 0.3, options);
    StepReport report;
    for (int k = 0; k < 1000; ++k) ASSERT_TRUE(step(sim, report));
    ASSERT_TRUE(sim.work->swept);
    EXPECT_EQ(sim.work->islands.present.size(), largest > 0 ? 1U : 0U);
    const bool swept = report.solve.solver == SolverName::gauss_seidel;
    EXPECT_EQ(swept, largest == 0);
    if (largest > 0) EXPECT_LE(report.solve.residual.figure(), options.tolerance);
  }
}

/// Islands keep memory for their patterns, and nothing that a run would miss which begins anew.
TEST(RowSolve, AHeapGoesOnBitForBit) {
  for (const Index from : {0, 20}) {
    SimOptions options;
    options.dt = 2e-3;
    options.swept_from = from;
    Simulation sim = heap(3, 3, 0.25, options);
    StepReport report;
    for (int k = 0; k < 150; ++k) ASSERT_TRUE(step(sim, report));
    Simulation again = heap(3, 3, 0.25, options);
    again.state = sim.state;
    again.memory = sim.memory;
    again.detect.memory = sim.detect.memory;
    again.ledger = sim.ledger;
    again.steps = sim.steps;
    for (int k = 0; k < 50; ++k) {
      ASSERT_TRUE(step(sim, report));
      ASSERT_TRUE(step(again, report));
      ASSERT_EQ(state_hash(state_of(sim)), state_hash(state_of(again))) << from << ' ' << k;
    }
  }
}

TEST(RowSolve, ThreadsDoNotChangeABitOfAHeap) {
  for (const Index from : {0, 20}) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 4}) {
      SimOptions options;
      options.dt = 2e-3;
      options.swept_from = from;
      options.threads = threads;
      Simulation sim = heap(3, 3, 0.25, options);
      StepReport report;
      for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(sim, report));
      EXPECT_GT(sim.work->islands.present.size(), 1U);
      hashes.push_back(state_hash(state_of(sim)));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
  }
}

}  // namespace
}  // namespace tact
