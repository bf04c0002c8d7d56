// [Glocker], of impact laws: the contact work of each in closed form, and what follows for energy.
// Notation of the source: γ relative velocities, Λ impulses, W contact work, P+ the admissible
// velocities.
#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/impact/energy_frame.hpp"
#include "tact/impact/law.hpp"
#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr double exact = 1e-12;  // relative to ½|u+ - u-|² + Σ|γΛ|

ImpactOutcome applied(const ContactProblem& p, const ImpactLaw& law) {
  const auto out = apply(p, law, {});
  EXPECT_TRUE(out) << out.error().message;
  return *out;
}

VecX restitution(const ContactProblem& p) {
  VecX e(static_cast<Index>(p.contacts.size()));
  for (Index i = 0; i < e.size(); ++i) e[i] = p.contacts[i].restitution;
  return e;
}

/// ½ x'Gx.
double energy_of(const ImpactFrame& f, const VecX& x) {
  return 0.5 * (f.rows * x).squaredNorm();
}

ContactProblem moving_case(Rng& rng, bool opening) {
  return random_impact(rng, {true, opening, false, false});
}

/// [Glocker] Sec. 3, 6: W = ½(γ+ + γ-).Λ = ½|Δu|² + γ-.Λ = (T+ - T-) + χ.Λ, with the walls' own
/// work apart; and the same from every frame b.
TEST(GlockerLaws, ContactWorkHasManyForms) {
  Rng rng(1);
  for (int k = 0; k < 300; ++k) {
    ContactProblem p = moving_case(rng, true);
    p.impulse.resize(0);
    const ImpactOutcome out = applied(p, Poisson{});
    const MatX M = MatX(p.mass);
    const auto kinetic = [&](const VecX& u) { return 0.5 * u.dot(M * u); };
    const double size = out.work_size + kinetic(p.velocity) + kinetic(out.velocity);
    const double chi_work = p.excitation.dot(out.impulses);
    EXPECT_NEAR(out.work, kinetic(out.velocity) - kinetic(p.velocity) + chi_work,
                exact * (size + std::abs(chi_work)));
    EXPECT_NEAR(out.work, 0.5 * (out.gamma_plus + out.gamma_minus).dot(out.impulses), exact * size);
    VecX b(p.dof());
    for (double& x : b) x = rng.normal();
    const VecX gamma_b = p.rows * b + p.excitation;
    const double seen = kinetic(out.velocity - b) - kinetic(p.velocity - b);
    EXPECT_NEAR(out.work, seen + gamma_b.dot(out.impulses),
                10 * exact * (size + kinetic(b) + gamma_b.cwiseAbs().dot(out.impulses)));
  }
}

/// [Glocker] Sec. 5: with an impulse p besides, everything holds with u- + M⁻¹p in the place of u-.
TEST(GlockerLaws, AnImpulseActsFirst) {
  Rng rng(2);
  for (int k = 0; k < 100; ++k) {
    ContactProblem p = moving_case(rng, true);
    p.impulse.resize(p.dof());
    for (double& x : p.impulse) x = rng.normal();
    ContactProblem later = p;
    later.velocity = impact_frame(p)->before;
    later.impulse.resize(0);
    for (const ImpactLaw& law : {ImpactLaw(Newton{}), ImpactLaw(Poisson{}), ImpactLaw(Fremond{})}) {
      const ImpactOutcome a = applied(p, law), b = applied(later, law);
      ASSERT_EQ(a.status, b.status);
      EXPECT_LE((a.velocity - b.velocity).norm(), exact * (1 + b.velocity.norm()));
      EXPECT_NEAR(a.work, b.work, exact * (1 + b.work_size));
    }
  }
}

TEST(GlockerLaws, WorkOfMoreau) {
  Rng rng(3);
  for (int k = 0; k < 300; ++k) {
    const ContactProblem p = moving_case(rng, true);
    const ImpactFrame f = *impact_frame(p);
    const ImpactOutcome plastic = applied(p, Moreau{});
    const double jump = energy_of(f, plastic.impulses);
    EXPECT_NEAR(plastic.work, -jump, exact * plastic.work_size);
    const double e = rng.uniform();
    const ImpactOutcome elastic = applied(p, Moreau{e});
    EXPECT_NEAR(elastic.work, -(1 - e * e) * jump, exact * elastic.work_size);
    EXPECT_LE((elastic.velocity - plastic.velocity - e * (plastic.velocity - f.before)).norm(),
              exact * (1 + elastic.velocity.norm()));
  }
}

/// u- in P-: never a gain, whatever the restitutions, and solvable where P+ is not empty.
TEST(GlockerLaws, WorkOfNewton) {
  Rng rng(4);
  int closing = 0;
  for (int k = 0; k < 600; ++k) {
    const ContactProblem p = moving_case(rng, k % 2 == 0);
    const VecX e = restitution(p);
    const ImpactOutcome out = applied(p, Newton{});
    const bool closes = out.gamma_minus.maxCoeff() <= 0;
    closing += closes;
    if (out.status != ImpactStatus::solved) {
      EXPECT_FALSE(closes);
      continue;
    }
    const VecX slack = out.gamma_plus + e.cwiseProduct(out.gamma_minus);
    const VecX sizes = out.gamma_plus.cwiseAbs() + out.gamma_minus.cwiseAbs();
    for (Index i = 0; i < slack.size(); ++i) {
      EXPECT_GE(slack[i], -exact * (1 + sizes.maxCoeff()));
      EXPECT_LE(slack[i] * out.impulses[i], 10 * exact * (1 + out.work_size));
    }
    const VecX lost = (VecX::Ones(e.size()) - e).cwiseProduct(out.gamma_minus);
    EXPECT_NEAR(out.work, 0.5 * lost.dot(out.impulses), exact * out.work_size);
    EXPECT_TRUE(!closes || out.work <= exact * out.work_size);
  }
  EXPECT_GE(closing, 50);
}

TEST(GlockerLaws, WorkOfClampedNewton) {
  Rng rng(5);
  for (int k = 0; k < 300; ++k) {
    const ContactProblem p = moving_case(rng, true);
    const ImpactOutcome out = applied(p, NewtonClamped{});
    if (out.status != ImpactStatus::solved) continue;
    const VecX target = (-restitution(p).cwiseProduct(out.gamma_minus)).cwiseMax(0.0);
    EXPECT_NEAR(out.work, 0.5 * (out.gamma_minus + target).dot(out.impulses),
                exact * out.work_size);
  }
}

/// Newton as an equality, γ+ = -e γ- at every contact: W = -½ γ-'(G⁻¹ - e G⁻¹ e) γ-. Contacts pull
/// and energy may grow (C4), so it is no law here.
TEST(GlockerLaws, NewtonAsAnEqualityPullsAndGains) {
  MatX W(2, 2);
  W << 1, 0.6, 0, 0.8;
  const Vec2 e(1, 0);
  const ContactProblem p = smooth_impact(MatX::Identity(2, 2), W, {}, Vec2(-1, 0), e);
  const ImpactFrame f = *impact_frame(p);
  const Mat2 inverse = Mat2(W.transpose() * W).inverse();
  const Vec2 gamma = f.gamma;
  const Vec2 lambda = -inverse * (gamma + e.cwiseProduct(gamma));
  EXPECT_LE((lambda - Vec2(41.0 / 16, -15.0 / 16)).norm(), 1e-14);
  const Vec2 scaled = e.cwiseProduct(gamma);
  const double closed = -0.5 * (gamma.dot(inverse * gamma) - scaled.dot(inverse * scaled));
  EXPECT_NEAR(closed, 9.0 / 32, 1e-14);
  EXPECT_NEAR(motion_of(f, lambda).work, closed, 1e-14);
  // As a law of inequalities it loses nothing and pulls nowhere.
  const ImpactOutcome out = applied(p, Newton{});
  EXPECT_LE((out.impulses - Vec2(2, 0)).norm(), 1e-14);
  EXPECT_NEAR(out.work, 0, 1e-14);
}

/// W = ½(|eΛ_C|² - |Λ_C|² - |Λ_P|²) in the metric G, never above zero.
TEST(GlockerLaws, WorkOfPoisson) {
  Rng rng(6);
  int pushed_again = 0;
  for (int k = 0; k < 500; ++k) {
    const ContactProblem p = moving_case(rng, true);
    const ImpactFrame f = *impact_frame(p);
    const VecX e = restitution(p);
    const ImpactOutcome out = applied(p, Poisson{});
    ASSERT_EQ(out.status, ImpactStatus::solved);
    const VecX expansion = e.cwiseProduct(out.compression);
    const VecX rest = out.impulses - out.compression - expansion;
    EXPECT_GE(rest.minCoeff(), -exact * (1 + out.impulses.maxCoeff()));
    const double closed =
        energy_of(f, expansion) - energy_of(f, out.compression) - energy_of(f, rest);
    EXPECT_NEAR(out.work, closed, exact * out.work_size);
    EXPECT_LE(out.work, exact * out.work_size);
    pushed_again += rest.maxCoeff() > 1e-6;
  }
  EXPECT_GE(pushed_again, 50);
}

/// With Λ = a + ν, ν the part that only prevents penetration: W = -Σ a²/k + ½ Σ γ- ν.
TEST(GlockerLaws, WorkOfFremond) {
  Rng rng(7);
  for (int k = 0; k < 300; ++k) {
    const ContactProblem p = moving_case(rng, true);
    const double stiffness = rng.log_uniform(0.3, 30);
    const ImpactOutcome out = applied(p, Fremond{stiffness});
    ASSERT_EQ(out.status, ImpactStatus::solved);
    double closed = 0;
    for (Index i = 0; i < out.impulses.size(); ++i) {
      const double mean = 0.5 * (out.gamma_plus[i] + out.gamma_minus[i]);
      const double a = stiffness * std::max(-mean, 0.0);
      const double nu = out.impulses[i] - a;
      const double size = 1 + out.impulses.maxCoeff();
      EXPECT_GE(nu, -exact * size * stiffness);
      EXPECT_LE(nu * out.gamma_plus[i], 10 * exact * size * (1 + stiffness));
      closed += -a * a / stiffness + 0.5 * out.gamma_minus[i] * nu;
    }
    EXPECT_NEAR(out.work, closed, 10 * exact * (1 + out.work_size) * (1 + stiffness));
  }
}

/// Reflections keep the energy, one impact after the other loses ½(1 - e)γΛ in each; e = 1 keeps
/// it.
TEST(GlockerLaws, WorkOfReflections) {
  Rng rng(8);
  for (int k = 0; k < 300; ++k) {
    ContactProblem p = moving_case(rng, true);
    const ImpactOutcome together = applied(p, GeneralizedReflections{});
    ASSERT_EQ(together.status, ImpactStatus::solved);
    EXPECT_LE(std::abs(together.work), 10 * exact * together.work_size);
    const double c = rng.uniform();
    const ImpactOutcome blend = applied(p, GeneralizedReflections{c});
    const ImpactOutcome plastic = applied(p, Moreau{});
    EXPECT_LE((blend.velocity - c * together.velocity - (1 - c) * plastic.velocity).norm(),
              exact * (1 + together.velocity.norm()));
    EXPECT_LE(blend.work, exact * blend.work_size);
    for (Contact& contact : p.contacts) contact.restitution = 1;
    const ImpactOutcome row = applied(p, Sequential{});
    ASSERT_EQ(row.status, ImpactStatus::solved);
    EXPECT_LE(std::abs(row.work), 10 * exact * row.work_size);
  }
}

}  // namespace
}  // namespace tact
