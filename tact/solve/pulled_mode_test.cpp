#include "tact/solve/pulled_mode.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/boxes_on_boxes.hpp"

namespace tact {
namespace {

constexpr double pull = 1e-3;

SolveOptions options_of_pull() {
  SolveOptions out;
  out.pull = pull;
  return out;
}

/// Loads as a step before might have left them: those of other pushes.
VecX loads_of_other_pushes(testing::Boxes boxes, Rng& rng, double size) {
  boxes.push.clear();
  for (std::size_t i = 0; i < boxes.mass.size(); ++i)
    boxes.push.emplace_back(size * Vec3(rng.normal(), rng.normal(), 0));
  VecX out;
  EXPECT_EQ(solve(testing::problem_of(boxes), {}, out).status, SolveStatus::converged);
  return out;
}

/// What it finds is a solution of the pulled problem, by a judge who knows nothing of pulls.
TEST(PulledMode, SolvesTheProblemWithThePullWrittenOut) {
  Rng rng(7);
  int systems = 0;
  for (int round = 0; round < 60; ++round) {
    testing::Boxes boxes = testing::portal(1 + static_cast<int>(rng.below(4)));
    const VecX before = loads_of_other_pushes(boxes, rng, 2e-3);
    for (std::size_t i = 0; i < boxes.mass.size(); ++i)
      boxes.push.emplace_back(3e-3 * Vec3(rng.normal(), rng.normal(), 0));
    const DelassusProblem p = testing::problem_of(boxes);
    VecX lambda = before;
    BlockLu lu;
    PulledModeWorkspace work;
    const PulledMode mode = pulled_mode(p, options_of_pull(), lu, work, lambda);
    ASSERT_TRUE(mode.settled) << round;
    systems += mode.systems;
    const DelassusProblem pulled = testing::pulled_problem(p, pull, before);
    EXPECT_LE(residual(pulled, lambda).figure(), 10 * SolveOptions{}.tolerance) << round;
  }
  EXPECT_GT(systems, 60);  // the starts are not answers
}

/// A loop at rest: whatever the loads were, pulled step by step they come to some that hold, and
/// then there is nothing left of the pull.
TEST(PulledMode, StepByStepThePullIsGone) {
  const DelassusProblem p = testing::problem_of(testing::portal(3));
  Rng rng(8);
  VecX lambda = loads_of_other_pushes(testing::portal(3), rng, 1e-3);
  EXPECT_GT(residual(p, lambda).figure(), 1e-4);
  BlockLu lu;
  PulledModeWorkspace work;
  for (int step = 0; step < 12; ++step)
    EXPECT_TRUE(pulled_mode(p, options_of_pull(), lu, work, lambda).settled);
  EXPECT_LE(residual(p, lambda).figure(), SolveOptions{}.tolerance);
}

TEST(PulledMode, AnAnswerIsKeptBitForBit) {
  const DelassusProblem p = testing::problem_of(testing::portal(2));
  VecX lambda;
  SolveOptions sharp;
  sharp.polish = true;
  SolveWorkspace solving;
  lambda.setZero(p.rows());
  ASSERT_EQ(solve(p, sharp, solving, lambda).status, SolveStatus::converged);
  const VecX kept = lambda;
  BlockLu lu;
  PulledModeWorkspace work;
  const PulledMode mode = pulled_mode(p, options_of_pull(), lu, work, lambda);
  EXPECT_TRUE(mode.settled);
  EXPECT_EQ(mode.systems, 0);
  EXPECT_EQ(lambda, kept);
}

/// Where the systems do not suffice it says so, and is no farther from the law than it began.
TEST(PulledMode, TooFewSystemsAreNoAnswer) {
  testing::Boxes boxes = testing::portal(4);
  Rng rng(9);
  const VecX before = loads_of_other_pushes(boxes, rng, 1e-3);
  for (std::size_t i = 0; i < boxes.mass.size(); ++i)
    boxes.push.emplace_back(0.03 * Vec3(rng.normal(), rng.normal(), rng.normal()));
  const DelassusProblem p = testing::problem_of(boxes);
  const DelassusProblem pulled = testing::pulled_problem(p, pull, before);
  SolveOptions once = options_of_pull();
  once.max_iterations = 1;
  VecX lambda = before;
  BlockLu lu;
  PulledModeWorkspace work;
  const PulledMode mode = pulled_mode(p, once, lu, work, lambda);
  EXPECT_FALSE(mode.settled);
  EXPECT_EQ(mode.systems, 1);
  const auto error = [&](const VecX& at) {
    ModePieces pieces;
    LocalWorkspace local;
    VecX u;
    multiply(pulled.G, at, u);
    u += pulled.b;
    return read_pieces(pulled, at, u, pieces, local);
  };
  EXPECT_LE(error(lambda), error(before));
  // And with as many as it likes it gets there.
  lambda = before;
  once.max_iterations = 200;
  EXPECT_TRUE(pulled_mode(p, once, lu, work, lambda).settled);
  EXPECT_LE(residual(pulled, lambda).figure(), 10 * SolveOptions{}.tolerance);
}

/// A seat of a gate that stands is deeper than it should be by nearly nothing. No load opens it
/// until one of the others tips: the loads that do are far away, and the error on the way there is
/// a thousand times what it is at the start.
TEST(PulledMode, ALeapFindsLoadsBehindAPlateau) {
  int found = 0, found_downhill = 0, rounds = 0;
  for (const int columns : {1, 2, 3, 4})
    for (const double depth : {1e-8, 1e-7, 1e-6}) {
      DelassusProblem p = testing::problem_of(testing::portal(columns));
      VecX rest;
      ASSERT_EQ(solve(p, {}, rest).status, SolveStatus::converged);
      p.b[p.rows() - 1] -= depth;  // [m/s] the approach of the last seat
      SolveOptions weak = options_of_pull();
      weak.pull = 1e-7;
      BlockLu lu;
      PulledModeWorkspace work;
      VecX lambda = rest;
      found_downhill += pulled_mode(p, weak, lu, work, lambda).settled ? 1 : 0;
      lambda = rest;
      constexpr int leap = 8;
      found += pulled_mode(p, weak, lu, work, lambda, leap).settled ? 1 : 0;
      ++rounds;
      lambda = rest;
      JudgeWorkspace judge;
      EXPECT_EQ(proximal_modes(p, options_of_pull(), lu, work, judge, lambda).status,
                SolveStatus::converged)
          << columns << ' ' << depth;
    }
  EXPECT_EQ(found, rounds);
  EXPECT_LT(found_downhill, rounds) << "there is no plateau";
}

/// Without the pull: from the loads of other pushes to a solution of the problem itself, whether
/// boxes then stick, slide or lift. One memory for problems of all sizes.
TEST(ProximalModes, SolveTheProblemItself) {
  Rng rng(10);
  int solved = 0, systems = 0;
  constexpr int rounds = 60;
  BlockLu lu;
  PulledModeWorkspace work;
  JudgeWorkspace judge;
  for (int round = 0; round < rounds; ++round) {
    testing::Boxes boxes = testing::portal(1 + static_cast<int>(rng.below(4)));
    VecX lambda = loads_of_other_pushes(boxes, rng, 2e-3);
    const double size = rng.log_uniform(1e-3, 0.1);
    for (std::size_t i = 0; i < boxes.mass.size(); ++i)
      boxes.push.emplace_back(size * Vec3(rng.normal(), rng.normal(), rng.normal()));
    const DelassusProblem p = testing::problem_of(boxes);
    const SolveReport report = proximal_modes(p, options_of_pull(), lu, work, judge, lambda);
    // What it says of its answer is so, whichever it is.
    EXPECT_EQ(report.residual.figure(), residual(p, lambda).figure());
    EXPECT_EQ(report.status == SolveStatus::converged,
              accepted(report.residual, SolveOptions{}.tolerance));
    solved += report.status == SolveStatus::converged ? 1 : 0;
    systems += report.iterations;
  }
  EXPECT_GE(solved, rounds - 2);
  EXPECT_GT(systems, 2 * rounds);
}

/// Asked for more digits than there are it says so, and hands back what is no worse than the start.
TEST(ProximalModes, WhatIsNotReachedIsSaid) {
  Rng rng(11);
  BlockLu lu;
  PulledModeWorkspace work;
  JudgeWorkspace judge;
  for (const int columns : {4, 1, 3}) {
    testing::Boxes boxes = testing::portal(columns);
    const VecX before = loads_of_other_pushes(boxes, rng, 2e-3);
    for (std::size_t i = 0; i < boxes.mass.size(); ++i)
      boxes.push.emplace_back(0.03 * Vec3(rng.normal(), rng.normal(), rng.normal()));
    const DelassusProblem p = testing::problem_of(boxes);
    SolveOptions exact = options_of_pull();
    exact.tolerance = 0;
    VecX lambda = before;
    const SolveReport report = proximal_modes(p, exact, lu, work, judge, lambda);
    ASSERT_EQ(lambda.size(), p.rows());
    EXPECT_EQ(report.status, SolveStatus::not_converged);
    EXPECT_EQ(report.residual.figure(), residual(p, lambda).figure());
    EXPECT_LT(report.residual.figure(), residual(p, before).figure());
  }
}

}  // namespace
}  // namespace tact
