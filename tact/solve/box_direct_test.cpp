#include "tact/solve/box_direct.hpp"

#include <gtest/gtest.h>

#include "tact/solve/lemke.hpp"
#include "tests/support/random_contacts.hpp"

namespace tact {
namespace {

using testing::box_like_law;
using testing::random_contacts;
using testing::RandomContacts;

SolveReport solve(const DelassusProblem& p, VecX& lambda) {
  BoxWorkspace work;
  lambda = VecX::Zero(p.rows());
  return box_direct(p, {}, work, lambda);
}

TEST(BoxDirect, StickSlideAndTakeOffByHand) {
  // [FrictionM4] box, mass 2, bounds 0.5 λ_n on each axis.
  RandomContacts c;
  c.laws = {BoxLaw{0.5, 1}};
  c.J = MatX::Identity(3, 3);
  c.inverse_mass = MatX::Identity(3, 3) / 2;
  VecX lambda;
  c.b = Vec3(0.2, -0.1, -1);
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged);
  EXPECT_LE((lambda - Vec3(-0.4, 0.2, 2)).norm(), 1e-9);
  c.b = Vec3(3, -0.1, -1);
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged);
  EXPECT_LE((lambda - Vec3(-1, 0.2, 2)).norm(), 1e-9);
  c.b = Vec3(3, -0.1, 1);
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged);
  EXPECT_TRUE(lambda.isZero(0));
}

TEST(BoxDirect, OtherLawsAreNotItsBusiness) {
  RandomContacts c;
  c.laws = {PyramidLaw{0.5, 4}};
  c.J = c.inverse_mass = MatX::Identity(3, 3);
  c.b = Vec3(0, 0, -1);
  VecX lambda;
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::unsupported);
  c.laws = {BoxLaw{0, 1}};
  EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged);
}

TEST(BoxDirect, FrictionlessAlwaysEnds) {
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const std::vector<Law> laws(1 + rng.below(20), Frictionless{});
    const RandomContacts c = random_contacts(rng, laws, 6);
    VecX lambda;
    EXPECT_EQ(solve(c.problem(), lambda).status, SolveStatus::converged) << k;
  }
}

TEST(BoxDirect, SolvesRandomProblemsAndSaysSo) {
  Rng rng(2);
  BoxWorkspace work;
  int solved = 0;
  constexpr int cases = 300;
  for (int k = 0; k < cases; ++k) {
    std::vector<Law> laws;
    const auto count = 1 + rng.below(8);
    for (std::uint64_t i = 0; i < count; ++i) laws.push_back(box_like_law(rng));
    const auto dof = static_cast<Index>(3 + rng.below(15));
    const DelassusProblem p = random_contacts(rng, laws, dof, k % 3 != 0).problem();
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = box_direct(p, {}, work, lambda);
    const bool good = residual(p, lambda).natural <= tolerance::solved;
    EXPECT_EQ(report.status == SolveStatus::converged, good) << k;
    solved += good ? 1 : 0;
  }
  RecordProperty("solved", solved);
  EXPECT_GE(solved, cases * 97 / 100);
}

TEST(BoxDirect, StartsFromASolutionWithoutWork) {
  Rng rng(3);
  BoxWorkspace work;
  LemkeWorkspace pivots;
  for (int k = 0; k < 50; ++k) {
    const DelassusProblem p =
        random_contacts(rng, {BoxLaw{0.5}, Frictionless{}, CoulombLaw{0.5, true}}, 8).problem();
    VecX lambda = VecX::Zero(p.rows());
    ASSERT_EQ(lemke(p, {}, pivots, lambda).status, SolveStatus::converged);
    EXPECT_EQ(box_direct(p, {}, work, lambda).iterations, 0) << k;
  }
}

TEST(BoxDirect, RedundantContactsAreNoTrouble) {
  // A table on four legs: 12 rows, 6 degrees of freedom.
  RandomContacts c;
  c.laws.assign(4, BoxLaw{0.5});
  c.J.resize(12, 6);
  c.inverse_mass = MatX::Identity(6, 6);
  const Vec2 legs[] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (Index k = 0; k < 4; ++k) {
    const Vec3 r(legs[k][0], legs[k][1], -1);
    for (Index a = 0; a < 3; ++a) {
      c.J.row(3 * k + a).head<3>() = Vec3::Unit(a).transpose();
      c.J.row(3 * k + a).tail<3>() =
          Vec3(r[1] * (a == 2) - r[2] * (a == 1), r[2] * (a == 0) - r[0] * (a == 2),
               r[0] * (a == 1) - r[1] * (a == 0))
              .transpose();
    }
  }
  for (const double push : {0.0, 0.1, 0.3, 2.0}) {
    VecX v = VecX::Zero(6);
    v[0] = push;
    v[2] = -1;
    c.b = c.J * v;
    VecX lambda;
    const SolveReport report = solve(c.problem(), lambda);
    EXPECT_EQ(report.status, SolveStatus::converged) << push;
    EXPECT_LE(report.iterations, 40);
  }
}

}  // namespace
}  // namespace tact
