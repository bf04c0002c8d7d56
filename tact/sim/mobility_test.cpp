#include "tact/sim/mobility.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

struct Group {
  RowGroup group;
  LocalLaw law;
  Mat6 block;
};

/// A patch with friction whose six rows give way at random.
Group patch_of(Rng& rng) {
  Group out;
  out.law.kind = LawKind::patch_friction;
  out.law.rows = 6;
  out.group.row_count = 6;
  Mat6 root;
  for (Index k = 0; k < 36; ++k) root.data()[k] = rng.normal();
  out.block = root * root.transpose() + 0.1 * Mat6::Identity();
  return out;
}

TEST(Mobility, IsWhatMovesWhenHeldRowsGiveWay) {
  Rng rng(4);
  const Index N[] = {0, 1, 5}, T[] = {2, 3, 4};
  for (int k = 0; k < 50; ++k) {
    const Group g = patch_of(rng);
    const BlockMatrix::Block block(g.block.data(), 6, 6);
    Mobility m;
    ASSERT_TRUE(make_mobility(g.group, g.law, true, block, m));
    // A unit of load on the normal rows, and on the held rows what keeps them from moving.
    const Vec3 load(rng.normal(), rng.normal(), rng.normal());
    const Vec3 tied = -m.held_by_normal * load;
    Vec6 all;
    for (Index r = 0; r < 3; ++r) {
      all[N[r]] = load[r];
      all[T[r]] = tied[r];
    }
    const Vec6 u = g.block * all;
    for (const Index r : T) EXPECT_NEAR(u[r], 0, 1e-10);
    const Vec3 moved = gathered(m, u.data());
    EXPECT_LT((moved - metric_of(m).matrix() * load).norm(), 1e-10 * (1 + moved.norm()));
    EXPECT_LT((inverse_of(m) * moved - load).norm(), 1e-8 * (1 + load.norm()));
    EXPECT_NEAR(speed_scale(m) * speed_scale(m), metric_of(m).matrix(2, 2), 1e-12 * m.metric[8]);
  }
}

TEST(Mobility, OfRowsThatAreFreeIsTheirBlock) {
  Rng rng(5);
  const Group g = patch_of(rng);
  Mobility m;
  ASSERT_TRUE(make_mobility(g.group, g.law, false, BlockMatrix::Block(g.block.data(), 6, 6), m));
  EXPECT_TRUE(m.held.empty());
  EXPECT_EQ(metric_of(m).matrix(0, 2), g.block(0, 5));
  EXPECT_EQ(metric_of(m).matrix(1, 1), g.block(1, 1));
}

TEST(Mobility, RefusesRowsThatDependOnEachOther) {
  Rng rng(6);
  Group g = patch_of(rng);
  g.block.row(1) = g.block.row(0);
  g.block.col(1) = g.block.col(0);
  Mobility m;
  EXPECT_FALSE(make_mobility(g.group, g.law, true, BlockMatrix::Block(g.block.data(), 6, 6), m));
}

}  // namespace
}  // namespace tact
