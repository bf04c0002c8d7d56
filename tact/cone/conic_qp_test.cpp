#include "tact/cone/conic_qp.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/cone/coulomb.hpp"

namespace tact {
namespace {

using Status = ConicQpSolution::Status;

MatX random_matrix(Rng& rng, Index rows, Index cols) {
  MatX m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m(i) = rng.normal();
  return m;
}

TEST(ConicQp, MinimisesOverAHalfLine) {
  // min ½ x² - 3x, x <= 1.
  const ConicQp p{
      MatX::Identity(1, 1), VecX::Constant(1, -3), MatX::Identity(1, 1), VecX::Constant(1, 1), {1}};
  const ConicQpSolution s = solve(p);
  EXPECT_EQ(s.status, Status::converged);
  EXPECT_NEAR(s.x[0], 1, tolerance::conic);
  EXPECT_NEAR(s.z[0], 2, 10 * tolerance::conic);
}

TEST(ConicQp, ProjectsOntoTheFrictionConeLikeTheClosedForm) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const double mu = rng.uniform(0.1, 2);
    const Vec3 target(rng.normal(), rng.normal(), rng.normal());
    // s = (mu x_n, x_t) in Q.
    MatX G = MatX::Zero(3, 3);
    G(0, 2) = -mu;
    G(1, 0) = G(2, 1) = -1;
    const ConicQpSolution s = solve({MatX::Identity(3, 3), -target, G, VecX::Zero(3), {3}});
    EXPECT_EQ(s.status, Status::converged);
    EXPECT_LE((s.x - CoulombCone(mu).project(target)).norm(), 1e-8);
    EXPECT_LE(s.iterations, 30);
  }
}

TEST(ConicQp, SolvesLinearProgramsOverCones) {
  // max d.x over the unit ball: x = d/|d|.
  Rng rng(2);
  for (int i = 0; i < 50; ++i) {
    const VecX d = random_matrix(rng, 4, 1);
    MatX G = MatX::Zero(5, 4);
    G.bottomRows(4) = MatX::Identity(4, 4);
    VecX h = VecX::Zero(5);
    h[0] = 1;
    const ConicQpSolution s = solve({MatX::Zero(4, 4), -d, G, h, {5}});
    EXPECT_EQ(s.status, Status::converged);
    EXPECT_LE((s.x - d.normalized()).norm(), 1e-6);
    EXPECT_NEAR(d.dot(s.x), d.norm(), 1e-9 * d.norm());
  }
}

TEST(ConicQp, RandomProblemsEndWithAnOptimalPair) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const Index n = 6;
    std::vector<Index> cones;
    Index rows = 0;
    for (int k = 0; k < 8; ++k) {
      cones.push_back(1 + static_cast<Index>(rng.below(4)));
      rows += cones.back();
    }
    const MatX b = random_matrix(rng, 3, n);
    ConicQp p{b.transpose() * b, VecX(), random_matrix(rng, rows, n), VecX(), cones};
    // Feasible on both sides by construction.
    VecX s = 0.1 * random_matrix(rng, rows, 1), z = 0.1 * random_matrix(rng, rows, 1);
    Index at = 0;
    for (const Index size : cones) {
      s[at] = 1;
      z[at] = 1;
      at += size;
    }
    const VecX x = random_matrix(rng, n, 1);
    p.h = p.G * x + s;
    p.c = -(p.P * x + p.G.transpose() * z);
    const ConicQpSolution out = solve(p);
    EXPECT_EQ(out.status, Status::converged);
    EXPECT_LE(out.gap, tolerance::conic);
    EXPECT_LE((p.P * out.x + p.G.transpose() * out.z + p.c).norm(), 1e-8);
    EXPECT_LE((p.G * out.x + out.s - p.h).norm(), 1e-8);
  }
}

TEST(ConicQp, StepsAlongTheAxisOfAConeEndAtItsTip) {
  // max t with -1 ± z >= t + |(x, y)| / 2: everything happens on the axes of the cones, where the
  // discriminant of a step is zero but for rounding.
  ConicQp p;
  p.P = MatX::Zero(4, 4);
  p.c = -VecX::Unit(4, 3);
  p.G = MatX::Zero(7, 4);
  p.G(0, 2) = -1;
  p.G(3, 2) = 1;
  p.G(0, 3) = p.G(3, 3) = p.G(6, 3) = 1;
  p.G(1, 0) = p.G(4, 0) = p.G(2, 1) = p.G(5, 1) = -0.5;
  p.h = VecX::Zero(7);
  p.h[0] = p.h[3] = -1;
  p.h[6] = 1;
  p.cones = {3, 3, 1};
  const ConicQpSolution out = solve(p);
  EXPECT_EQ(out.status, Status::converged);
  EXPECT_NEAR(out.x[3], -1, 1e-9);
  EXPECT_GE(out.s[0], 0);
  EXPECT_GE(out.s[3], 0);
}

TEST(ConicQp, SaysSoWhenThereIsNoSolution) {
  // x <= -1 and x >= 1.
  MatX G(2, 1);
  G << 1, -1;
  const ConicQpSolution s =
      solve({MatX::Identity(1, 1), VecX::Zero(1), G, VecX::Constant(2, -1), {1, 1}});
  EXPECT_EQ(s.status, Status::not_converged);
  EXPECT_THROW((void)solve({MatX::Identity(1, 1), VecX::Zero(1), G, VecX::Zero(2), {1}}),
               ContractViolation);
}

}  // namespace
}  // namespace tact
