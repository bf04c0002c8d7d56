#include "tact/contact/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/law_check.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

/// One block on the ground, unit mass: rows [t1, t2, n], falling at 1 and sliding at v.
DelassusProblem block_on_ground(double mu, const Vec2& v) {
  return delassus_problem({local_law(CoulombLaw{mu})},
                          block_matrix(sparse(MatX::Identity(3, 3)), std::vector<Index>{0, 3}),
                          Vec3(v[0], v[1], -1));
}

VecX vec(double a, double b, double c) {
  return Vec3(a, b, c);
}

TEST(Residual, ZeroAtTheSolution) {
  const DelassusProblem stick = block_on_ground(0.5, Vec2(0.3, -0.4));
  EXPECT_LE(residual(stick, vec(-0.3, 0.4, 1)).natural, tolerance::rounding);
  const DelassusProblem slide = block_on_ground(0.5, Vec2(3, -4));
  EXPECT_LE(residual(slide, vec(-0.3, 0.4, 1)).natural, tolerance::rounding);
  EXPECT_LE(*residual(slide, vec(-0.3, 0.4, 1)).fc3d, tolerance::rounding);
  DelassusProblem flies = slide;
  flies.b[2] = 1;
  EXPECT_EQ(residual(flies, vec(0, 0, 0)).natural, 0);
}

/// Each violation by itself, in a problem of unit energy: the figures by hand.
TEST(Residual, SeesEachKindOfViolation) {
  const DelassusProblem p = block_on_ground(0.5, Vec2(0, 0));
  const VecX good = vec(0, 0, 1);
  EXPECT_EQ(residual(p, good).natural, 0);
  EXPECT_EQ(residual(p, vec(0, 0, 0)).natural, 1) << "falls through";
  EXPECT_NEAR(residual_parts(p, vec(0, 0, 0)).dual, 1, 1e-15);
  EXPECT_NEAR(residual(p, vec(0, 0, 2)).natural, 0.5, 1e-15) << "jumps: 1 over the load 2";
  EXPECT_NEAR(residual_parts(p, vec(0, 0, 2)).complementarity, 2.0 / 4, 1e-15);
  EXPECT_NEAR(residual_parts(p, vec(0, 0, -1)).primal, 1, 1e-15) << "pulls";
  const ResidualParts outside = residual_parts(p, vec(0.8, 0, 1));
  EXPECT_NEAR(outside.primal, 0.3 / std::hypot(0.8, 1), 1e-15) << "more than friction may";
  const DelassusProblem slide = block_on_ground(0.5, Vec2(3, 0));
  EXPECT_GT(residual(slide, vec(0.5, 0, 1)).natural, 0.1) << "pushes along the motion";
  EXPECT_NEAR(residual_parts(slide, vec(0.5, 0, 1)).dissipation, (0.5 * 3.5 + 0.5 * 3.5) / 10,
              1e-14);
  EXPECT_NEAR(residual_parts(slide, vec(0, 0, 1)).dissipation, 0.5 * 3 / 10.0, 1e-14)
      << "slides without friction";
  EXPECT_GT(residual(slide, vec(0, -0.5, 1)).natural, 0.1) << "friction across the motion";
}

TEST(Residual, NothingToJudge) {
  const DelassusProblem none =
      delassus_problem({}, block_matrix(SparseMatrix(0, 0), std::vector<Index>{0}), VecX(0));
  const Residual r = residual(none, VecX(0));
  EXPECT_EQ(r.natural, 0);
  EXPECT_EQ(r.worst_contact, -1);
  const DelassusProblem still = delassus_problem(
      {local_law(Frictionless{})},
      block_matrix(sparse(MatX::Identity(1, 1)), std::vector<Index>{0, 1}), VecX::Zero(1));
  EXPECT_EQ(residual(still, VecX::Zero(1)).natural, 0);
  EXPECT_EQ(*residual(still, VecX::Zero(1)).fc3d, 0);
  EXPECT_GT(residual(still, VecX::Ones(1)).natural, 0.5) << "a force out of nothing";
}

/// What carries nothing and is not approached is a solution at sight, and the judge agrees.
TEST(Residual, ApartAtSightIsWhatTheJudgeSays) {
  int apart = 0;
  for (int k = 0; k < 700; ++k) {
    const auto reduced = reduce(testing::numbered_scene(k, {}));
    ASSERT_TRUE(reduced);
    DelassusProblem p = *reduced;
    const VecX zero = VecX::Zero(p.rows());
    if (k % 2 == 0)
      for (Index i = 0; i < p.contacts(); ++i) {
        double& normal = p.b[p.G.offset[i] + p.laws[i].normal_row()];
        normal = std::abs(normal);
      }
    const Residual judged = residual(p, zero);
    if (is_apart(p, zero)) {
      ++apart;
      EXPECT_EQ(judged.natural, 0);
      EXPECT_EQ(judged.unhidden, 0);
      EXPECT_EQ(judged.fc3d.value_or(0), 0);
    } else if (std::none_of(p.laws.begin(), p.laws.end(),
                            [](const LocalLaw& law) { return law.is_patch(); })) {
      EXPECT_GT(judged.natural, 0);
    }
    EXPECT_FALSE(is_apart(p, VecX::Ones(p.rows())));
  }
  EXPECT_GT(apart, 100);
  DelassusProblem p = block_on_ground(0.5, Vec2(0, 0));
  p.b[2] = 1;
  EXPECT_TRUE(is_apart(p, vec(0, 0, 0)));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), 1e200, 1e-200}) {
    p.b = vec(bad, 0, 0);
    EXPECT_FALSE(is_apart(p, vec(0, 0, 0))) << bad;
  }
}

TEST(Residual, WhatIsNotFiniteIsNoSolution) {
  const DelassusProblem p = block_on_ground(0.5, Vec2(0, 0));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Residual r = residual(p, vec(0, 0, bad));
    EXPECT_TRUE(std::isinf(r.natural));
    EXPECT_FALSE(r.natural <= 1);
  }
}

/// Of contacts that are not coupled, in parts and all at once: the same figures.
TEST(Residual, OfPartsIsThatOfTheWhole) {
  constexpr Index blocks = 5;
  const double mu = 0.5;
  const std::vector<LocalLaw> laws(blocks, local_law(CoulombLaw{mu}));
  std::vector<Index> begin;
  for (Index i = 0; i <= blocks; ++i) begin.push_back(3 * i);
  MatX G = MatX::Identity(3 * blocks, 3 * blocks);
  VecX b(3 * blocks), lambda(3 * blocks);
  for (Index i = 0; i < blocks; ++i) {
    const double mass = 1 + static_cast<double>(i);
    G.block<3, 3>(3 * i, 3 * i) /= mass;
    b.segment<3>(3 * i) = Vec3(0.3 * mass, -0.1, i == 3 ? 0.2 : -1.0);
    lambda.segment<3>(3 * i) = Vec3(-0.2, 0.1 * mass, i == 3 ? 0 : 0.9);
  }
  const DelassusProblem whole = delassus_problem(laws, block_matrix(sparse(G), begin), b);
  const auto part = [&](Index first, Index count) {
    const MatX own = G.block(3 * first, 3 * first, 3 * count, 3 * count);
    return residual(
        delassus_problem(
            {laws.begin(), laws.begin() + count},
            block_matrix(sparse(own), std::vector<Index>(begin.begin(), begin.begin() + count + 1)),
            b.segment(3 * first, 3 * count)),
        lambda.segment(3 * first, 3 * count));
  };
  const Residual expected = residual(whole, lambda);
  ASSERT_GT(expected.natural, 1e-2);
  Residual joined;
  join(part(0, 2), std::vector<Index>{0, 1}, joined);
  join(part(2, 3), std::vector<Index>{2, 3, 4}, joined);
  EXPECT_NEAR(joined.natural, expected.natural, tolerance::rounding);
  EXPECT_NEAR(joined.unhidden, expected.unhidden, tolerance::rounding);
  EXPECT_NEAR(joined.growth, expected.growth, tolerance::rounding);
  EXPECT_EQ(joined.worst_contact, expected.worst_contact);
  Residual lost = part(0, 2);
  lost.natural = std::numeric_limits<double>::infinity();
  join(lost, std::vector<Index>{0, 1}, joined);
  join(part(2, 3), std::vector<Index>{2, 3, 4}, joined);
  EXPECT_TRUE(std::isinf(joined.figure())) << "what could not be judged stays so";
}

TEST(Residual, NamesTheWorstContact) {
  const DelassusProblem p = delassus_problem(
      std::vector<LocalLaw>(3, local_law(Frictionless{})),
      block_matrix(sparse(MatX::Identity(3, 3)), std::vector<Index>{0, 1, 2, 3}), vec(-1, -1, -1));
  EXPECT_EQ(residual(p, vec(1, 0.5, 0.9)).worst_contact, 1);
}

/// Impulses that grow without bound hide the error from the first figure, not from the second.
TEST(Residual, GrowingImpulsesHideNothing) {
  MatX jam(2, 2);
  jam << 1, -1, -1, 1;  // a mass between two walls that approach
  const DelassusProblem p =
      delassus_problem(std::vector<LocalLaw>(2, local_law(Frictionless{})),
                       block_matrix(sparse(jam), std::vector<Index>{0, 1, 2}), Vec2(-1, -1));
  const Residual r = residual(p, Vec2(1e12, 1e12));
  EXPECT_LE(r.natural, 1e-11);
  EXPECT_NEAR(r.unhidden, 1, 1e-3);
}

TEST(Residual, TwoJudgesAgreeOnWhatIsNotASolution) {
  Rng rng(1);
  for (int k = 0; k < 700; ++k) {
    const ContactProblem problem = testing::numbered_scene(k, {});
    const DelassusProblem p = *reduce(problem);
    VecX lambda(p.rows());
    for (double& x : lambda) x = 0.1 * rng.normal();
    const double scale = energy_scale(p, lambda);
    const double mine = testing::law_violation(problem.contacts, p, lambda, scale);
    const double theirs = residual(p, lambda).natural;
    EXPECT_GT(theirs, 1e-4 * mine) << problem.name;
    EXPECT_GT(mine, 1e-6 * theirs) << problem.name;
  }
}

/// |λ - P_K(λ - ρ(u + mu |u_t| e_n))| / (ρ |b|), the projection onto the cone written anew.
double collections_measure(const ContactProblem& problem, const DelassusProblem& p,
                           const VecX& lambda) {
  VecX u;
  multiply(p.G, lambda, u);
  u += p.b;
  double diagonal = 0, sum = 0;
  for (Index i = 0; i < p.contacts(); ++i) diagonal += p.G.diagonal_block(i).diagonal().sum();
  const double rho = static_cast<double>(p.rows()) / diagonal;
  const auto offset = row_offsets(problem.contacts);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Index n = offset[i + 1] - offset[i] - 1;
    const double mu = friction_of(problem.contacts[i].law);
    const VecX l = lambda.segment(offset[i], n + 1), v = u.segment(offset[i], n + 1);
    VecX x = l - rho * v;
    x[n] -= rho * mu * v.head(n).norm();
    const double t = x.head(n).norm();
    if (t <= mu * x[n]) {  // inside
    } else if (mu * t <= -x[n]) {
      x.setZero();
    } else {
      const double load = (mu * t + x[n]) / (1 + mu * mu);
      if (n > 0 && t > 0) x.head(n) *= mu * load / t;
      x[n] = load;
    }
    sum += (l - x).squaredNorm();
  }
  return std::sqrt(sum) / (rho * p.b.norm());
}

TEST(Residual, TheCollectionsMeasure) {
  Rng rng(2);
  for (int k = 0; k < 300; ++k) {
    testing::SceneOptions options;
    options.family = testing::Family::coulomb;
    options.contacts = 1 + k % 5;
    ContactProblem problem = testing::random_scene(static_cast<std::uint64_t>(k), options);
    const DelassusProblem p = *reduce(problem);
    VecX lambda(p.rows());
    for (double& x : lambda) x = rng.normal();
    const auto figure = residual(p, lambda).fc3d;
    ASSERT_TRUE(figure);
    const double expected = collections_measure(problem, p, lambda);
    EXPECT_NEAR(*figure, expected, 1e-12 * expected);
  }
  testing::SceneOptions options;
  options.family = testing::Family::patch;
  const DelassusProblem patch = *reduce(testing::random_scene(1, options));
  EXPECT_FALSE(residual(patch, VecX::Zero(patch.rows())).fc3d) << "not defined there";
}

/// Any impulses, not only solutions, have the same residual in any units and tangent frames.
TEST(Residual, KnowsNeitherUnitsNorFrames) {
  Rng rng(3);
  for (int k = 0; k < 140; ++k) {
    testing::SceneOptions options;
    options.family = k % 2 == 0 ? testing::Family::coulomb : testing::Family::smooth;
    const ContactProblem problem = testing::random_scene(static_cast<std::uint64_t>(k), options);
    const DelassusProblem p = *reduce(problem);
    VecX lambda(p.rows());
    for (double& x : lambda) x = 0.3 * rng.normal();
    const double figure = residual(p, lambda).natural;
    testing::SceneOptions other = options;
    other.units = {1e6, 1e-3, 1e2};
    other.turn = 1.1;
    const DelassusProblem q = *reduce(testing::random_scene(static_cast<std::uint64_t>(k), other));
    const double impulse = other.units.mass * other.units.length / other.units.time;
    VecX moved = impulse * lambda;
    const Mat2 back = Eigen::Rotation2Dd(-other.turn).matrix();
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index at = p.G.offset[i];
      if (p.laws[i].rows < 3) continue;
      moved.segment<2>(at) = back * moved.segment<2>(at);
      if (p.laws[i].kind == LawKind::patch) moved.segment<2>(at) *= other.units.length;
    }
    EXPECT_NEAR(residual(q, moved).natural, figure, 1e-9 * figure) << problem.name;
    ContactProblem heavy = problem;
    heavy.mass *= 1e6;
    heavy.impulse *= 1e6;
    EXPECT_NEAR(residual(*reduce(heavy), 1e6 * lambda).natural, figure, 1e-9 * figure);
  }
}

TEST(Residual, MomentumBalance) {
  const ContactProblem p = testing::numbered_scene(8, {});
  VecX lambda = VecX::Ones(p.rows.rows());
  VecX after = velocity_after(p, lambda);
  EXPECT_LE(momentum_residual(p, lambda, after), 1e-14);
  after[0] += 1;
  EXPECT_GT(momentum_residual(p, lambda, after), 1e-2);
}

/// An error below the noise of the bodies counts as none, one above it counts whole.
TEST(Residual, NoiseIsNoError) {
  DelassusProblem p =
      delassus_problem({local_law(Frictionless{})},
                       block_matrix(sparse(MatX::Identity(1, 1)), std::vector<Index>{0, 1}),
                       VecX::Constant(1, -1e-18));
  const VecX none = VecX::Zero(1);
  EXPECT_NEAR(residual(p, none).natural, 1, 1e-12);
  p.noise = 2e-18;
  EXPECT_EQ(residual(p, none).natural, 0);
  p.noise = 0.5e-18;
  EXPECT_NEAR(residual(p, none).natural, 1, 1e-12);
}

}  // namespace
}  // namespace tact
