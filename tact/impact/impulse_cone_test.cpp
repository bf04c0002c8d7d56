// Cones as hulls: against the laws' own projections, and duals against generators.
#include "tact/impact/impulse_cone.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/cone/patch.hpp"
#include "tact/impact/products.hpp"

namespace tact {
namespace {

std::vector<Law> zoo() {
  const PatchShape square{PolygonShape{{{-0.1, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {-0.1, 0.2}}}};
  const PatchShape disc{DiscShape{{0.1, 0.05}, 0.2}};
  const PatchShape ellipse{EllipseShape{{0, 0.1}, {0.3, 0.1}, 0.4}};
  const PatchShape stadium{StadiumShape{{-0.2, 0}, {0.2, 0.1}, 0.05}};
  return {Frictionless{},
          CoulombLaw{0.5, false},
          CoulombLaw{0.5, true},
          BoxLaw{0.4},
          PyramidLaw{0.6, 5},
          RollingLaw{0.5, 0.02, 0.01},
          FrictionlessPatch{square},
          FrictionlessPatch{disc},
          FrictionlessPatch{ellipse},
          FrictionlessPatch{stadium},
          FrictionalPatch{square, 0.5, {}},
          FrictionalPatch{disc, 0.5, EllipsoidAtCop{0.1}}};
}

std::vector<double> random_rows(Rng& rng, Index n) {
  std::vector<double> out;
  for (Index k = 0; k < n; ++k) out.push_back(rng.uniform(-1, 1));
  return out;
}

ConePiece<double> random_piece(Rng& rng, const ImpulseCone<double>& cone) {
  ConePiece<double> out;
  out.weight = rng.uniform(0, 2);
  for (const auto& factor : cone.factors) {
    out.member.push_back(static_cast<Index>(rng.below(factor.hull.size())));
    const std::size_t axes = factor.hull[out.member.back()].axes.size();
    std::vector<double> s = random_rows(rng, static_cast<Index>(axes));
    double length = 0;
    for (const double x : s) length += x * x;
    for (double& x : s) x /= std::max(std::sqrt(length), 1.0);
    out.s.push_back(s);
  }
  return out;
}

TEST(ImpulseCone, PiecesAreInTheDualOfTheDual) {
  Rng rng(3);
  for (const Law& law : zoo()) {
    SCOPED_TRACE(name(law));
    const auto cone = impulse_cone<double>(law, friction_of(law));
    ASSERT_EQ(cone.rows, row_count(law));
    int inside = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<double> gamma = random_rows(rng, cone.rows);
      gamma[cone.normal] += 0.5;
      const auto piece = random_piece(rng, cone);
      ASSERT_TRUE(admissible(cone, piece, tolerance::rounding));
      const auto g = generator_of(cone, piece);
      EXPECT_EQ(g[cone.normal], 1);
      const double least = least_opening(cone, gamma);
      // No generator does worse than the worst, and that one is attained.
      EXPECT_GE(inner(g, gamma), least - tolerance::rounding);
      EXPECT_NEAR(inner(generator_of(cone, worst_piece(cone, gamma)), gamma), least,
                  tolerance::rounding);
      inside += in_dual(cone, gamma, 0.0) ? 1 : 0;
    }
    EXPECT_GT(inside, 20);
    EXPECT_LT(inside, 1980);
  }
}

TEST(ImpulseCone, RationalsDecideAsDoublesDoAwayFromTheBorder) {
  Rng rng(4);
  for (const Law& law : zoo()) {
    SCOPED_TRACE(name(law));
    const auto cone = impulse_cone<double>(law, friction_of(law));
    const auto exact = impulse_cone<Exact>(law, Exact(friction_of(law)));
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<double> gamma = random_rows(rng, cone.rows);
      gamma[cone.normal] += 0.5;
      const ExactVector same(gamma.begin(), gamma.end());
      const double value = least_opening(cone, gamma);
      if (std::abs(value) < 1e-12) continue;
      EXPECT_EQ(in_dual(exact, same), value > 0);
    }
  }
}

/// Coulomb's dual cone has a closed form; (3, 4, 5) lies on its border for mu = 1.
TEST(ImpulseCone, TheBorderIsExact) {
  const auto cone = impulse_cone<Exact>(CoulombLaw{1, false}, Exact(1));
  EXPECT_TRUE(in_dual(cone, {Exact(3), Exact(4), Exact(5)}));
  EXPECT_FALSE(in_dual(cone, {Exact(3), Exact(4), Exact(5) - Exact(1, 1000000000) / 1000000000}));
  const auto third = impulse_cone<Exact>(CoulombLaw{0.5, true}, Exact(1, 3));
  EXPECT_TRUE(in_dual(third, {Exact(3), Exact(1)}));
  EXPECT_FALSE(in_dual(third, {Exact(3), Exact(1) - Exact(1, 1000000000)}));
}

/// [MontMarin25] (11): the moments of a patch at unit load are its points, turned by a quarter.
TEST(ImpulseCone, PatchesAgreeWithTheirOwnCone) {
  Rng rng(5);
  for (const Law& law : zoo()) {
    const auto* patch = std::get_if<FrictionlessPatch>(&law);
    if (patch == nullptr) continue;
    const PatchCone own(*convex_hull_of(patch->shape));
    const auto cone = impulse_cone<double>(law, 0);
    for (int trial = 0; trial < 500; ++trial) {
      const auto g = generator_of(cone, random_piece(rng, cone));
      EXPECT_GE(own.margin(Vec3(g[0], g[1], g[2])), -tolerance::rounding);
    }
  }
}

/// Without friction only the normal rows are loaded.
TEST(ImpulseCone, OpeningLoadsNormalRowsAlone) {
  Rng rng(6);
  for (const Law& law : zoo()) {
    SCOPED_TRACE(name(law));
    const auto cone = opening_cone<double>(law);
    const RowSplit rows = row_split(law);
    for (int trial = 0; trial < 20; ++trial) {
      const auto g = generator_of(cone, random_piece(rng, cone));
      for (Index k = 0; k < rows.tangent_count; ++k) EXPECT_EQ(g[rows.tangent[k]], 0);
    }
  }
}

TEST(ImpulseCone, CornersOfPolyhedralCones) {
  EXPECT_EQ(corners(impulse_cone<double>(Frictionless{}, 0)).size(), 1U);
  EXPECT_EQ(corners(impulse_cone<double>(CoulombLaw{0.5, true}, 0.5)).size(), 2U);
  EXPECT_EQ(corners(impulse_cone<double>(CoulombLaw{0, true}, 0)).size(), 1U);
  EXPECT_EQ(corners(impulse_cone<double>(BoxLaw{0.5}, 0.5)).size(), 4U);
  EXPECT_EQ(corners(impulse_cone<double>(PyramidLaw{0.5, 7}, 0.5)).size(), 7U);
}

}  // namespace
}  // namespace tact
