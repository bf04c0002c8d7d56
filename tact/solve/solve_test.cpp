#include "tact/solve/solve.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/solve/solver.hpp"
#include "tests/support/boxes_on_boxes.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

constexpr SolverName iterative[] = {SolverName::automatic, SolverName::gauss_seidel,
                                    SolverName::admm, SolverName::newton};

/// A tower of n unit masses, each on the one below: λ_k = (n - k) g dt.
DelassusProblem tower(Index n, double weight) {
  MatX G = 2 * MatX::Identity(n, n);
  G(0, 0) = 1;
  for (Index i = 0; i + 1 < n; ++i) G(i, i + 1) = G(i + 1, i) = -1;
  std::vector<Index> offset;
  for (Index i = 0; i <= n; ++i) offset.push_back(i);
  VecX b = VecX::Zero(n);
  b[0] = -weight;
  return delassus_problem(
      std::vector<LocalLaw>(static_cast<std::size_t>(n), local_law(Frictionless{})),
      block_matrix(sparse(G), offset), b);
}

TEST(Solve, Names) {
  EXPECT_EQ(name(SolverName::automatic), "auto");
  EXPECT_EQ(name(SolverName::newton), "newton");
  EXPECT_EQ(name(SolverName::mass_newton), "newton_mass");
  EXPECT_EQ(name(SolverName::lemke), "lemke");
  EXPECT_EQ(name(SolveStatus::infeasible), "infeasible");
  EXPECT_EQ(name(SolveStatus::not_converged), "not_converged");
}

TEST(Solve, AcceptsWhatTheJudgeAccepts) {
  Residual r;
  EXPECT_TRUE(accepted(r, 1e-10));
  r.natural = 2e-10;
  EXPECT_FALSE(accepted(r, 1e-10));
  r.natural = std::nan("");
  EXPECT_FALSE(accepted(r, 1e-10));
  r = {};
  r.natural = 1e-12;
  r.unhidden = 1e-6;
  EXPECT_FALSE(accepted(r, 1e-10)) << "hidden by large impulses";
  r.unhidden = 1e-8;
  EXPECT_TRUE(accepted(r, 1e-10));
  r.growth = 1e7;
  EXPECT_FALSE(accepted(r, 1e-10)) << "impulses that large are those of a jam";
  r = {};
  r.natural = 1e-12;
  r.fc3d = 1e-7;
  EXPECT_FALSE(accepted(r, 1e-10)) << "the collection would not call it solved";
}

TEST(Solve, TowerByEverySolver) {
  const DelassusProblem p = tower(6, 0.5);
  for (const SolverName solver : iterative) {
    SCOPED_TRACE(name(solver));
    SolveWorkspace work;
    VecX lambda = VecX::Zero(6);
    const SolveReport report = solve_with(solver, p, {}, work, lambda);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_GT(report.iterations, 0);
    for (Index k = 0; k < 6; ++k) EXPECT_NEAR(lambda[k], 0.5 * static_cast<double>(6 - k), 1e-8);
  }
}

TEST(Solve, NothingToSolve) {
  const DelassusProblem none =
      delassus_problem({}, block_matrix(SparseMatrix(0, 0), std::vector<Index>{0}), VecX(0));
  for (const SolverName solver : iterative) {
    SolveWorkspace work;
    VecX lambda(0);
    EXPECT_EQ(solve_with(solver, none, {}, work, lambda).status, SolveStatus::converged);
  }
}

/// Nothing approaches: no impulse, no iteration, and the report is the judge's.
TEST(Solve, NothingApproaches) {
  for (const Law& law : {Law(CoulombLaw{0.5}), Law(BoxLaw{0.5, 1})}) {
    const DelassusProblem p = delassus_problem(
        {local_law(law), local_law(law)},
        block_matrix(sparse(2 * MatX::Identity(6, 6)), std::vector<Index>{0, 3, 6}),
        (VecX(6) << 1, -1, 0, 0, 2, 3).finished());
    VecX lambda;
    const SolveReport report = solve(p, {}, lambda);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(lambda, VecX::Zero(6));
    const Residual judged = residual(p, lambda);
    EXPECT_EQ(report.residual.natural, judged.natural);
    EXPECT_EQ(report.residual.fc3d, judged.fc3d);
    EXPECT_EQ(report.residual.growth, judged.growth);
    EXPECT_EQ(report.residual.worst_contact, judged.worst_contact);
  }
}

/// A jam has no solution: nobody may claim one, whatever the tolerance asked for.
TEST(Solve, NobodySolvesAJam) {
  MatX G(2, 2);
  G << 1, -1, -1, 1;
  const DelassusProblem p =
      delassus_problem(std::vector<LocalLaw>(2, local_law(Frictionless{})),
                       block_matrix(sparse(G), std::vector<Index>{0, 1, 2}), Vec2(-1, -1));
  for (const SolverName solver : iterative)
    for (const double asked : {1e-12, 1e-6, 1e-2}) {
      SCOPED_TRACE(name(solver));
      SolveWorkspace work;
      SolveOptions options;
      options.tolerance = asked;
      options.max_iterations = solver == SolverName::automatic ? 0 : 500;
      VecX lambda = VecX::Zero(2);
      EXPECT_NE(solve_with(solver, p, options, work, lambda).status, SolveStatus::converged);
    }
}

TEST(Solve, StopsWhenToldAndSaysSo) {
  const DelassusProblem p = tower(40, 0.5);
  for (const SolverName solver : {SolverName::gauss_seidel, SolverName::admm}) {
    SCOPED_TRACE(name(solver));
    SolveWorkspace work;
    SolveOptions options;
    options.max_iterations = 3;
    VecX lambda = VecX::Zero(40);
    const SolveReport report = solve_with(solver, p, options, work, lambda);
    EXPECT_EQ(report.status, SolveStatus::not_converged);
    EXPECT_LE(report.iterations, 3);
    EXPECT_EQ(report.residual.natural, residual(p, lambda).natural) << "of what it hands back";
  }
}

/// Digits that are not there are looked for by every method there is, unless fewer will do; and
/// what was not reached is said either way.
TEST(Solve, EnoughEndsTheSearch) {
  int sought = 0;
  for (int k = 0; k < 70; ++k) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    SolveOptions options;
    options.tolerance = 0;
    SolveWorkspace work;
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport all = solve(p, options, work, lambda);
    options.enough = 1e-8;
    lambda.setZero();
    const SolveReport few = solve(p, options, work, lambda);
    EXPECT_EQ(few.residual.figure(), residual(p, lambda).figure());
    if (all.status != SolveStatus::not_converged || all.residual.figure() > options.enough)
      continue;
    EXPECT_LE(few.residual.figure(), options.enough);
    EXPECT_LE(few.iterations, all.iterations) << k;
    sought += 2 * few.iterations < all.iterations ? 1 : 0;
  }
  EXPECT_GE(sought, 10);
}

TEST(Solve, AWarmStartAtTheSolutionIsKept) {
  for (int k = 0; k < 70; ++k) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    for (const SolverName solver :
         {SolverName::gauss_seidel, SolverName::admm, SolverName::newton}) {
      SolveWorkspace work;
      VecX lambda = VecX::Zero(p.rows());
      if (solve(p, {}, work, lambda).status != SolveStatus::converged) continue;
      const double before = residual(p, lambda).natural;
      const SolveReport report = solve_with(solver, p, {}, work, lambda);
      EXPECT_EQ(report.status, SolveStatus::converged);
      EXPECT_LE(report.iterations, 5) << name(solver) << " " << k;
      EXPECT_LE(report.residual.natural, tolerance::solved) << before;
    }
  }
}

/// Polishing only improves: the figures of the judge, before and after.
TEST(Solve, PolishingImproves) {
  double worst = 0;
  for (int k = 0; k < testing::cases(210); ++k) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    SolveWorkspace work;
    VecX plain = VecX::Zero(p.rows()), polished = plain;
    SolveOptions options;
    const SolveReport before = solve(p, options, work, plain);
    options.polish = true;
    const SolveReport after = solve(p, options, work, polished);
    if (before.status != SolveStatus::converged) continue;
    EXPECT_LE(after.residual.natural, std::max(before.residual.natural, tolerance::rounding));
    worst = std::max(worst, after.residual.natural);
  }
  EXPECT_LE(worst, tolerance::solved);
}

/// Scenes side by side: islands, solved together.
DelassusProblem side_by_side(int count) {
  std::vector<LocalLaw> laws;
  std::vector<Index> offset{0};
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> b;
  for (int k = 0; k < count; ++k) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    const auto base = static_cast<int>(offset.back());
    for (Index i = 0; i < p.contacts(); ++i) {
      laws.push_back(p.laws[i]);
      for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e)
        for (Index r = 0; r < p.G.rows_of(i); ++r)
          for (Index c = 0; c < p.G.rows_of(p.G.col[e]); ++c)
            entries.emplace_back(base + static_cast<int>(p.G.offset[i] + r),
                                 base + static_cast<int>(p.G.offset[p.G.col[e]] + c),
                                 p.G.block(i, e)(r, c));
    }
    for (Index i = 0; i < p.contacts(); ++i) offset.push_back(base + p.G.offset[i + 1]);
    b.insert(b.end(), p.b.begin(), p.b.end());
  }
  SparseMatrix G(offset.back(), offset.back());
  G.setFromTriplets(entries.begin(), entries.end());
  return delassus_problem(laws, block_matrix(G, offset),
                          Eigen::Map<const VecX>(b.data(), static_cast<Index>(b.size())));
}

TEST(Solve, SameBitsOnAnyNumberOfThreads) {
  const DelassusProblem p = side_by_side(testing::cases(60));
  for (const SolverName solver : iterative) {
    SCOPED_TRACE(name(solver));
    SolveOptions options;
    options.max_iterations = 100;
    VecX first;
    SolveReport reported;
    for (const std::size_t threads : {1U, 2U, 4U}) {
      SolveWorkspace work;
      work.workers.resize(threads);
      VecX lambda = VecX::Zero(p.rows());
      const SolveReport report = solve_with(solver, p, options, work, lambda);
      if (threads == 1) {
        first = lambda;
        reported = report;
        continue;
      }
      testing::expect_same_bits(first, lambda);
      EXPECT_EQ(reported.iterations, report.iterations);
      EXPECT_EQ(reported.solver, report.solver);
      EXPECT_EQ(reported.status, report.status);
      testing::expect_same_bits(reported.residual.natural, report.residual.natural);
    }
  }
}

TEST(Solve, ADirtyWorkspaceChangesNothing) {
  SolveWorkspace dirty;
  for (int k = 0; k < testing::cases(140); ++k) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    for (const SolverName solver : iterative) {
      SCOPED_TRACE(std::string(name(solver)) + " " + std::to_string(k));
      SolveOptions options;
      options.max_iterations = solver == SolverName::automatic ? 0 : 200;
      SolveWorkspace clean;
      VecX a = VecX::Zero(p.rows()), b = a;
      solve_with(solver, p, options, clean, a);
      solve_with(solver, p, options, dirty, b);
      testing::expect_same_bits(a, b);
    }
  }
}

TEST(Solve, MildlyNonSymmetricMatrices) {
  Rng rng(1);
  int failed = 0;
  constexpr int count = testing::cases(300);
  for (int k = 0; k < count; ++k) {
    DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    MatX turn(p.rows(), p.rows());
    for (Index i = 0; i < p.rows(); ++i)
      for (Index j = 0; j < p.rows(); ++j) turn(i, j) = 0.001 * rng.normal();
    MatX G = MatX::Zero(p.rows(), p.rows());
    for (Index i = 0; i < p.contacts(); ++i)
      for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e)
        G.block(p.G.offset[i], p.G.offset[p.G.col[e]], p.G.rows_of(i), p.G.rows_of(p.G.col[e])) =
            p.G.block(i, e);
    G += turn - turn.transpose();
    G.diagonal().array() += 0.05;  // positive definite: a solution exists
    p = delassus_problem(p.laws, block_matrix(sparse(G), p.G.offset), p.b);
    VecX lambda;
    const SolveReport report = solve(p, {}, lambda);
    failed += report.status == SolveStatus::converged ? 0 : 1;
    EXPECT_EQ(report.status == SolveStatus::converged,
              accepted(residual(p, lambda), tolerance::solved));
  }
  RecordProperty("not converged", failed);
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace tact
