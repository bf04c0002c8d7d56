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

/// A mass in a wedge with sides (±4/5, 3/5) and a lid that comes down: whatever the mass does and
/// however rough the walls, one of them is entered, because 5 n_1 + 5 n_2 + 6 n_lid = 0.
ContactProblem wedge(double lid, const std::vector<Law>& laws) {
  MatX J(6, 2);
  J << 0.75, -1, 1, 0.75,  // left: tangent, normal; lengths 5/4
      0.75, 1, -1, 0.75,   // right
      1, 0, 0, -1.5;       // lid
  VecX chi = VecX::Zero(6);
  chi[5] = lid;
  return mass_form(laws, MatX::Identity(2, 2), J, Eigen::Vector2d::Zero(), chi);
}

TEST(AllSolutions, TheJammedWedgeHasNoneAndSaysWhy) {
  const std::vector<Law> laws(3, CoulombLaw{0.5, true});
  const ContactProblem p = wedge(-1, laws);
  const AllSolutions none = solved(p);
  EXPECT_EQ(none.status, Status::complete);
  EXPECT_EQ(none.components, 0);
  // No mode is needed to see it: the bounds alone contradict each other.
  ASSERT_EQ(none.proof.size(), 1U);
  EXPECT_EQ(none.certificates, 1);

  // Proofs that prove nothing are refused.
  AllSolutions forged = none;
  forged.proof[0].multipliers.pop_back();
  EXPECT_FALSE(*check_all_solutions(p, forged));
  forged = none;
  forged.proof[0].multipliers[0].second = "-" + forged.proof[0].multipliers[0].second;
  EXPECT_FALSE(*check_all_solutions(p, forged));
  forged = none;
  forged.proof[0].multipliers[0].second = "1/0";
  EXPECT_FALSE(*check_all_solutions(p, forged));
  // The proof is of this problem, not of one whose lid goes up.
  EXPECT_FALSE(*check_all_solutions(wedge(1, laws), none));
}

TEST(AllSolutions, ForgedTreesAreRefused) {
  const ContactProblem p = painleve(10, 1, 2);
  const AllSolutions good = solved(p);
  const auto refused = [&](const auto& change) {
    AllSolutions forged = good;
    change(forged);
    return !*check_all_solutions(p, forged);
  };
  EXPECT_TRUE(refused([](AllSolutions& s) { s.proof[0].children.pop_back(); }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.proof[0].children[1] = s.proof[0].children[0]; }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.proof[0].children[0] = 0; }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.pieces.pop_back(); }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.pieces[0].lambda[0] += 1; }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.pieces[1].witness[1] = "-1"; }));
  EXPECT_TRUE(refused([](AllSolutions& s) { std::swap(s.pieces[0], s.pieces[1]); }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.pieces[1].velocity_proofs[0].clear(); }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.proof.clear(); }));
  EXPECT_TRUE(refused([](AllSolutions& s) { s.status = Status::undecided; }));
  EXPECT_FALSE(refused([](AllSolutions&) {}));
}

/// A box of unit mass and inertia on two corners at x = ∓1, its middle 1 above the ground. In
/// [x', y', w]: u_t = x' + w, u_n = y' ∓ w.
ContactProblem planar_box(double mu, const Eigen::Vector3d& push) {
  MatX J(4, 3);
  J << 1, 0, 1, 0, 1, -1, 1, 0, 1, 0, 1, 1;
  const std::vector<Law> laws(2, CoulombLaw{mu, true});
  ContactProblem p = mass_form(laws, MatX::Identity(3, 3), J, Eigen::Vector3d::Zero());
  p.impulse = push;
  return p;
}

TEST(AllSolutions, TheBoxAtRestHasOneVelocityAndASegmentOfForces) {
  // Both legs carry 1/2, and the tangential forces cancel: (T, 1/2, -T, 1/2) with |T| <= mu/2.
  const AllSolutions all = solved(planar_box(0.5, {0, -1, 0}));
  ASSERT_EQ(all.components, 1);
  ASSERT_EQ(all.pieces.size(), 1U);
  const SolutionPiece& rest = all.pieces[0];
  EXPECT_EQ(rest.labels, (std::vector<Regime>{Regime::stick, Regime::stick}));
  EXPECT_EQ(rest.velocity_freedom, 0);
  EXPECT_EQ(rest.force_freedom, 1);
  EXPECT_TRUE(rest.u.isZero(0));
  EXPECT_EQ(rest.low, Eigen::Vector4d(-0.25, 0.5, -0.25, 0.5));
  EXPECT_EQ(rest.high, Eigen::Vector4d(0.25, 0.5, 0.25, 0.5));
  ASSERT_TRUE(rest.listed);
  ASSERT_EQ(rest.vertices.size(), 2U);
  std::vector<double> ends{rest.vertices[0][0], rest.vertices[1][0]};
  std::sort(ends.begin(), ends.end());
  EXPECT_EQ(ends, (std::vector<double>{-0.25, 0.25}));
  for (const VecX& v : rest.vertices) EXPECT_EQ(v[2], -v[0]);
  EXPECT_TRUE(rest.rays.empty());
}

TEST(AllSolutions, ThePushedBoxSlidesAtAnExactlyKnownLoad) {
  // A push of 3/4 along x: friction 1/4 (1/2 + 1/2) holds back, the rest of 1/2 is the speed. The
  // moment of friction about the middle, 1/4, is carried by the legs: 3/8 and 5/8.
  const AllSolutions all = solved(planar_box(0.25, {0.75, -1, 0}));
  ASSERT_EQ(all.components, 1);
  const SolutionPiece& slide = all.pieces[0];
  EXPECT_EQ(slide.labels, (std::vector<Regime>{Regime::slide, Regime::slide}));
  EXPECT_EQ(slide.force_freedom, 0);
  EXPECT_EQ(slide.u, Eigen::Vector4d(0.5, 0, 0.5, 0));
  EXPECT_EQ(slide.lambda[1] + slide.lambda[3], 1);
  EXPECT_EQ(slide.lambda[3] - slide.lambda[1], 0.25);
}

/// A plate of unit mass on four legs at (±1, ±1), the middle 1 above the ground, pressed down by 1.
/// Rows [t1, t2, n] or [n] in [v, w].
ContactProblem table(const Law& law) {
  const Index rows = row_count(law);
  MatX J(4 * rows, 6);
  Index at = 0;
  for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}) {
    // v + w × r with r = (x, y, -1)
    MatX own(3, 6);
    own << 1, 0, 0, 0, -1, -y, 0, 1, 0, 1, 0, x, 0, 0, 1, y, -x, 0;
    J.middleRows(at, rows) = own.bottomRows(rows);
    at += rows;
  }
  const std::vector<Law> laws(4, law);
  ContactProblem p = mass_form(laws, MatX::Identity(6, 6), J, VecX::Zero(6));
  p.impulse = -VecX::Unit(6, 2);
  return p;
}

TEST(AllSolutions, TheTableOnFourLegsWithoutFriction) {
  // Loads (a, 1/2 - a, a, 1/2 - a), 0 <= a <= 1/2.
  const AllSolutions all = solved(table(Frictionless{}));
  ASSERT_EQ(all.components, 1);
  const SolutionPiece& rest = all.pieces[0];
  EXPECT_EQ(rest.force_freedom, 1);
  EXPECT_EQ(rest.velocity_freedom, 0);
  EXPECT_EQ(rest.low, VecX::Zero(4));
  EXPECT_EQ(rest.high, VecX::Constant(4, 0.5));
  ASSERT_EQ(rest.vertices.size(), 2U);
  for (const VecX& v : rest.vertices) {
    EXPECT_EQ(v[0], v[2]);
    EXPECT_EQ(v[1], v[3]);
    EXPECT_EQ(v[0] + v[1], 0.5);
  }
}

TEST(AllSolutions, TheTableOnFourLegsWithFriction) {
  // Twelve impulses, six balances: six free directions. A leg carries all four fifths that the
  // others' friction can lift.
  for (const Law& law : {Law(PyramidLaw{0.5, 4}), Law(BoxLaw{0.5, 1})}) {
    const AllSolutions all = solved(table(law));
    EXPECT_EQ(all.status, Status::complete);
    ASSERT_EQ(all.components, 1);
    ASSERT_EQ(all.pieces.size(), 1U);
    const SolutionPiece& rest = all.pieces[0];
    EXPECT_EQ(rest.labels, std::vector<Regime>(4, Regime::stick));
    EXPECT_EQ(rest.force_freedom, 6);
    EXPECT_EQ(rest.velocity_freedom, 0);
    EXPECT_TRUE(rest.u.isZero(0));
    ASSERT_TRUE(rest.listed);
    EXPECT_TRUE(rest.rays.empty());
    // Corners agree with the ranges, which come from linear programs.
    for (Index r = 0; r < 12; ++r) {
      double low = rest.vertices[0][r], high = low;
      for (const VecX& v : rest.vertices) {
        low = std::min(low, v[r]);
        high = std::max(high, v[r]);
      }
      EXPECT_NEAR(low, rest.low[r], tolerance::rounding);
      EXPECT_NEAR(high, rest.high[r], tolerance::rounding);
    }
  }
}

TEST(AllSolutions, APolygonPatchIsItsCorners) {
  FrictionlessPatch square;
  square.shape.value = PolygonShape{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
  MatX J = MatX::Zero(3, 3);
  J.setIdentity();  // [ω_x, ω_y, v_z]
  ContactProblem p = mass_form({square}, MatX::Identity(3, 3), J, Eigen::Vector3d::Zero());
  p.impulse = Eigen::Vector3d(0, 0, -1);
  const AllSolutions rest = solved(p);
  ASSERT_EQ(rest.components, 1);
  EXPECT_EQ(rest.pieces[0].labels[0], Regime::stick);
  EXPECT_EQ(rest.pieces[0].force_freedom, 0);
  EXPECT_EQ(rest.pieces[0].lambda, Eigen::Vector3d(0, 0, 1));
  // Pressed outside of the edge y = 1: it tips about that edge, x' of the turn below zero.
  p.impulse = Eigen::Vector3d(-2, 0, -1);
  const AllSolutions tips = solved(p);
  ASSERT_EQ(tips.components, 1);
  EXPECT_EQ(tips.pieces[0].labels[0], Regime::tip_edge);
  p.impulse = Eigen::Vector3d(0, 0, 1);
  const AllSolutions off = solved(p);
  ASSERT_EQ(off.components, 1);
  EXPECT_EQ(off.pieces[0].labels[0], Regime::separate);
}

// ---------------------------------------------------------------------------------- exact discs

/// A unit mass on the ground, three degrees of freedom and one contact: u = λ + b.
ContactProblem puck(const Vec3& b, double mu) {
  return delassus_form({CoulombLaw{mu}}, MatX::Identity(3, 3), b);
}

TEST(AllSolutions, ThePuckSlidesSticksOrLeaves) {
  // b = (3, 4, -2), mu = 1/2: λ = (-3/5, -4/5, 2), the speed 5 becomes 4.
  const AllSolutions slides = solved(puck({3, 4, -2}, 0.5));
  ASSERT_EQ(slides.status, Status::complete);
  ASSERT_EQ(slides.components, 1);
  const SolutionPiece& slide = slides.pieces[0];
  EXPECT_EQ(slide.labels[0], Regime::slide);
  EXPECT_LT(slide.enclosed, tolerance::regime);
  EXPECT_LE((slide.lambda - Vec3(-0.6, -0.8, 2)).cwiseAbs().maxCoeff(), 2 * slide.enclosed);
  EXPECT_NEAR(slide.u.norm(), 4, tolerance::regime);
  // Friction 3 holds it.
  const AllSolutions sticks = solved(puck({3, 4, -2}, 3));
  ASSERT_EQ(sticks.components, 1);
  EXPECT_EQ(sticks.pieces[0].labels[0], Regime::stick);
  EXPECT_EQ(sticks.pieces[0].lambda, Vec3(-3, -4, 2));
  EXPECT_EQ(sticks.pieces[0].force_freedom, 0);
  const AllSolutions leaves = solved(puck({3, 4, 1}, 0.5));
  ASSERT_EQ(leaves.components, 1);
  EXPECT_EQ(leaves.pieces[0].labels[0], Regime::separate);
  EXPECT_EQ(leaves.pieces[0].u, Vec3(3, 4, 1));
}

TEST(AllSolutions, TheSpatialPainleveRod) {
  // The planar rod with a third direction that nothing couples to: the same three answers, found
  // without knowing the plane.
  MatX G(3, 3);
  G << 73, 0, 36, 0, 73, 0, 36, 0, 52;
  const ContactProblem p = delassus_form({CoulombLaw{2}}, G, Vec3(250, 0, 25));
  const AllSolutions all = solved(p);
  ASSERT_EQ(all.status, Status::complete);
  ASSERT_EQ(all.components, 3);
  const SolutionPiece* slide = labelled(all, Regime::slide);
  ASSERT_TRUE(slide && labelled(all, Regime::separate) && labelled(all, Regime::stick));
  EXPECT_LE((slide->lambda - Vec3(-2.5, 0, 1.25)).cwiseAbs().maxCoeff(), 2 * slide->enclosed);
}

TEST(AllSolutions, AtTheFrictionAngleNothingIsClaimed) {
  // |λ_t| = mu λ_n exactly, the load on the rim: polygons inside never reach it.
  const AllSolutions all = solved(puck({3, 4, -2}, 2.5));
  EXPECT_EQ(all.status, Status::undecided);
  EXPECT_EQ(all.components, 0);
  EXPECT_GT(all.undecided, 0);
  EXPECT_EQ(all.open.size(), static_cast<std::size_t>(all.undecided));
}

TEST(AllSolutions, TheTableWithExactFriction) {
  const AllSolutions all = solved(table(CoulombLaw{0.5}));
  ASSERT_EQ(all.status, Status::complete);
  ASSERT_EQ(all.components, 1);
  const SolutionPiece& rest = all.pieces[0];
  EXPECT_EQ(rest.labels, std::vector<Regime>(4, Regime::stick));
  EXPECT_EQ(rest.velocity_freedom, 0);
  EXPECT_EQ(rest.force_freedom, 6);
  EXPECT_TRUE(rest.u.isZero(0));
  // Two opposite legs can carry everything, and one never more than half.
  EXPECT_NEAR(rest.high[2], 0.5, 1e-6);
  EXPECT_NEAR(rest.low[2], 0, 1e-6);
}

TEST(AllSolutions, TheTableThatSlidesHasOneVelocityAndASegmentOfLoads) {
  // All legs slide at (3, 4) 5 -> 9/2; friction 1/2 at height 1 below the middle tips it, moments
  // (2/5, -3/10) about x and y: loads 1/4 + (±3 ± 4) / 40 and any multiple of (1, -1, 1, -1).
  ContactProblem p = table(CoulombLaw{0.5});
  p.velocity = VecX::Zero(6);
  p.velocity.head(2) << 3, 4;
  const AllSolutions all = solved(p);
  ASSERT_EQ(all.status, Status::complete);
  ASSERT_EQ(all.components, 1);
  ASSERT_EQ(all.pieces.size(), 1U);
  const SolutionPiece& slide = all.pieces[0];
  EXPECT_EQ(slide.labels, std::vector<Regime>(4, Regime::slide));
  EXPECT_EQ(slide.velocity_freedom, 0);
  EXPECT_EQ(slide.force_freedom, 1);
  ASSERT_TRUE(slide.listed);
  ASSERT_EQ(slide.vertices.size(), 2U);
  for (const VecX& v : slide.vertices) {
    double least = v[2], total = 0;
    for (Index leg = 0; leg < 4; ++leg) {
      least = std::min(least, v[3 * leg + 2]);
      total += v[3 * leg + 2];
      EXPECT_NEAR(v[3 * leg], -0.3 * v[3 * leg + 2], tolerance::rounding);
      EXPECT_NEAR(v[3 * leg + 1], -0.4 * v[3 * leg + 2], tolerance::rounding);
    }
    EXPECT_EQ(least, 0);
    EXPECT_NEAR(total, 1, tolerance::rounding);
  }
  for (Index leg = 0; leg < 4; ++leg) {
    EXPECT_NEAR(slide.u[3 * leg], 2.7, tolerance::rounding);
    EXPECT_NEAR(slide.u[3 * leg + 1], 3.6, tolerance::rounding);
    EXPECT_EQ(slide.u[3 * leg + 2], 0);
  }
  // Other directions, and loads that are none, are noticed.
  AllSolutions turned = all, loaded = all;
  std::swap(turned.pieces[0].modes[0].from, turned.pieces[0].modes[0].to);
  EXPECT_FALSE(*check_all_solutions(p, turned));
  loaded.pieces[0].witness[1] = "-1";
  EXPECT_FALSE(*check_all_solutions(p, loaded));
}

TEST(AllSolutions, ThePuckOnContactsGivenTwiceSlidesAsOnOne) {
  for (const Index copies : {2, 3}) {
    MatX J(3 * copies, 3);
    for (Index k = 0; k < copies; ++k) J.middleRows(3 * k, 3) = MatX::Identity(3, 3);
    const std::vector<Law> laws(static_cast<std::size_t>(copies), CoulombLaw{0.5});
    const AllSolutions all = solved(mass_form(laws, MatX::Identity(3, 3), J, Vec3(3, 4, -2)));
    ASSERT_EQ(all.status, Status::complete);
    ASSERT_EQ(all.components, 1);
    const SolutionPiece& slide = all.pieces[0];
    EXPECT_EQ(slide.labels[0], Regime::slide);
    EXPECT_EQ(slide.force_freedom, copies - 1);
    EXPECT_EQ(slide.velocity_freedom, 0);
    ASSERT_EQ(static_cast<Index>(slide.vertices.size()), copies);  // one contact carries it all
    for (Index k = 0; k < copies; ++k) {
      EXPECT_NEAR(slide.u[3 * k], 2.4, tolerance::rounding);
      EXPECT_NEAR(slide.u[3 * k + 1], 3.2, tolerance::rounding);
      EXPECT_EQ(slide.low[3 * k + 2], 0);
      EXPECT_EQ(slide.high[3 * k + 2], 2);
    }
  }
}

TEST(AllSolutions, TheTableThatSlidesAndTurnsIsNotClaimed) {
  // How the legs share the load decides how it turns: solutions are a curve.
  ContactProblem p = table(CoulombLaw{0.5});
  p.velocity = VecX::Zero(6);
  p.velocity << 3, 4, 0, 0, 0, 1;
  EXPECT_EQ(solved(p).status, Status::undecided);
}

TEST(AllSolutions, WhatHasNoListOfModesIsRefused) {
  const auto complaint = [](const Law& law) {
    const Index rows = row_count(law);
    const auto found =
        all_solutions(delassus_form({law}, MatX::Identity(rows, rows), VecX::Zero(rows)));
    return found ? std::string() : found.error().message;
  };
  EXPECT_NE(complaint(RollingLaw{0.5, 0.1, 0.1}).find("contacts[0] has rolling"),
            std::string::npos);
  FrictionlessPatch disc;
  disc.shape.value = DiscShape{Vec2(0, 0), 1};
  EXPECT_NE(complaint(disc).find("round rim"), std::string::npos);
  FrictionalPatch rough;
  rough.shape = disc.shape;
  rough.mu = 0.5;
  EXPECT_NE(complaint(rough).find("patch with friction"), std::string::npos);
  AllSolutionsOptions small;
  small.max_rows = 3;
  EXPECT_FALSE(all_solutions(table(Frictionless{}), small));
  small = {};
  small.max_nodes = 2;
  const auto given_up = all_solutions(planar_box(0.5, {0, -1, 0}), small);
  ASSERT_TRUE(given_up);
  EXPECT_EQ(given_up->status, Status::too_large);
  EXPECT_GT(given_up->estimate, 2);
  EXPECT_FALSE(*check_all_solutions(planar_box(0.5, {0, -1, 0}), *given_up));
}

TEST(AllSolutions, ExactNumbersReplaceDoubles) {
  ContactProblem p = delassus_form({Frictionless{}, Frictionless{}}, MatX::Identity(2, 2),
                                   Eigen::Vector2d(1.0 / 3, 0));
  EXPECT_EQ(solved(p).pieces[0].labels[0], Regime::separate);
  const std::vector<ExactNumber> zero{{ExactNumber::Field::free_velocity, 0, 0, "0"}};
  const auto found = all_solutions(p, {}, zero);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pieces[0].labels[0], Regime::idle);
  EXPECT_TRUE(*check_all_solutions(p, *found, zero));
  EXPECT_FALSE(all_solutions(p, {}, {{ExactNumber::Field::mass, 0, 0, "1"}}));
  EXPECT_FALSE(all_solutions(p, {}, {{ExactNumber::Field::mu, 0, 0, "x"}}));
}

}  // namespace
}  // namespace tact
