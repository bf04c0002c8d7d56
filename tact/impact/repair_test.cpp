#include "tact/impact/repair.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/impact/law.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

ContactProblem corner(const VecX& e) {
  MatX W(2, 2);
  W << 1, -0.6, 0, 0.8;
  return smooth_impact(MatX::Identity(2, 2), W, {}, Vec2(-1, -0.5), e);
}

/// What every repair promises.
void expect_honest(const ContactProblem& p, const Repair& r) {
  ASSERT_EQ(r.status, RepairStatus::repaired) << r.why;
  EXPECT_LE(r.work_after, tolerance::contact_work * r.work_size);
  const auto need = repair_need(p, r.impulses);
  ASSERT_TRUE(need);
  EXPECT_FALSE(need->any()) << need->pulls << need->penetrates << need->gains;
  EXPECT_LE(momentum_residual(p, r.impulses, r.velocity), 1e-13);
}

/// C1 on the line, by the multiplier and by cones: one point.
TEST(Repair, TheCornerThatGains) {
  const ContactProblem p = corner(Vec2(1, 0));
  const ImpactOutcome gains = *apply(p, Newton{}, {});
  const Repair line = *repair(p, gains.impulses);
  expect_honest(p, line);
  EXPECT_EQ(line.method, RepairMethod::line);
  EXPECT_NEAR(line.share, 2 / std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(line.work_before, 5.0 / 32, 1e-14);
  EXPECT_NEAR(line.work_after, 0, 1e-14);
  EXPECT_LE((line.velocity - Vec2(2 / std::sqrt(5.0), 1.5 / std::sqrt(5.0))).norm(), 1e-14);
  EXPECT_NEAR(line.distance, 0.13196601125010535, 1e-14);
  const Repair nearest = *repair_to_nearest(p, gains.velocity);
  expect_honest(p, nearest);
  EXPECT_EQ(nearest.method, RepairMethod::nearest);
  EXPECT_LE((nearest.velocity - line.velocity).norm(), 1e-12);
  const Repair cones = *repair_to_nearest(p, gains.velocity, true);
  expect_honest(p, cones);
  EXPECT_LE((cones.velocity - line.velocity).norm(), 1e-7);
}

/// C5: the share times e is the largest restitution without gain.
TEST(Repair, TheRodThatGains) {
  const ContactProblem p = rod_impact({-0.8, -0.6}, {0.5, -1, 0}, 0.9, 0.5);
  const ImpactOutcome gains = *apply(p, Newton{}, {});
  const Repair line = *repair(p, gains.impulses);
  expect_honest(p, line);
  EXPECT_EQ(line.method, RepairMethod::line);
  EXPECT_NEAR(0.9 * line.share, 0.811575, 5e-7);
  ContactProblem less = p;
  less.contacts[0].restitution = 0.9 * line.share;
  const ImpactOutcome limit = *apply(less, Newton{}, {});
  EXPECT_LE((limit.impulses - line.impulses).norm(), 1e-13);
  const Repair nearest = *repair_to_nearest(p, gains.velocity);
  expect_honest(p, nearest);
  EXPECT_LE(nearest.distance, line.distance + 1e-12);
}

/// C7, two contacts with friction.
TEST(Repair, PoissonWithFrictionThatGains) {
  MatX W_N(4, 2), W_T(4, 2);
  W_N << -2, 2, 1, 1, 0, 0, 1, 2;
  W_T << -1, -2, 1, -2, 0, -2, 2, -1;
  const ContactProblem p =
      planar_impact(MatX::Identity(4, 4), W_N, W_T, Vec4(0, -2, 2, -1), Vec2(0.5, 1), 1);
  const ImpactOutcome gains = *apply(p, Poisson{}, {});
  const Repair line = *repair(p, gains.impulses);
  expect_honest(p, line);
  EXPECT_LT(line.share, 1);
  const Repair nearest = *repair_to_nearest(p, gains.velocity);
  expect_honest(p, nearest);
  // Nothing moves after the compression, so the line leads to the centre of the ball W <= 0.
  EXPECT_NEAR(nearest.distance, line.distance, 1e-9);
  const Repair cones = *repair_to_nearest(p, gains.velocity, true);
  expect_honest(p, cones);
  EXPECT_NEAR(cones.distance, nearest.distance, 1e-6);
}

/// Moreau's global e may penetrate, and equality may pull: both go to the nearest.
TEST(Repair, PenetratingAndPulling) {
  const ContactProblem p = corner(Vec2(1, 1));
  const ImpactOutcome through = *apply(p, Moreau{1}, {});
  const auto need = *repair_need(p, through.impulses);
  EXPECT_TRUE(need.penetrates);
  EXPECT_FALSE(need.gains);
  const Repair back = *repair(p, through.impulses);
  expect_honest(p, back);
  EXPECT_EQ(back.method, RepairMethod::nearest);
  EXPECT_GE(back.gamma_plus.minCoeff(), -1e-14);
  // C4: γ⁺ = -e γ⁻ at both contacts needs a pull of 15/16 and gains 9/32.
  MatX W(2, 2);
  W << 1, 0.6, 0, 0.8;
  const ContactProblem q = smooth_impact(MatX::Identity(2, 2), W, {}, Vec2(-1, 0), Vec2(1, 0));
  const Vec2 equality(41.0 / 16, -15.0 / 16);
  EXPECT_TRUE(repair_need(q, equality)->pulls);
  const Repair pushed = *repair(q, equality);
  expect_honest(q, pushed);
  EXPECT_NEAR(pushed.work_before, 9.0 / 32, 1e-14);
  EXPECT_GE(pushed.impulses.minCoeff(), 0);
}

TEST(Repair, WhatIsGoodStays) {
  const ContactProblem p = corner(Vec2(1, 0));
  const ImpactOutcome good = *apply(p, Poisson{}, {});
  const Repair r = *repair(p, good.impulses);
  EXPECT_EQ(r.status, RepairStatus::not_needed);
  EXPECT_EQ(r.method, RepairMethod::none);
  EXPECT_EQ(r.impulses, good.impulses);
  EXPECT_EQ(name(r.status), "not_needed");
  EXPECT_EQ(name(r.method), "none");
}

TEST(Repair, NoRepairWhereNothingIsAdmissible) {
  MatX W(1, 2);
  W << 1, -1;
  const ContactProblem p =
      smooth_impact(MatX::Ones(1, 1), W, Vec2(0, -1), VecX::Zero(1), VecX::Zero(2));
  const Repair line = *repair(p, Vec2(1, 0));
  EXPECT_EQ(line.status, RepairStatus::impossible) << name(line.status);
  const Repair nearest = *repair_to_nearest(p, VecX::Zero(1));
  EXPECT_EQ(nearest.status, RepairStatus::impossible);
  EXPECT_NE(nearest.why.find("jam"), std::string::npos);
}

/// Where everything separates already, no impulse takes energy: the nearest is none at all.
TEST(Repair, WhatSeparatesGetsNoImpulse) {
  for (const Law& law :
       {Law(CoulombLaw{0.5}), Law(FrictionlessPatch{{DiscShape{Vec2::Zero(), 0.3}}}),
        Law(FrictionlessPatch{{StadiumShape{{-1, 0}, {1, 0}, 0.2}}})})
    for (const double speed : {0.0, 1.0}) {
      ContactProblem p;
      p.mass = sparse(MatX(MatX::Identity(3, 3)));
      p.rows = p.mass;
      p.velocity = Vec3(0, 0, speed);
      p.contacts = {{"", law}};
      for (const Vec3& wanted : {Vec3(0, 0, speed), Vec3(1, -2, 3), Vec3(0, 0, -1)}) {
        const auto r = repair_to_nearest(p, wanted);
        ASSERT_TRUE(r) << r.error().message;
        EXPECT_EQ(r->status, RepairStatus::repaired) << r->why;
        EXPECT_TRUE(r->impulses.isZero(0));
        EXPECT_NEAR(r->distance, (wanted - p.velocity).norm(), 1e-15);
      }
    }
}

/// Rolling and hulls with arcs and edges have programs too.
TEST(Repair, RollingPointsAndStadiums) {
  ContactProblem p;
  p.mass = sparse(MatX(MatX::Identity(6, 6)));
  p.rows = p.mass;
  p.velocity = (VecX(6) << 0.5, 0.2, 1, 1, 0, -2).finished();
  p.contacts = {{"", RollingLaw{0.4, 0.1, 0.05}}};
  const VecX wild = (VecX(6) << -1, 0, 2, 3, 0, 4).finished();
  expect_honest(p, *repair_to_nearest(p, wild));
  ContactProblem q;
  q.mass = sparse(MatX(MatX::Identity(3, 3)));
  q.rows = q.mass;
  q.velocity = Vec3(0.5, -1, -2);
  q.contacts = {{"", FrictionlessPatch{{StadiumShape{{-1, 0}, {1, 0}, 0.2}}}}};
  expect_honest(q, *repair_to_nearest(q, Vec3(1, 2, 5)));
}

TEST(Repair, UnusableDataIsRefused) {
  const ContactProblem p = corner(Vec2(1, 0));
  EXPECT_FALSE(repair(p, VecX::Ones(3)));
  EXPECT_FALSE(repair_to_nearest(p, VecX::Ones(3)));
  EXPECT_FALSE(repair_on_line(p, VecX::Ones(2), VecX::Ones(1)));
}

/// Every violating outcome of the frictionless laws, on a line where it only gains.
TEST(Repair, RandomImpactsWithoutFriction) {
  Rng rng(11);
  int lines = 0, nearest = 0;
  for (int k = 0; k < 400; ++k) {
    ContactProblem p = random_impact(rng, {true, true, k % 4 == 1, false});
    for (const ImpactLaw& law : {ImpactLaw(Newton{}), ImpactLaw(Moreau{1}), ImpactLaw(Fremond{})}) {
      const ImpactOutcome out = *apply(p, law, {});
      if (out.status != ImpactStatus::solved) continue;
      if (!repair_need(p, out.impulses)->any()) continue;
      const Repair r = *repair(p, out.impulses);
      expect_honest(p, r);
      (r.method == RepairMethod::line ? lines : nearest) += 1;
      const Repair best = *repair_to_nearest(p, out.velocity);
      expect_honest(p, best);
      EXPECT_LE(best.distance, r.distance * (1 + 1e-9));
    }
  }
  EXPECT_GE(lines, 5);
  EXPECT_GE(nearest, 50);
}

/// Discs: the box that lands with Newton's law and spins.
TEST(Repair, RandomImpactsWithExactFriction) {
  Rng rng(12);
  int gained = 0;
  for (int k = 0; k < 150; ++k) {
    const Crate box{1, rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1)};
    ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
    for (double& v : p.velocity) v = rng.normal();
    p.velocity[2] -= 1;
    touch(p, CoulombLaw{rng.uniform(0.3, 1)}, feet(box)[0]);
    p.contacts[0].restitution = rng.uniform(0.8, 1);
    const ImpactOutcome out = *apply(p, Newton{}, {});
    ASSERT_EQ(out.status, ImpactStatus::solved);
    if (!repair_need(p, out.impulses)->gains) continue;
    ++gained;
    const Repair line = *repair(p, out.impulses);
    expect_honest(p, line);
    EXPECT_EQ(line.method, RepairMethod::line);
    const Repair best = *repair_to_nearest(p, out.velocity);
    expect_honest(p, best);
    EXPECT_LE(best.distance, line.distance * (1 + 1e-6));
  }
  EXPECT_GE(gained, 5);
}

/// A disc against its inscribed polygon of many corners: nearly the same repair.
TEST(Repair, RoundPatch) {
  const Crate box{1, 0.3, 0.3, 0.4};
  const auto with = [&](const PatchShape& shape) {
    ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
    p.velocity << 0.1, 0.2, -1, 2.1, 1.3, 0.7;
    touch(p, smooth_patch(shape), Vec3(0, 0, -box.half_height));
    VecX wild = p.velocity;
    wild[2] += 4;
    Repair r = *repair_to_nearest(p, wild);
    expect_honest(p, r);
    return r;
  };
  PolygonShape polygon;
  constexpr int corners = 128;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    polygon.points.emplace_back(0.3 * std::cos(angle), 0.3 * std::sin(angle));
  }
  const Repair round = with({DiscShape{Vec2::Zero(), 0.3}});
  const Repair many = with({polygon});
  EXPECT_NEAR(round.distance, many.distance, 1e-3);
  EXPECT_LE((round.velocity - many.velocity).norm(), 5e-3);
}

}  // namespace
}  // namespace tact
