#include "tact/impact/ledger.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/contact/delassus.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/shaken_stack.hpp"

namespace tact {
namespace {

using testing::Fault;
using testing::ShakenStack;
using testing::StackOptions;
using testing::StackStep;

/// A solved step: the problem, z, u⁺ and λ.
struct Solved {
  ContactProblem problem;
  VecX free, after, lambda;

  [[nodiscard]] StepLedger ledger() const {
    return step_ledger(problem, {free, after, lambda, std::nullopt});
  }
};

Solved solved(ContactProblem p) {
  Solved out;
  const auto reduced = reduce(p);
  EXPECT_TRUE(reduced);
  out.lambda = VecX::Zero(p.rows.rows());
  SolveOptions options;
  options.polish = true;
  EXPECT_EQ(solve(*reduced, options, out.lambda).status, SolveStatus::converged);
  const auto factor = MassFactor::from(p.mass, false);
  out.free = p.velocity;
  if (p.impulse.size() > 0) out.free += factor->solve(p.impulse);
  out.after = velocity_after(p, out.lambda);
  out.problem = std::move(p);
  return out;
}

/// A ball of mass 2 above a lift that rises at `lift`; one degree of freedom.
Solved ball(double before, double after, double lift, double impulse) {
  Solved out;
  ContactProblem& p = out.problem;
  p.mass = sparse(MatX::Constant(1, 1, 2));
  p.velocity = VecX::Constant(1, before);
  p.rows = sparse(MatX::Constant(1, 1, 1));
  p.excitation = VecX::Constant(1, -lift);
  p.contacts.push_back({"lift", Frictionless{}});
  out.free = p.velocity;
  out.after = VecX::Constant(1, after);
  out.lambda = VecX::Constant(1, impulse);
  return out;
}

// [Glocker] 3: a wall that moves gives energy to the ball, the contact takes some.
TEST(StepLedger, ABallIsPickedUpByALift) {
  const StepLedger l = ball(0, 3, 3, 6).ledger();
  EXPECT_EQ(l.T_plus - l.T_minus, 9);
  EXPECT_EQ(l.W_contact, -9);
  EXPECT_EQ(l.W_wall, 18);
  EXPECT_EQ(l.closure.amount, 0);
  EXPECT_EQ(l.momentum.amount, 0);
  EXPECT_EQ(l.contacts[0].opening, 0);
  EXPECT_EQ(l.contacts[0].complementarity, 0);
  EXPECT_EQ(l.verdict_actual(), WorkVerdict::dissipative);
  EXPECT_EQ(name(l.verdict_actual()), "dissipative");
}

TEST(StepLedger, ABounceIsBookedAtItsWork) {
  for (const double e : {0.0, 0.5, 1.0, 1.05}) {
    const StepLedger l = ball(-1, e, 0, 2 * (1 + e)).ledger();
    EXPECT_NEAR(l.W_contact, e * e - 1, tolerance::rounding);
    EXPECT_EQ(l.verdict_actual(), e > 1 ? WorkVerdict::generating : WorkVerdict::dissipative) << e;
    EXPECT_NEAR(l.contacts[0].complementarity, 2 * (1 + e) * e, tolerance::rounding);
  }
}

TEST(StepLedger, RestitutionTellsWhatShouldBeZero) {
  Solved bounce = ball(-1, 0.5, 0, 3);
  bounce.problem.contacts[0].restitution = 0.5;
  EXPECT_EQ(bounce.ledger().contacts[0].complementarity, 0);
}

TEST(StepLedger, GapsAreBookedAsStabilisation) {
  Solved s = ball(-1, 0.5, 0, 3);
  Contact& contact = s.problem.contacts[0];
  s.problem.dt = 0.01;
  contact.gap = -0.01;
  contact.stabilisation = 0.5;  // γ~ = γ - 0.5
  StepLedger l = s.ledger();
  EXPECT_DOUBLE_EQ(l.W_stab, 1.5);
  EXPECT_DOUBLE_EQ(l.W_contact, 0.5 * (0 - 1.5) * 3);
  EXPECT_DOUBLE_EQ(l.contacts[0].complementarity, 0);
  EXPECT_DOUBLE_EQ(l.contacts[0].opening, 0.5);
  EXPECT_NEAR(l.closure.amount, 0, l.closure.slack(tolerance::rounding));

  contact.gap = 0.01;  // open: may come down at 1 m/s
  l = s.ledger();
  EXPECT_DOUBLE_EQ(l.contacts[0].opening, 1.5);
  EXPECT_DOUBLE_EQ(l.contacts[0].complementarity, 4.5);
  EXPECT_DOUBLE_EQ(l.W_stab, -3);
}

TEST(StepLedger, HammersAreSplitInSequence) {
  // A hammer of impulse -4 on a resting mass that bounces with e = 1/2: the contact takes energy,
  // though the average of both velocities makes it look as if it gave some.
  Solved s = ball(0, 1, 0, 6);
  s.problem.impulse = VecX::Constant(1, -4);
  s.free = VecX::Constant(1, -2);
  const StepLedger l = s.ledger();
  EXPECT_EQ(l.W_force, 4);
  EXPECT_EQ(l.W_contact, -3);
  EXPECT_EQ(l.T_free, 4);
  EXPECT_EQ(l.W_contact_average, 3);
  EXPECT_EQ(l.W_force_average, -2);
  EXPECT_EQ(l.W_contact_average + l.W_force_average, l.W_contact + l.W_force);
  EXPECT_EQ(l.closure.amount, 0);
  EXPECT_EQ(l.verdict_actual(), WorkVerdict::dissipative);
}

TEST(StepLedger, ClosesForEveryLaw) {
  for (const testing::Family family : testing::all_families)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      testing::SceneOptions options;
      options.family = family;
      options.bodies = 3;
      options.contacts = 6;
      ContactProblem p = testing::random_scene(seed, options);
      Rng rng(seed);
      p.excitation = VecX::NullaryExpr(p.rows.rows(), [&] { return 0.1 * rng.normal(); });
      p.dt = 0.01;
      for (Contact& c : p.contacts) {
        c.gap = 1e-3 * rng.normal();
        c.stabilisation = 0.3;
      }
      SCOPED_TRACE(std::string(name(family)) + " " + std::to_string(seed));
      // Whether or not impulses solve anything, the books close when momentum does.
      Solved s;
      s.lambda = VecX::NullaryExpr(p.rows.rows(), [&] { return rng.normal(); });
      s.free = p.velocity + MassFactor::from(p.mass, false)->solve(p.impulse);
      s.after = velocity_after(p, s.lambda);
      s.problem = std::move(p);
      const StepLedger l = s.ledger();
      EXPECT_LE(l.closure.relative(), 1e-12);
      EXPECT_NEAR(l.T_plus - l.T_minus, l.change, 1e-12 * l.closure.scale);
      EXPECT_LE(l.momentum.amount, l.momentum.slack(1e-12));
      double work = 0, friction = 0;
      for (const ContactLedger& c : l.contacts) {
        work += c.work;
        friction += std::abs(c.friction);
      }
      EXPECT_EQ(work, l.W_contact);
      if (family == testing::Family::smooth) {
        EXPECT_EQ(friction, 0);
      }
    }
}

/// Dry friction takes energy, an equation takes or gives none while it holds, and the books close.
TEST(StepLedger, BoundedRowsAreBooked) {
  ContactProblem p;
  p.mass = sparse(MatX(Vec2(2, 1).asDiagonal()));
  p.velocity = Vec2(3, 1);
  p.impulse = Vec2(0.5, -0.25);
  p.rows = sparse((MatX(2, 2) << 1, 0, 1, -1).finished());
  p.contacts = {{"friction", BoundedLaw{-0.4, 0.4}}, {"bar", BoundedLaw{}}};
  Solved step = solved(p);
  const StepLedger books = step.ledger();
  EXPECT_NEAR(books.closure.amount, 0, 1e-14);
  EXPECT_NEAR(books.contacts[0].friction, books.contacts[0].work, 1e-15);
  EXPECT_LT(books.contacts[0].slip_power, 0);
  EXPECT_NEAR(books.contacts[1].slip_power, 0, 1e-12) << "γ = 0";
  EXPECT_LE(books.W_contact, 0);
  for (const ContactLedger& c : books.contacts) {
    EXPECT_GE(c.cone_margin, -1e-12);
    EXPECT_GE(c.opening, -1e-12);
  }
  EXPECT_NEAR(books.contacts[0].cone_margin, 0, 1e-12) << "at its bound";
  step.lambda[0] = -0.5;
  EXPECT_NEAR(step.ledger().contacts[0].cone_margin, -0.1, 1e-15) << "beyond its bound";
  step.after[0] += 1;
  EXPECT_NEAR(step.ledger().contacts[1].opening, -1, 1e-9) << "the bar is torn";
}

TEST(StepLedger, SolutionsHaveNoNegativeMargin) {
  for (const testing::Family family : testing::all_families)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      testing::SceneOptions options;
      options.family = family;
      options.bodies = 3;
      options.contacts = 6;
      SCOPED_TRACE(std::string(name(family)) + " " + std::to_string(seed));
      const StepLedger l = solved(testing::random_scene(seed, options)).ledger();
      // What the judge accepts is exact to its tolerance times the condition of the contacts.
      constexpr double slack = 1e-6;
      EXPECT_EQ(l.verdict_actual(), WorkVerdict::dissipative);
      for (const ContactLedger& c : l.contacts) {
        EXPECT_GE(c.cone_margin, -slack * l.impulse_scale);
        EXPECT_GE(c.opening, -slack * l.velocity_scale);
        EXPECT_LE(std::abs(c.complementarity), slack * l.work.scale);
        EXPECT_LE(c.slip_power, slack * l.work.scale);
      }
    }
}

TEST(StepLedger, MarginsOfEveryLawSeeWhatLeavesTheCone) {
  LocalWorkspace work;
  const auto margin = [&](const Law& law, const std::vector<double>& lambda) {
    return cone_margin(local_law(law), lambda.data(), work);
  };
  EXPECT_EQ(margin(Frictionless{}, {2}), 2);
  EXPECT_EQ(margin(Frictionless{}, {-2}), -2);
  EXPECT_EQ(margin(CoulombLaw{0.5}, {0.3, 0.4, 2}), 0.5);
  EXPECT_EQ(margin(CoulombLaw{0.5}, {3, 4, 2}), -4);
  EXPECT_EQ(margin(CoulombLaw{0.5, true}, {-2, 2}), -1);
  EXPECT_NEAR(margin(BoxLaw{0.5, 1}, {0, -1.5, 2}), -0.5, tolerance::rounding);
  EXPECT_NEAR(margin(BoxLaw{0.5, 1}, {0, 0.75, 2}), 0.25, tolerance::rounding);
  EXPECT_EQ(margin(PyramidLaw{0, 4}, {0, 0.75, 2}), -0.75);
  EXPECT_EQ(margin(RollingLaw{1, 0.1, 0.1}, {0.1, 0, 0, 0, 0, 2}), 1);
  EXPECT_EQ(margin(RollingLaw{1, 0.1, 0}, {0, 0, 0.3, 0, 0, 2}), -0.3);
  const PatchShape disc{DiscShape{Vec2::Zero(), 0.5}};
  EXPECT_NEAR(margin(FrictionlessPatch{disc}, {0, 0.5, 2}), 1, tolerance::rounding);
  EXPECT_NEAR(margin(FrictionlessPatch{disc}, {0, 2, 2}), -2, tolerance::rounding);
  const FrictionalPatch rubbing{disc, 0.5, EllipsoidAtCop{0.1}};
  EXPECT_NEAR(margin(rubbing, {0, 0, 0, 0.5, 0, 2}), 0, tolerance::friction);
  EXPECT_NEAR(margin(rubbing, {0, 0, 0, 3, 0, 2}), -2, tolerance::friction);
  EXPECT_EQ(margin(rubbing, {0, 0, 0, 3, 4, 0}), -5);
}

/// The same step seen from a frame that moves at `speed` along every translation.
Solved boosted(const StackStep& step, double speed) {
  Solved out{step.problem, step.free, step.after, step.lambda};
  VecX motion = VecX::Zero(out.problem.dof());
  for (Index i = 0; i < motion.size(); i += 3) motion.segment<2>(i).setConstant(speed);
  // Walls move along; what lies between two balls does not notice, and its row gives zero.
  const VecX rows = out.problem.rows * motion;
  out.problem.velocity += motion;
  out.free += motion;
  out.after += motion;
  out.problem.excitation -= rows;
  return out;
}

TEST(StepLedger, AFrameAtAMillionMetresPerSecondKeepsTheWork) {
  ShakenStack stack({});
  double worst = 0, worst_by_excitation = 0;
  for (int k = 0; k < 200; ++k) {
    const StackStep& step = stack.step();
    const StepLedger here =
        step_ledger(step.problem, {step.free, step.after, step.lambda, std::nullopt});
    const StepLedger there = boosted(step, 1e6).ledger();
    // Velocities have lost 1e6 round-offs against those of the stack, some 0.1 m/s.
    const double lost = 1e6 * tolerance::rounding;
    double impulses = 0;
    for (const ContactLedger& c : here.contacts) impulses += std::abs(c.normal_impulse);
    EXPECT_NEAR(there.W_contact, here.W_contact, lost * impulses);
    EXPECT_EQ(there.verdict_actual(), here.verdict_actual());
    EXPECT_LE(std::abs(there.closure.amount), 1e-12 * there.closure.scale);
    const double by_excitation =
        there.T_plus - there.T_minus - there.W_wall - there.W_force - there.W_stab;
    worst = std::max(worst, std::abs(there.W_contact - here.W_contact));
    worst_by_excitation = std::max(worst_by_excitation, std::abs(by_excitation - here.W_contact));
  }
  EXPECT_GT(worst_by_excitation, 1000 * worst) << "T⁺ - T⁻ + χ'λ has lost everything";
}

// ---- the shaken stack ---------------------------------------------------------------------------

struct StackCount {
  double worst_residual = 0;
  double change = 0, booked = 0, stabilisation = 0, wall = 0;
  int impacts = 0, generating = 0, by_average = 0, naive = 0, momentum = 0, closure = 0;
  int penetrating = 0;
  bool solved = true;
};

StackCount run_stack(const StackOptions& options, int steps) {
  ShakenStack stack(options);
  LedgerWorkspace work;
  StepLedger l;
  StackCount out;
  for (int k = 0; k < steps; ++k) {
    const StackStep& s = stack.step();
    step_ledger(s.problem, s.laws, {s.free, s.after, s.lambda, s.potential_change}, work, l);
    out.solved = out.solved && s.solved;
    out.worst_residual = std::max(out.worst_residual, l.closure.relative());
    out.change += l.change;
    out.booked += l.booked();
    out.stabilisation += l.W_stab;
    out.wall += l.W_wall;
    const double slack = l.work.slack(tolerance::contact_work);
    out.impacts += l.impulse_scale > 0 ? 1 : 0;
    out.generating += l.verdict_actual() == WorkVerdict::generating ? 1 : 0;
    out.by_average += l.W_contact_average > slack ? 1 : 0;
    out.naive += l.impulse_scale > 0 && l.change > slack ? 1 : 0;
    out.momentum += l.momentum.amount > l.momentum.slack(tolerance::contact_work) ? 1 : 0;
    out.closure += std::abs(l.closure.amount) > l.closure.slack(tolerance::contact_work) ? 1 : 0;
    const bool open = std::all_of(l.contacts.begin(), l.contacts.end(),
                                  [](const ContactLedger& c) { return c.opening >= -1e-6; });
    out.penetrating += open ? 0 : 1;
    EXPECT_NEAR(*l.W_integration, l.W_force + s.potential_change, 0);
  }
  return out;
}

TEST(StepLedger, TheShakenStackClosesInEveryStep) {
  const StackCount c = run_stack({}, testing::cases(20000));
  EXPECT_TRUE(c.solved);
  EXPECT_LE(c.worst_residual, 1e-12);
  EXPECT_NEAR(c.change, c.booked, 1e-12 * c.wall * testing::cases(20000));
  EXPECT_EQ(c.generating, 0);
  EXPECT_EQ(c.momentum, 0);
  EXPECT_EQ(c.closure, 0);
  EXPECT_EQ(c.penetrating, 0);
  EXPECT_GT(c.stabilisation, 0) << "the correction of gaps gives energy";
  EXPECT_GT(c.wall, 0) << "the belt drives";
  EXPECT_GT(c.by_average, 0) << "the average split raises false alarms";
  EXPECT_GT(c.naive, c.impacts / 100) << "so does asking that T must not rise";
}

TEST(StepLedger, AnEngineThatBouncesTooMuchGeneratesEnergy) {
  StackOptions options;
  options.fault = Fault::bouncy;
  const StackCount c = run_stack(options, 5000);
  EXPECT_GT(c.generating, 0);
  EXPECT_EQ(c.momentum, 0) << "momentum knows nothing of it";
  EXPECT_EQ(c.closure, 0) << "and the books close: the energy is where it was made";
}

TEST(StepLedger, WallsOfTheWrongSignGenerateEnergyAndAreRunThrough) {
  StackOptions options;
  options.fault = Fault::flipped_walls;
  const StackCount c = run_stack(options, 2000);
  EXPECT_GT(c.generating, c.impacts / 10);
  EXPECT_GT(c.penetrating, c.impacts / 10);
  EXPECT_EQ(c.momentum, 0);
}

TEST(StepLedger, AnImpulseThatIsNotWrittenDownIsMissed) {
  StackOptions options;
  options.fault = Fault::dropped_contact;
  const StackCount c = run_stack(options, 2000);
  EXPECT_GE(c.momentum, c.impacts) << "every one, also where it was the only one";
  EXPECT_GT(c.closure, 9 * c.impacts / 10);
}

}  // namespace
}  // namespace tact
