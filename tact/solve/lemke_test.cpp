#include "tact/solve/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tact/solve/augmented_newton.hpp"
#include "tact/solve/gauss_seidel.hpp"
#include "tact/solve/lcp.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_contacts.hpp"

namespace tact {
namespace {

using testing::polygonal_law;
using testing::random_contacts;
using testing::RandomContacts;

SolveReport solve(const DelassusProblem& p, VecX& lambda) {
  LemkeWorkspace work;
  lambda = VecX::Zero(p.rows());
  return lemke(p, {}, work, lambda);
}

/// A point mass on a plane, axes as rows.
RandomContacts mass_point(const Law& law, const Vec3& b) {
  RandomContacts out;
  out.laws = {law};
  out.J = MatX::Identity(3, 3);
  out.inverse_mass = MatX::Identity(3, 3) / 2;
  out.b = b;
  return out;
}

TEST(Lemke, StickSlideAndTakeOffByHand) {
  // Mass 2, box 0.5 x 0.5: [FrictionM4] box, with the signs of docs/errata.md.
  const BoxLaw box{0.5, 1};
  VecX lambda;
  EXPECT_EQ(solve(mass_point(box, {0.2, -0.1, -1}).problem(), lambda).status,
            SolveStatus::converged);
  EXPECT_LE((lambda - Vec3(-0.4, 0.2, 2)).norm(), tolerance::rounding);
  EXPECT_EQ(solve(mass_point(box, {3, -0.1, -1}).problem(), lambda).status, SolveStatus::converged);
  EXPECT_LE((lambda - Vec3(-1, 0.2, 2)).norm(), tolerance::rounding);
  EXPECT_EQ(solve(mass_point(box, {3, -0.1, 1}).problem(), lambda).status, SolveStatus::converged);
  EXPECT_LE(lambda.norm(), tolerance::rounding);
  // The pyramid of four corners on the axes: sliding goes to a corner. [FrictionM4] pyramid
  EXPECT_EQ(solve(mass_point(PyramidLaw{0.5, 4}, {3, -0.1, -1}).problem(), lambda).status,
            SolveStatus::converged);
  EXPECT_LE((lambda - Vec3(-1, 0, 2)).norm(), tolerance::rounding);
}

TEST(Lemke, AnswersToItsName) {
  Rng rng(7);
  const DelassusProblem p = random_contacts(rng, {BoxLaw{0.5}, Frictionless{}}, 6).problem();
  SolveWorkspace work;
  for (const SolverName name : {SolverName::lemke, SolverName::box}) {
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = solve_with(name, p, {}, work, lambda);
    EXPECT_EQ(report.solver, name);
    EXPECT_EQ(report.status, SolveStatus::converged);
  }
}

TEST(Lemke, OtherLawsAreNotItsBusiness) {
  VecX lambda;
  EXPECT_EQ(solve(mass_point(CoulombLaw{0.5}, {0, 0, -1}).problem(), lambda).status,
            SolveStatus::unsupported);
  EXPECT_FALSE(has_lcp(local_law(FrictionlessPatch{{DiscShape{{0, 0}, 1}}})));
}

TEST(Lemke, TheLcpSaysWhatTheLawsSay) {
  // For every feasible λ the shares of the corners exist, so M z + q is the velocity.
  Rng rng(5);
  const RandomContacts c = random_contacts(rng, {BoxLaw{0.5}, Frictionless{}}, 4);
  const DelassusProblem p = c.problem();
  ContactLcp lcp;
  ASSERT_TRUE(write_lcp(p, lcp));
  EXPECT_EQ(lcp.q.size(), 7);
  VecX z = testing::random_dense(rng, 7, 1).cwiseAbs();
  VecX lambda;
  impulses(p, lcp, z, lambda);
  const VecX u = c.J * c.inverse_mass * c.J.transpose() * lambda + c.b;
  const VecX w = lcp.M * z + lcp.q;
  EXPECT_NEAR(w[0], lcp.scale[0] * u[2], 1e-12);
  EXPECT_NEAR(w[6], lcp.scale[6] * u[3], 1e-12);
}

/// Every choice of modes: which of z and w is zero. Whether one of them gives λ's velocity.
bool enumeration_agrees(const ContactLcp& lcp, const VecX& z) {
  const Index n = lcp.q.size();
  for (unsigned mode = 0; mode < (1U << n); ++mode) {
    MatX basis = MatX::Identity(n, n);
    for (Index k = 0; k < n; ++k)
      if ((mode >> k & 1U) != 0) basis.col(k) = -lcp.M.col(k);
    const Eigen::FullPivLU<MatX> lu(basis);
    if (!lu.isInvertible()) continue;
    const VecX x = lu.solve(lcp.q);
    if (x.minCoeff() < -1e-9) continue;
    VecX other = VecX::Zero(n);
    for (Index k = 0; k < n; ++k)
      if ((mode >> k & 1U) != 0) other[k] = x[k];
    if ((other - z).norm() <= 1e-8 * (1 + z.norm())) return true;
  }
  return false;
}

TEST(Lemke, FindsOneOfTheModesThatEnumerationFinds) {
  Rng rng(1);
  LemkeWorkspace work;
  for (int k = 0; k < 150; ++k) {
    const std::vector<Law> laws = k % 2 == 0
                                      ? std::vector<Law>{CoulombLaw{0.7, true}, Frictionless{}}
                                      : std::vector<Law>{BoxLaw{0.6}, Frictionless{}};
    const DelassusProblem p = random_contacts(rng, laws, 5, k % 3 != 0).problem();
    VecX lambda = VecX::Zero(p.rows());
    ASSERT_EQ(lemke(p, {}, work, lambda).status, SolveStatus::converged) << k;
    if (lambda.isZero(0)) continue;
    EXPECT_TRUE(enumeration_agrees(work.lcp, work.z)) << k;
  }
}

TEST(Lemke, SolvesWhatTheOthersSolve) {
  Rng rng(2);
  LemkeWorkspace work;
  GaussSeidelWorkspace sweeps;
  AugmentedNewtonWorkspace steps;
  int solved = 0, compared = 0;
  constexpr int cases = 300;
  for (int k = 0; k < cases; ++k) {
    std::vector<Law> laws;
    const auto count = 1 + rng.below(7);
    for (std::uint64_t i = 0; i < count; ++i) laws.push_back(polygonal_law(rng));
    const auto dof = static_cast<Index>(3 + rng.below(10));
    const DelassusProblem p = random_contacts(rng, laws, dof, k % 3 != 0).problem();
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = lemke(p, {}, work, lambda);
    solved += report.status == SolveStatus::converged ? 1 : 0;
    EXPECT_LE(report.residual.natural, tolerance::solved) << k;
    // A solver that starts at a solution must agree at once.
    VecX other = lambda;
    EXPECT_LE(gauss_seidel(p, {1e-8}, sweeps, other).iterations, 1) << k;
    VecX cold = VecX::Zero(p.rows());
    const SolveReport newtons = augmented_newton(p, {}, {}, steps, cold);
    if (newtons.status == SolveStatus::converged) ++compared;
  }
  EXPECT_EQ(solved, cases);
  EXPECT_GE(compared, cases * 9 / 10);
}

TEST(Lemke, FrictionlessVelocitiesAreThoseOfNewton) {
  Rng rng(3);
  AugmentedNewtonWorkspace steps;
  for (int k = 0; k < 100; ++k) {
    const std::vector<Law> laws(4 + rng.below(8), Frictionless{});
    const RandomContacts c = random_contacts(rng, laws, 5);
    const DelassusProblem p = c.problem();
    VecX lambda, other = VecX::Zero(p.rows());
    const SolveReport report = solve(p, lambda);
    ASSERT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE(report.residual.natural, 1e-13);
    ASSERT_EQ(augmented_newton(p, {1e-12}, {}, steps, other).status, SolveStatus::converged);
    EXPECT_LE((c.J.transpose() * (lambda - other)).norm(), 1e-9 * (1 + lambda.norm())) << k;
  }
}

TEST(Lemke, UnitsAndOrderDoNotMatter) {
  Rng rng(4);
  for (int k = 0; k < 60; ++k) {
    const std::vector<Law> laws{BoxLaw{0.4}, Frictionless{}, PyramidLaw{0.7, 5},
                                CoulombLaw{0.3, true}};
    const RandomContacts c = random_contacts(rng, laws, 12);
    VecX lambda, scaled;
    ASSERT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged);
    // Grams and millimetres: G times 1e3 1e6 / 1e6 ..., here any two factors.
    RandomContacts other = c;
    other.inverse_mass *= 1e6;
    other.b *= 1e-3;
    const SolveReport report = solve(other.problem(), scaled);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE((scaled * 1e9 - lambda).norm(), 1e-9 * lambda.norm()) << k;
    // The contacts in reverse.
    RandomContacts reversed = c;
    std::reverse(reversed.laws.begin(), reversed.laws.end());
    std::vector<Index> rows;
    Index at = c.b.size();
    for (const Law& law : reversed.laws) {
      at -= row_count(law);
      for (Index r = 0; r < row_count(law); ++r) rows.push_back(at + r);
    }
    for (Index r = 0; r < c.b.size(); ++r) {
      reversed.J.row(r) = c.J.row(rows[r]);
      reversed.b[r] = c.b[rows[r]];
    }
    VecX back;
    EXPECT_EQ(solve(reversed.problem(), back).status, SolveStatus::converged) << k;
  }
}

TEST(Lemke, RedundantContactsAreNoTrouble) {
  Rng rng(6);
  for (int k = 0; k < 60; ++k) {
    RandomContacts c = random_contacts(rng, {BoxLaw{0.5}, Frictionless{}, PyramidLaw{0.5, 6}}, 6);
    // Every contact twice.
    const Index n = c.b.size();
    c.laws.insert(c.laws.end(), c.laws.begin(), c.laws.begin() + 3);
    c.J.conservativeResize(2 * n, Eigen::NoChange);
    c.J.bottomRows(n) = c.J.topRows(n).eval();
    c.b.conservativeResize(2 * n);
    c.b.tail(n) = c.b.head(n).eval();
    VecX lambda;
    const SolveReport report = solve(c.problem(), lambda);
    EXPECT_EQ(report.status, SolveStatus::converged) << k;
    EXPECT_LE(report.residual.natural, 1e-12) << k;
  }
}

TEST(Lemke, AJamIsCalledInfeasible) {
  // A mass between a floor at rest and a ceiling that comes down.
  RandomContacts c;
  c.laws = {Frictionless{}, Frictionless{}};
  c.J.resize(2, 1);
  c.J << 1, -1;
  c.inverse_mass = MatX::Identity(1, 1);
  c.b = Eigen::Vector2d(0, -1);
  VecX lambda;
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::infeasible);
  c.b = Eigen::Vector2d(0, 0);
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged);
}

}  // namespace
}  // namespace tact
