#include "tact/solve/augmented_newton.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tests/support/bodies.hpp"
#include "tests/support/boxes_on_boxes.hpp"
#include "tests/support/random_contacts.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact {
namespace {

using testing::random_contacts;
using testing::random_dense;
using testing::RandomContacts;

constexpr int default_systems = 200;

struct Solved {
  SolveReport report;
  VecX lambda, u, ray;
};

VecX velocities(const DelassusProblem& p, const VecX& lambda) {
  VecX u;
  multiply(p.G, lambda, u);
  return u + p.b;
}

/// From `start`, or from zero.
Solved solved(const DelassusProblem& p, const SolveOptions& options = {},
              const AugmentedNewtonOptions& settings = {}, const VecX& start = {}) {
  Solved out;
  AugmentedNewtonWorkspace work;
  out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(p.rows()));
  out.report = augmented_newton(p, options, settings, work, out.lambda);
  out.u = velocities(p, out.lambda);
  out.ray = work.ray;
  return out;
}

/// The same on the bodies.
Solved solved(const BodyProblem& p, const SolveOptions& options = {}) {
  Solved out;
  AugmentedNewtonWorkspace work;
  out.lambda = VecX::Zero(p.contacts.rows());
  out.report = augmented_newton(p, options, {}, work, out.lambda);
  out.u = velocities(p.contacts, out.lambda);
  return out;
}

Solved solved(const ContactProblem& p) {
  const auto reduced = reduce(p);
  EXPECT_TRUE(reduced) << (reduced ? "" : reduced.error().message);
  return solved(*reduced);
}

/// What the report claims, checked with the residual alone.
void expect_honest(const DelassusProblem& p, const Solved& s, double tolerance) {
  const Residual own = residual(p, s.lambda);
  EXPECT_EQ(s.report.status == SolveStatus::converged, accepted(own, tolerance));
  EXPECT_NEAR(s.report.residual.natural, own.natural, 1e-3 * own.natural + 1e-15);
  EXPECT_LE(s.report.iterations, default_systems + 1);
}

/// |u| in the metric of the constraints: the scale of velocities.
double size_of(const DelassusProblem& p, const VecX& u) {
  double sum = 0;
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index r = 0; r < p.laws[i].rows; ++r) {
      const double x = u[p.G.offset[i] + r];
      sum += x * x * p.metric(i).inverse(r, r);
    }
  return std::sqrt(sum);
}
/// The distance of two velocities as a share of the free velocity.
double apart(const DelassusProblem& p, const VecX& a, const VecX& b) {
  return size_of(p, a - b) / std::max(size_of(p, p.b), tolerance::smallest);
}

DelassusProblem dense_problem(const std::vector<Law>& laws, const MatX& G, const VecX& b) {
  std::vector<LocalLaw> local;
  std::vector<Index> offset{0};
  for (const Law& law : laws) {
    local.push_back(local_law(law));
    offset.push_back(offset.back() + row_count(law));
  }
  return delassus_problem(local, block_matrix(sparse(G), offset), b);
}

// ---- closed forms -------------------------------------------------------------------------------

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

class AugmentedNewtonOnScenes : public ::testing::TestWithParam<double> {
 protected:
  static constexpr int per_family = testing::cases(100);

  /// Scene k of all families, with masses that far apart.
  static ContactProblem scene(int k) {
    Rng rng(static_cast<std::uint64_t>(k) + 500);
    testing::SceneOptions o;
    o.family = testing::all_families[k % 7];
    o.contacts = 1 + static_cast<int>(rng.below(8));
    o.bodies = 1 + static_cast<int>(rng.below(3));
    o.mass_ratio = GetParam();
    ContactProblem p = testing::random_scene(static_cast<std::uint64_t>(k), o);
    if (k % 5 != 4) return p;
    std::vector<Index> twice;
    for (Index i = 0; i < o.contacts; ++i) twice.insert(twice.end(), {i, i});
    return testing::with_contacts(p, twice);
  }
};

/// A solution exists in all of them. What is not found is reported, and never as infeasible.
TEST_P(AugmentedNewtonOnScenes, AreSolvedOrReported) {
  constexpr int count = 7 * per_family;
  int failed = 0;
  std::string which;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    const DelassusProblem p = *reduce(scene(k));
    const Solved s = solved(p);
    expect_honest(p, s, tolerance::solved);
    if (s.report.status == SolveStatus::converged) continue;
    EXPECT_EQ(s.report.status, SolveStatus::not_converged);
    ++failed;
    which += std::string(name(testing::all_families[k % 7])) + " " + std::to_string(k) + "; ";
  }
  RecordProperty("not converged", which);
  EXPECT_LE(100 * failed, count) << which;
}

TEST_P(AugmentedNewtonOnScenes, NoFrictionIsAlwaysSolved) {
  for (int k = 0; k < 7 * per_family; k += 7) {
    ASSERT_EQ(testing::all_families[k % 7], testing::Family::smooth);
    EXPECT_EQ(solved(*reduce(scene(k))).report.status, SolveStatus::converged) << k;
  }
}

/// Momenta, and with them velocities, are unique without friction.
TEST_P(AugmentedNewtonOnScenes, TheSettingsDoNotChangeTheAnswer) {
  for (int k = 0; k < 7 * per_family; k += 35) {
    SCOPED_TRACE(k);
    const DelassusProblem p = *reduce(scene(k));
    const Solved s = solved(p);
    Rng rng(static_cast<std::uint64_t>(k));
    const VecX start = s.lambda.norm() * random_dense(rng, p.rows(), 1);
    for (const double weight : {1e-4, 1e-2, 1.0})
      for (const bool warm : {false, true}) {
        AugmentedNewtonOptions settings;
        settings.weight = weight;
        const Solved other = solved(p, {}, settings, warm ? start : VecX());
        EXPECT_EQ(other.report.status, SolveStatus::converged) << weight << " " << warm;
        EXPECT_LE(apart(p, s.u, other.u), 1e-7) << weight << " " << warm;
      }
  }
}

TEST_P(AugmentedNewtonOnScenes, ImpulsesScaleWithTheFreeVelocity) {
  for (int k = 0; k < per_family; ++k) {
    SCOPED_TRACE(k);
    const DelassusProblem p = *reduce(scene(k));
    const Solved s = solved(p);
    if (s.report.status != SolveStatus::converged) continue;
    for (const double factor : {1e-6, 3.0, 1e6}) {
      DelassusProblem q = p;
      q.b *= factor;
      const Solved scaled = solved(q);
      EXPECT_EQ(scaled.report.status, SolveStatus::converged) << factor;
      EXPECT_LE(apart(p, s.u, scaled.u / factor), 1e-7) << factor;
    }
  }
}

/// Every contact in units of its own: λ / c, c u.
TEST_P(AugmentedNewtonOnScenes, RowsMayBeRescaled) {
  for (int k = 0; k < per_family; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem plain = scene(k);
    const DelassusProblem p = *reduce(plain);
    const Solved s = solved(p);
    if (s.report.status != SolveStatus::converged) continue;
    Rng rng(static_cast<std::uint64_t>(k) + 77);
    VecX factors(p.rows());
    for (Index i = 0; i < p.contacts(); ++i)
      factors.segment(p.G.offset[i], p.laws[i].rows).setConstant(rng.log_uniform(0.01, 100));
    ContactProblem rescaled = plain;
    rescaled.rows = sparse(MatX(factors.asDiagonal() * MatX(plain.rows)));
    const Solved t = solved(rescaled);
    EXPECT_EQ(t.report.status, SolveStatus::converged);
    EXPECT_LE(apart(p, s.u, t.u.cwiseQuotient(factors)), 1e-7);
  }
}

TEST_P(AugmentedNewtonOnScenes, ContactsMayBePermuted) {
  for (int k = 0; k < per_family; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem plain = scene(k);
    const DelassusProblem p = *reduce(plain);
    const Solved s = solved(p);
    if (s.report.status != SolveStatus::converged) continue;
    std::vector<Index> order(plain.contacts.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2),
                order.end());
    std::ranges::reverse(order);
    const DelassusProblem q = *reduce(testing::with_contacts(plain, order));
    const Solved t = solved(q);
    EXPECT_EQ(t.report.status, SolveStatus::converged);
    VecX back(p.rows());
    for (std::size_t i = 0; i < order.size(); ++i)
      back.segment(p.G.offset[order[i]], p.laws[order[i]].rows) =
          t.u.segment(q.G.offset[i], p.laws[order[i]].rows);
    EXPECT_LE(apart(p, s.u, back), 1e-7);
  }
}

TEST_P(AugmentedNewtonOnScenes, AWarmStartAtTheSolutionNeedsNoSystem) {
  for (int k = 0; k < 7 * per_family; k += 3) {
    SCOPED_TRACE(k);
    const DelassusProblem p = *reduce(scene(k));
    const Solved s = solved(p);
    if (s.report.status != SolveStatus::converged) continue;
    const Solved again = solved(p, {}, {}, s.lambda);
    EXPECT_EQ(again.report.status, SolveStatus::converged);
    EXPECT_EQ(again.report.iterations, 0);
    testing::expect_same_bits(again.lambda, s.lambda);
  }
}

/// The velocities of the solution, with impulses that are off: their active set is the right one.
TEST_P(AugmentedNewtonOnScenes, ExpectedVelocitiesLeadToTheSameAnswer) {
  for (int k = 0; k < 7 * per_family; k += 7) {
    SCOPED_TRACE(k);
    const DelassusProblem p = *reduce(scene(k));
    const Solved s = solved(p);
    AugmentedNewtonWorkspace work;
    VecX lambda = 0.9 * s.lambda;
    const SolveReport report = augmented_newton(p, {}, {}, work, lambda, &s.u);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE(apart(p, s.u, velocities(p, lambda)), 1e-7);
  }
}

TEST_P(AugmentedNewtonOnScenes, ADirtyWorkspaceChangesNothing) {
  AugmentedNewtonWorkspace dirty;
  for (int k = 0; k < per_family; ++k) {
    SCOPED_TRACE(k);
    const DelassusProblem p = *reduce(scene(k));
    const Solved clean = solved(p);
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = augmented_newton(p, {}, {}, dirty, lambda);
    testing::expect_same_bits(clean.lambda, lambda);
    testing::expect_same_bits(clean.ray, dirty.ray);
    EXPECT_EQ(clean.report.iterations, report.iterations);
    EXPECT_EQ(clean.report.status, report.status);
  }
}

INSTANTIATE_TEST_SUITE_P(MassRatios, AugmentedNewtonOnScenes, ::testing::Values(1.0, 1e3, 1e6));

// ---- how it ends --------------------------------------------------------------------------------

TEST(AugmentedNewton, StopsWhenToldAndReportsIt) {
  testing::Boxes boxes = testing::portal(4);
  boxes.push.assign(boxes.mass.size(), Vec3(2e-2, 1e-2, 0));
  const DelassusProblem p = testing::problem_of(boxes);
  ASSERT_GT(solved(p).report.iterations, 3);
  SolveOptions options;
  for (const int most : {1, 2, 3}) {
    options.max_iterations = most;
    const Solved s = solved(p, options);
    EXPECT_EQ(s.report.status, SolveStatus::not_converged);
    EXPECT_LE(s.report.iterations, most + 1);
    EXPECT_NEAR(s.report.residual.natural, residual(p, s.lambda).natural,
                1e-9 * s.report.residual.natural)
        << "of what it hands back";
    EXPECT_LE(s.report.residual.figure(), residual(p, VecX::Zero(p.rows())).figure());
  }
}

TEST(AugmentedNewton, WhatIsAtRestIsSolvedToRounding) {
  for (const double top : {1.0, 1e3}) {
    const Model model = testing::tower_scene(6, top);
    VecX v = VecX::Zero(model.nv);
    for (Index d = 2; d < model.nv; d += 6) v[d] = -0.01;
    const auto scene = testing::scene_rows(model, initial_state(model), v);
    AugmentedNewtonOptions settings;
    settings.rest_tolerance = 1e-12;
    settings.goal = 1e-13;
    AugmentedNewtonWorkspace work;
    VecX lambda = VecX::Zero(scene.problem.rows());
    const SolveReport report = augmented_newton(scene.on_bodies(), {}, settings, work, lambda);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE(residual(scene.problem, lambda).natural, settings.rest_tolerance) << top;
    const VecX last = lambda;
    EXPECT_EQ(augmented_newton(scene.on_bodies(), {}, settings, work, lambda).iterations, 0);
    testing::expect_same_bits(last, lambda);
  }
}

/// d moves nothing, is admissible, and works against the free velocity.
void expect_certificate(const DelassusProblem& p, const MatX& J, const VecX& d) {
  ASSERT_EQ(d.size(), p.rows());
  EXPECT_LE((J.transpose() * d).norm(), 1e-5 * J.norm() * d.norm());
  VecX image;
  multiply(p.G, d, image);
  EXPECT_LE(image.norm(), 1e-5 * J.norm() * J.norm() * d.norm());
  EXPECT_LT(d.dot(p.b), 0);
  // Λ is a cone: a projection leaves what lies in it where it is.
  LocalWorkspace work;
  double out[6];
  for (Index i = 0; i < p.contacts(); ++i) {
    if (p.laws[i].kind == LawKind::bounded) continue;
    project(p.laws[i], p.metric(i), d.data() + p.G.offset[i], out, work);
    for (Index r = 0; r < p.laws[i].rows; ++r)
      EXPECT_NEAR(out[r], d[p.G.offset[i] + r], 1e-4 * d.norm());
  }
}

/// Two walls that close in on a body between them.
TEST(AugmentedNewton, TwoWallsAreInfeasible) {
  MatX J(2, 1);
  J << 1, -2;
  const DelassusProblem p =
      dense_problem({Frictionless{}, Frictionless{}}, J * J.transpose(), Vec2(0, -1));
  const Solved s = solved(p);
  EXPECT_EQ(s.report.status, SolveStatus::infeasible);
  expect_certificate(p, J, s.ray);
  EXPECT_NEAR(s.ray[0], 2 * s.ray[1], 1e-5 * s.ray.norm());
  EXPECT_LE(s.report.iterations, default_systems);
  // Walls that leave room are none.
  const Solved room =
      solved(dense_problem({Frictionless{}, Frictionless{}}, J * J.transpose(), Vec2(1, -1)));
  EXPECT_EQ(room.report.status, SolveStatus::converged);
  EXPECT_EQ(room.ray.size(), 0);
}

TEST(AugmentedNewton, ContradictoryEquationsAreInfeasible) {
  MatX J(3, 2);
  J << 1, 0, 0, 1, 1, 1;
  const DelassusProblem p =
      dense_problem(std::vector<Law>(3, BoundedLaw{}), J * J.transpose(), Vec3(0.1, 0.2, 0.5));
  const Solved s = solved(p);
  EXPECT_EQ(s.report.status, SolveStatus::infeasible);
  expect_certificate(p, J, s.ray);
}

/// Points, patches of all kinds and rolling contacts that no velocity obeys: rows moved so that a
/// load of the normal cones does no work on any motion, and the free velocity works against it.
/// What is not proven is at least not claimed.
TEST(AugmentedNewton, InfeasibleProblemsShowTheirRay) {
  Rng rng(2);
  int unproven = 0;
  constexpr int count = testing::cases(200);
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    std::vector<Law> laws;
    const auto contacts = 2 + rng.below(6);
    for (std::uint64_t i = 0; i < contacts; ++i) {
      const Vec2 at(rng.normal(), rng.normal());
      switch (rng.below(5)) {
        case 0:
          laws.emplace_back(Frictionless{});
          break;
        case 1:
          laws.emplace_back(CoulombLaw{0.5});
          break;
        case 2:
          laws.push_back(testing::smooth_patch({DiscShape{at, 0.7}}));
          break;
        case 3:
          laws.push_back(testing::smooth_patch({PolygonShape{{at, Vec2(1, 0), Vec2(0, 2)}}}));
          break;
        default:
          laws.emplace_back(RollingLaw{0.5, 0.1, 0.1});
      }
    }
    const auto dof = static_cast<Index>(2 + rng.below(8));
    RandomContacts c = random_contacts(rng, laws, dof);
    const DelassusProblem shape = c.problem();
    VecX z = VecX::Zero(shape.rows());
    for (Index i = 0; i < shape.contacts(); ++i) {
      const LocalLaw& law = shape.laws[i];
      double* at = z.data() + shape.G.offset[i];
      at[law.normal_row()] = rng.uniform(0.2, 2);
      if (!law.is_patch()) continue;
      const Vec2 middle = perp(law.patch->cone.hull().center());
      at[0] = at[law.normal_row()] * middle[0];
      at[1] = at[law.normal_row()] * middle[1];
    }
    c.J -= z * (z.transpose() * c.J) / z.squaredNorm();
    c.b = c.J * random_dense(rng, dof, 1) - rng.uniform(0.01, 1) * z / z.norm();
    const DelassusProblem p = c.problem();
    const Solved s = solved(p);
    EXPECT_NE(s.report.status, SolveStatus::converged);
    EXPECT_LE(s.report.iterations, default_systems);
    if (s.report.status != SolveStatus::infeasible) {
      ++unproven;
      EXPECT_EQ(s.ray.size(), 0);
      continue;
    }
    expect_certificate(p, c.J, s.ray);
  }
  RecordProperty("unproven", unproven);
  EXPECT_LE(100 * unproven, count);
}

/// Nearly opposite walls: the mass slips out sideways, slowly, whatever the angle.
TEST(AugmentedNewton, IllConditionedIsNotInfeasible) {
  for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4}) {
    MatX J(2, 2);
    J << std::sin(angle), std::cos(angle), std::sin(angle), -std::cos(angle);
    const DelassusProblem p =
        dense_problem({Frictionless{}, Frictionless{}}, J * J.transpose(), Vec2(-1, -1));
    const Solved s = solved(p);
    EXPECT_NE(s.report.status, SolveStatus::infeasible) << angle;
    expect_honest(p, s, tolerance::solved);
    if (angle >= 1e-3) {
      EXPECT_EQ(s.report.status, SolveStatus::converged) << angle;
    }
  }
}

/// A block on a floor and under a ceiling that slide against each other. Friction impulses of both
/// cancel and work against the free velocity, yet a solution exists: the ceiling carries nothing.
TEST(AugmentedNewton, FrictionThatCancelsIsNoCertificate) {
  MatX J(6, 3);  // [t1, t2, n] of floor and ceiling
  J << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, -1;
  for (const double mu : {0.1, 1.0, 10.0})
    for (const double slide : {1e-3, 0.1, 1.0, 10.0})
      for (const double start : {0.0, 1.0, 100.0}) {
        SCOPED_TRACE(std::to_string(mu) + " " + std::to_string(slide) + " " +
                     std::to_string(start));
        VecX b(6);
        b << slide, 0, -1, -slide, 0, 1;
        const DelassusProblem p =
            dense_problem({CoulombLaw{mu}, CoulombLaw{mu}}, J * J.transpose(), b);
        const VecX guess = start * Vec3(0, 0, 1).replicate(2, 1);
        const Solved s = solved(p, {}, {}, guess);
        EXPECT_NE(s.report.status, SolveStatus::infeasible);
        EXPECT_EQ(s.report.status, SolveStatus::converged);
        expect_honest(p, s, tolerance::solved);
        if (s.report.status != SolveStatus::converged) continue;
        EXPECT_NEAR(s.lambda[2] - s.lambda[5], 1, 1e-8) << "the weight";
      }
}

// ---- what nothing can move ----------------------------------------------------------------------

/// A contact between two walls, besides one that a mass makes.
TEST(AugmentedNewton, AContactThatNothingMoves) {
  for (const Law& law : {Law(Frictionless{}), Law(CoulombLaw{0.5})}) {
    SCOPED_TRACE(name(law));
    const Index n = row_count(law);
    MatX G = MatX::Zero(2 * n, 2 * n);
    G.topLeftCorner(n, n).setIdentity();
    VecX b = VecX::Zero(2 * n);
    b[n - 1] = -2;
    for (const double gap_speed : {0.0, 1.0}) {
      b[2 * n - 1] = gap_speed;
      const DelassusProblem p = dense_problem({law, law}, G, b);
      const Solved s = solved(p);
      EXPECT_EQ(s.report.status, SolveStatus::converged) << gap_speed;
      expect_honest(p, s, tolerance::solved);
      EXPECT_NEAR(s.lambda[n - 1], 2, 1e-9);
      EXPECT_NEAR(s.lambda[2 * n - 1], 0, 1e-9);
    }
    b[2 * n - 1] = -1;
    const DelassusProblem closing = dense_problem({law, law}, G, b);
    const Solved s = solved(closing);
    EXPECT_EQ(s.report.status, SolveStatus::infeasible);
    expect_honest(closing, s, tolerance::solved);
    EXPECT_LE(s.report.iterations, default_systems);
    EXPECT_TRUE(s.lambda.allFinite());
  }
}

TEST(AugmentedNewton, NothingMovesAtAll) {
  const DelassusProblem still = dense_problem({CoulombLaw{0.5}}, MatX::Zero(3, 3), VecX::Zero(3));
  EXPECT_EQ(solved(still).report.status, SolveStatus::converged);
  const DelassusProblem closing =
      dense_problem({CoulombLaw{0.5}}, MatX::Zero(3, 3), Vec3(0, 0, -1));
  const Solved s = solved(closing);
  EXPECT_NE(s.report.status, SolveStatus::converged);
  EXPECT_TRUE(s.lambda.allFinite());
}

/// A bar on a hinge that touches along its own axis: the normal row has no effective mass, the
/// friction rows have.
TEST(AugmentedNewton, SingularBlocksOfPoints) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    std::vector<Law> laws;
    for (int k = 0; k < 4; ++k) laws.emplace_back(CoulombLaw{rng.uniform(0.1, 1)});
    RandomContacts c = random_contacts(rng, laws, 6);
    c.J.row(static_cast<Index>(rng.below(12))).setZero();
    c.J.row(static_cast<Index>(rng.below(12))).setZero();
    c.b = c.J * random_dense(rng, 6, 1);
    const DelassusProblem p = c.problem();
    const Solved s = solved(p);
    EXPECT_EQ(s.report.status, SolveStatus::converged);
    expect_honest(p, s, tolerance::solved);
  }
}

}  // namespace
}  // namespace tact
