#include "tact/solve/newton_operators.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "tests/support/random_contacts.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact {
namespace {

/// Pieces in turn: resting, open, and a slope of one half.
void choose_pieces(const DelassusProblem& p, AugmentedNewtonWorkspace& w) {
  const auto count = static_cast<std::size_t>(p.contacts());
  w.piece.resize(count);
  w.slope.resize(count);
  constexpr Piece kinds[] = {Piece::resting, Piece::other, Piece::resting, Piece::open};
  for (std::size_t i = 0; i < count; ++i) {
    w.piece[i] = kinds[i % 4];
    const Index n = p.laws[i].rows;
    w.slope[i] = 0.5 * LocalMatrix::Identity(n, n);
  }
}

/// C of all constraints as a dense matrix.
MatX dense_compliance(const DelassusProblem& p, const AugmentedNewtonWorkspace& w, double alpha) {
  MatX out = MatX::Zero(p.rows(), p.rows());
  LocalMatrix C;
  for (Index i = 0; i < p.contacts(); ++i) {
    if (w.piece[i] == Piece::open) continue;
    detail::compliance(w.piece[i], w.slope[i], p.metric(i), alpha, C);
    out.block(p.G.offset[i], p.G.offset[i], C.rows(), C.cols()) = C;
  }
  return out;
}

/// du = -G (1 + C G)⁻¹ (y - λ), the dense way, by both operators; and the slope of the line search.
TEST(NewtonOperators, TakeTheStepOfTheDenseSystem) {
  const Model model = testing::standing_quadruped(2);
  Rng rng(5);
  for (const double alpha : {1.0, 1e-2, 1e-4}) {
    const VecX v = testing::random_dense(rng, model.nv, 1);
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    const DelassusProblem& p = scene.problem;
    const VecX lambda = testing::random_dense(rng, p.rows(), 1);
    const VecX image = testing::random_dense(rng, p.rows(), 1);
    const MatX G = testing::dense_of(p.G);
    AugmentedNewtonWorkspace a, b;
    detail::ExplicitOperator on_G{p, a};
    const BodyProblem problem = scene.on_bodies();
    detail::BodyOperator on_bodies{problem, b};
    for (AugmentedNewtonWorkspace* w : {&a, &b}) choose_pieces(p, *w);
    const MatX C = dense_compliance(p, a, alpha);
    const MatX system = MatX::Identity(p.rows(), p.rows()) + C * G;
    const VecX dy = -(system.partialPivLu().solve(VecX(lambda - image)));
    const VecX du = G * dy;
    const double slope = du.dot(lambda - image);
    const auto check = [&](auto& op, AugmentedNewtonWorkspace& w) {
      op.start(lambda);
      EXPECT_LE((w.u - (G * lambda + p.b)).norm(), 1e-10 * w.u.norm());
      EXPECT_NEAR(op.error(image), std::sqrt((lambda - image).dot(G * (lambda - image))),
                  1e-9 * op.momentum(lambda));
      (void)op.error(image);
      ASSERT_TRUE(op.factor(alpha, false));
      EXPECT_NEAR(op.aim(alpha), slope, 1e-8 * std::abs(slope));
      EXPECT_LE((w.du - du).norm(), 1e-8 * du.norm());
      EXPECT_NEAR(op.begun(), dy.dot(G * lambda), 1e-8 * std::abs(dy.dot(G * dy)) + 1e-8);
      EXPECT_NEAR(op.growing(), dy.dot(G * dy), 1e-8 * dy.dot(G * dy));
      const VecX before = w.u;
      op.go(0.5);
      EXPECT_LE((w.u - before - 0.5 * du).norm(), 1e-8 * du.norm());
    };
    check(on_G, a);
    check(on_bodies, b);
  }
}

}  // namespace
}  // namespace tact
