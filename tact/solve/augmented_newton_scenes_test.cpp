// The augmented Lagrangian on random scenes, on what has no solution and on what nothing moves.
#include "tests/support/augmented_solves.hpp"

namespace tact {
namespace {

using testing::apart;
using testing::default_systems;
using testing::dense_problem;
using testing::expect_honest;
using testing::random_contacts;
using testing::random_dense;
using testing::RandomContacts;
using testing::Solved;
using testing::solved;
using testing::velocities;

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
    for (const double least : {1e-7, 1e-4})
      for (const bool natural : {false, true})
        for (const bool warm : {false, true}) {
          AugmentedNewtonOptions settings;
          settings.least_weight = least;
          settings.natural_from_zero = natural;
          const Solved other = solved(p, {}, settings, warm ? start : VecX());
          EXPECT_EQ(other.report.status, SolveStatus::converged) << least << natural << warm;
          EXPECT_LE(apart(p, s.u, other.u), 1e-7) << least << natural << warm;
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
