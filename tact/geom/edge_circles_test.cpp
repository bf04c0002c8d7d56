#include "tact/geom/edge_circles.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/geom/collide.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

double reach_along(CorePair& pair, const Vec3& d) {
  int one = 0, two = 0;
  return d.dot(core_support_world(pair.first, d, one)) +
         (-d).dot(core_support_world(pair.second, -d, two));
}

TEST(EdgeCircles, AnUprightCylinderInABoxLeavesThroughTheNearestSide) {
  CorePair pair = core_pair(convex_of(Cylinder{0.1, 2}, {Mat3::Identity(), Vec3(0.3, 0, 0)}),
                            convex_of(Box{Vec3(1, 2, 3)}, Pose{}));
  const Vec3 d = least_over_edges(pair, 10);
  EXPECT_NEAR(std::abs(d[0]), 1, 1e-14);
  EXPECT_NEAR(reach_along(pair, d), 1 + 0.1 - 0.3, 1e-14);  // d points against the offset
}

/// Nothing that a dense search over directions finds is below.
TEST(EdgeCircles, NoDirectionReachesLess) {
  Rng rng(7);
  for (int turn = 0; turn < 300; ++turn) {
    testing::ShapePair pair{testing::random_shape(rng, 3), testing::random_shape(rng, 4), {}, {}};
    testing::random_place(rng, turn, 0.3, pair);
    if (turn % 2 == 1) {
      std::swap(pair.first, pair.second);
      std::swap(pair.X_W1, pair.X_W2);
    }
    CorePair cores = core_pair(convex_of(pair.first, pair.X_W1), convex_of(pair.second, pair.X_W2));
    const Vec3 best = least_over_edges(cores, 1e3);
    EXPECT_NEAR(best.norm(), 1, 1e-14);
    const double least = reach_along(cores, best);
    if (!(least > 0)) continue;  // apart: of no concern
    for (int k = 0; k < 2000; ++k) {
      const Vec3 d = Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
      EXPECT_GE(reach_along(cores, d), least * (1 - 1e-13)) << turn;
    }
  }
}

}  // namespace
}  // namespace tact
