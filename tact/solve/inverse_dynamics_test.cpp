#include "tact/solve/inverse_dynamics.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tact/solve/inverse_parts.hpp"
#include "tests/support/actuated.hpp"

namespace tact {
namespace {

using testing::Actuated;
using testing::box_on;
using testing::forward;
using testing::rectangle;
using testing::speed;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double g = 9.81, mass = 2, dt = 0.01, weight = mass * g;
const MatX passive = MatX::Zero(6, 0);

InverseReport inverse(const Actuated& a) {
  auto report = inverse_dynamics(a.problem, a.wish);
  EXPECT_TRUE(report.has_value());
  return report ? *report : InverseReport{};
}

Law effective_face(double mu) {
  return FrictionalPatch{rectangle(0.2, 0.1), mu, EffectivePatch{}};
}

TEST(InverseDynamics, BoxStandsWithoutActuators) {
  Actuated a = box_on(effective_face(0.5), 0.1, passive);
  a.problem.impulse[3] = 0.4 * weight * dt * 0.1;  // moves the centre of pressure
  a.wish.velocity = VecX::Zero(6);
  const InverseReport r = inverse(a);
  ASSERT_EQ(r.status, InverseStatus::solved);
  EXPECT_EQ(name(r.status), "solved");
  EXPECT_NEAR(r.lambda[5], weight * dt, 1e-12);
  ASSERT_EQ(r.labels.size(), 1U);
  EXPECT_EQ(r.labels[0].regime, Regime::stick);
  EXPECT_NEAR((*r.labels[0].cop)[1], -0.04, 1e-9);
  EXPECT_LE(r.motion_error, 1e-12);
}

TEST(InverseDynamics, ActuatorsRestWhereTheFaceCarries) {
  Actuated a = box_on(effective_face(0.5), 0.1, MatX::Identity(6, 6));
  a.wish.velocity = VecX::Zero(6);
  const InverseReport r = inverse(a);
  ASSERT_EQ(r.status, InverseStatus::solved);
  // The regularisation makes the actuators lift its own share.
  EXPECT_LE(r.tau.norm(), 10 * tolerance::proximal * weight);
}

TEST(InverseDynamics, BoxTipsAboutAnEdge) {
  Actuated a = box_on(effective_face(0.8), 0.1, MatX::Identity(6, 6));
  // ω_y = 1 about the edge x = 0.2: the bottom there stays where it is.
  a.wish.velocity = VecX::Zero(6);
  a.wish.velocity[4] = 1;
  a.wish.velocity[0] = 0.1;
  a.wish.velocity[2] = 0.2;
  const InverseReport r = inverse(a);
  ASSERT_EQ(r.status, InverseStatus::solved);
  EXPECT_LE(r.residual.figure(), 1e-12);
  ASSERT_GT(r.lambda[5], 0);
  EXPECT_EQ(r.labels[0].regime, Regime::tip_edge);
  EXPECT_NEAR((*r.labels[0].cop)[0], 0.2, 1e-9);
  const VecX u = forward(a, r.tau);
  ASSERT_EQ(u.size(), 6);
  EXPECT_LE(speed(a.problem, u - a.wish.velocity), 1e-9 * speed(a.problem, u));
}

TEST(InverseDynamics, SlidingBoxSlowsDownByFrictionAlone) {
  const double mu = 0.3, h = 0.1;
  for (const PatchFriction& model :
       {PatchFriction(EffectivePatch{}), PatchFriction(EllipsoidAtCop{}),
        PatchFriction(VertexModel{})}) {
    Actuated a = box_on(FrictionalPatch{rectangle(0.2, 0.1), mu, model}, h, passive);
    a.problem.velocity[0] = 1;
    a.wish.velocity = a.problem.velocity;
    a.wish.velocity[0] -= mu * g * dt;
    const InverseReport r = inverse(a);
    ASSERT_EQ(r.status, InverseStatus::solved);
    EXPECT_NEAR(r.lambda[3], -mu * weight * dt, 1e-10);
    EXPECT_EQ(r.labels[0].regime, Regime::slide);
    EXPECT_NEAR((*r.labels[0].cop)[0], mu * h, 1e-9);

    a.wish.velocity[0] += mu * g * dt / 2;  // half the friction is no friction of sliding
    const InverseReport half = inverse(a);
    EXPECT_EQ(half.status, InverseStatus::infeasible);
    EXPECT_EQ(half.obstacle, InverseObstacle::friction);
    EXPECT_EQ(half.contact, 0);
    EXPECT_NEAR(half.amount, 0.5, 1e-4);
  }
}

/// Actuators that act on nothing are no actuators, bounded or not.
TEST(InverseDynamics, IdleActuatorsChangeNothing) {
  Rng rng(5);
  for (int k = 0; k < 80; ++k) {
    Actuated a = box_on(effective_face(k % 2 == 0 ? 0.5 : 0), 0.1, passive);
    a.wish.velocity = VecX::Zero(a.problem.dof());
    if (k % 4 > 0) a.wish.velocity[k % 3] = rng.normal();
    if (k % 5 == 0) a.problem.velocity[2] = rng.normal();
    const InverseReport without = inverse(a);
    a.wish.actuation = MatX::Zero(a.problem.dof(), static_cast<Index>(1 + rng.below(3)));
    const InverseReport with = inverse(a);
    EXPECT_EQ(with.status, without.status) << k;
    EXPECT_EQ(with.obstacle, without.obstacle) << k;
    EXPECT_LE(with.tau.norm(), 10 * tolerance::proximal * weight) << k;
  }
}

TEST(InverseDynamics, SeparatingContactsCarryNothing) {
  Actuated a = box_on(effective_face(0.5), 0.1, MatX::Identity(6, 6));
  a.wish.velocity = VecX::Zero(6);
  a.wish.velocity[2] = 0.05;
  const InverseReport r = inverse(a);
  ASSERT_EQ(r.status, InverseStatus::solved);
  EXPECT_EQ(r.lambda.norm(), 0);
  EXPECT_NEAR(r.tau[2], weight + mass * 0.05 / dt, 1e-10);
  EXPECT_EQ(r.labels[0].regime, Regime::separate);
}

TEST(InverseDynamics, PenetrationIsRefused) {
  Actuated a = box_on(effective_face(0.5), 0.1, MatX::Identity(6, 6));
  a.wish.velocity = VecX::Zero(6);
  a.wish.velocity[2] = -0.3;
  InverseReport r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::penetration);
  EXPECT_EQ(r.contact, 0);
  EXPECT_NEAR(r.amount, 0.3, 1e-12);
  EXPECT_EQ(r.reason, "contact \"face\" would be penetrated at 0.3 m/s");
  a.problem.contacts[0].gap = 0.3 * dt;  // a gap it may just close
  r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::solved);
}

TEST(InverseDynamics, PullIsRefused) {
  Actuated a = box_on(effective_face(0.5), 0.1, passive);
  a.problem.impulse[2] = 12 * dt;
  a.wish.velocity = VecX::Zero(6);
  InverseReport r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::pull);
  EXPECT_NEAR(r.amount, 12, 1e-3);
  EXPECT_EQ(r.reason, "contact \"face\" would have to pull with 12 N");
  EXPECT_GT(r.ray_needed, r.ray_most);
  EXPECT_LT(r.ray[2], 0);  // nothing pushes down

  a.problem.impulse[2] = -weight * dt;
  a.wish.velocity[2] = 0.01;  // opens, and nothing else lifts it
  r = inverse(a);
  EXPECT_EQ(r.obstacle, InverseObstacle::pull);
  EXPECT_NE(r.reason.find("opens and would still have to push"), std::string::npos);
}

TEST(InverseDynamics, CentreOfPressureBeyondTheFaceIsRefused) {
  Actuated a = box_on(FrictionlessPatch{rectangle(0.2, 0.1)}, 0.1, passive);
  MatX J = MatX::Zero(3, 6);
  J(0, 3) = J(1, 4) = J(2, 2) = 1;
  a.problem.rows = sparse(J);
  a.problem.impulse[4] = 1.5 * 0.2 * weight * dt;
  a.wish.velocity = VecX::Zero(6);
  const InverseReport r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::pull);
  EXPECT_TRUE(r.ray_is_proof);
  EXPECT_NE(r.reason.find("centred outside"), std::string::npos);
}

TEST(InverseDynamics, MoreThanFrictionIsRefused) {
  const double mu = 0.4;
  Actuated a = box_on(CoulombLaw{mu}, 0, passive);
  MatX J = MatX::Zero(3, 6);
  J.leftCols(3).setIdentity();
  a.problem.rows = sparse(J);
  a.problem.contacts[0].name = "toe";
  a.problem.impulse[0] = 1.3 * mu * weight * dt;
  a.wish.velocity = VecX::Zero(6);
  InverseReport r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::friction);
  EXPECT_NEAR(r.amount, 1.3, 1e-4);
  EXPECT_EQ(r.reason, "friction of contact \"toe\" would have to be 1.3 times its bound");
  EXPECT_TRUE(r.ray_is_proof);
  a.problem.impulse[0] = 0.99 * mu * weight * dt;
  r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::solved);

  // A patch: spinning is bounded too.
  Actuated b = box_on(effective_face(mu), 0.1, passive);
  b.wish.velocity = VecX::Zero(6);
  b.problem.impulse[5] = mu * weight * dt;  // an arm of one metre: the face has a tenth of it
  r = inverse(b);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::friction);
  EXPECT_GT(r.amount, 5);
}

/// Two joints without contacts.
Actuated two_joints() {
  Actuated a;
  a.problem.mass = sparse(MatX::Identity(2, 2));
  a.problem.velocity = VecX::Zero(2);
  a.problem.impulse = Vec2(-310, 20) * dt;
  a.problem.rows = SparseMatrix(0, 2);
  a.problem.dt = dt;
  a.wish.velocity = VecX::Zero(2);
  a.wish.actuation = MatX::Identity(2, 2);
  a.wish.actuator_names = {"knee", "ankle"};
  return a;
}

TEST(InverseDynamics, MoreThanAnActuatorIsRefused) {
  Actuated a = two_joints();
  a.wish.lower = Vec2(-150, -infinity);
  a.wish.upper = Vec2(150, infinity);
  const InverseReport r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::actuator);
  EXPECT_EQ(r.actuator, 0);
  EXPECT_NEAR(r.amount, 310.0 / 150, 1e-4);
  EXPECT_EQ(r.reason, "actuator \"knee\" would need 310, its limit is 150");
  // The proof, by hand: along d the knee gives 150 h d and 310 h d is needed.
  EXPECT_NEAR(r.ray_needed / r.ray_most, 310.0 / 150, 1e-4);
  a.wish.upper[0] = 310;
  EXPECT_EQ(inverse(a).status, InverseStatus::solved);
}

TEST(InverseDynamics, WhatNothingMovesIsNamed) {
  Actuated a = two_joints();
  a.wish.actuation = a.wish.actuation.leftCols(1).eval();
  a.wish.dof_names = {"knee", "base"};
  const InverseReport r = inverse(a);
  EXPECT_EQ(r.status, InverseStatus::infeasible);
  EXPECT_EQ(r.obstacle, InverseObstacle::direction);
  EXPECT_NE(r.reason.find("\"base\""), std::string::npos);
  EXPECT_NE(r.reason.find("at most 0, but 20 is needed"), std::string::npos) << r.reason;
  EXPECT_LE((a.wish.actuation.transpose() * r.ray).norm(), 1e-12 * r.ray.norm());
  EXPECT_TRUE(r.ray_is_proof);
}

TEST(InverseDynamics, WeightsChooseBetweenActuators) {
  Actuated a = two_joints();
  a.wish.actuation = MatX::Identity(2, 3);
  a.wish.actuation(0, 2) = 1;  // two share the first joint
  a.wish.weight = Vec3(1, 1, 4);
  const InverseReport r = inverse(a);
  ASSERT_EQ(r.status, InverseStatus::solved);
  EXPECT_NEAR(r.tau[0], 248, 1e-6);
  EXPECT_NEAR(r.tau[2], 62, 1e-6);
  EXPECT_NEAR(r.cost, 0.5 * (248 * 248 + 20 * 20 + 4 * 62 * 62), 1e-3);
}

/// A bound above alone, below -1: the other one is not there, and no number stands for it.
TEST(InverseDynamics, ABoundMayStandAlone) {
  Actuated a = two_joints();
  a.wish.actuation = -MatX::Identity(2, 2);
  a.wish.upper = Vec2(-5, 30);
  const InverseReport r = inverse(a);
  ASSERT_EQ(r.status, InverseStatus::solved);
  EXPECT_NEAR(r.tau[0], -310, 1e-6);
  EXPECT_NEAR(r.tau[1], 20, 1e-6);
}

TEST(InverseDynamics, RefusesWhatDoesNotFit) {
  const Actuated good = two_joints();
  const auto refused = [](const Actuated& a, const char* word) {
    const auto r = inverse_dynamics(a.problem, a.wish);
    ASSERT_FALSE(r.has_value());
    EXPECT_NE(r.error().message.find(word), std::string::npos) << r.error().message;
  };
  Actuated a = good;
  a.wish.velocity = VecX::Zero(3);
  refused(a, "velocity");
  a = good;
  a.wish.actuation = MatX::Zero(3, 1);
  refused(a, "actuation");
  a = good;
  a.problem.dt = 0;
  refused(a, "dt");
  a = good;
  a.wish.upper = VecX::Ones(3);
  refused(a, "upper");
  a = good;
  a.wish.weight = Vec2(1, 0);
  refused(a, "weight");
  a = good;
  a.wish.lower = Vec2(1, 1);
  a.wish.upper = Vec2(0, 2);
  refused(a, "lower");
}

TEST(InverseDynamics, ShortNumbers) {
  EXPECT_EQ(short_number(12.3456), "12.3");
}

}  // namespace
}  // namespace tact
