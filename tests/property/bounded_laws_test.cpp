// Bounded rows among contacts of every law: all solvers that know them find what two judges accept,
// signs and scales of rows are of no account, and equations as rows move as eliminated ones do.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tact/solve/augmented_newton.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/bounded_rows.hpp"
#include "tests/support/law_check.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Single rows against the whole in the metric of the blocks: solver_laws_test.cpp.
constexpr double coupling = 100;

ContactProblem bounded_scene(int k) {
  const ContactProblem scene = testing::numbered_scene(k, {});
  return testing::with_bounded_rows(scene, static_cast<std::uint64_t>(k) + 77, 1 + k % 4);
}

/// Rows by themselves: a strictly convex problem where they are independent.
ContactProblem only_bounded(int k) {
  ContactProblem p = testing::numbered_scene(k, {});
  p.contacts.clear();
  p.rows = SparseMatrix(0, p.dof());
  return testing::with_bounded_rows(p, static_cast<std::uint64_t>(k), 1 + k % 6);
}

bool any_patch_friction(const ContactProblem& p) {
  return std::any_of(p.contacts.begin(), p.contacts.end(), [](const Contact& contact) {
    return std::holds_alternative<FrictionalPatch>(contact.law);
  });
}

SolveReport run(SolverName solver, const DelassusProblem& p, VecX& lambda) {
  SolveWorkspace work;
  SolveOptions options;
  constexpr int sweeps = 1000, steps = 2000;
  if (solver == SolverName::gauss_seidel) options.max_iterations = sweeps;
  if (solver == SolverName::admm) options.max_iterations = steps;
  lambda.setZero(p.rows());
  return solve_with(solver, p, options, work, lambda);
}

TEST(BoundedLaws, AutoSolvesThemAmongContactsByBothJudges) {
  double worst = 0;
  int unsolved = 0;
  for (int k = 0; k < testing::cases(1400); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = bounded_scene(k);
    const auto p = reduce(problem);
    ASSERT_TRUE(p) << p.error().message;
    VecX lambda;
    const SolveReport report = run(SolverName::automatic, *p, lambda);
    if (report.status != SolveStatus::converged) {
      ++unsolved;
      EXPECT_TRUE(any_patch_friction(problem)) << report.residual.figure();
      continue;
    }
    EXPECT_LE(residual(*p, lambda).natural, tolerance::solved);
    const double violation =
        testing::law_violation(problem.contacts, *p, lambda, energy_scale(*p, lambda));
    EXPECT_LE(violation, coupling * tolerance::solved);
    worst = std::max(worst, violation);
  }
  RecordProperty("not solved", unsolved);
  RecordProperty("largest violation", std::to_string(worst / tolerance::solved) + " tolerances");
  // Scenes 131, stuck at 1.5 tolerances, and 747, wedged: patches with friction alone. Of 3000 such
  // scenes four are not solved.
  EXPECT_LE(unsolved, 2);
}

/// Without contacts the problem is a convex quadratic one: the motion is unique. Sweeps and
/// alternating directions may need more steps than they get, and say so.
TEST(BoundedLaws, AllSolversFindTheOneMotion) {
  constexpr SolverName solvers[] = {SolverName::newton, SolverName::lemke, SolverName::gauss_seidel,
                                    SolverName::admm};
  constexpr int exact = 2;  // of the list
  std::array<int, std::size(solvers)> given_up{};
  for (int k = 0; k < testing::cases(700); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = only_bounded(k);
    const DelassusProblem p = *reduce(problem);
    VecX best;
    ASSERT_EQ(run(SolverName::automatic, p, best).status, SolveStatus::converged);
    const VecX motion = velocity_after(problem, best);
    // |Δu|² <= |Δλ| |(G - D) e|, as in solver_laws_test.cpp; in the energy of the motion.
    const double scale = energy_scale(p, best);
    const auto rows = static_cast<double>(p.rows() + 1);
    const double bound = std::sqrt(4 * rows * 2 * tolerance::solved) * scale;
    const auto same = [&](const VecX& lambda) {
      const VecX apart = velocity_after(problem, lambda) - motion;
      EXPECT_LE(std::sqrt(apart.dot(problem.mass * apart)), bound);
    };
    for (std::size_t i = 0; i < std::size(solvers); ++i) {
      SCOPED_TRACE(name(solvers[i]));
      VecX lambda;
      const SolveReport report = run(solvers[i], p, lambda);
      const bool good = report.status == SolveStatus::converged;
      EXPECT_EQ(good, accepted(residual(p, lambda), tolerance::solved));
      given_up[i] += good ? 0 : 1;
      if (good) same(lambda);
    }
    const auto mass = mass_problem(problem);
    ASSERT_TRUE(mass);
    AugmentedNewtonWorkspace work;
    VecX lambda = VecX::Zero(p.rows());
    EXPECT_EQ(augmented_newton(*mass, {}, {}, work, lambda).status, SolveStatus::converged);
    same(lambda);
  }
  for (std::size_t i = 0; i < std::size(solvers); ++i)
    EXPECT_LE(given_up[i], i < exact ? 0 : testing::cases(700) / 50) << name(solvers[i]);
}

/// J_r -> c J_r with the bounds over c, the ends swapped where c is negative: λ_r -> λ_r / c.
TEST(BoundedLaws, SignsAndScalesOfRowsAreOfNoAccount) {
  for (int k = 0; k < testing::cases(420); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem old = bounded_scene(k);
    ContactProblem other = old;
    const auto offset = row_offsets(old.contacts);
    VecX factor = VecX::Ones(old.rows.rows());
    Rng rng(static_cast<std::uint64_t>(k) + 5);
    for (std::size_t i = 0; i < old.contacts.size(); ++i) {
      auto* law = std::get_if<BoundedLaw>(&other.contacts[i].law);
      if (law == nullptr) continue;
      const double c = (rng.below(2) == 0 ? -1 : 1) * rng.log_uniform(1e-3, 1e3);
      factor[offset[i]] = c;
      *law = {law->lower / c, law->upper / c};
      if (c < 0) std::swap(law->lower, law->upper);
    }
    other.rows = sparse(MatX(factor.asDiagonal() * MatX(old.rows)));
    const auto q = reduce(other);
    ASSERT_TRUE(q) << q.error().message;
    VecX lambda;
    const bool solved = run(SolverName::automatic, *q, lambda).status == SolveStatus::converged;
    EXPECT_TRUE(solved || any_patch_friction(old));
    const DelassusProblem p = *reduce(old);
    const double own = residual(*q, lambda).natural;
    // The friction of a patch is known to what its search leaves: one scene differs by 2.4e-10.
    const double known = (any_patch_friction(old) ? 10 : 1) * tolerance::solved;
    EXPECT_NEAR(residual(p, factor.cwiseProduct(lambda)).natural, own, known);
  }
}

/// The judge by hand: one row of mobility 2.
TEST(BoundedLaws, TheJudgeSeesEveryFault) {
  const auto figure = [](const BoundedLaw& law, double b, double lambda) {
    const DelassusProblem p = delassus_problem(
        {local_law(law)}, block_matrix(sparse(MatX::Constant(1, 1, 2)), std::vector<Index>{0, 1}),
        VecX::Constant(1, b));
    return residual(p, VecX::Constant(1, lambda)).natural;
  };
  const BoundedLaw friction{-0.5, 0.5};
  EXPECT_EQ(figure(friction, -0.8, 0.4), 0) << "sticks";
  EXPECT_EQ(figure(friction, -3, 0.5), 0) << "slides back at the upper bound";
  EXPECT_EQ(figure(friction, 3, -0.5), 0);
  EXPECT_NEAR(figure(friction, -0.8, 0.3), 0.25, 1e-15) << "an eighth of what it takes is missing";
  EXPECT_GT(figure(friction, -3, 0.6), 0.01) << "above the bound";
  EXPECT_GT(figure(friction, 3, 0.5), 0.1) << "pushes along the motion";
  const BoundedLaw equation;
  EXPECT_EQ(figure(equation, -8, 4), 0);
  EXPECT_NEAR(figure(equation, -8, 3), 0.25, 1e-15) << "γ = -2 of -8, whatever the impulse";
  EXPECT_EQ(figure({0, infinity}, 1, 0), 0) << "a contact without friction";
  EXPECT_GT(figure({0, infinity}, -1, 0), 0.1);
}

/// Equations that contradict each other: a line of impulses does work and moves nothing.
TEST(BoundedLaws, ContradictionsAreJams) {
  for (const double side : {1.0, -1.0}) {
    ContactProblem p;
    p.mass = sparse(MatX::Identity(1, 1));
    p.velocity = VecX::Zero(1);
    p.rows = sparse(MatX::Ones(2, 1));
    p.excitation = side * Vec2(0, 1);  // γ_1 = u = 0 and γ_2 = u ± 1 = 0
    p.contacts.resize(2);
    p.contacts[0].law = p.contacts[1].law = BoundedLaw{};
    const DelassusProblem reduced = *reduce(p);
    SolveWorkspace work;
    VecX lambda = VecX::Zero(2);
    const SolveReport report = solve(reduced, {}, work, lambda);
    EXPECT_EQ(report.status, SolveStatus::infeasible);
    EXPECT_TRUE(is_jam_ray(reduced, work.jam_ray));
    // With bounds one of them gives way.
    p.contacts[1].law = BoundedLaw{-2, 2};
    lambda.setZero();
    EXPECT_EQ(solve(*reduce(p), {}, work, lambda).status, SolveStatus::converged);
    EXPECT_NEAR(lambda[1], -2 * side, 1e-9);
    EXPECT_NEAR(lambda[0], 2 * side, 1e-9);
    p.contacts[0].law = BoundedLaw{-1, 1};
    EXPECT_FALSE(jam_ray(*reduce(p))) << "nothing is without bounds";
  }
}

}  // namespace
}  // namespace tact
