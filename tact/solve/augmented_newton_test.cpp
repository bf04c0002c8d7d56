#include "tact/solve/augmented_newton.hpp"

#include "tests/support/augmented_solves.hpp"

namespace tact {
namespace {

using testing::apart;
using testing::dense_problem;
using testing::expect_honest;
using testing::random_contacts;
using testing::random_dense;
using testing::RandomContacts;
using testing::size_of;
using testing::Solved;
using testing::solved;
using testing::velocities;

TEST(AugmentedNewton, NothingToSolve) {
  const DelassusProblem none = dense_problem({}, MatX(0, 0), VecX(0));
  AugmentedNewtonWorkspace work;
  VecX lambda(0);
  EXPECT_EQ(augmented_newton(none, {}, {}, work, lambda).status, SolveStatus::converged);
}

TEST(AugmentedNewton, AFrictionlessBall) {
  ContactProblem ball;
  ball.contacts.resize(1);
  ball.contacts[0].law = Frictionless{};
  ball.mass = sparse(2 * MatX::Identity(3, 3));
  ball.rows = sparse(MatX(Vec3::UnitZ().transpose()));
  ball.impulse = VecX::Zero(3);
  for (const double speed : {-3.0, -1e-6, 0.0, 2.0}) {
    ball.velocity = Vec3(1, -2, speed);
    const Solved s = solved(ball);
    EXPECT_EQ(s.report.status, SolveStatus::converged);
    EXPECT_EQ(s.report.solver, SolverName::newton);
    EXPECT_NEAR(s.lambda[0], 2 * std::max(-speed, 0.0), 1e-10 * std::abs(speed));
    if (speed >= 0) {
      EXPECT_EQ(s.report.iterations, 0);
      EXPECT_EQ(s.lambda[0], 0);
    }
  }
}

TEST(AugmentedNewton, ACoulombBallSticksSlidesOrLeaves) {
  constexpr double mass = 0.7, mu = 0.5;
  const auto thrown = [&](const Vec3& v) {
    return solved(testing::point_mass(mass, CoulombLaw{mu}, v, Vec3::Zero()));
  };
  {
    const Vec3 v(0.3, -0.35, -1);  // within the cone
    const Solved s = thrown(v);
    EXPECT_EQ(s.report.status, SolveStatus::converged);
    EXPECT_LE((s.lambda + mass * v).norm(), 1e-10);
  }
  {
    const Vec3 v(3, -4, -2);  // friction of mu N against the motion
    const Solved s = thrown(v);
    EXPECT_EQ(s.report.status, SolveStatus::converged);
    EXPECT_LE((s.lambda - mass * Vec3(-0.6, 0.8, 2)).norm(), 1e-9);
    EXPECT_LE((s.u - Vec3(2.4, -3.2, 0)).norm(), 1e-9);
  }
  {
    const Solved s = thrown(Vec3(3, -4, 2));
    EXPECT_EQ(s.report.status, SolveStatus::converged);
    EXPECT_EQ(s.lambda, VecX::Zero(3));
  }
}

TEST(AugmentedNewton, ABoundedRow) {
  const DelassusProblem p =
      dense_problem({BoundedLaw{-0.2, 0.3}}, MatX::Constant(1, 1, 2), VecX::Constant(1, 1));
  EXPECT_NEAR(solved(p).lambda[0], -0.2, 1e-12) << "at its bound it moves";
  const DelassusProblem q =
      dense_problem({BoundedLaw{-0.2, 0.3}}, MatX::Constant(1, 1, 2), VecX::Constant(1, -0.5));
  EXPECT_NEAR(solved(q).lambda[0], 0.25, 1e-10) << "within its bounds it rests";
}

/// A tower of n unit masses, the last of mass `top`, at unit speed: λ_k is the mass above.
DelassusProblem tower(Index n, double top, VecX& exact) {
  VecX mass = VecX::Ones(n);
  mass[n - 1] = top;
  MatX J = MatX::Identity(n, n);
  for (Index k = 1; k < n; ++k) J(k, k - 1) = -1;
  exact.resize(n);
  for (Index k = 0; k < n; ++k) exact[k] = mass.tail(n - k).sum();
  return dense_problem(std::vector<Law>(static_cast<std::size_t>(n), Frictionless{}),
                       J * mass.cwiseInverse().asDiagonal() * J.transpose(), -VecX::Unit(n, 0));
}

TEST(AugmentedNewton, ATowerOfAnyMassRatio) {
  for (const Index n : {2, 5, 12})
    for (const double top : {1e-6, 1e-3, 1.0, 1e3, 1e5}) {
      VecX exact;
      const DelassusProblem p = tower(n, top, exact);
      const Solved s = solved(p);
      EXPECT_EQ(s.report.status, SolveStatus::converged) << n << " " << top;
      expect_honest(p, s, tolerance::solved);
      EXPECT_LE((s.lambda - exact).norm(), 1e-7 * exact.norm()) << n << " " << top;
    }
}

/// Impulses a million times what stops the contacts: rounding of G λ is all that may be left. The
/// acceptance test wants more digits than the exact impulses have, so the status is of no account.
TEST(AugmentedNewton, ATowerUnderAMillionTimesItsMass) {
  for (const Index n : {2, 4, 8, 12}) {
    VecX exact;
    const DelassusProblem p = tower(n, 1e6, exact);
    const Solved s = solved(p);
    expect_honest(p, s, tolerance::solved);
    EXPECT_LE((s.lambda - exact).norm(), 1e-7 * exact.norm()) << n;
  }
}

// ---- redundant constraints ----------------------------------------------------------------------

/// A stool of mass 3 on `feet` points of a circle, falling at unit speed. It is round: all feet
/// have the same effective mass.
ContactProblem stool(int feet, const Law& law) {
  const testing::Crate box{3, 0.3, 0.3, 0.5};
  ContactProblem p = testing::free_box(box, Vec3(0, 0, -box.mass), Vec3::Zero());
  for (int k = 0; k < feet; ++k) {
    const double angle = 2 * std::numbers::pi * k / feet + 0.3;
    testing::touch(p, law, Vec3(0.4 * std::cos(angle), 0.4 * std::sin(angle), -0.5));
  }
  return p;
}

TEST(AugmentedNewton, AStoolStandsEquallyOnAllFeet) {
  for (const int feet : {3, 4, 5, 8, 40})
    for (const Law& law : {Law(Frictionless{}), Law(CoulombLaw{0.5}), Law(BoxLaw{0.5})}) {
      SCOPED_TRACE(std::string(name(law)) + " " + std::to_string(feet));
      const Solved s = solved(stool(feet, law));
      EXPECT_EQ(s.report.status, SolveStatus::converged);
      const Index rows = row_count(law);
      for (Index k = 0; k < feet; ++k) {
        EXPECT_NEAR(s.lambda[(k + 1) * rows - 1], 3.0 / feet, 1e-9);
        for (Index r = 0; r + 1 < rows; ++r) EXPECT_NEAR(s.lambda[k * rows + r], 0, 1e-9);
      }
    }
}

/// Of all impulses with the same momenta the ones of least energy Σ D λ²: D λ = J y.
TEST(AugmentedNewton, ImpulsesFromZeroHaveTheLeastEnergy) {
  Rng rng(4);
  for (int k = 0; k < 20; ++k) {
    constexpr Index rows = 9, dof = 4;
    const MatX J = random_dense(rng, rows, dof);
    const DelassusProblem p = dense_problem(std::vector<Law>(rows, BoundedLaw{}), J * J.transpose(),
                                            J * random_dense(rng, dof, 1));
    const Solved s = solved(p);
    EXPECT_EQ(s.report.status, SolveStatus::converged);
    const VecX D = p.G.size() > 0 ? VecX((J * J.transpose()).diagonal()) : VecX();
    const MatX weighted = J.transpose() * D.cwiseInverse().asDiagonal() * J;
    const VecX y = weighted.lu().solve(J.transpose() * s.lambda);
    const VecX least = D.cwiseInverse().asDiagonal() * (J * y);
    EXPECT_LE((s.lambda - least).norm(), 1e-8 * least.norm()) << k;
  }
}

/// A warm start is kept as far as the laws let it: the part that does no work stays.
TEST(AugmentedNewton, ImpulsesAreNearestToTheStart) {
  const DelassusProblem p = *reduce(stool(4, Frictionless{}));
  VecX start = VecX::Constant(4, 0.7);
  for (const Index k : {0, 2}) start[k] += 0.2;  // the diagonal legs carry more
  for (const Index k : {1, 3}) start[k] -= 0.2;
  const Solved s = solved(p, {}, {}, start);
  EXPECT_EQ(s.report.status, SolveStatus::converged);
  for (Index k = 0; k < 4; ++k) EXPECT_NEAR(s.lambda[k], k % 2 == 0 ? 0.95 : 0.55, 1e-8);
}

/// The same contact twice, four times: the velocity of one, and equal shares.
TEST(AugmentedNewton, DuplicatesShareTheImpulse) {
  for (const Law& law :
       {Law(Frictionless{}), Law(CoulombLaw{0.4}), Law(BoxLaw{0.4}), Law(PyramidLaw{0.4, 5}),
        Law(RollingLaw{0.4, 0.02, 0.01}), Law(CoulombLaw{5})}) {
    SCOPED_TRACE(name(law));
    ContactProblem one = testing::free_box({}, Vec3(1.2, 0.5, -3), Vec3(0.1, 0.2, 0.3));
    testing::touch(one, law, Vec3(0.1, -0.05, -0.5));
    const DelassusProblem single = *reduce(one);
    const Solved alone = solved(single);
    EXPECT_EQ(alone.report.status, SolveStatus::converged);
    EXPECT_GT(alone.lambda.norm(), 0.01);
    for (const int copies : {2, 4}) {
      SCOPED_TRACE(copies);
      const auto p = *reduce(
          testing::with_contacts(one, std::vector<Index>(static_cast<std::size_t>(copies), 0)));
      const Solved s = solved(p);
      EXPECT_EQ(s.report.status, SolveStatus::converged);
      const Index rows = row_count(law);
      for (Index k = 0; k < copies; ++k) {
        EXPECT_LE((s.u.segment(k * rows, rows) - alone.u).norm(), 1e-8 * single.b.norm());
        EXPECT_LE((copies * s.lambda.segment(k * rows, rows) - alone.lambda).norm(),
                  1e-8 * alone.lambda.norm());
      }
    }
  }
}

TEST(AugmentedNewton, DuplicatedPatchesShareTheImpulse) {
  testing::Boxes boxes = testing::portal(2);
  boxes.push.assign(boxes.mass.size(), Vec3(2e-3, 1e-3, 0));
  const DelassusProblem single = testing::problem_of(boxes);
  const Solved alone = solved(single);
  EXPECT_EQ(alone.report.status, SolveStatus::converged);
  const auto seats = boxes.seats;
  boxes.seats.insert(boxes.seats.end(), seats.begin(), seats.end());
  const DelassusProblem p = testing::problem_of(boxes);
  const Solved s = solved(p);
  EXPECT_EQ(s.report.status, SolveStatus::converged);
  const Index rows = single.rows();
  EXPECT_LE((s.u.head(rows) - alone.u).norm(), 1e-7 * single.b.norm());
  EXPECT_LE((s.lambda.head(rows) - s.lambda.tail(rows)).norm(), 1e-7 * alone.lambda.norm());
}

TEST(AugmentedNewton, RedundantEquationsThatAgree) {
  Rng rng(6);
  for (int k = 0; k < 30; ++k) {
    const Index dof = 3 + static_cast<Index>(rng.below(5));
    const Index rank = 1 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(dof)));
    const Index rows = rank + static_cast<Index>(rng.below(12));
    const MatX J = random_dense(rng, rows, rank) * random_dense(rng, rank, dof);
    const VecX mass = VecX::NullaryExpr(dof, [&] { return rng.log_uniform(0.01, 100); });
    const DelassusProblem p = dense_problem(
        std::vector<Law>(static_cast<std::size_t>(rows), BoundedLaw{}),
        J * mass.cwiseInverse().asDiagonal() * J.transpose(), J * random_dense(rng, dof, 1));
    const Solved s = solved(p);
    EXPECT_EQ(s.report.status, SolveStatus::converged) << k;
    expect_honest(p, s, tolerance::solved);
    EXPECT_LE(size_of(p, s.u), 1e-8 * size_of(p, p.b)) << k;
  }
}

/// A closed loop that also stands on the ground, its equations twice.
TEST(AugmentedNewton, RedundantEquationsAndContacts) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    std::vector<Law> laws;
    for (int k = 0; k < 3; ++k) laws.emplace_back(CoulombLaw{rng.uniform(0.1, 1)});
    for (int k = 0; k < 4; ++k) laws.emplace_back(BoundedLaw{});
    RandomContacts c = random_contacts(rng, laws, 8);
    c.J.bottomRows(2) = c.J.middleRows(9, 2);
    const VecX v = random_dense(rng, 8, 1);
    c.b = c.J * v;
    const Solved s = solved(c.problem());
    EXPECT_EQ(s.report.status, SolveStatus::converged) << seed;
    EXPECT_LE(s.u.tail(4).norm(), 1e-8 * c.b.norm()) << seed;
  }
}

// ---- two operators ------------------------------------------------------------------------------

/// Both converge; whether it is to the same velocities. More digits than usual are asked for, so
/// that what is left of both residuals does not show in the velocities.
bool have_same_velocities(const testing::SceneRows& scene) {
  const DelassusProblem& p = scene.problem;
  const Solved a = solved(p), b = solved(scene.on_bodies());
  EXPECT_EQ(a.report.status, SolveStatus::converged);
  EXPECT_EQ(b.report.status, SolveStatus::converged);
  expect_honest(p, a, tolerance::solved);
  expect_honest(p, b, tolerance::solved);
  SolveOptions fine;
  fine.tolerance = 0.01 * tolerance::solved;
  const Solved c = solved(p, fine), d = solved(scene.on_bodies(), fine);
  EXPECT_LE(c.report.residual.natural, tolerance::solved);
  EXPECT_LE(d.report.residual.natural, tolerance::solved);
  return apart(p, c.u, d.u) <= 1e-8;
}

TEST(AugmentedNewton, BothOperatorsOnATower) {
  Rng rng(1);
  for (const double top : {1.0, 1e3})
    for (int k = 0; k < 5; ++k) {
      SCOPED_TRACE(std::to_string(top) + " " + std::to_string(k));
      const Model model = testing::tower_scene(5, top);
      VecX v = VecX::Zero(model.nv);
      for (Index d = 2; d < model.nv; d += 6) v[d] = -0.01;
      v += 0.01 * k * random_dense(rng, model.nv, 1);
      EXPECT_TRUE(have_same_velocities(testing::scene_rows(model, initial_state(model), v)));
    }
}

/// With friction the velocities of a solution need not be unique: of a box that tips and slides
/// both operators find solutions to rounding that differ. That is to be rare.
TEST(AugmentedNewton, BothOperatorsOnARobot) {
  int different = 0;
  const Model model = testing::standing_quadruped(3);
  Rng rng(2);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    const VecX v = random_dense(rng, model.nv, 1) - VecX(VecX::Unit(model.nv, 2));
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    ASSERT_GE(scene.problem.contacts(), 4 + 3 + 12);
    different += have_same_velocities(scene) ? 0 : 1;
  }
  EXPECT_LE(different, 2);
}

TEST(AugmentedNewton, BothOperatorsOnARobotWithLoops) {
  Model draft = testing::standing_quadruped(2);
  const auto connect = [&](const char* first, const char* second) {
    Equality tie;
    tie.type = EqualityType::connect;
    tie.first = find_body(draft, first);
    tie.second = find_body(draft, second);
    draft.equalities.push_back(tie);
    draft.equalities.push_back(tie);  // twice: redundant
  };
  connect("fr_calf", "fl_calf");
  connect("rr_calf", "b15");
  const Model model = testing::finished(std::move(draft));
  Rng rng(3);
  int different = 0;
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    const VecX v = random_dense(rng, model.nv, 1);
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    different += have_same_velocities(scene) ? 0 : 1;
  }
  EXPECT_LE(different, 2);
}

/// Both fresh and on the bodies of another problem.
TEST(AugmentedNewton, ADirtyWorkspaceChangesNothingOnBodies) {
  const Model robot = testing::standing_quadruped(2), tower = testing::tower_scene(4, 7);
  AugmentedNewtonWorkspace dirty;
  Rng rng(9);
  for (int k = 0; k < 12; ++k) {
    SCOPED_TRACE(k);
    const Model& model = k % 2 == 0 ? robot : tower;
    const VecX v = random_dense(rng, model.nv, 1);
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.2);
    VecX again = VecX::Zero(scene.problem.rows());
    const SolveReport report = augmented_newton(scene.on_bodies(), {}, {}, dirty, again);
    const Solved clean = solved(scene.on_bodies());
    testing::expect_same_bits(clean.lambda, again);
    EXPECT_EQ(clean.report.iterations, report.iterations);
    EXPECT_EQ(clean.report.status, report.status);
    VecX other = VecX::Zero(scene.problem.rows());
    (void)augmented_newton(scene.problem, {}, {}, dirty, other);
    testing::expect_same_bits(solved(scene.problem).lambda, other);
  }
}

// ---- random problems ----------------------------------------------------------------------------

}  // namespace
}  // namespace tact
