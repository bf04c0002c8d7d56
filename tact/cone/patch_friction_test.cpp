#include "tact/cone/patch_friction.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"

namespace tact {
namespace {

PlanarSet rectangle(double a, double b) {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{-a, -b}, {a, -b}, {a, b}, {-a, b}});
}

/// The torque that resists spin about c, over mu f.
double spin_radius(const PatchFriction& model, const PlanarSet& hull, const Vec2& c) {
  return make_friction_set(model, hull, NormalLoad::at(c, 1), 1).support({c[1], -c[0], 1});
}

TEST(PatchFriction, SpinRadiiOfTheModels) {
  const PlanarSet square = rectangle(1, 1);
  const Vec2 o = Vec2::Zero();
  EXPECT_NEAR(spin_radius(EffectivePatch{}, square, o), 0.7652, 0.011 * 0.7652) << "to 1.1 %";
  EXPECT_NEAR(spin_radius(EllipsoidAtCop{}, square, o), 0.7652 * 1.006, 1e-3);
  EXPECT_NEAR(spin_radius(EllipsoidAtCop{0.25}, square, o), 0.25, 1e-15);
  EXPECT_NEAR(spin_radius(VertexModel{}, square, o), std::numbers::sqrt2, 1e-14);
  // Off centre the effective patch shrinks: measured figures of the model for e = .2, .5, .8.
  EXPECT_NEAR(spin_radius(EffectivePatch{NodePattern::four_eight}, square, {0.2, 0}), 0.695, 0.01);
  EXPECT_NEAR(spin_radius(EffectivePatch{NodePattern::four_eight}, square, {0.5, 0}), 0.594, 0.01);
  EXPECT_NEAR(spin_radius(EffectivePatch{NodePattern::four_eight}, square, {0.8, 0}), 0.521, 0.01);
}

TEST(PatchFriction, DegeneratesToLineAndPointFriction) {
  const PlanarSet square = rectangle(1, 1);
  for (const NodePattern p :
       {NodePattern::one_six, NodePattern::four_eight, NodePattern::four_eight_twelve}) {
    const EffectivePatch model{p};
    // On an edge: a line of length two, a quarter of which is the spin radius; nodes are 5 %
    // coarse.
    EXPECT_NEAR(spin_radius(model, square, {1, 0}), 0.5, 0.04);
    EXPECT_EQ(spin_radius(model, square, {1, 1}), 0);
    // Continuously.
    for (const double depth : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
      EXPECT_NEAR(spin_radius(model, square, {1 - depth, 0}), spin_radius(model, square, {1, 0}),
                  2 * depth);
      EXPECT_NEAR(spin_radius(model, square, {1 - depth, 1 - depth}), 0, 2 * depth);
    }
    EXPECT_NEAR(make_friction_set(model, square, NormalLoad::at({1, 1}, 3), 0.5).support({3, 4, 0}),
                7.5, 1e-14);
  }
}

TEST(PatchFriction, WithoutFrictionOrForceThereIsNothing) {
  FrictionWorkspace work;
  const PlanarSet square = rectangle(1, 1);
  const Winkler bed = *Winkler::from_nodes({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {1, 1, 1, 1},
                                           {0.1, 0.1, 0.1, 0.1});
  for (const PatchFriction& model :
       {PatchFriction(EffectivePatch{}), PatchFriction(EllipsoidAtCop{}),
        PatchFriction(VertexModel{}), PatchFriction(bed)}) {
    for (const auto& [f, mu] : {std::pair(2.0, 0.0), std::pair(0.0, 0.5)}) {
      const FrictionSet set = make_friction_set(model, square, NormalLoad::at({0.1, 0}, f), mu);
      EXPECT_EQ(set.support({1, 2, 3}), 0);
      EXPECT_EQ(set.force({1, 2, 3}), Vec3::Zero());
      const FrictionSolution s = set.solve(Mat3::Identity(), {1, 2, 3}, work);
      EXPECT_EQ(s.T, Vec3::Zero());
      EXPECT_EQ(s.tau, Vec3(1, 2, 3));
    }
  }
}

TEST(PatchFriction, TakesTheLoadFromAWrench) {
  const NormalLoad load = NormalLoad::from_wrench({0.6, -0.4, 2});  // m_T = f c^perp
  EXPECT_TRUE((load.s / load.f).isApprox(Vec2(0.2, 0.3)));
}

TEST(PatchFriction, EllipsoidIsNotConvexInTheLoadAndVerticesAre) {
  // σ of the sum of two loads against the sum of σ: subadditive for one node at the centre of
  // pressure (no conic form), superadditive for the vertex model.
  const PlanarSet square = rectangle(1, 1);
  const NormalLoad a = NormalLoad::at({0.8, 0}, 1), b = NormalLoad::at({-0.8, 0}, 1);
  const NormalLoad sum{a.s + b.s, a.f + b.f};
  const Vec3 spin(0, 0, 1);
  const auto sigma = [&](const PatchFriction& model, const NormalLoad& load) {
    return make_friction_set(model, square, load, 1).support(spin);
  };
  EXPECT_LT(sigma(EllipsoidAtCop{0.0}, sum),
            0.1 * (sigma(EllipsoidAtCop{0.0}, a) + sigma(EllipsoidAtCop{0.0}, b)));
  EXPECT_GE(sigma(VertexModel{}, sum) + 1e-14, sigma(VertexModel{}, a) + sigma(VertexModel{}, b));
}

TEST(PatchFriction, ReusesItsMemory) {
  PatchFrictionWorkspace work;
  FrictionSet set;
  const PlanarSet square = rectangle(1, 1);
  make_friction_set(EffectivePatch{}, square, NormalLoad::at({0.1, 0.2}, 1), 0.5, work, set);
  const FrictionNode* memory = set.nodes().data();
  const double before = set.support({1, 2, 3});
  make_friction_set(EllipsoidAtCop{}, square, NormalLoad::at({0, 0}, 7), 0.5, work, set);
  make_friction_set(EffectivePatch{}, square, NormalLoad::at({0.1, 0.2}, 1), 0.5, work, set);
  EXPECT_EQ(set.nodes().data(), memory);
  EXPECT_EQ(set.support({1, 2, 3}), before);
}

TEST(PatchFriction, RefusesNegativeAndUndefinedNumbers) {
  const PlanarSet square = rectangle(1, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)make_friction_set(EffectivePatch{}, square, {Vec2::Zero(), -1}, 1),
               ContractViolation);
  EXPECT_THROW((void)make_friction_set(EffectivePatch{}, square, {Vec2::Zero(), 1}, -1),
               ContractViolation);
  EXPECT_THROW((void)make_friction_set(EffectivePatch{}, square, {Vec2(nan, 0), 1}, 1),
               ContractViolation);
  EXPECT_THROW((void)make_friction_set(EllipsoidAtCop{-1.0}, square, {Vec2::Zero(), 1}, 1),
               ContractViolation);
}

/// The quick test of stick never says yes to a load outside, and says yes to most that are well
/// inside.
TEST(PatchFriction, ClearlyInsideIsInside) {
  Rng rng(8);
  const PatchFriction models[] = {EffectivePatch{}, EffectivePatch{NodePattern::four_eight},
                                  EllipsoidAtCop{}, EllipsoidAtCop{0.1}, VertexModel{}};
  int clear = 0, small = 0, small_and_clear = 0;
  for (int k = 0; k < 3000; ++k) {
    const PatchFriction& model = models[k % 5];
    const PlanarSet hull = k % 3 == 0 ? PlanarSet::ellipse(ellipse_form({0.1, 0}, {0.5, 0.2}, 0.3))
                                      : rectangle(rng.uniform(0.1, 1), rng.uniform(0.1, 1));
    const double share = rng.uniform(0, 1.1);
    const NormalLoad load =
        NormalLoad::at(share * hull.support({rng.normal(), rng.normal()}), rng.uniform(0.1, 3));
    const Vec3 T = rng.uniform(0, 1.5) * Vec3(rng.normal(), rng.normal(), 0.1 * rng.normal());
    const bool yes = clearly_in_friction_set(model, hull, load, 0.6, T);
    if (!hull.contains(load.s / load.f)) {
      EXPECT_FALSE(yes);
      continue;
    }
    const double gauge = make_friction_set(model, hull, load, 0.6).gauge(T);
    if (yes) {
      EXPECT_LE(gauge, 1 + 1e-12);
    }
    clear += yes ? 1 : 0;
    if (gauge < 0.1 && share < 0.5 && k % 5 < 4) {
      ++small;
      small_and_clear += yes ? 1 : 0;
    }
  }
  EXPECT_GT(clear, 200);
  EXPECT_GT(small, 50);
  EXPECT_GT(small_and_clear, small / 2);
  EXPECT_FALSE(clearly_in_friction_set(EffectivePatch{}, rectangle(1, 1), {}, 0.6, Vec3::Zero()));
}

/// The centre of pressure on an edge, as of a face that tips: a small load about the middle of the
/// edge is held for sure, and what is said to be held is.
TEST(PatchFriction, ClearlyInsideOnAnEdge) {
  Rng rng(9);
  const PatchFriction models[] = {EffectivePatch{}, EffectivePatch{NodePattern::four_eight},
                                  EllipsoidAtCop{}};
  int clear = 0;
  constexpr int cases = 600;
  for (int k = 0; k < cases; ++k) {
    const PatchFriction& model = models[k % 3];
    const double a = rng.uniform(0.1, 1), b = rng.uniform(0.1, 1);
    const PlanarSet hull = rectangle(a, b);
    // Rounding may put it to either side of the edge.
    const Vec2 p = hull.vertices()[0], q = hull.vertices()[1];
    const double at = rng.uniform(0, 1), off = (k % 4 - 1.5) * 1e-17;
    const Vec2 c = p + at * (q - p) + off * perp(q - p);
    const NormalLoad load = NormalLoad::at(c, rng.uniform(0.1, 3));
    const Vec2 force = rng.uniform(0, 0.8) * load.f * Vec2(rng.normal(), rng.normal()).normalized();
    const double moment = 0.03 * load.f * (q - p).norm() * rng.normal();
    const Vec3 T(force[0], force[1], cross(c, force) + moment);
    if (!clearly_in_friction_set(model, hull, load, 0.6, T)) continue;
    ++clear;
    EXPECT_LE(make_friction_set(model, hull, load, 0.6).gauge(T), 1 + 1e-12);
  }
  EXPECT_GT(clear, cases / 4);
  // At a corner nothing holds a moment; beyond the edge nothing holds.
  const PlanarSet hull = rectangle(1, 1);
  const Vec2 corner = hull.vertices()[0];
  EXPECT_FALSE(clearly_in_friction_set(EffectivePatch{}, hull, NormalLoad::at(corner, 1), 0.6,
                                       Vec3(0.1, 0, -0.1 * corner[1] + 0.01)));
  const Vec2 beyond = 1.001 * (hull.vertices()[0] + hull.vertices()[1]) / 2;
  EXPECT_FALSE(clearly_in_friction_set(EffectivePatch{}, hull, NormalLoad::at(beyond, 1), 0.6,
                                       Vec3(0.1, 0, -0.1 * beyond[1])));
}

}  // namespace
}  // namespace tact
