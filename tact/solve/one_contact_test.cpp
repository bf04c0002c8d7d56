#include "tact/solve/one_contact.hpp"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/contact/residual.hpp"
#include "tests/support/law_check.hpp"
#include "tests/support/random_contacts.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

struct Answer {
  bool said = false;
  VecX lambda;
  double residual = 0, violation = 0;
};

Answer solve_block(const Law& law, const MatX& G, const VecX& b) {
  const DelassusProblem p = delassus_problem(
      {local_law(law)}, block_matrix(sparse(G), std::vector<Index>{0, G.rows()}), b);
  Answer out;
  out.lambda.setZero(G.rows());
  LocalWorkspace work;
  out.said = solve_one_contact(p.laws[0], p.metric(0), p.G.diagonal_block(0), b.data(),
                               out.lambda.data(), work);
  out.residual = residual(p, out.lambda).natural;
  std::vector<Contact> contacts(1);
  contacts[0].law = law;
  out.violation = testing::law_violation(contacts, p, out.lambda, energy_scale(p, out.lambda));
  return out;
}

MatX random_block(Rng& rng, Index n, double skew) {
  MatX root(n, n), turn(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      root(i, j) = rng.normal();
      turn(i, j) = rng.normal();
    }
  return root * root.transpose() + 0.1 * MatX::Identity(n, n) + skew * (turn - turn.transpose());
}

VecX random_vector(Rng& rng, Index n) {
  VecX x(n);
  for (double& value : x) value = rng.normal();
  return x;
}

TEST(OneContact, ByHand) {
  // A unit mass falls at 1 and slides at 3: stopped by 1, slowed by mu.
  const Answer coulomb = solve_block(CoulombLaw{0.5}, MatX::Identity(3, 3), Vec3(1.8, 2.4, -1));
  EXPECT_TRUE(coulomb.said);
  EXPECT_LE((coulomb.lambda - Vec3(-0.3, -0.4, 1)).norm(), 1e-14);
  const Answer stick = solve_block(CoulombLaw{0.5}, MatX::Identity(3, 3), Vec3(0.3, 0.4, -1));
  EXPECT_LE((stick.lambda - Vec3(-0.3, -0.4, 1)).norm(), 1e-14);
  const Answer flies = solve_block(CoulombLaw{0.5}, MatX::Identity(3, 3), Vec3(0.3, 0.4, 1));
  EXPECT_EQ(flies.lambda, VecX(Vec3(0, 0, 0)));
  const Answer box = solve_block(BoxLaw{0.5, 1}, MatX::Identity(3, 3), Vec3(1.8, 0.2, -1));
  EXPECT_LE((box.lambda - Vec3(-0.5, -0.2, 1)).norm(), 1e-14) << "slides along one axis only";
  const Answer smooth =
      solve_block(Frictionless{}, 2 * MatX::Identity(1, 1), VecX::Constant(1, -3));
  EXPECT_EQ(smooth.lambda[0], 1.5);
}

/// Equations of full rank, and redundant ones: where some direction is moved by nothing the impulse
/// along it stays, and an error along it is said to be one.
TEST(OneContact, EquationsWhateverTheirRank) {
  Rng rng(5);
  for (int k = 0; k < 60; ++k) {
    MatX root(3, 1 + k % 3);
    for (Index i = 0; i < root.size(); ++i) root.data()[i] = rng.normal();
    const MatX G = root * root.transpose();
    const DelassusProblem p = delassus_problem(
        {equation_law(3)}, block_matrix(sparse(G), std::vector<Index>{0, 3}), VecX::Zero(3));
    LocalWorkspace work;
    const Vec3 b = G * random_vector(rng, 3), start = random_vector(rng, 3);
    Vec3 lambda = start;
    EXPECT_TRUE(solve_one_contact(p.laws[0], p.metric(0), p.G.diagonal_block(0), b.data(),
                                  lambda.data(), work));
    EXPECT_LE((G * lambda + b).norm(), 1e-9 * (b.norm() + G.norm()));
    if (root.cols() == 3) continue;
    const Vec3 still = Eigen::FullPivLU<MatX>(root.transpose()).kernel().col(0).normalized();
    EXPECT_NEAR(still.dot(lambda), still.dot(start), 1e-9 * start.norm());
    const Vec3 off = b + b.norm() * still;
    EXPECT_FALSE(solve_one_contact(p.laws[0], p.metric(0), p.G.diagonal_block(0), off.data(),
                                   lambda.data(), work));
  }
}

/// All laws and all coefficients, symmetric blocks and blocks with a gyroscopic part.
TEST(OneContact, EveryLawToRounding) {
  Rng rng(1);
  int stalled = 0, points = 0, patches = 0;
  double worst = 0;
  for (int k = 0; k < testing::cases(7000); ++k) {
    testing::SceneOptions options;
    options.family = testing::all_families[k % 7];
    const Law law = testing::detail::random_law(rng, options);
    const Index n = row_count(law);
    const MatX G = random_block(rng, n, k % 3 == 0 ? 0.02 : 0.0);
    const Answer answer = solve_block(law, G, random_vector(rng, n));
    SCOPED_TRACE(std::string(name(law)) + " " + std::to_string(k) + " mu " +
                 std::to_string(friction_of(law)));
    const bool iterates = n == 6;
    ++(iterates ? patches : points);
    if (!answer.said) {
      EXPECT_TRUE(iterates) << "points are solved in closed form";
      ++stalled;
      continue;
    }
    // An effective patch jumps where its centre comes within tolerance::centre of the rim.
    EXPECT_LE(answer.residual, iterates ? 10 * tolerance::centre : 1e-12);
    EXPECT_LE(answer.violation, iterates ? 1e-8 : 1e-10);
    worst = std::max(worst, answer.residual);
  }
  RecordProperty("points", points);
  RecordProperty("six rows", patches);
  RecordProperty("stalled", stalled);
  EXPECT_LE(stalled, patches / 50);
}

/// The wedge: friction pushes the contact in, and the load grows with mu. n = 1/(1 - mu c).
/// From what it carried before, moved a little, a patch finds what it finds from nothing.
TEST(OneContact, APatchThatSlidesGoesOnSliding) {
  Rng rng(11);
  const PatchShape shape{PolygonShape{{{-0.2, -0.1}, {0.2, -0.1}, {0.2, 0.1}, {-0.2, 0.1}}}};
  int slid = 0;
  for (int k = 0; k < 100; ++k) {
    const FrictionalPatch law{shape, 0.3, EffectivePatch{}};
    // A body over the patch, heavy to turn: diagonal, with some coupling.
    MatX G = 0.05 * random_block(rng, 6, 0);
    G.diagonal() += (VecX(6) << 30, 30, 30, 1, 1, 1).finished();
    VecX b = 0.2 * random_vector(rng, 6);
    b[3] += 2;
    b[5] = -1;
    const Answer cold = solve_block(law, G, b);
    ASSERT_LT(cold.residual, 1e-12);
    const VecX moved = b + 1e-3 * random_vector(rng, 6);
    const DelassusProblem p = delassus_problem(
        {local_law(law)}, block_matrix(sparse(G), std::vector<Index>{0, 6}), moved);
    VecX warm = cold.lambda;
    LocalWorkspace work;
    ASSERT_TRUE(solve_one_contact(p.laws[0], p.metric(0), p.G.diagonal_block(0), moved.data(),
                                  warm.data(), work));
    EXPECT_LT(residual(p, warm).natural, 1e-13);
    const VecX again = solve_block(law, G, moved).lambda;
    EXPECT_LT((warm - again).norm(), 1e-10 * again.norm());
    const VecX u = G * warm + moved;
    if (u.segment<2>(3).norm() > 0.1) ++slid;
  }
  EXPECT_GT(slid, 90);
}

TEST(OneContact, FrictionThatLoadsTheContact) {
  MatX G = MatX::Identity(2, 2);
  G(0, 1) = G(1, 0) = 0.5;
  const Answer answer = solve_block(CoulombLaw{0.4, true}, G, Vec2(10, -1));
  EXPECT_TRUE(answer.said);
  EXPECT_NEAR(answer.lambda[1], 1 / (1 - 0.4 * 0.5), 1e-14);
  EXPECT_NEAR(answer.lambda[0], -0.4 * answer.lambda[1], 1e-14);
}

TEST(OneContact, WithoutMassItSaysSo) {
  const Answer answer = solve_block(Frictionless{}, MatX::Zero(1, 1), VecX::Constant(1, -1));
  EXPECT_FALSE(answer.said) << "nothing gives way";
  EXPECT_TRUE(solve_block(Frictionless{}, MatX::Zero(1, 1), VecX::Constant(1, 1)).said);
}

/// A contact that moves in two directions only: its determinant is rounding, and impulses divided
/// by it would be self-stress of any size. There is no closed form.
TEST(OneContact, ABlockOfLowRankHasNoClosedForm) {
  Rng rng(31);
  for (int k = 0; k < 200; ++k) {
    const MatX J = testing::random_dense(rng, 3, 2);
    const Mat3 G = J * J.transpose();
    const Vec3 b = J * testing::random_dense(rng, 2, 1);
    const LocalLaw law = local_law(CoulombLaw{0.5});
    const Vec3 last = Vec3::Zero();
    Vec3 found = Vec3::Zero();
    EXPECT_FALSE(solve_point_contact(law, G.data(), b.data(), last.data(), found.data())) << k;
  }
}

}  // namespace
}  // namespace tact
