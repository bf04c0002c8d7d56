#include "tact/contact/patch_pool.hpp"

#include <gtest/gtest.h>

#include "tact/contact/contact_rows.hpp"
#include "tact/contact/surface_law.hpp"

namespace tact {
namespace {

/// A contact of this kind with these points.
SurfaceContact contact_of(PatchKind kind, const std::vector<Vec2>& points, ContactBuffer& buffer) {
  SurfaceContact c;
  c.kind = kind;
  c.first_point = static_cast<Index>(buffer.points.size());
  c.point_count = static_cast<Index>(points.size());
  c.radius = 0.3;
  c.semi_axes = Vec2(0.3, 0.2);
  buffer.points.insert(buffer.points.end(), points.begin(), points.end());
  return c;
}

TEST(PatchPool, ItsLawsAreThoseMadeAnew) {
  ContactBuffer buffer;
  const SurfaceContact contacts[] = {
      contact_of(PatchKind::point, {{0.1, 0.2}}, buffer),
      contact_of(PatchKind::segment, {{0.1, 0.2}, {-1, 0}}, buffer),
      contact_of(PatchKind::polygon, {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}, buffer),
      contact_of(PatchKind::polygon, {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}, buffer),  // clockwise
      contact_of(PatchKind::disc, {{0.1, 0}}, buffer),
      contact_of(PatchKind::ellipse, {{0.1, 0}}, buffer),
      contact_of(PatchKind::stadium, {{0.1, 0}, {1, 0}}, buffer),
  };
  PatchPool pool;
  for (int round = 0; round < 2; ++round) {
    pool.restart();
    for (const int condim : {1, 3, 6})
      for (const SurfaceContact& c : contacts) {
        PairParameters pair;
        pair.condim = condim;
        const PatchFriction model = EllipsoidAtCop{};
        const Law law = surface_law(c, buffer, pair, model);
        const LocalLaw plain = local_law(law);
        const LocalLaw pooled = surface_local_law(c, buffer, pair, model, pool);
        EXPECT_EQ(plain.kind, pooled.kind);
        EXPECT_EQ(plain.rows, pooled.rows);
        EXPECT_EQ(plain.mu, pooled.mu);
        const auto expected = twist_rows_of(plain), rows = twist_rows_of(pooled);
        EXPECT_TRUE(std::equal(rows.begin(), rows.end(), expected.begin(), expected.end()));
        ASSERT_EQ(plain.patch == nullptr, pooled.patch == nullptr);
        if (plain.patch == nullptr) continue;
        EXPECT_TRUE(plain.patch->cone == pooled.patch->cone);
        EXPECT_TRUE(plain.patch->model == pooled.patch->model);
      }
  }
}

/// Who copies a pool keeps what its laws say, whatever the first owner does next.
TEST(PatchPool, ACopyIsNotOverwritten) {
  PatchPool pool;
  const std::shared_ptr<LocalPatch> mine = pool.next();
  pool.restart();
  EXPECT_EQ(pool.next(), mine) << "used again";
  PatchPool copy = pool;
  EXPECT_NE(copy.next(), mine);
  pool.restart();
  EXPECT_NE(pool.next(), mine) << "left to the holder of the copy";
  PatchPool assigned;
  assigned = pool;
  const std::shared_ptr<LocalPatch> next = pool.next();
  pool.restart();
  EXPECT_NE(pool.next(), next);
  EXPECT_NE(assigned.next(), next);
}

}  // namespace
}  // namespace tact
