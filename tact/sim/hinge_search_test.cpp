#include "tact/sim/hinge_search.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tact/sim/position_newton.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

constexpr double dt = 1e-3;

/// Boxes of 20 cm on each other without weight.
Simulation stack(int count) {
  Model m = testing::floor_scene(0.5);
  m.gravity.setZero();
  for (int i = 0; i < count; ++i)
    testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1),
                     Pose{Mat3::Identity(), Vec3(0.01 * (i % 3), 0, 0.1 + 0.2 * i)}, 0.5);
  const Model model = testing::finished(std::move(m));
  SimOptions options;
  options.dt = dt;
  return testing::simulation_of(model, initial_state(model), options);
}

struct Case {
  const StepWork& w;
  PositionWork work;
  BlockLu lu;
  std::vector<Vec3> gaps;
  std::vector<bool> sticks;
  VecX rates;

  explicit Case(const StepWork& of)
      : w(of),
        gaps(of.rows.groups.size(), Vec3::Zero()),
        sticks(of.rows.groups.size(), true),
        rates(VecX::Zero(of.rows.rows)) {}

  [[nodiscard]] PositionStep step() const {
    return {w.rows, w.problem, gaps, rates, sticks, dt, 1.0};
  }
  [[nodiscard]] Vec3 normal(const VecX& of, std::size_t i) const {
    const auto rows = of.segment<6>(w.rows.groups[i].first_row);
    return {rows[0], rows[1], rows[5]};
  }
  /// Gaps that end in small slopes and depths.
  void draw_target(std::mt19937_64& rng, double slope) {
    std::normal_distribution<double> gauss;
    work.target.setZero(w.rows.rows);
    for (const RowGroup& group : w.rows.groups)
      for (const Index r : {0, 1, 5})
        work.target[group.first_row + r] =
            (r == 5 ? -1e-3 : slope) * std::abs(gauss(rng)) - (r == 5 ? 0 : 0.5 * slope);
  }
  /// The answer of the factored system to the target.
  void answer() {
    work.impulse = -work.target;
    for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
      const PositionWork::Mobility& m = work.mobility[i];
      if (m.rested) continue;
      const Vec3 right = m.slope * (Eigen::Map<const Mat3>(m.metric + 9) * normal(work.impulse, i));
      for (Index k = 0; k < 3; ++k)
        work.impulse[w.rows.groups[i].first_row + m.normal[k]] = right[k];
    }
    lu.solve(work.impulse);
  }
  void check() const {
    VecX u;
    multiply(w.problem.G, work.impulse, u);
    u += work.target;
    for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
      const PatchCone& cone = w.rows.laws[i].patch->cone;
      const Vec3 N = normal(work.impulse, i), W = normal(u, i);
      EXPECT_GE(cone.margin(N), -1e-12 * work.impulse.norm());
      EXPECT_GE(dt * cone.dual_margin(W), -tolerance::overlap);
      EXPECT_NEAR(N.dot(W), 0, 1e-12 * (1 + N.norm()));
      for (const Index r : {2, 3, 4}) EXPECT_NEAR(u[w.rows.groups[i].first_row + r], 0, 1e-9);
    }
  }
};

/// From the hinges of one set of gaps to those of another, by columns of the one factored system:
/// edges open and close, and the convex problem is solved.
TEST(HingeSearch, GoesFromOneSetOfHingesToAnother) {
  Simulation sim = stack(8);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::mt19937_64 rng(11);
  int found = 0, opened = 0, closed = 0;
  constexpr int cases = 200;
  for (int k = 0; k < cases; ++k) {
    Case c(sim.work);
    c.draw_target(rng, 0.02);
    c.work.impulse.setZero(sim.work.rows.rows);
    ASSERT_TRUE(position_newton(c.step(), c.lu, c.work));
    c.check();
    c.draw_target(rng, 0.02);
    c.answer();
    const VecX based = c.work.impulse;
    if (!search_hinges(c.step(), 0.1 * tolerance::overlap, c.lu, c.work)) {
      EXPECT_EQ(c.work.impulse, based);
      continue;
    }
    ++found;
    for (const PositionWork::Turn& t : c.work.turns) {
      EXPECT_TRUE(!t.taken || t.drive >= -1e-9);
      opened += t.taken && t.opens;
      closed += t.taken && !t.opens;
    }
    c.check();
  }
  EXPECT_GT(found, cases / 2);
  EXPECT_GT(opened, cases);
  EXPECT_GT(closed, cases / 2);
}

/// Nothing turns where the pieces were right.
TEST(HingeSearch, LeavesARightAnswerAlone) {
  Simulation sim = stack(5);
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::mt19937_64 rng(3);
  Case c(sim.work);
  c.draw_target(rng, 0);
  c.work.impulse.setZero(sim.work.rows.rows);
  ASSERT_TRUE(position_newton(c.step(), c.lu, c.work));
  c.answer();
  const VecX based = c.work.impulse;
  ASSERT_TRUE(search_hinges(c.step(), 0.1 * tolerance::overlap, c.lu, c.work));
  EXPECT_EQ(c.work.impulse, based);
  EXPECT_TRUE(c.work.turns.empty());
}

}  // namespace
}  // namespace tact
