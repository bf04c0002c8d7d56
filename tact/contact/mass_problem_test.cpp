#include "tact/contact/mass_problem.hpp"

#include <gtest/gtest.h>

#include "tact/contact/delassus.hpp"
#include "tests/support/random_problems.hpp"

namespace tact {
namespace {

/// Restitution, excitation and smooth impulses: everything that enters b.
ContactProblem rich_problem(Rng& rng, bool planar) {
  ContactProblem p = testing::random_coulomb(rng, true, planar, 4);
  p.velocity = testing::random_vector(rng, p.dof());
  p.dt = 0.01;
  for (Contact& c : p.contacts) {
    c.restitution = rng.uniform();
    c.gap = 1e-3 * rng.normal();
    c.stabilisation = rng.uniform();
  }
  return p;
}

TEST(MassProblem, AgreesWithTheReductionOnVelocitiesMetricsAndTheJudge) {
  Rng rng(11);
  for (int k = 0; k < 60; ++k) {
    const ContactProblem given = rich_problem(rng, k % 2 == 0);
    const auto mass = mass_problem(given);
    const auto reduced = reduce(given);
    ASSERT_TRUE(mass && reduced);
    const VecX lambda = testing::random_vector(rng, mass->rows());
    VecX v, u, expected;
    velocities(*mass, lambda, v, u);
    multiply(reduced->G, lambda, expected);
    expected += reduced->b;
    // The two ways round differ by rounding times the condition of a random mass matrix.
    EXPECT_LE((u - expected).norm(), tolerance::regime * expected.norm());
    EXPECT_LE((v - velocity_after(given, lambda)).norm(), tolerance::regime * v.norm());
    EXPECT_LE((mass->b - reduced->b).norm(), tolerance::regime * reduced->b.norm());
    for (std::size_t i = 0; i < reduced->metric_values.size(); ++i)
      EXPECT_NEAR(mass->metric_values[i], reduced->metric_values[i],
                  tolerance::regime * std::abs(reduced->metric_values[i]) + tolerance::regime);
    LocalWorkspace work;
    const Residual direct = residual(judged(*mass), lambda, u, work);
    const Residual judged_reduced = residual(*reduced, lambda);
    EXPECT_NEAR(direct.natural, judged_reduced.natural, tolerance::face * judged_reduced.natural);
    EXPECT_NEAR(*direct.fc3d, *judged_reduced.fc3d, tolerance::face * *judged_reduced.fc3d);
  }
}

TEST(MassProblem, RefusesADelassusProblem) {
  Rng rng(12);
  const auto refused = mass_problem(testing::random_coulomb(rng, false, false, 2));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("mass is missing"), std::string::npos);
}

}  // namespace
}  // namespace tact
