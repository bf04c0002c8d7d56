#include "tact/impact/repair_program.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "tests/support/bodies.hpp"
#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

ImpactFrame one_contact(const Law& law) {
  ContactProblem p = free_box({}, Vec3::Zero(), Vec3::Zero());
  p.velocity[2] = -1;
  touch(p, law, Vec3(0, 0, -0.5));
  return *impact_frame(p);
}

/// Rows of the cones hold for loads inside and not for loads outside.
double margin(const RepairProgram& p, const VecX& x) {
  const VecX s = p.load_rows * x;
  double least = 1e9;
  Index at = 0;
  for (const Index size : p.load_cones) {
    least = std::min(least, s[at] - s.segment(at + 1, size - 1).norm());
    at += size;
  }
  return least;
}

/// Unknowns of a load.
VecX unknowns(const RepairProgram& p, const Vec3& load) {
  return p.to_rows.colPivHouseholderQr().solve(load);
}

TEST(RepairProgram, PolygonalConesByTheirRays) {
  const RepairProgram box = repair_program(one_contact(BoxLaw{0.5, 1}));
  EXPECT_TRUE(box.supported && box.polyhedral);
  EXPECT_EQ(box.to_rows.cols(), 4);
  EXPECT_EQ(box.load_cones, std::vector<Index>(4, 1));
  EXPECT_EQ(box.normal_cones, std::vector<Index>(1, 1));
  EXPECT_NEAR(box.columns.colwise().norm().maxCoeff(), 1, 1e-15);
  EXPECT_NEAR(box.columns.colwise().norm().minCoeff(), 1, 1e-15);
  for (Index j = 0; j < 4; ++j)
    EXPECT_NEAR(std::abs(box.to_rows(0, j)), 0.5 * box.to_rows(2, j), 1e-15);
  const RepairProgram smooth = repair_program(one_contact(CoulombLaw{0}));
  EXPECT_TRUE(smooth.polyhedral);
  EXPECT_EQ(smooth.to_rows.cols(), 1);
}

TEST(RepairProgram, DiscsAndEllipsesAsCones) {
  const RepairProgram disc = repair_program(one_contact(CoulombLaw{0.5}));
  EXPECT_TRUE(disc.supported);
  EXPECT_FALSE(disc.polyhedral);
  EXPECT_GT(margin(disc, unknowns(disc, {0.3, 0.39, 1})), 0);
  EXPECT_LT(margin(disc, unknowns(disc, {0.3, 0.41, 1})), 0);

  const Vec2 centre(0.1, -0.2);
  const RepairProgram patch =
      repair_program(one_contact(smooth_patch({EllipseShape{centre, {0.3, 0.1}, 0}})));
  EXPECT_TRUE(patch.supported);
  const auto force_at = [](const Vec2& x) { return Vec3(perp(x)[0], perp(x)[1], 1); };
  EXPECT_GT(margin(patch, unknowns(patch, force_at(centre + Vec2(0.299, 0)))), 0);
  EXPECT_LT(margin(patch, unknowns(patch, force_at(centre + Vec2(0.301, 0)))), 0);
  EXPECT_LT(margin(patch, unknowns(patch, force_at(centre + Vec2(0, 0.101)))), 0);
  // A twist that opens all of the patch, and one that closes its far end.
  const auto opening = [&](const Vec3& twist) {
    const VecX s = patch.normal_rows * twist;
    return s[0] - s.tail(2).norm();
  };
  const Vec3 level(0, 0, 1);
  EXPECT_NEAR(opening(level), 1, 1e-15);
  // v_N(x) = 1 + ω.x^perp with ω = (0, 3): 1 - 3 x_x, least at x_x = 0.4.
  EXPECT_NEAR(opening(Vec3(0, 3, 1)), 1 - 3 * 0.4, 1e-14);
}

TEST(RepairProgram, RollingAndHullsOfArcsAndEdges) {
  const RepairProgram rolling = repair_program(one_contact(RollingLaw{0.5, 0.1, 0.2}));
  EXPECT_TRUE(rolling.supported);
  EXPECT_EQ(rolling.load_cones, (std::vector<Index>{3, 3, 2}));
  // Two discs: a load in either, and velocities that open both.
  const RepairProgram stadium =
      repair_program(one_contact(smooth_patch({StadiumShape{{0, 0}, {1, 0}, 0.1}})));
  EXPECT_TRUE(stadium.supported);
  EXPECT_EQ(stadium.load_cones, (std::vector<Index>{3, 3}));
  EXPECT_EQ(stadium.normal_cones, (std::vector<Index>{3, 3}));
  const VecX s = stadium.normal_rows * Vec3(0, 3, 1);  // 1 - 3 x_x: closed from x = 1/3 on
  EXPECT_NEAR(s[0] - s.segment(1, 2).norm(), 1 - 3 * 1.1, 1e-14);
  EXPECT_NEAR(s[3] - s.segment(4, 2).norm(), 1 - 3 * 0.1, 1e-14);
}

TEST(RepairProgram, FrictionOfPatchesIsNotSupported) {
  const FrictionalPatch law{{DiscShape{Vec2::Zero(), 0.1}}, 0.5, EffectivePatch{}};
  EXPECT_FALSE(repair_program(one_contact(law)).supported);
}

}  // namespace
}  // namespace tact
