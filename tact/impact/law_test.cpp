#include "tact/impact/law.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/impact/frictional.hpp"
#include "tact/impact/impact.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

ImpactOutcome impact(const ContactProblem& p, const ImpactLaw& law, const ImpactOptions& o = {}) {
  const auto out = apply(p, law, o);
  EXPECT_TRUE(out) << out.error().message;
  return *out;
}

/// A ball of mass m that falls on the ground at 1 m/s.
ContactProblem ball(double mass, double e) {
  return smooth_impact(MatX::Constant(1, 1, mass), MatX::Ones(1, 1), {}, -VecX::Ones(1),
                       VecX::Constant(1, e));
}

TEST(ImpactLaw, NamesGoBothWays) {
  for (const char* word : {"moreau", "newton", "newton_clamped", "poisson", "fremond",
                           "generalized_reflections", "sequential"}) {
    const auto law = impact_law(word);
    ASSERT_TRUE(law) << word;
    EXPECT_EQ(name(*law), word);
  }
  const auto none = impact_law("hertz");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("newton_clamped"), std::string::npos);
  EXPECT_EQ(name(ImpactStatus::does_not_end), "does_not_end");
}

TEST(ImpactLaw, OneBallHasOneRestitution) {
  for (const double e : {0.0, 0.3, 0.75, 1.0}) {
    const ContactProblem p = ball(2, e);
    for (const ImpactLaw& law :
         {ImpactLaw(Newton{}), ImpactLaw(NewtonClamped{}), ImpactLaw(Poisson{}),
          ImpactLaw(Fremond{}), ImpactLaw(Sequential{}), ImpactLaw(Moreau{e})}) {
      const ImpactOutcome out = impact(p, law);
      EXPECT_EQ(out.status, ImpactStatus::solved) << name(law);
      EXPECT_NEAR(out.velocity[0], e, 1e-15) << name(law);
      EXPECT_NEAR(out.impulses[0], 2 * (1 + e), 1e-14) << name(law);
      EXPECT_NEAR(out.work, -(1 - e * e), 1e-14) << name(law);
      EXPECT_LE(out.momentum_residual, 1e-15);
    }
  }
  EXPECT_NEAR(impact(ball(2, 0), GeneralizedReflections{}).velocity[0], 1, 1e-15);
  EXPECT_NEAR(impact(ball(2, 0), GeneralizedReflections{0.25}).velocity[0], 0.25, 1e-15);
}

/// γ⁺ = γ⁻ (2/k - G)/(2/k + G) while it is not below zero.
TEST(ImpactLaw, FremondWithAGivenK) {
  const double mass = 2, G = 0.5;
  for (const double k : {1.0, 4.0, 10.0, 1e3}) {
    const double c = 2 / k;
    const double wanted = std::max(0.0, -(c - G) / (c + G));
    EXPECT_NEAR(impact(ball(mass, 0.7), Fremond{k}).velocity[0], wanted, 1e-15) << k;
  }
}

TEST(ImpactLaw, NothingHappensWithoutApproach) {
  ContactProblem p = ball(1, 1);
  p.velocity[0] = 0.5;
  for (const ImpactLaw& law :
       {ImpactLaw(Moreau{1}), ImpactLaw(Newton{}), ImpactLaw(NewtonClamped{}), ImpactLaw(Poisson{}),
        ImpactLaw(Fremond{}), ImpactLaw(GeneralizedReflections{}), ImpactLaw(Sequential{})}) {
    const ImpactOutcome out = impact(p, law);
    EXPECT_EQ(out.status, ImpactStatus::solved);
    EXPECT_EQ(out.velocity, p.velocity);
    EXPECT_EQ(out.work, 0);
  }
}

/// The smooth impulse acts first: a hammer on a resting mass that bounces. [Glocker] Sec. 5
TEST(ImpactLaw, TheSmoothImpulseComesFirst) {
  ContactProblem p = ball(1, 0.5);
  p.velocity[0] = 0;
  p.impulse = -VecX::Ones(1);
  for (const ImpactLaw& law :
       {ImpactLaw(Newton{}), ImpactLaw(Poisson{}), ImpactLaw(Sequential{})}) {
    const ImpactOutcome out = impact(p, law);
    EXPECT_NEAR(out.gamma_minus[0], -1, 1e-16);
    EXPECT_NEAR(out.velocity[0], 0.5, 1e-15);
    EXPECT_NEAR(out.impulses[0], 1.5, 1e-15);
    EXPECT_NEAR(out.work, -0.375, 1e-15);
    EXPECT_LE(out.momentum_residual, 1e-15);
  }
}

TEST(ImpactLaw, AJamComesWithItsRay) {
  // A fixed wall and one that comes at 1 m/s, a ball between them.
  MatX W(1, 2);
  W << 1, -1;
  const ContactProblem p =
      smooth_impact(MatX::Ones(1, 1), W, Vec2(0, -1), VecX::Zero(1), VecX::Ones(2));
  for (const ImpactLaw& law :
       {ImpactLaw(Moreau{0}), ImpactLaw(Newton{}), ImpactLaw(NewtonClamped{}), ImpactLaw(Poisson{}),
        ImpactLaw(Fremond{}), ImpactLaw(GeneralizedReflections{}), ImpactLaw(Sequential{})}) {
    const ImpactOutcome out = impact(p, law);
    EXPECT_EQ(out.status, ImpactStatus::no_solution) << name(law);
    ASSERT_EQ(out.ray.size(), 2) << name(law);
    EXPECT_GE(out.ray.minCoeff(), 0);
    EXPECT_NEAR(out.ray[0], out.ray[1], 1e-15);
    EXPECT_LT(p.excitation.dot(out.ray), 0);
    EXPECT_NE(out.why.find("jam"), std::string::npos);
    EXPECT_EQ(out.velocity, p.velocity);
  }
}

/// C2: a fixed wall, one that recedes at 1 m/s, a ball that comes at 2 m/s with e = 1.
TEST(ImpactLaw, TargetsMayContradictEachOther) {
  MatX W(1, 2);
  W << 1, -1;
  const ContactProblem p =
      smooth_impact(MatX::Ones(1, 1), W, Vec2(0, 1), VecX::Constant(1, -2), VecX::Ones(2));
  const ImpactOutcome none = impact(p, NewtonClamped{});
  EXPECT_EQ(none.status, ImpactStatus::no_solution);
  EXPECT_NE(none.why.find("contradict"), std::string::npos);
  EXPECT_NEAR(none.ray[0], none.ray[1], 1e-15);
  EXPECT_LT(none.gamma_minus.dot(none.ray) - Vec2(2, 0).dot(none.ray), 0);  // targets 2 and 0
  const ImpactOutcome through = impact(p, Newton{});
  EXPECT_NEAR(through.velocity[0], 2, 1e-15);
  EXPECT_NEAR(through.gamma_plus[1], -1, 1e-15);
  const ImpactOutcome poisson = impact(p, Poisson{});
  EXPECT_NEAR(poisson.velocity[0], 1, 1e-15);
  EXPECT_NEAR(poisson.work, -0.5, 1e-15);
  EXPECT_NEAR(impact(p, GeneralizedReflections{}).velocity[0], 0, 1e-15);
}

/// C3: both walls move at 1 m/s, the ball bounces between them at once and for ever.
TEST(ImpactLaw, ReflectionsThatDoNotEnd) {
  MatX W(1, 2);
  W << 1, -1;
  const ContactProblem p =
      smooth_impact(MatX::Ones(1, 1), W, Vec2(-1, 1), VecX::Zero(1), VecX::Ones(2));
  for (const ImpactLaw& law : {ImpactLaw(GeneralizedReflections{}), ImpactLaw(Sequential{})}) {
    const ImpactOutcome out = impact(p, law);
    EXPECT_EQ(out.status, ImpactStatus::does_not_end) << name(law);
    EXPECT_GE(out.events, 3);
    EXPECT_LE(out.events, 10);
    ASSERT_EQ(out.ray.size(), 2);
    EXPECT_GE(out.ray.minCoeff(), 0);
    EXPECT_NEAR((W * out.ray)[0], 0, 1e-15);
    EXPECT_NEAR(p.excitation.dot(out.ray), 0, 1e-15 * out.ray.sum());
  }
  const ImpactOutcome plastic = impact(p, Moreau{});
  EXPECT_NEAR(plastic.velocity[0], 1, 1e-15);
  EXPECT_NEAR(plastic.work, -0.5, 1e-15);
}

/// The same with losses never ends either, and does not repeat itself.
TEST(ImpactLaw, ReflectionsThatDieOutInASlit) {
  MatX W(1, 2);
  W << 1, -1;
  const ContactProblem p =
      smooth_impact(MatX::Ones(1, 1), W, Vec2(-1, 1), VecX::Zero(1), VecX::Constant(2, 0.999));
  const ImpactOutcome out = impact(p, Sequential{});
  EXPECT_EQ(out.status, ImpactStatus::does_not_end);
  EXPECT_EQ(out.events, 24);
}

/// A small ball between a wall and one 10^6 times as heavy: as many impacts as π has digits for.
TEST(ImpactLaw, ManyImpactsInARow) {
  MatX W(2, 2);
  W << 1, -1, 0, 1;
  const ContactProblem p =
      smooth_impact(Vec2(1, 1e6).asDiagonal(), W, {}, Vec2(0, -1), VecX::Ones(2));
  for (const ImpactLaw& law : {ImpactLaw(Sequential{}), ImpactLaw(GeneralizedReflections{})}) {
    const ImpactOutcome out = impact(p, law);
    EXPECT_EQ(out.status, ImpactStatus::solved) << name(law);
    EXPECT_EQ(out.events, 3141) << name(law);
    EXPECT_LE(std::abs(out.work), 1e-11 * out.work_size);
  }
  ImpactOptions few;
  few.max_events = 100;
  EXPECT_EQ(impact(p, Sequential{}, few).status, ImpactStatus::not_converged);
}

/// C1. [Glocker] Sec. 3
TEST(ImpactLaw, NewtonGainsWhereAContactOpens) {
  MatX W(2, 2);
  W << 1, -0.6, 0, 0.8;
  ContactProblem p = smooth_impact(MatX::Identity(2, 2), W, {}, Vec2(-1, -0.5), Vec2(1, 0));
  const ImpactOutcome newton = impact(p, Newton{});
  EXPECT_LE((newton.velocity - Vec2(1, 0.75)).norm(), 1e-14);
  EXPECT_LE((newton.impulses - Vec2(47.0 / 16, 25.0 / 16)).norm(), 1e-14);
  EXPECT_NEAR(newton.work, 5.0 / 32, 1e-14);
  const ImpactOutcome poisson = impact(p, Poisson{});
  EXPECT_LE((poisson.velocity - Vec2(0.88, 0.66)).norm(), 1e-14);
  EXPECT_NEAR(poisson.work, -0.02, 1e-14);
  for (Contact& c : p.contacts) c.restitution = 1;
  EXPECT_NEAR(impact(p, NewtonClamped{}).work, 5.0 / 32, 1e-14);
  const ImpactOutcome moreau = impact(p, Moreau{1});
  EXPECT_NEAR(moreau.gamma_plus[1], -0.2, 1e-14);
  EXPECT_NEAR(moreau.work, 0, 1e-14);
}

/// C5, a rod with Newton's law and sticking friction. Rows [t, n].
TEST(ImpactLaw, NewtonWithFrictionGains) {
  const ContactProblem p = rod_impact({-0.8, -0.6}, {0.5, -1, 0}, 0.9, 0.5);
  const ImpactOutcome out = impact(p, Newton{});
  EXPECT_EQ(out.status, ImpactStatus::solved);
  EXPECT_NEAR(out.impulses[1], 0.808, 1e-13);
  EXPECT_NEAR(out.impulses[0], 0.319, 1e-13);
  EXPECT_NEAR(out.work, 787.0 / 20000, 1e-13);
  EXPECT_LE(impact(p, Poisson{}).work, 0);
}

/// C6, an impact without collision: three answers of Poisson's law, and that they are several is
/// said.
TEST(ImpactLaw, PainlevesRodHasSeveralAnswers) {
  const ContactProblem p = rod_impact({-0.6, -0.8}, {-1, 0, 0}, 0.5, 1.5);
  ImpactOptions options;
  options.count_solutions = true;
  const ImpactOutcome quiet = impact(p, Poisson{}, options);
  EXPECT_EQ(quiet.status, ImpactStatus::solved);
  EXPECT_EQ(quiet.impulses, VecX::Zero(2));
  ASSERT_TRUE(quiet.solutions);
  EXPECT_GE(*quiet.solutions, 2);
  options.start = Vec2(0.52, 0.36);
  const ImpactOutcome inelastic = impact(p, Moreau{}, options);
  EXPECT_LE((inelastic.impulses - Vec2(0.52, 0.36)).norm(), 1e-14);
  EXPECT_NEAR(inelastic.work, -0.26, 1e-14);
  const ImpactOutcome lifts = impact(p, Poisson{}, options);
  EXPECT_LE((lifts.compression - Vec2(0.52, 0.36)).norm(), 1e-14);
  EXPECT_NEAR(lifts.impulses[1], 0.54, 1e-14);
  EXPECT_NEAR(lifts.impulses[0], 0.52 + 1.44 * 0.18 / 2.92, 1e-14);
  EXPECT_NEAR(lifts.work, -0.23780821917808226, 1e-14);
  EXPECT_GT(lifts.gamma_plus[1], 0.1);
}

/// C7: Poisson with friction at two contacts gains.
TEST(ImpactLaw, PoissonWithFrictionAtTwoContactsGains) {
  MatX W_N(4, 2), W_T(4, 2);
  W_N << -2, 2, 1, 1, 0, 0, 1, 2;
  W_T << -1, -2, 1, -2, 0, -2, 2, -1;
  const ContactProblem p =
      planar_impact(MatX::Identity(4, 4), W_N, W_T, Vec4(0, -2, 2, -1), Vec2(0.5, 1), 1);
  const ImpactOutcome out = impact(p, Poisson{});
  ASSERT_EQ(out.status, ImpactStatus::solved) << out.why;
  EXPECT_LE((out.compression - Vec4(-6, 6, 1, 4)).norm(), 1e-12);
  EXPECT_LE((out.impulses - out.compression - Vec4(-3, 3, 23.0 / 13, 4)).norm(), 1e-12);
  EXPECT_NEAR(out.work, 106.0 / 13, 1e-11);
}

TEST(ImpactLaw, LawsThatAreUndefinedSaySo) {
  const ContactProblem rod = rod_impact({-0.6, -0.8}, {-1, -1, 0}, 0.5, 0.3);
  for (const ImpactLaw& law :
       {ImpactLaw(Moreau{0.5}), ImpactLaw(NewtonClamped{}), ImpactLaw(Fremond{}),
        ImpactLaw(GeneralizedReflections{}), ImpactLaw(Sequential{})}) {
    const ImpactOutcome out = impact(rod, law);
    EXPECT_EQ(out.status, ImpactStatus::undefined_for_law) << name(law);
    EXPECT_FALSE(out.why.empty());
    EXPECT_EQ(out.velocity, rod.velocity);
  }
  EXPECT_EQ(impact(ball(1, 1.5), Fremond{}).status, ImpactStatus::undefined_for_law);
  EXPECT_EQ(impact(ball(1, 1.5), Newton{}).status, ImpactStatus::solved);
}

TEST(ImpactLaw, BoundedRowsAreRefusedEverywhere) {
  ContactProblem p;
  p.mass = sparse(MatX::Identity(1, 1));
  p.velocity = VecX::Constant(1, -1);
  p.rows = sparse(MatX::Ones(2, 1));
  p.contacts = {{"ground", Frictionless{}}, {"friction", BoundedLaw{-1, 1}}};
  constexpr const char* sentence =
      "contacts[1] is a bounded row, and impacts know contacts that push and rub alone; eliminate "
      "equations, leave forces out";
  const auto applied = apply(p, Moreau{}, {});
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, sentence);
  for (const auto& found : {newton_impact(p, {}), poisson_impact(p, {})}) {
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, sentence);
  }
  p.outcome.emplace().velocity = VecX::Zero(1);
  const auto judged = tact::impact(p);
  ASSERT_FALSE(judged);
  EXPECT_EQ(judged.error().message, sentence);
  EXPECT_EQ(exact_impact(p, {}).error().message, sentence);
}

TEST(ImpactLaw, UnusableDataIsRefused) {
  EXPECT_FALSE(apply(ball(1, 0), Moreau{-1}, {}));
  EXPECT_FALSE(apply(ball(1, 0), GeneralizedReflections{1.5}, {}));
  EXPECT_FALSE(apply(ball(1, 0), Fremond{0.0}, {}));
  EXPECT_FALSE(apply(ball(-1, 0), Newton{}, {}));
  ContactProblem delassus;
  delassus.contacts.resize(1);
  delassus.delassus = sparse(MatX::Ones(1, 1));
  delassus.free_velocity = -VecX::Ones(1);
  const auto refused = apply(delassus, Newton{}, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("mass form"), std::string::npos);
}

/// A box that lands on its face: a polygon moves as its corners do, whatever the law.
TEST(ImpactLaw, APolygonIsItsCorners) {
  Rng rng(5);
  for (int k = 0; k < 100; ++k) {
    const Crate box{1 + rng.uniform(), rng.uniform(0.1, 1), rng.uniform(0.1, 1),
                    rng.uniform(0.1, 1)};
    ContactProblem patch = free_box(box, Vec3::Zero(), Vec3::Zero());
    for (double& v : patch.velocity) v = rng.normal();
    patch.velocity[2] -= 1;
    ContactProblem points = patch;
    touch(patch, smooth_patch(face(box)), Vec3(0, 0, -box.half_height));
    for (const Vec3& foot : feet(box)) touch(points, Frictionless{}, foot);
    const double e = rng.uniform();
    for (Contact& c : patch.contacts) c.restitution = e;
    for (Contact& c : points.contacts) c.restitution = e;
    for (const ImpactLaw& law : {ImpactLaw(Moreau{0}), ImpactLaw(Moreau{e}), ImpactLaw(Newton{}),
                                 ImpactLaw(NewtonClamped{}), ImpactLaw(Poisson{}),
                                 ImpactLaw(Fremond{4.0}), ImpactLaw(GeneralizedReflections{})}) {
      const ImpactOutcome a = impact(patch, law), b = impact(points, law);
      ASSERT_EQ(a.status, b.status) << name(law);
      EXPECT_LE((a.velocity - b.velocity).norm(), 1e-12 * (1 + b.velocity.norm())) << name(law);
      EXPECT_NEAR(a.work, b.work, 1e-12 * (1 + b.work_size)) << name(law);
    }
  }
}

/// By default k belongs to the contact, not to its corners: a patch has its restitution, however
/// the mass lies above it.
TEST(ImpactLaw, FremondGivesAPatchItsRestitution) {
  Rng rng(6);
  int flat = 0;
  for (int k = 0; k < 100; ++k) {
    const Crate box{1 + rng.uniform(), rng.uniform(0.1, 1), rng.uniform(0.1, 1),
                    rng.uniform(0.1, 1)};
    ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
    p.velocity.setZero();
    p.velocity[2] = -1;
    if (k % 2 == 1)  // tilts, but every corner approaches
      for (Index r = 3; r < 6; ++r) p.velocity[r] = rng.uniform(-0.2, 0.2);
    // The face moved aside, the centre of mass still above it.
    touch(p, smooth_patch(face(box)),
          Vec3(rng.uniform(-0.9, 0.9) * box.half_width, rng.uniform(-0.9, 0.9) * box.half_depth,
               -box.half_height));
    const double e = p.contacts[0].restitution = rng.uniform();
    const ImpactOutcome out = impact(p, Fremond{}), moreau = impact(p, Moreau{e});
    ASSERT_EQ(out.status, ImpactStatus::solved);
    EXPECT_LE((out.velocity - moreau.velocity).norm(), 1e-13 * (1 + moreau.velocity.norm()));
    if (k % 2 == 1) continue;
    EXPECT_LE((out.velocity + e * p.velocity).norm(), 1e-13) << e;
    ++flat;
  }
  EXPECT_EQ(flat, 50);
}

/// Two walls at an angle, struck equally fast: the first of the list goes first.
TEST(ImpactLaw, TheOrderOfTheContactsDecidesTiesOfSequential) {
  const double half = std::numbers::pi / 8;
  MatX normals(2, 2);  // one a column
  normals << std::cos(half), std::cos(half), std::sin(half), -std::sin(half);
  const auto struck = [](const MatX& columns) {
    return impact(smooth_impact(MatX::Identity(2, 2), columns, {}, Vec2(-1, 0), Vec2(0.5, 0.5)),
                  Sequential{});
  };
  const ImpactOutcome one = struck(normals), other = struck(normals.rowwise().reverse());
  ASSERT_EQ(one.status, ImpactStatus::solved);
  ASSERT_EQ(other.status, ImpactStatus::solved);
  EXPECT_GT(one.velocity[1], 0.5) << "away from the first";
  EXPECT_NEAR(one.velocity[0], other.velocity[0], 1e-15);
  EXPECT_NEAR(one.velocity[1], -other.velocity[1], 1e-15) << "the mirror image";
}

/// The inscribed n-gon tends to the disc as 1/n².
TEST(ImpactLaw, APolygonTendsToTheDisc) {
  const Crate box{1, 0.3, 0.3, 0.4};
  for (const ImpactLaw& law :
       {ImpactLaw(Moreau{0}), ImpactLaw(Moreau{0.5}), ImpactLaw(Newton{}), ImpactLaw(Poisson{})}) {
    const auto with = [&](const PatchShape& shape) {
      ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
      p.velocity << 0.1, 0.2, -1, 2.1, 1.3, 0.7;
      touch(p, smooth_patch(shape), Vec3(0, 0, -box.half_height));
      p.contacts[0].restitution = 0.6;
      const ImpactOutcome out = impact(p, law);
      EXPECT_EQ(out.status, ImpactStatus::solved) << name(law) << ": " << out.why;
      EXPECT_LE(out.work, tolerance::contact_work * out.work_size);
      return out.velocity;
    };
    const VecX disc = with({DiscShape{Vec2::Zero(), 0.3}});
    double last = 0;
    for (const int n : {16, 64, 256, 1024}) {
      PolygonShape polygon;
      for (int k = 0; k < n; ++k) {
        const double angle = 2 * std::numbers::pi * k / n + 0.1;
        polygon.points.emplace_back(0.3 * std::cos(angle), 0.3 * std::sin(angle));
      }
      const double error = (with({polygon}) - disc).norm();
      EXPECT_LE(error, 40.0 / (n * n)) << name(law) << " " << n;
      last = error;
    }
    EXPECT_LE(last, 4e-5) << name(law);
  }
  ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
  p.velocity[2] = -1;
  touch(p, smooth_patch({DiscShape{Vec2::Zero(), 0.3}}), Vec3(0, 0, -box.half_height));
  EXPECT_EQ(impact(p, Sequential{}).status, ImpactStatus::undefined_for_law);
}

}  // namespace
}  // namespace tact
