// Forward and inverse dynamics undo each other, whatever the laws, the scale and the actuators; and
// where a linear program can tell, it agrees on what is possible.
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/poly/simplex.hpp"
#include "tests/support/actuated.hpp"

namespace tact {
namespace {

using testing::Actuated;
using testing::forward;
using testing::random_dense;
using testing::random_robot;
using testing::rectangle;
using testing::speed;
using testing::standing_robot;

std::vector<Law> point_laws() {
  return {Frictionless{}, CoulombLaw{0.4}, CoulombLaw{0.5, true}, BoxLaw{0.6}, PyramidLaw{0.4, 5}};
}
std::vector<Law> patch_laws() {
  return {FrictionlessPatch{rectangle(0.2, 0.1)},
          FrictionlessPatch{{DiscShape{{0, 0}, 0.2}}},
          FrictionlessPatch{{StadiumShape{{-0.1, 0}, {0.1, 0}, 0.05}}},
          FrictionalPatch{rectangle(0.2, 0.1), 0.4, EffectivePatch{}},
          FrictionalPatch{{DiscShape{{0, 0}, 0.2}}, 0.4, EffectivePatch{}},
          FrictionalPatch{rectangle(0.2, 0.1), 0.3, EllipsoidAtCop{}},
          RollingLaw{0.4, 0.05, 0.03}};
}

/// A bounded row on every actuated joint, impulses up to `bound`.
void add_joint_friction(Actuated& a, double bound) {
  ContactProblem& p = a.problem;
  const Index joints = a.wish.actuation.cols(), old = p.rows.rows(), n = p.dof();
  MatX rows = MatX::Zero(old + joints, n);
  rows.topRows(old) = MatX(p.rows);
  rows.bottomRightCorner(joints, joints).setIdentity();
  p.rows = sparse(rows);
  for (Index k = 0; k < joints; ++k)
    p.contacts.push_back({"joint " + std::to_string(k), BoundedLaw{-bound, bound}});
}

/// Forces, forward to a motion, back to forces, forward again: the same motion. Relative to the
/// larger of the motion and what the step would do without contacts.
void there_and_back(const Actuated& given, const VecX& tau, double bound, int& done) {
  Actuated a = given;
  a.wish.velocity = forward(a, tau);
  if (a.wish.velocity.size() == 0) return;  // the solver's own affair
  const auto r = inverse_dynamics(a.problem, a.wish);
  ASSERT_TRUE(r.has_value());
  ASSERT_EQ(r->status, InverseStatus::solved) << r->reason << " " << r->figure;
  const VecX again = forward(a, r->tau);
  if (again.size() == 0) return;
  const VecX free = velocity_after(a.problem, VecX::Zero(a.problem.rows.rows()));
  const double scale = std::max(speed(a.problem, a.wish.velocity), speed(a.problem, free));
  EXPECT_LE(speed(a.problem, again - a.wish.velocity), bound * scale);
  // Of all actuator forces these are the least, up to what the regularisation asks for.
  EXPECT_LE(r->tau.norm(), tau.norm() * 1.001);
  ++done;
}

void robots(const std::vector<Law>& kinds, double bound, int trials) {
  int done = 0;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    Rng rng(kind + 1);
    for (int trial = 0; trial < trials; ++trial) {
      const std::vector<Law> laws(1 + rng.below(3), kinds[kind]);
      there_and_back(random_robot(rng, 8, laws), 20 * random_dense(rng, 8, 1), bound, done);
      there_and_back(standing_robot(rng, 8, laws), 3 * random_dense(rng, 8, 1), bound, done);
    }
  }
  EXPECT_GE(done, static_cast<int>(kinds.size()) * trials * 2 * 9 / 10);
}

TEST(InverseLaws, ForwardAndBackWithPoints) {
  robots(point_laws(), 1e-9, 8);
}

TEST(InverseLaws, ForwardAndBackWithPatches) {
  robots(patch_laws(), 1e-9, 4);
}

/// An elastic bed whose nodes reach the corners of its patch: every load has a pressure.
TEST(InverseLaws, ForwardAndBackOnElasticBeds) {
  std::vector<Vec2> nodes;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) nodes.emplace_back(-0.2 + 0.4 * i / 3, -0.1 + 0.1 * j);
  const std::vector<double> areas(nodes.size(), 1), radii(nodes.size(), 0.02);
  const auto bed = Winkler::from_nodes(nodes, areas, radii);
  ASSERT_TRUE(bed);
  robots({FrictionalPatch{rectangle(0.2, 0.1), 0.3, *bed}}, 1e-9, 3);
}

/// Joints that rub, beside contacts: at rest any friction within the bounds, else all of it.
TEST(InverseLaws, ForwardAndBackWithRubbingJoints) {
  int done = 0, held = 0, moved = 0;
  Rng rng(21);
  constexpr int trials = 20;
  for (int trial = 0; trial < trials; ++trial)
    for (const bool stands : {false, true}) {
      const std::vector<Law> laws(2, stands ? Law(CoulombLaw{0.4}) : Law(Frictionless{}));
      Actuated a = stands ? standing_robot(rng, 8, laws) : random_robot(rng, 8, laws);
      add_joint_friction(a, rng.uniform(0.01, 0.5));
      there_and_back(a, (stands ? 3 : 20) * random_dense(rng, 8, 1), 1e-9, done);
      const VecX u = forward(a, VecX::Zero(8));
      for (Index k = 6; k < u.size(); ++k) (std::abs(u[k]) < 1e-9 ? held : moved)++;
    }
  EXPECT_EQ(done, 2 * trials);
  EXPECT_GE(held, trials);
  EXPECT_GE(moved, trials);
}

TEST(InverseLaws, ChainWithAllJointsActuated) {
  // Masses on a line, each coupled to the next, the last against a stop.
  const Index n = 6;
  Rng rng(3);
  Actuated a;
  MatX M = 2 * MatX::Identity(n, n);
  for (Index i = 0; i + 1 < n; ++i) M(i, i + 1) = M(i + 1, i) = -0.7;
  a.problem.mass = sparse(M);
  a.problem.contacts = {{"stop", Frictionless{}}, {"floor", CoulombLaw{0.3, true}}};
  MatX J = MatX::Zero(3, n);
  J(0, n - 1) = -1;
  J(1, 0) = J(2, 1) = 1;
  a.problem.rows = sparse(J);
  a.problem.dt = 0.01;
  a.wish.actuation = MatX::Identity(n, n);
  int done = 0;
  for (int trial = 0; trial < 20; ++trial) {
    a.problem.velocity = random_dense(rng, n, 1);
    a.problem.impulse = random_dense(rng, n, 1);
    there_and_back(a, 50 * random_dense(rng, n, 1), 1e-9, done);
  }
  EXPECT_EQ(done, 20);
}

TEST(InverseLaws, UnitsOfMassAndStep) {
  Rng rng(5);
  const std::vector<Law> laws = {CoulombLaw{0.4}, FrictionalPatch{rectangle(0.2, 0.1), 0.4}};
  for (int trial = 0; trial < 5; ++trial) {
    Actuated a = standing_robot(rng, 8, laws);
    a.wish.velocity = forward(a, 3 * random_dense(rng, 8, 1));
    ASSERT_GT(a.wish.velocity.size(), 0);
    const auto one = inverse_dynamics(a.problem, a.wish);
    ASSERT_EQ(one->status, InverseStatus::solved);
    for (const double unit : {1e-3, 1e3}) {
      Actuated b = a;
      b.problem.mass *= unit;
      b.problem.impulse *= unit;
      b.wish.dt = a.problem.dt * 7;  // the impulses stay, the forces follow
      const auto other = inverse_dynamics(b.problem, b.wish);
      ASSERT_EQ(other->status, InverseStatus::solved);
      EXPECT_LE((7 / unit * other->tau - one->tau).norm(), 1e-5 * (1 + one->tau.norm()));
    }
  }
}

/// Whether A x = b has x >= 0, by the simplex method from artificial columns.
bool feasible(const MatX& A, const VecX& b, double& left) {
  const Index rows = A.rows(), n = A.cols();
  MatX all(rows, n + rows);
  all << A, MatX(b.unaryExpr([](double v) { return v < 0 ? -1.0 : 1.0; }).asDiagonal());
  std::vector<Index> start;
  for (Index i = 0; i < rows; ++i) start.push_back(n + i);
  VecX cost = VecX::Zero(n + rows);
  cost.tail(rows).setOnes();
  const SimplexAnswer answer = Simplex(all, b, start).minimise(cost);
  EXPECT_EQ(answer.end, SimplexAnswer::End::optimal);
  left = answer.x.tail(rows).sum();
  return left < 1e-7 * b.norm();
}

TEST(InverseLaws, LinearProgramAgreesOnWhatIsPossible) {
  Rng rng(11);
  const int edges = 4;
  const double mu = 0.5;
  int possible = 0, impossible = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const Index joints = 3;
    Actuated a =
        standing_robot(rng, joints, {PyramidLaw{mu, edges}, PyramidLaw{mu, edges}, Frictionless{}});
    ContactProblem& p = a.problem;
    // A motion that keeps all feet where they are, when there is one: rest.
    a.wish.velocity = VecX::Zero(p.dof());
    const MatX J = MatX(p.rows);
    MatX generators = MatX::Zero(7, 2 * edges + 1);
    for (Index foot = 0; foot < 2; ++foot)
      for (Index k = 0; k < edges; ++k) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k) / edges;
        generators.col(foot * edges + k).segment(3 * foot, 3) =
            Vec3(mu * std::cos(angle), mu * std::sin(angle), 1);
      }
    generators(6, 2 * edges) = 1;
    // An impulse near what the feet and joints can take.
    VecX share(2 * edges + 1);
    for (Index k = 0; k < share.size(); ++k) share[k] = rng.uniform(-0.15, 1);
    const VecX inside = random_dense(rng, joints, 1);
    p.impulse = -(J.transpose() * (generators * share) + p.dt * (a.wish.actuation * inside));
    a.wish.lower = VecX::Constant(joints, -1.5);
    a.wish.upper = VecX::Constant(joints, 1.5);

    // x = (loads, τ - lower, upper - τ).
    const Index loads = share.size(), dof = p.dof();
    MatX A = MatX::Zero(dof + joints, loads + 2 * joints);
    A.topLeftCorner(dof, loads) = J.transpose() * generators;
    A.block(0, loads, dof, joints) = p.dt * a.wish.actuation;
    A.block(dof, loads, joints, joints).setIdentity();
    A.block(dof, loads + joints, joints, joints).setIdentity();
    VecX b(dof + joints);
    b << -p.impulse - p.dt * (a.wish.actuation * a.wish.lower), a.wish.upper - a.wish.lower;
    double left = 0;
    const bool can = feasible(A, b, left);
    if (!can && left < 1e-4 * b.norm()) continue;  // too near to call
    const auto r = inverse_dynamics(p, a.wish);
    ASSERT_TRUE(r.has_value());
    EXPECT_EQ(r->status, can ? InverseStatus::solved : InverseStatus::infeasible)
        << "left " << left << ", " << r->reason;
    (can ? possible : impossible)++;
    if (can) continue;
    // The proof, with the test's own generators.
    ASSERT_TRUE(r->ray_is_proof);
    EXPECT_LE((A.topLeftCorner(dof, loads).transpose() * r->ray).maxCoeff(),
              1e-6 * r->ray.norm() * A.topLeftCorner(dof, loads).norm());
    const double actuators = p.dt * (a.wish.actuation.transpose() * r->ray).cwiseAbs().sum() * 1.5;
    EXPECT_LE(actuators, r->ray_most + 1e-6 * r->ray_needed);
    EXPECT_NEAR(r->ray.dot(-p.impulse), r->ray_needed, 1e-9 * std::abs(r->ray_needed));
    EXPECT_GT(r->ray_needed, r->ray_most);
    EXPECT_NE(r->obstacle, InverseObstacle::none);
  }
  EXPECT_GT(possible, 10);
  EXPECT_GT(impossible, 10);
}

}  // namespace
}  // namespace tact
