#include "tact/solve/mass_newton.hpp"

#include <gtest/gtest.h>

#include "tact/solve/proximal_newton.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_problems.hpp"

namespace tact {
namespace {

/// One body of six degrees of freedom pressed on the ground at many more points than it needs: G
/// has rank six, M + J'CJ stays six by six.
ContactProblem redundant_block(Rng& rng, int points) {
  ContactProblem p;
  VecX mass(6);
  mass << 0.2, 0.3, 0.4, 2, 2, 2;
  p.mass = sparse(MatX(mass.asDiagonal()));
  p.velocity = VecX::Zero(6);
  p.velocity << 0.3 * rng.normal(), 0.3 * rng.normal(), rng.normal(), rng.normal(), rng.normal(), 0;
  p.impulse = VecX::Zero(6);
  p.impulse[5] = -1;
  MatX J(3 * points, 6);
  for (int k = 0; k < points; ++k) {
    const Vec3 r(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), -0.2);
    Mat3 cross_r;
    cross_r << 0, r[2], -r[1], -r[2], 0, r[0], r[1], -r[0], 0;  // ω × r
    J.block<3, 3>(3 * k, 0) = cross_r;
    J.block<3, 3>(3 * k, 3) = Mat3::Identity();
    p.contacts.push_back({"", CoulombLaw{0.4}});
  }
  p.rows = sparse(J);
  return p;
}

TEST(MassNewton, SolvesRedundantContactsLikeTheReductionDoes) {
  Rng rng(21);
  for (int k = 0; k < 40; ++k) {
    const ContactProblem given = redundant_block(rng, 4 + k % 20);
    const auto mass = mass_problem(given);
    const auto reduced = reduce(given);
    ASSERT_TRUE(mass && reduced);
    VecX lambda = VecX::Zero(mass->rows());
    MassNewtonWorkspace work;
    const SolveReport report = mass_newton(*mass, {}, NewtonOptions{}, work, lambda);
    ASSERT_EQ(report.status, SolveStatus::converged) << "case " << k;
    EXPECT_LE(residual(*reduced, lambda).natural, 10 * tolerance::solved);
    EXPECT_LE(momentum_residual(given, lambda, velocity_after(given, lambda)), tolerance::regime);
    VecX other;
    ASSERT_EQ(solve(*reduced, {}, other).status, SolveStatus::converged);
  }
}

TEST(MassNewton, KnowsAMassThatIsNotSymmetric) {
  Rng rng(22);
  for (int k = 0; k < 20; ++k) {
    ContactProblem given = testing::random_coulomb(rng, true, false, 3);
    MatX m = MatX(given.mass);
    m(0, 1) += 0.05 * m(0, 0);
    given.mass = sparse(m);
    given.mass_is_general = true;
    const auto mass = mass_problem(given);
    const auto reduced = reduce(given);
    ASSERT_TRUE(mass && reduced);
    VecX lambda = VecX::Zero(mass->rows());
    MassNewtonWorkspace work;
    const SolveReport report = mass_newton(*mass, {}, NewtonOptions{}, work, lambda);
    // Converged or not, the report is the judge's.
    const Residual again = residual(*reduced, lambda);
    EXPECT_NEAR(report.residual.natural, again.natural, tolerance::face + 0.01 * again.natural);
    EXPECT_EQ(report.status == SolveStatus::converged,
              accepted(report.residual, tolerance::solved));
  }
}

TEST(ProximalNewton, PullGrowsAfterAFailureAndShrinksAfterAnEasyProblem) {
  EXPECT_GT(detail::next_alpha(0.01, true, 3), 0.01);
  EXPECT_LT(detail::next_alpha(0.01, false, 2), detail::next_alpha(0.01, false, 6));
  EXPECT_LT(detail::next_alpha(0.01, false, 6), 0.01);
  EXPECT_EQ(detail::next_alpha(0.01, false, 10), 0.01);
}

}  // namespace
}  // namespace tact
