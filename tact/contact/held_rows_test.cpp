#include "tact/contact/held_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

MatX random_matrix(Rng& rng, Index rows, Index cols) {
  MatX out(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) out(i, j) = rng.uniform(-1, 1);
  return out;
}

struct Case {
  ContactProblem problem;
  MatX held;
};

/// Nine dofs, of which the equations touch five; the third equation is the sum of the others.
Case random_case(Rng& rng) {
  constexpr Index dof = 9;
  Case out;
  const MatX A = random_matrix(rng, dof, dof);
  out.problem.mass = sparse(MatX(A * A.transpose() + MatX::Identity(dof, dof)));
  out.problem.velocity = random_matrix(rng, dof, 1);
  out.problem.impulse = random_matrix(rng, dof, 1);
  out.problem.contacts.resize(2);
  out.problem.contacts[1].law = CoulombLaw{0.5};
  out.problem.rows = sparse(random_matrix(rng, 4, dof));
  out.held = MatX::Zero(3, dof);
  out.held.block(0, 2, 2, 5) = random_matrix(rng, 2, 5);
  out.held.row(2) = out.held.row(0) + out.held.row(1);
  return out;
}

TEST(HeldRows, TheMotionObeysTheEquations) {
  Rng rng(3);
  for (int round = 0; round < 50; ++round) {
    const Case c = random_case(rng);
    const auto out = eliminate_held(c.problem, sparse(c.held));
    ASSERT_TRUE(out) << out.error().message;
    EXPECT_EQ(out->basis.cols(), 7) << "two independent equations";
    EXPECT_LE((c.held * MatX(out->basis)).cwiseAbs().maxCoeff(), tolerance::rounding);
    EXPECT_TRUE(validate(out->problem));
  }
}

/// M du = p + J'λ + E'ν with E u⁺ = 0, solved with its multipliers, moves as the problem in y does.
TEST(HeldRows, MovesAsWithMultipliers) {
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    const Case c = random_case(rng);
    const auto out = eliminate_held(c.problem, sparse(c.held));
    ASSERT_TRUE(out);
    const VecX lambda = random_matrix(rng, 4, 1);
    const Index n = c.problem.dof(), m = 2;
    MatX K = MatX::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = MatX(c.problem.mass);
    K.topRightCorner(n, m) = c.held.topRows(m).transpose();
    K.bottomLeftCorner(m, n) = c.held.topRows(m);
    VecX right = VecX::Zero(n + m);
    right.head(n) = c.problem.mass * c.problem.velocity + c.problem.impulse +
                    c.problem.rows.transpose() * lambda;
    const VecX u = K.fullPivLu().solve(right).head(n);
    const ContactProblem& q = out->problem;
    const VecX y = MatX(q.mass).llt().solve(
        VecX(q.mass * q.velocity + q.impulse + q.rows.transpose() * lambda));
    const double size = u.norm();
    EXPECT_LE((out->basis * y - u).norm(), tolerance::conic * size);
    EXPECT_LE((q.rows * y - c.problem.rows * u).norm(), tolerance::conic * size);
  }
}

TEST(HeldRows, DofsThatNothingHoldsStayThemselves) {
  Rng rng(5);
  const Case c = random_case(rng);
  const auto out = eliminate_held(c.problem, sparse(c.held));
  ASSERT_TRUE(out);
  const MatX Z = MatX(out->basis);
  const Index free[] = {0, 1, 7, 8};
  for (Index k = 0; k < 4; ++k) {
    EXPECT_EQ(Z(free[k], k), 1);
    EXPECT_EQ(Z.row(free[k]).cwiseAbs().sum(), 1);
  }
}

TEST(HeldRows, RefusesWhatCannotMove) {
  Rng rng(6);
  const Case c = random_case(rng);
  const auto out = eliminate_held(c.problem, sparse(MatX(MatX::Identity(9, 9))));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().message, "the equations leave nothing that could move; leave some out");
}

}  // namespace
}  // namespace tact
