#include "tact/impact/frictional.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/impact/law.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

/// γ_C, the loads e N_C and the law of the expansion.
struct ExpansionProblem {
  DelassusProblem problem;
  VecX least;
};
ExpansionProblem expansion_of(const ContactProblem& p, const VecX& compression) {
  ContactProblem plastic = p;
  for (Contact& c : plastic.contacts) c.restitution = 0;
  ExpansionProblem out{*reduce(plastic), VecX::Zero(compression.size())};
  VecX change;
  multiply(out.problem.G, compression, change);
  out.problem.b += change;
  const auto offset = row_offsets(p.contacts);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const RowSplit split = row_split(p.contacts[i].law);
    for (Index k = 0; k < split.normal_count; ++k) {
      const Index row = offset[i] + split.normal[k];
      out.least[row] = p.contacts[i].restitution * compression[row];
    }
  }
  return out;
}

double residual_of_expansion(const ContactProblem& p, const ImpactOutcome& out) {
  const ExpansionProblem e = expansion_of(p, out.compression);
  return expansion_residual(e.problem, e.least, out.impulses - out.compression);
}

/// A box with feet in the world's axes, falling and turning.
ContactProblem falling_box(Rng& rng, const Law& law, int feet_down) {
  const Crate box{1, rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1)};
  ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
  p.impulse.resize(0);
  for (double& v : p.velocity) v = rng.normal();
  p.velocity[2] -= 1;
  for (int k = 0; k < feet_down; ++k) touch(p, law, feet(box)[static_cast<std::size_t>(k)]);
  for (Contact& c : p.contacts) c.restitution = rng.uniform();
  return p;
}

/// The conditions of the expansion, by hand: [FrictionM4] NCP with the load of at least e N_C.
void expect_expansion(const ContactProblem& p, const ImpactOutcome& out, double mu) {
  const ExpansionProblem e = expansion_of(p, out.compression);
  const VecX lambda = out.impulses - out.compression;
  VecX u;
  multiply(e.problem.G, lambda, u);
  u += e.problem.b;
  const double force = 1 + lambda.cwiseAbs().maxCoeff();
  const double speed = 1 + u.cwiseAbs().maxCoeff();
  for (Index at = 0; at < lambda.size(); at += 3) {
    const double more = lambda[at + 2] - e.least[at + 2];
    EXPECT_GE(more, -1e-10 * force);
    EXPECT_GE(u[at + 2], -1e-10 * speed);
    EXPECT_LE(std::abs(more * u[at + 2]), 1e-9 * force * speed);
    const Vec2 T = lambda.segment<2>(at), slip = u.segment<2>(at);
    const double bound = mu * lambda[at + 2];
    EXPECT_LE(T.norm(), bound + 1e-9 * force);
    // Sliding: all of the bound, against the motion.
    EXPECT_NEAR(T.dot(slip), -bound * slip.norm(), 1e-8 * force * speed);
  }
}

TEST(FrictionalImpact, PoissonWithExactFriction) {
  Rng rng(1);
  int several = 0, solved = 0;
  for (int k = 0; k < 200; ++k) {
    const double mu = rng.uniform(0.1, 1);
    const int down = 1 + static_cast<int>(rng.below(4));
    const ContactProblem p = falling_box(rng, CoulombLaw{mu}, down);
    const ImpactOutcome out = *poisson_impact(p, {});
    if (out.status != ImpactStatus::solved) continue;
    ++solved;
    several += down > 1;
    expect_expansion(p, out, mu);
    EXPECT_LE(residual_of_expansion(p, out), tolerance::solved);
  }
  EXPECT_GE(solved, 195);
  EXPECT_GE(several, 100);
}

/// Pyramids of many edges tend to the disc; box and planar laws are pivoted.
TEST(FrictionalImpact, PoissonWithPolygonalFriction) {
  Rng rng(2);
  int solved = 0;
  for (int k = 0; k < 60; ++k) {
    for (const Law& law : {Law(BoxLaw{0.6}), Law(PyramidLaw{0.6, 8}), Law(CoulombLaw{0.6})}) {
      Rng same(100 + static_cast<std::uint64_t>(k));
      const ContactProblem p = falling_box(same, law, 1 + k % 4);
      const ImpactOutcome out = *poisson_impact(p, {});
      if (out.status != ImpactStatus::solved) continue;
      ++solved;
      EXPECT_LE(residual_of_expansion(p, out), tolerance::solved) << name(law);
    }
    Rng one(300 + static_cast<std::uint64_t>(k)), two(300 + static_cast<std::uint64_t>(k));
    const ImpactOutcome disc = *poisson_impact(falling_box(one, CoulombLaw{0.6}, 1), {});
    const ImpactOutcome many = *poisson_impact(falling_box(two, PyramidLaw{0.6, 128}, 1), {});
    EXPECT_LE((disc.impulses - many.impulses).norm(), 5e-3 * (1 + disc.impulses.norm())) << k;
  }
  EXPECT_GE(solved, 175);
}

/// Without friction the solvers and the projections are two ways to one answer.
TEST(FrictionalImpact, WithoutFrictionBothWaysAgree) {
  Rng rng(3);
  for (int k = 0; k < 200; ++k) {
    ContactProblem p = random_impact(rng, {true, true, false, false});
    p.impulse.resize(0);
    for (const ImpactLaw& law : {ImpactLaw(Newton{}), ImpactLaw(Poisson{})}) {
      const ImpactOutcome direct = *apply(p, law, {});
      const ImpactOutcome by_solver =
          std::holds_alternative<Newton>(law) ? *newton_impact(p, {}) : *poisson_impact(p, {});
      if (direct.status == ImpactStatus::no_solution) {
        EXPECT_EQ(by_solver.status, ImpactStatus::no_solution) << k;
        continue;
      }
      ASSERT_EQ(by_solver.status, ImpactStatus::solved) << k << name(law);
      // Poisson: only where λ_C is the same, for it need not be unique.
      if (std::holds_alternative<Poisson>(law) &&
          (by_solver.compression - direct.compression).norm() > 1e-9)
        continue;
      EXPECT_LE((velocity_after(p, by_solver.impulses) - direct.velocity).norm(),
                1e-8 * (1 + direct.velocity.norm()))
          << k << name(law);
    }
  }
}

/// One contact never gains with Poisson's law; with Newton's it may.
TEST(FrictionalImpact, OnePlanarContact) {
  Rng rng(4);
  int newton = 0;
  constexpr int impacts = 1500;
  for (int k = 0; k < impacts; ++k) {
    const double angle = rng.uniform(0, 2 * std::numbers::pi);
    const Vec2 r(std::cos(angle), std::sin(angle));
    const ContactProblem p = rod_impact(r, {rng.normal(), rng.normal() - 1, rng.normal()},
                                        rng.uniform(), rng.uniform(0, 1.5));
    const ImpactOutcome a = *apply(p, Newton{}, {}), b = *apply(p, Poisson{}, {});
    ASSERT_EQ(a.status, ImpactStatus::solved);
    ASSERT_EQ(b.status, ImpactStatus::solved);
    newton += a.work > tolerance::contact_work * a.work_size;
    EXPECT_LE(b.work, tolerance::contact_work * b.work_size) << k;
    const ImpactOutcome plastic = *apply(p, Moreau{}, {});
    EXPECT_LE(plastic.work, tolerance::contact_work * plastic.work_size) << k;
  }
  EXPECT_GE(newton, 10);
}

}  // namespace
}  // namespace tact
