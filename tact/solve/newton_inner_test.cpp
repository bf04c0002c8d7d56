#include "tact/solve/newton_inner.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_contacts.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact {
namespace {

/// Where an inner problem ends, its impulses are Π(λ0 - (αD)⁻¹u) of the velocities u = G λ + b that
/// they lead to: the proximal problem at the centre λ0, by both operators.
TEST(NewtonInner, EndsAtTheFixedPointOfTheCentre) {
  const Model model = testing::standing_quadruped(2);
  Rng rng(9);
  for (const double alpha : {1.0, 1e-2}) {
    const VecX v = testing::random_dense(rng, model.nv, 1);
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    const DelassusProblem& p = scene.problem;
    const BodyProblem on_bodies = scene.on_bodies();
    const MatX G = testing::dense_of(p.G);
    const auto check = [&](auto op, AugmentedNewtonWorkspace& w) {
      const auto count = static_cast<std::size_t>(p.contacts());
      w.image.resize(p.rows());
      w.trial.resize(p.rows());
      w.piece.resize(count);
      w.slope.resize(count);
      w.factored.resize(count);
      VecX centre = VecX::Zero(p.rows());
      detail::InnerProblem<decltype(op)> in{op, {judged(p)}, w, centre, alpha, 1};
      in.most = 100;
      in.op.start(centre);
      const auto out = in.solve(true, nullptr, 1e-11);
      EXPECT_TRUE(out.converged);
      const VecX lambda = w.image, u = G * lambda + p.b;
      EXPECT_LE((w.u - u).norm(), 1e-8 * (1 + u.norm()));
      double y[6], image[6];
      for (Index i = 0; i < p.contacts(); ++i) {
        in.argument(i, centre.data() + p.G.offset[i], u.data() + p.G.offset[i], y);
        project(p.laws[i], p.metric(i), y, image, w.local, nullptr);
        for (Index r = 0; r < p.laws[i].rows; ++r)
          EXPECT_NEAR(lambda[p.G.offset[i] + r], image[r], 1e-6 * (1 + lambda.norm()));
      }
    };
    AugmentedNewtonWorkspace a, b;
    check(detail::ExplicitOperator{p, a}, a);
    check(detail::BodyOperator{on_bodies, b}, b);
  }
}

}  // namespace
}  // namespace tact
