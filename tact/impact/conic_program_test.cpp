#include "tact/impact/conic_program.hpp"

#include <gtest/gtest.h>

#include "tact/impact/generator_columns.hpp"
#include "tests/support/explained_impacts.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-9;

TEST(ConicProgram, BothSidesOfABoundMeet) {
  Rng rng(2);
  const std::vector<Law> laws{CoulombLaw{0.5, false}, RollingLaw{0.4, 0.1, 0.2}};
  const auto impact = random_impact(laws, 6, false, rng).impact;
  const EnergyForm form(impact);
  for (const int sign : {1, -1}) {
    if (!(widest_opening(impact, form, impact.cone, form.gamma, sign).margin > 0)) continue;
    const ConicEnd end = conic_end(impact, form, form.change, sign);
    const auto lambda = impulses_of(impact, end.impulses);
    EXPECT_LE((form.a * view(lambda) - form.change).norm(), rounding * form.change.norm());
    // W(λ) = F(b): γ(z).λ = -change.w.
    const double attained = form.gamma.dot(view(lambda)), proved = -form.change.dot(end.w);
    EXPECT_NEAR(attained, proved, rounding * form.gamma.cwiseAbs().dot(view(lambda).cwiseAbs()));
  }
}

TEST(ConicProgram, WidestOpeningOrARay) {
  // Two plates face each other; a body between them.
  const std::vector<Law> laws{CoulombLaw{0.5, false}, CoulombLaw{0.5, false}};
  const std::vector<std::vector<double>> rows{{1, 0, 0}, {0, 1, 0},  {0, 0, 1},
                                              {1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  auto impact = impact_of(laws, 1, rows, {0, 0, 1, 0, 0, 1}, {0, 0, 0}, {0, 0, 0});
  {
    const EnergyForm form(impact);
    EXPECT_NEAR(widest_opening(impact, form, impact.cone, form.gamma, 1).margin, 1, rounding);
    EXPECT_NEAR(widest_opening(impact, form, impact.cone, form.gamma, -1).margin, -1, rounding);
  }
  impact.excitation = {0, 0, -1, 0, 0, -1};
  const EnergyForm form(impact);
  const auto closing = widest_opening(impact, form, impact.cone, form.gamma, 1);
  EXPECT_NEAR(closing.margin, -1, rounding);
  const auto y = impulses_of(impact, closing.ray);
  EXPECT_LE((form.a * view(y)).norm(), rounding);
  EXPECT_NEAR(form.gamma.dot(view(y)), -1, rounding);
}

TEST(ExactColumns, PyramidInRationalsAsInDoubles) {
  const std::vector<Law> laws{PyramidLaw{0.5, 4, false}};
  const auto impact = impact_of(laws, 1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, 0, 0}, {0, 0, -1},
                                {0.25, 0.125, 0});
  const auto exact = exactly(impact, laws);
  const auto columns = exact_columns(exact, exact.cone, contact_velocity(exact, exact.free));
  EXPECT_EQ(columns.piece.size(), 4U);
  const auto least = exact_bound(exact, columns, exact.after, false);
  ASSERT_EQ(least.end, WorkBound<Exact>::End::finite);
  // One contact, full rank: λ = d, W = ½|d|² + γ(z).d.
  EXPECT_EQ(least.low, Exact(1, 2) * (Exact(1, 16) + Exact(1, 64) + 1) - Exact(1, 4) - 1);
  EXPECT_EQ(explained(exact, least.impulses), exact.after);
  // Beyond the pyramid nothing explains it.
  const ExactVector far{Exact(1), Exact(0), Exact(0)};
  EXPECT_EQ(exact_bound(exact, columns, far, false).end, WorkBound<Exact>::End::none);
}

}  // namespace
}  // namespace tact
