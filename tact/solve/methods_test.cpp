// The three methods by themselves, with their own options.
#include <cmath>

#include <gtest/gtest.h>

#include "tact/solve/admm.hpp"
#include "tact/solve/augmented_newton.hpp"
#include "tact/solve/gauss_seidel.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

DelassusProblem frictionless(const MatX& G, const VecX& b) {
  std::vector<Index> offset;
  for (Index i = 0; i <= b.size(); ++i) offset.push_back(i);
  return delassus_problem(
      std::vector<LocalLaw>(static_cast<std::size_t>(b.size()), local_law(Frictionless{})),
      block_matrix(sparse(G), offset), b);
}

/// By hand: G = [2 1; 1 2], b = (-1, -3). First λ_1 = 1/2, then λ_2 = (3 - 1/2)/2 = 5/4.
TEST(GaussSeidel, OneSweepByHand) {
  const DelassusProblem p = frictionless((MatX(2, 2) << 2, 1, 1, 2).finished(), Vec2(-1, -3));
  VecX lambda = VecX::Zero(2);
  LocalWorkspace work;
  const double changed = gauss_seidel_sweep(p, lambda, work);
  EXPECT_EQ(lambda, VecX(Vec2(0.5, 1.25)));
  EXPECT_NEAR(changed, 2 * 0.25 + 2 * 1.5625, 1e-14) << "|Δλ|² in the metric of the blocks";
  GaussSeidelWorkspace sweeps;
  const SolveReport report = gauss_seidel(p, {}, sweeps, lambda);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_NEAR(lambda[0], 0, 1e-9) << "the second holds the first up";
  EXPECT_NEAR(lambda[1], 1.5, 1e-9);
}

/// For frictionless contacts a sweep minimises ½λ'Gλ + b'λ over one contact after another.
TEST(GaussSeidel, SweepsOnlyGoDown) {
  for (int k = 0; k < 70; k += 7) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    VecX lambda = VecX::Zero(p.rows()), u;
    LocalWorkspace work;
    double last = 0;
    for (int sweep = 0; sweep < 20; ++sweep) {
      gauss_seidel_sweep(p, lambda, work);
      multiply(p.G, lambda, u);
      const double cost = 0.5 * lambda.dot(u) + lambda.dot(p.b);
      EXPECT_LE(cost, last + 1e-12 * std::abs(last));
      last = cost;
    }
  }
}

/// Where contacts are not redundant Newton's method ends in a handful of systems.
TEST(Newton, FewSystemsOnRegularProblems) {
  AugmentedNewtonWorkspace work;
  for (int k = 0; k < 140; ++k) {
    testing::SceneOptions options;
    options.family = testing::Family::coulomb;
    options.contacts = 2;
    options.bodies = 2;
    options.most_friction = 0.5;
    const DelassusProblem p =
        *reduce(testing::random_scene(static_cast<std::uint64_t>(k), options));
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = augmented_newton(p, {}, {}, work, lambda);
    EXPECT_EQ(report.status, SolveStatus::converged) << k;
    EXPECT_EQ(report.solver, SolverName::newton);
    EXPECT_LE(report.iterations, 20) << k;
  }
}

/// Four legs: the matrix is singular, and the proximal term is what makes the systems regular. Of
/// all loads that carry the table those nearest to the start are found, from zero the equal ones,
/// with and without steps on the natural map.
TEST(Newton, RedundantContactsShareTheLoad) {
  MatX J(4, 3);  // v_z, w_x, w_y at the corners of a table
  J << 1, 1, 1, 1, -1, 1, 1, 1, -1, 1, -1, -1;
  const DelassusProblem p = frictionless(J * J.transpose(), VecX::Constant(4, -1));
  const VecX free = (VecX(4) << 1, -1, -1, 1).finished();  // presses nothing up, and turns nothing
  for (const bool natural : {false, true}) {
    AugmentedNewtonOptions settings;
    settings.natural_from_zero = natural;
    AugmentedNewtonWorkspace work;
    VecX lambda = VecX::Zero(4);
    EXPECT_EQ(augmented_newton(p, {}, settings, work, lambda).status, SolveStatus::converged);
    EXPECT_LE((lambda - VecX::Constant(4, 0.25)).norm(), 1e-9) << natural;
    // From two legs that carry too much: what is redundant of the start stays.
    lambda = VecX::Constant(4, 0.2) + 0.1 * free;
    EXPECT_EQ(augmented_newton(p, {}, settings, work, lambda).status, SolveStatus::converged);
    EXPECT_LE((lambda - VecX::Constant(4, 0.25) - 0.1 * free).norm(), 1e-9) << natural;
  }
}

/// The answer does not depend on penalty or relaxation, only the number of steps does. With
/// friction nothing promises that the method ends; when it does not, it says so.
TEST(Admm, AnswersDoNotDependOnTheSettings) {
  int ended = 0, all = 0;
  for (int k = 0; k < 70; k += 7) {
    const DelassusProblem p = *reduce(testing::numbered_scene(k, {}));
    for (const double penalty : {0.01, 0.1, 1.0})
      for (const double relaxation : {1.0, 1.6}) {
        AdmmOptions settings;
        settings.penalty = penalty;
        settings.relaxation = relaxation;
        AdmmWorkspace work;
        VecX lambda = VecX::Zero(p.rows());
        const SolveReport report = admm(p, {}, settings, work, lambda);
        ++all;
        const bool solved = residual(p, lambda).natural <= tolerance::solved;
        EXPECT_EQ(report.status == SolveStatus::converged, solved) << k << " " << penalty;
        if (solved) ++ended;
      }
  }
  EXPECT_GE(ended, all * 9 / 10);
}

/// A mass ratio of a million: sweeps crawl, one factorisation does not care.
TEST(Admm, LargeMassRatios) {
  MatX G(2, 2);
  G << 1 + 1e6, -1, -1, 1;  // a heavy mass on a light one on the ground
  G /= 1e6;
  const DelassusProblem p = frictionless(G, Vec2(-1, 0));
  AdmmWorkspace work;
  VecX lambda = VecX::Zero(2);
  EXPECT_EQ(admm(p, {}, {}, work, lambda).status, SolveStatus::converged);
}

}  // namespace
}  // namespace tact
