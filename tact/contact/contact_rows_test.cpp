#include "tact/contact/contact_rows.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/contact/constraint_rows.hpp"
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
    ConstraintRows rows;
    add_twist_rows(m, kin, body1, body2, X_WC.R, X_WC.p, X_WC.p, rows);
    ASSERT_EQ(rows.rows, 6);
    const VecX relative = sparse(m, rows) * s.qvel;
    const Twist T1 = point_velocity(m, kin, body1, X_WC.p);
    const Twist T2 = point_velocity(m, kin, body2, X_WC.p);
    Vec6 wanted;
    wanted << X_WC.R.transpose() * (T1.w - T2.w), X_WC.R.transpose() * (T1.v - T2.v);
    const double size = std::max({1.0, T1.w.norm(), T2.w.norm(), T1.v.norm(), T2.v.norm()});
    for (Index r = 0; r < 6; ++r) EXPECT_NEAR(relative[r], wanted[r], tolerance::conic * size);
  }
}

TEST(ContactRows, ALawTakesWhatItNeeds) {
  using Rows = std::vector<Index>;
  const auto rows_for = [](const Law& law) {
    const std::span<const Index> rows = twist_rows_of(local_law(law));
    return Rows(rows.begin(), rows.end());
  };
  const PatchShape shape{DiscShape{Vec2::Zero(), 1}};
  EXPECT_EQ(rows_for(FrictionalPatch{shape}), (Rows{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(rows_for(RollingLaw{0.5}), (Rows{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(rows_for(CoulombLaw{0.5}), (Rows{3, 4, 5}));
  EXPECT_EQ(rows_for(Frictionless{}), (Rows{5}));
  EXPECT_EQ(rows_for(FrictionlessPatch{shape}), (Rows{0, 1, 5}));
}

}  // namespace
}  // namespace tact
