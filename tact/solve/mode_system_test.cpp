#include "tact/solve/mode_system.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/boxes_on_boxes.hpp"

namespace tact {
namespace {

/// A portal that is pushed, and loads near its own: some contacts stick, some slide or tip.
struct Pushed {
  DelassusProblem problem;
  VecX lambda, u;

  explicit Pushed(std::uint64_t seed) {
    Rng rng(seed);
    testing::Boxes boxes = testing::portal(2);
    for (std::size_t i = 0; i < boxes.mass.size(); ++i)
      boxes.push.emplace_back(0.01 * Vec3(rng.normal(), rng.normal(), 0));
    problem = testing::problem_of(boxes);
    EXPECT_EQ(solve(problem, {}, lambda).status, SolveStatus::converged);
    for (double& load : lambda) load *= 1 + 0.01 * rng.normal();
    move(lambda);
  }
  void move(const VecX& to) {
    multiply(problem.G, to, u);
    u += problem.b;
  }
};

TEST(ModeSystem, TheErrorIsThatOfTheNaturalMapAndStopsAtTheBound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Pushed at(seed);
    const DelassusProblem& p = at.problem;
    double sum = 0;
    LocalWorkspace local;
    for (Index i = 0; i < p.contacts(); ++i) {
      double y[6], image[6];
      natural_argument(p.metric(i), at.lambda.data() + 6 * i, at.u.data() + 6 * i, y);
      project(p.laws[i], p.metric(i), y, image, local);
      for (Index r = 0; r < 6; ++r) image[r] -= at.lambda[6 * i + r];
      sum += energy(p.metric(i), image);
    }
    ModePieces pieces;
    EXPECT_NEAR(read_pieces(p, at.lambda, at.u, pieces, local), sum, 1e-9 * sum);
    const double early = read_pieces(p, at.lambda, at.u, pieces, local, 1e-3 * sum);
    EXPECT_GT(early, 1e-3 * sum);
    EXPECT_LE(early, sum * (1 + 1e-9));
  }
}

/// The system is the slope of the map: half of a small step takes away half of what is missed.
TEST(ModeSystem, AStepTakesAwayWhatIsMissed) {
  int slides = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Pushed at(seed);
    const DelassusProblem& p = at.problem;
    BlockLu lu;
    lu.analyse(p.G);
    ModePieces pieces;
    LocalWorkspace local;
    const double error = read_pieces(p, at.lambda, at.u, pieces, local);
    for (const std::uint32_t word : pieces.words) slides += word == BlockLu::unknown;
    constexpr double pull = 1e-6;  // loops
    make_system(p, pieces, pull, lu);
    ASSERT_TRUE(lu.factor());
    VecX step = pieces.right;
    lu.solve(step);
    constexpr double share = 1e-4;  // stays on the pieces
    const VecX next = at.lambda + share * step;
    at.move(next);
    ModePieces after;
    const double left = read_pieces(p, next, at.u, after, local);
    if (after.words != pieces.words) continue;
    ++compared;
    EXPECT_NEAR(std::sqrt(left / error), 1 - share, 0.05 * share) << seed;
  }
  EXPECT_GT(slides, 20);
  EXPECT_GT(compared, 10);
}

/// A pull in the matrix is G + pull D.
TEST(ModeSystem, ThePullIsThatOfTheProblemWrittenOut) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Pushed at(seed);
    const DelassusProblem& p = at.problem;
    constexpr double pull = 0.03;
    const DelassusProblem written = testing::pulled_problem(p, pull, VecX::Zero(p.rows()));
    ModePieces pieces;
    LocalWorkspace local;
    (void)read_pieces(p, at.lambda, at.u, pieces, local);
    VecX steps[2] = {pieces.right, pieces.right};
    for (const int k : {0, 1}) {
      BlockLu lu;
      lu.analyse(p.G);
      make_system(k == 0 ? p : written, pieces, k == 0 ? pull : 0, lu);
      ASSERT_TRUE(lu.factor());
      lu.solve(steps[k]);
    }
    EXPECT_LE((steps[0] - steps[1]).norm(), 1e-9 * steps[1].norm()) << seed;
  }
}

}  // namespace
}  // namespace tact
