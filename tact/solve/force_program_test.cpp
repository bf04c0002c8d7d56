#include "tact/solve/force_program.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_contacts.hpp"

namespace tact {
namespace {

using End = ForceProgramAnswer::End;

/// One upright cone of friction mu and a free force along x; to carry (x, z).
ForceProgram one_foot(double mu, double x, double z) {
  ForceProgram p;
  p.A.resize(2, 3);
  p.A << 1, 0, mu, 0, 1, 0;
  p.r = Vec2(x, z);
  p.G = MatX::Zero(2, 3);
  p.G(0, 1) = p.G(1, 2) = -1;
  p.h = VecX::Zero(2);
  p.cones = {2};
  p.weight = Vec3(1, tolerance::proximal, tolerance::proximal);
  return p;
}

TEST(ForceProgram, FrictionDoesWhatItCan) {
  const ForceProgramAnswer a = solve(one_foot(0.5, 2, 1));
  ASSERT_EQ(a.end, End::found);
  EXPECT_NEAR(a.z[0], 1.5, 1e-8);  // the rest is the actuator's
  EXPECT_NEAR(a.z[1], 1, 1e-12);
  EXPECT_LE(a.miss, 1e-12);
}

TEST(ForceProgram, NothingPulls) {
  const ForceProgramAnswer a = solve(one_foot(0.5, 0.3, -1));
  ASSERT_EQ(a.end, End::infeasible);
  EXPECT_NEAR(a.ray[0], 0, 1e-9);  // free along x
  EXPECT_NEAR(a.ray[1], -1, 1e-9);
  EXPECT_NEAR(a.most, 0, 1e-9);
  EXPECT_NEAR(a.needed, 1, 1e-9);
}

TEST(ForceProgram, OutsideOfTheSpan) {
  ForceProgram p = one_foot(0.5, 1, 1);
  p.A.row(1).setZero();
  const ForceProgramAnswer a = solve(p);
  ASSERT_EQ(a.end, End::infeasible);
  EXPECT_NEAR(std::abs(a.ray[1]), 1, 1e-9);
  EXPECT_NEAR(a.needed, 1, 1e-9);
}

TEST(ForceProgram, WithoutUnknowns) {
  ForceProgram p;
  p.A = MatX::Zero(2, 0);
  p.G = MatX::Zero(0, 0);
  p.h = p.weight = VecX::Zero(0);
  p.r = Vec2(0, 0);
  EXPECT_EQ(solve(p).end, End::found);
  p.r = Vec2(3, 4);
  const ForceProgramAnswer a = solve(p);
  ASSERT_EQ(a.end, End::infeasible);
  EXPECT_NEAR(a.needed, 5, 1e-12);
}

TEST(ForceProgram, ProofsHoldForEveryAdmissiblePoint) {
  Rng rng(7);
  int refused = 0;
  for (int trial = 0; trial < 30; ++trial) {
    ForceProgram p;
    p.A = testing::random_dense(rng, 4, 5);
    p.r = testing::random_dense(rng, 4, 1);
    p.G = -MatX::Identity(5, 5);
    p.h = VecX::Zero(5);
    p.h[4] = 0.1;  // the last may be -0.1
    p.cones = {3, 1, 1};
    p.weight = VecX::Ones(5);
    const ForceProgramAnswer a = solve(p);
    ASSERT_NE(a.end, End::not_converged);
    if (a.end == End::found) continue;
    ++refused;
    EXPECT_GT(a.needed, a.most);
    for (int k = 0; k < 100; ++k) {
      VecX z = testing::random_dense(rng, 5, 1);
      z[0] = z.segment(1, 2).norm() + rng.uniform();
      z[3] = std::abs(z[3]);
      z[4] = std::max(z[4], -0.1);
      EXPECT_LE(a.ray.dot(p.A * z), a.most + 1e-7 * z.norm());
    }
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace tact
