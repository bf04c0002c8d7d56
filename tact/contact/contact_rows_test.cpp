#include "tact/contact/contact_rows.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tests/support/robots.hpp"

namespace tact {
namespace {

using testing::random_pose;
using testing::random_state;
using testing::random_tree;

/// J u is the twist of body 1 minus that of body 2 at the contact, in its axes. [Huang20] (4), (5),
/// (6)
TEST(ContactRows, AreTheRelativeTwist) {
  Rng rng(11);
  for (int round = 0; round < 100; ++round) {
    const Model m = random_tree(rng, 8);
    const State s = random_state(m, rng);
    Kinematics kin;
    forward_kinematics(m, s, kin);
    forward_velocities(m, s.qvel, kin);
    const auto bodies = static_cast<std::uint64_t>(m.bodies.size());
    const auto body1 = static_cast<Index>(rng.below(bodies));
    const auto body2 = static_cast<Index>(rng.below(bodies));
    const Pose X_WC = random_pose(rng, 1);
    SparseRows rows;
    append_contact_rows(m, kin, FrictionalPatch{}, body1, body2, X_WC, rows);
    ASSERT_EQ(rows.rows(), 6);
    const Twist T1 = point_velocity(m, kin, body1, X_WC.p);
    const Twist T2 = point_velocity(m, kin, body2, X_WC.p);
    Vec6 wanted;
    wanted << X_WC.R.transpose() * (T1.w - T2.w), X_WC.R.transpose() * (T1.v - T2.v);
    const double size = std::max({1.0, T1.w.norm(), T2.w.norm(), T1.v.norm(), T2.v.norm()});
    for (Index r = 0; r < 6; ++r)
      EXPECT_NEAR(rows.times(r, s.qvel), wanted[r], tolerance::conic * size);
  }
}

TEST(ContactRows, ALawTakesWhatItNeeds) {
  Rng rng(12);
  const Model m = random_tree(rng, 5);
  const State s = random_state(m, rng);
  Kinematics kin;
  forward_kinematics(m, s, kin);
  const Pose X_WC = random_pose(rng, 1);
  const auto rows_for = [&](const Law& law) {
    SparseRows rows;
    append_contact_rows(m, kin, law, 3, 0, X_WC, rows);
    return MatX(sparse(rows, m.nv));
  };
  const MatX all = rows_for(FrictionalPatch{});
  EXPECT_EQ(rows_for(Frictionless{}), all.bottomRows(1));
  EXPECT_EQ(rows_for(CoulombLaw{0.5}), all.bottomRows(3));
  EXPECT_EQ(rows_for(RollingLaw{0.5}), all);
  const MatX flat = rows_for(FrictionlessPatch{});
  ASSERT_EQ(flat.rows(), 3);
  EXPECT_EQ(flat.topRows(2), all.topRows(2));
  EXPECT_EQ(flat.bottomRows(1), all.bottomRows(1));
}

}  // namespace
}  // namespace tact
