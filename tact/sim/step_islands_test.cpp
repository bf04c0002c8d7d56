#include "tact/sim/step_islands.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// Boxes of 20 cm on the floor: columns of the given heights, half a metre apart.
Simulation columns(const std::vector<int>& heights) {
  Model m = testing::floor_scene(0.5);
  double x = 0;
  for (const int height : heights) {
    for (int k = 0; k < height; ++k)
      testing::add_box(m, 1 + k, Vec3(0.1, 0.1, 0.1),
                       Pose{Mat3::Identity(), Vec3(x, 0, 0.1 + 0.2 * k)}, 0.5);
    x += 0.5;
  }
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  StepReport report;
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(step(sim, report));
  make_delassus(sim.scene.model, sim.work->rows, sim.work->problem);
  return sim;
}

std::vector<Index> all_groups(const Simulation& sim) {
  std::vector<Index> out(sim.work->rows.groups.size());
  std::iota(out.begin(), out.end(), Index{0});
  return out;
}

TEST(StepIslands, AreTheColumnsAndTheirPartsOfTheProblem) {
  Simulation sim = columns({1, 4, 2});
  StepWork& w = *sim.work;
  cut_islands(sim.scene.model, w);
  ASSERT_EQ(w.islands.present.size(), 3U);
  std::vector<std::size_t> sizes;
  std::vector<bool> seen(w.rows.groups.size());
  for (const Index k : w.islands.present) {
    const StepIsland& island = w.islands.kept[k];
    sizes.push_back(island.members.size());
    ASSERT_EQ(island.problem.rows(), island.rows.rows);
    for (std::size_t i = 0; i < island.members.size(); ++i) {
      const Index member = island.members[i];
      EXPECT_FALSE(seen[member]);
      seen[member] = true;
      EXPECT_EQ(island.rows.groups[i].key, w.rows.groups[member].key);
      EXPECT_EQ(MatX(island.problem.G.diagonal_block(i)), MatX(w.problem.G.diagonal_block(member)));
      EXPECT_EQ(MatX(island.problem.metric(i).inverse()), MatX(w.problem.metric(member).inverse()));
    }
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 4, 2}));
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool x) { return x; }));
}

/// Nothing of G is lost: u of an island's loads is that of the whole.
TEST(StepIslands, VelocitiesOfTheirLoadsAreThoseOfTheWhole) {
  Simulation sim = columns({3, 1, 5, 2});
  StepWork& w = *sim.work;
  cut_islands(sim.scene.model, w);
  VecX whole, part, put = VecX::Zero(w.rows.rows), back = VecX::Zero(w.rows.rows);
  multiply(w.problem.G, w.lambda, whole);
  whole += w.problem.b;
  for (const Index k : w.islands.present) {
    const StepIsland& island = w.islands.kept[k];
    VecX load;
    gather(w.rows, island, w.lambda, load);
    multiply(island.problem.G, load, part);
    part += island.problem.b;
    scatter(w.rows, island, part, put);
    scatter(w.rows, island, load, back);
  }
  EXPECT_EQ(put, whole);
  EXPECT_EQ(back, w.lambda);
}

TEST(StepIslands, OneTowerIsOneIsland) {
  Simulation sim = columns({6});
  const StepIslands& islands = sim.work->islands;
  cut_islands(sim.scene.model, *sim.work);
  ASSERT_EQ(islands.present.size(), 1U);
  EXPECT_EQ(islands.kept[islands.present[0]].members, all_groups(sim));
}

/// An island keeps its memory while others come and go before it.
TEST(StepIslands, StayAtTheirPlace) {
  Simulation sim = columns({2, 3});
  StepWork& w = *sim.work;
  cut_islands(sim.scene.model, w);
  ASSERT_EQ(w.islands.present.size(), 2U);
  const Index second = w.islands.present[1];
  Simulation lifted = columns({2, 3});
  for (Index body = 0; body < 2; ++body) lifted.state.qpos[7 * body + 2] += 1;
  lifted.work->islands = w.islands;
  StepReport report;
  ASSERT_TRUE(step(lifted, report));
  cut_islands(lifted.scene.model, *lifted.work);
  // The two that fly still touch each other.
  ASSERT_EQ(lifted.work->islands.present.size(), 2U);
  EXPECT_EQ(
      std::count(lifted.work->islands.present.begin(), lifted.work->islands.present.end(), second),
      1);
  EXPECT_EQ(lifted.work->islands.kept[second].members.size(), 3U);
}

/// Rows that reach no degree of freedom, as of a weld between two bodies that stand still.
TEST(StepIslands, GroupsThatMoveNothingAreOneIsland) {
  Simulation sim = columns({2, 3});
  StepWork& w = *sim.work;
  for (const Index i : {0, 3}) w.rows.groups[i].side_count = 0;
  // Without sides they meet nobody.
  BlockMatrix& G = w.problem.G;
  std::vector<Index> all = all_groups(sim), lone = {0, 3};
  for (const Index i : lone)
    for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e) G.col[e] = i;
  for (const Index i : all)
    for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e)
      if (G.col[e] == 0 || G.col[e] == 3) G.col[e] = i;
  cut_islands(sim.scene.model, w);
  std::size_t members = 0, pairs = 0;
  for (const Index k : w.islands.present) {
    members += w.islands.kept[k].members.size();
    pairs += w.islands.kept[k].members == lone;
  }
  EXPECT_EQ(members, all.size());
  EXPECT_EQ(pairs, 1U);
}

}  // namespace
}  // namespace tact
