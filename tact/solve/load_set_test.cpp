#include "tact/solve/load_set.hpp"

#include <gtest/gtest.h>

#include "tests/support/actuated.hpp"

namespace tact {
namespace {

using testing::rectangle;

const double ones[] = {1, 1, 1, 1, 1, 1};

LoadSet set_of(const LocalLaw& law, const std::vector<double>& u,
               const PressurePattern& pattern = {}) {
  return load_set(law, {u.data(), ones, tolerance::regime}, pattern);
}

TEST(LoadSet, OfAPoint) {
  const LocalLaw law = local_law(CoulombLaw{0.5});
  EXPECT_EQ(set_of(law, {0, 0, 1}).E.cols(), 0);  // opens
  const LoadSet rest = set_of(law, {0, 0, 0});
  EXPECT_EQ(rest.cones, std::vector<Index>{3});
  const LoadSet slides = set_of(law, {3, 4, 0});
  ASSERT_EQ(slides.E.cols(), 1);
  EXPECT_LE((slides.E.col(0) - Vec3(-0.3, -0.4, 1)).norm(), 1e-15);
  EXPECT_EQ(approach(law, std::vector<double>{0, 0, -2}.data()), 2);
}

TEST(LoadSet, OfABoundedRow) {
  const LocalLaw law = local_law(BoundedLaw{-2, 3});
  const LoadSet rest = set_of(law, {0});
  ASSERT_EQ(rest.E.cols(), 1);
  EXPECT_EQ(rest.cones, (std::vector<Index>{1, 1}));
  for (const double y : {-2.0, 0.5, 3.0}) EXPECT_GE((rest.C * y + rest.h).minCoeff(), 0);
  for (const double y : {-2.1, 3.1}) EXPECT_LT((rest.C * y + rest.h).minCoeff(), 0);
  EXPECT_EQ(set_of(law, {1}).E.cols(), 0);
  EXPECT_EQ(set_of(law, {1}).constant[0], -2) << "against the motion";
  EXPECT_EQ(set_of(law, {-1}).constant[0], 3);
  EXPECT_EQ(approach(law, std::vector<double>{-4}.data()), 0);
  const LocalLaw equation = local_law(BoundedLaw{});
  EXPECT_EQ(set_of(equation, {0}).E.cols(), 1);
  EXPECT_TRUE(set_of(equation, {0}).cones.empty());
  EXPECT_EQ(approach(equation, std::vector<double>{-4}.data()), 4) << "nothing lets it move";
}

TEST(LoadSet, CornersThatOpposeTheMotion) {
  const LocalLaw law = local_law(BoxLaw{0.5, 1});
  EXPECT_EQ(set_of(law, {0, 0, 0}).E.cols(), 4);
  EXPECT_EQ(set_of(law, {1, 0, 0}).E.cols(), 2);  // any force across
  const LoadSet corner = set_of(law, {1, 1, 0});
  ASSERT_EQ(corner.E.cols(), 1);
  EXPECT_LE((corner.E.col(0) - Vec3(-0.5, -0.5, 1)).norm(), 1e-15);
}

TEST(LoadSet, WhatStaysClosedOfAPatch) {
  const LocalLaw law = local_law(FrictionlessPatch{rectangle(2, 1)});
  EXPECT_EQ(set_of(law, {0, 0, 0}).E.cols(), 4);
  // v_N(x) = v_N + g.x with g = (1, 0), ω_T = g^perp = (0, -1): zero on the edge x = -2.
  const LoadSet edge = set_of(law, {0, -1, 2});
  ASSERT_EQ(edge.E.cols(), 2);
  for (Index k = 0; k < 2; ++k) EXPECT_NEAR(edge.E.col(k).dot(Vec3(0, -1, 2)), 0, 1e-15);
  EXPECT_EQ(set_of(law, {0, -1, 3}).E.cols(), 0);
  const LocalLaw disc = local_law(FrictionlessPatch{{DiscShape{{0, 0}, 1}}});
  EXPECT_EQ(set_of(disc, {0, 0, 0}).cones, std::vector<Index>{3});
  EXPECT_EQ(set_of(disc, {0, -1, 1}).E.cols(), 1);
}

TEST(LoadSet, FrozenFrictionIsExactOnItsOwnRay) {
  // All loads of the set with the pattern's centre rub as the friction set of that load does.
  for (const PatchFriction& model :
       {PatchFriction(EffectivePatch{}), PatchFriction(EllipsoidAtCop{}),
        PatchFriction(VertexModel{})}) {
    const LocalLaw law = local_law(FrictionalPatch{rectangle(2, 1), 0.5, model});
    PressurePattern pattern;
    pattern.known = true;
    pattern.c = Vec2(0.7, -0.2);
    const LoadSet set = set_of(law, {0, 0, 0.6, 0.3, -0.4, 0}, pattern);
    EXPECT_TRUE(set.frozen);
    ASSERT_EQ(set.E.cols(), 4);
    VecX y(4);  // shares of the corners with this centre: bilinear
    const Vec2 t(0.7 / 2, -0.2);
    for (Index k = 0; k < 4; ++k) {
      const Vec2 corner = perp(-set.E.col(k).head<2>());
      y[k] = 3 * (1 + t[0] * corner[0] / 2) * (1 + t[1] * corner[1]) / 4;
      EXPECT_TRUE(law.patch->cone.hull().contains(0.999 * corner));
    }
    const VecX load = set.E * y;
    EXPECT_NEAR(load[5], 3, 1e-12);
    const FrictionSet exact =
        make_friction_set(model, law.patch->cone.hull(), NormalLoad::at(pattern.c, 3), law.mu);
    const Vec3 tau(0.3, -0.4, 0.6);
    EXPECT_LE((Vec3(load[3], load[4], load[2]) - exact.force(tau)).norm(), 1e-10);
    PressurePattern next;
    update_pattern(law, set, y, next);
    EXPECT_LE((next.c - pattern.c).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace tact
