#include "tact/geom/round_minimum.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

// A ball and a box: the reach along a face is the ball's radius and the box' half length, less the
// way.
TEST(RoundMinimum, OfABallInABoxIsAtTheNearestFace) {
  CorePair pair = core_pair(
      convex_of(Ellipsoid{Vec3::Constant(0.2)}, {Mat3::Identity(), Vec3(0.3, -0.5, -0.6)}),
      convex_of(Box{Vec3(1, 2, 3)}, Pose{}));
  const Vec3 start = Vec3(-1, 0.1, 0.05).normalized();
  RoundPieces pieces;
  for (const Vec3& d : {Vec3(-1, 0.1, 0.1), Vec3(-1, -0.1, 0.1), Vec3(-1, 0.1, -0.1)})
    pieces.add(farthest_round(pair, d.normalized()));
  ASSERT_EQ(pieces.count, 3);
  const RoundMinimum m = round_minimum(pair, pieces, start, start);
  ASSERT_TRUE(m.converged);
  EXPECT_NEAR(m.value, 0.2 + 1 - 0.3, 1e-14);
  EXPECT_LE((m.d + Vec3::UnitX()).norm(), 1e-14);
  EXPECT_LE((m.w - m.value * m.d).norm(), 1e-12);
}

// What converges is stationary: no direction near by reaches less over the same pieces.
TEST(RoundMinimum, NothingNearByReachesLess) {
  Rng rng(2);
  int found = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const auto length = [&] { return rng.uniform(0.3, 1); };
    const Vec3 one(length(), length(), length()), two(length(), length(), length());
    CorePair pair = core_pair(convex_of(Ellipsoid{one}, {Mat3::Identity(), Vec3(0.1, 0.2, 0.1)}),
                              convex_of(Ellipsoid{two}, Pose{}));
    const Vec3 start = Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
    RoundPieces pieces;
    pieces.add(farthest_round(pair, start));
    const RoundMinimum m = round_minimum(pair, pieces, start, start);
    if (!m.converged) continue;  // it left the neighbourhood
    ++found;
    for (int k = 0; k < 20; ++k) {
      const Vec3 d = (m.d + 1e-3 * Vec3(rng.normal(), rng.normal(), rng.normal())).normalized();
      EXPECT_GE(d.dot(farthest_round(pair, d).w), m.value * (1 - 1e-12));
    }
  }
  EXPECT_GE(found, 5);
}

}  // namespace
}  // namespace tact
