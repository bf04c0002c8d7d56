#include "tact/solve/natural_newton.hpp"

#include <gtest/gtest.h>

#include "tact/solve/solve.hpp"
#include "tests/support/random_contacts.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact {
namespace {

/// N = λ - Π(λ - D⁻¹(G λ + b)) of all constraints.
VecX natural_map(const DelassusProblem& p, const MatX& G, const VecX& lambda) {
  const VecX u = G * lambda + p.b;
  VecX out = lambda;
  LocalWorkspace work;
  double y[6], image[6];
  for (Index i = 0; i < p.contacts(); ++i) {
    const Index at = p.G.offset[i];
    argument_of(p.metric(i), lambda.data() + at, u.data() + at, y);
    project(p.laws[i], p.metric(i), y, image, work, lambda.data() + at);
    for (Index r = 0; r < p.laws[i].rows; ++r) out[at + r] -= image[r];
  }
  return out;
}

/// ∂N/∂λ by central differences.
MatX slope(const DelassusProblem& p, const MatX& G, const VecX& lambda) {
  MatX out(p.rows(), p.rows());
  const double h = 1e-6 * (1e-3 + lambda.norm());
  for (Index k = 0; k < p.rows(); ++k) {
    VecX plus = lambda, minus = lambda;
    plus[k] += h;
    minus[k] -= h;
    out.col(k) = (natural_map(p, G, plus) - natural_map(p, G, minus)) / (2 * h);
  }
  return out;
}

/// A step with a small weight is Newton's on the natural map, whose slope is found by differences:
/// what the step leaves of N to first order is a share of the weight. By both operators.
TEST(NaturalNewton, StepsAsNewtonOnTheNaturalMap) {
  const Model model = testing::standing_quadruped(2);
  Rng rng(19);
  int checked = 0;
  for (int k = 0; k < 20; ++k) {
    const VecX v = testing::random_dense(rng, model.nv, 1);
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    const DelassusProblem& p = scene.problem;
    const BodyProblem on_bodies = scene.on_bodies();
    const MatX G = testing::dense_of(p.G);
    VecX start;
    SolveOptions options;
    ASSERT_EQ(solve(p, options, start).status, SolveStatus::converged);
    start += 0.05 * start.norm() * testing::random_dense(rng, p.rows(), 1);
    const VecX N = natural_map(p, G, start);
    const MatX J = slope(p, G, start);
    const auto check = [&](auto op, AugmentedNewtonWorkspace& w) {
      const auto count = static_cast<std::size_t>(p.contacts());
      w.trial.resize(p.rows());
      w.piece.resize(count);
      w.slope.resize(count);
      w.factored.resize(count);
      VecX lambda = start;
      constexpr double alpha = 1e-6;
      detail::InnerProblem<decltype(op)> in{op, {judged(p)}, w, lambda, alpha, 1};
      in.op.start(lambda);
      detail::NaturalNewton<decltype(op)> newton{in, lambda};
      ASSERT_TRUE(newton.advance());
      const VecX left = N + J * (lambda - start);
      // Beside α: rounding over α, and the differences.
      EXPECT_LE(left.norm(), 1e-3 * N.norm()) << "scene " << k;
      ++checked;
    };
    AugmentedNewtonWorkspace a, b;
    check(detail::ExplicitOperator{p, a}, a);
    check(detail::BodyOperator{on_bodies, b}, b);
  }
  EXPECT_EQ(checked, 40);
}

/// From impulses near the solution most problems take a few systems. The others, where the step
/// goes too far, are solved all the same.
TEST(NaturalNewton, ConvergesInAFewSystems) {
  const Model model = testing::standing_quadruped(2);
  Rng rng(23);
  int quick = 0;
  constexpr int runs = 20, few = 5;
  for (int k = 0; k < runs; ++k) {
    const VecX v = testing::random_dense(rng, model.nv, 1);
    const auto scene = testing::scene_rows(model, testing::bent_state(model, rng), v, 0.3);
    const DelassusProblem& p = scene.problem;
    VecX lambda;
    SolveOptions options;
    ASSERT_EQ(solve(p, options, lambda).status, SolveStatus::converged);
    lambda += 1e-4 * lambda.norm() * testing::random_dense(rng, p.rows(), 1);
    AugmentedNewtonWorkspace work;
    options.tolerance = 1e-8;
    const SolveReport report = augmented_newton(p, options, {}, work, lambda);
    EXPECT_EQ(report.status, SolveStatus::converged);
    if (report.iterations <= few) ++quick;
  }
  EXPECT_GE(quick, runs / 2);
}

}  // namespace
}  // namespace tact
