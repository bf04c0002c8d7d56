#include "tact/solve/all_solutions.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tact/linalg/sparse.hpp"

namespace tact {
namespace {

using Status = AllSolutions::Status;

ContactProblem delassus_form(const std::vector<Law>& laws, const MatX& G, const VecX& b) {
  ContactProblem p;
  for (const Law& law : laws) {
    Contact c;
    c.law = law;
    p.contacts.push_back(c);
  }
  p.delassus = sparse(G);
  p.free_velocity = b;
  return p;
}

ContactProblem mass_form(const std::vector<Law>& laws, const MatX& M, const MatX& J,
                         const VecX& velocity, const VecX& chi = {}) {
  ContactProblem p;
  for (const Law& law : laws) {
    Contact c;
    c.law = law;
    p.contacts.push_back(c);
  }
  p.mass = sparse(M);
  p.rows = sparse(J);
  p.velocity = velocity;
  p.excitation = chi;
  return p;
}

/// All solutions, with their proof checked.
AllSolutions solved(const ContactProblem& p, const AllSolutionsOptions& options = {}) {
  const auto found = all_solutions(p, options);
  EXPECT_TRUE(found) << (found ? "" : found.error().message);
  if (!found) return {};
  const auto good = check_all_solutions(p, *found);
  EXPECT_TRUE(good && *good);
  return *found;
}

const SolutionPiece* labelled(const AllSolutions& all, Regime label) {
  for (const SolutionPiece& piece : all.pieces)
    if (piece.labels[0] == label) return &piece;
  return nullptr;
}

/// A rod of mass 1 and half length 1 (inertia 1/3) touches the ground with one end, at the angle
/// with cosine 3/5 and sine 4/5: u_t = x' + 4/5 w, u_n = y' + 3/5 w, so that
///     G = [73 36; 36 52] / 25   in the rows [t, n].
/// Sliding to the right with friction 2, G_nn - 2 G_nt = -4/5: a push closes the contact.
/// Here everything is times 25, to be exact in doubles; impulses keep their size.
ContactProblem painleve(double slip, double lift, double mu) {
  MatX G(2, 2);
  G << 73, 36, 36, 52;
  return delassus_form({CoulombLaw{mu, true}}, G, Eigen::Vector2d(25 * slip, 25 * lift));
}

TEST(AllSolutions, ThePainleveRodHasThreeAnswers) {
  // u = G λ + b with everything times 25 (impulses keep their size). b = (10, 1):
  //   separate  λ = 0, u_n = 1
  //   slide     λ_t = -2 λ_n, u_n = 0: λ_n = 1/(4/5) = 5/4, u_t = 10 - 110/25 5/4 = 9/2 > 0
  //   stick     λ = -G⁻¹ b = (-484, 287)/100, and 4.84 <= 2 * 2.87
  //   slide to the left: λ_n = -1/(52/25 + 72/25) < 0, no.
  const AllSolutions all = solved(painleve(10, 1, 2));
  ASSERT_EQ(all.status, Status::complete);
  ASSERT_EQ(all.components, 3);
  ASSERT_EQ(all.pieces.size(), 3U);
  for (const SolutionPiece& piece : all.pieces) {
    EXPECT_EQ(piece.force_freedom, 0);
    EXPECT_EQ(piece.velocity_freedom, 0);
    EXPECT_TRUE(piece.listed);
    ASSERT_EQ(piece.vertices.size(), 1U);
    EXPECT_EQ(piece.vertices[0], piece.lambda);
  }
  const SolutionPiece* separate = labelled(all, Regime::separate);
  const SolutionPiece* slide = labelled(all, Regime::slide);
  const SolutionPiece* stick = labelled(all, Regime::stick);
  ASSERT_TRUE(separate && slide && stick);
  EXPECT_EQ(separate->lambda, Eigen::Vector2d(0, 0));
  EXPECT_EQ(separate->u, Eigen::Vector2d(250, 25));
  EXPECT_EQ(slide->lambda, Eigen::Vector2d(-2.5, 1.25));
  EXPECT_EQ(slide->u, Eigen::Vector2d(112.5, 0));
  EXPECT_EQ(stick->lambda, Eigen::Vector2d(-4.84, 2.87));
  EXPECT_EQ(stick->u, Eigen::Vector2d(0, 0));
}

TEST(AllSolutions, TheRodThatMovesDownOnlySticks) {
  // b = (10, -1): separating and sliding right need -1 - 4/5 λ_n >= 0; stick has
  // λ = (-556, 433)/100.
  const AllSolutions all = solved(painleve(10, -1, 2));
  ASSERT_EQ(all.components, 1);
  ASSERT_EQ(all.pieces.size(), 1U);
  EXPECT_EQ(all.pieces[0].labels[0], Regime::stick);
  EXPECT_EQ(all.pieces[0].lambda, Eigen::Vector2d(-5.56, 4.33));
}

TEST(AllSolutions, TheRodBelowTheParadoxHasOneAnswer) {
  // mu = 1 < 52/36.
  const AllSolutions all = solved(painleve(10, 1, 1));
  EXPECT_EQ(all.components, 1);
  EXPECT_EQ(all.pieces[0].labels[0], Regime::separate);
}

/// With the direction of sliding given, friction is part of one row: 0 <= λ ⟂ -4/5 λ + b >= 0.
TEST(AllSolutions, ForcesOfTheSlidingRod) {
  const auto forces = [](double g, double b) {
    return solved(delassus_form({Frictionless{}}, MatX::Constant(1, 1, g), VecX::Constant(1, b)));
  };
  // Going down: no force stops it. Multipliers for separate and for contact.
  const AllSolutions none = forces(-0.75, -1);
  EXPECT_EQ(none.status, Status::complete);
  EXPECT_EQ(none.components, 0);
  EXPECT_GE(none.certificates, 1);
  // Going up: leave, or be pressed with λ = b / (3/4).
  const AllSolutions two = forces(-0.75, 1.5);
  EXPECT_EQ(two.components, 2);
  EXPECT_EQ(two.pieces[1].lambda[0], 2);
  // At the critical friction every force will do when nothing moves.
  const AllSolutions ray = forces(0, 0);
  ASSERT_EQ(ray.components, 1);
  EXPECT_EQ(ray.pieces[0].force_freedom, 1);
  EXPECT_EQ(ray.pieces[0].velocity_freedom, 0);
  EXPECT_EQ(ray.pieces[0].low[0], 0);
  EXPECT_EQ(ray.pieces[0].high[0], std::numeric_limits<double>::infinity());
  ASSERT_EQ(ray.pieces[0].rays.size(), 1U);
}

}  // namespace
}  // namespace tact
