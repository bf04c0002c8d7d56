#include "tact/impact/audit.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/shaken_stack.hpp"

namespace tact {
namespace {

using testing::Fault;
using testing::ShakenStack;
using testing::StackOptions;

/// One point on the ground: unit mass, [x, z], friction 1/2.
struct Point {
  ContactProblem problem;
  VecX free, after, lambda;

  Point(const Vec2& before, const Vec2& smooth, const Vec2& impulse) {
    problem.mass = sparse(MatX::Identity(2, 2));
    problem.velocity = before;
    problem.impulse = smooth;
    problem.rows = sparse(MatX::Identity(2, 2));
    problem.contacts.push_back({"ground", CoulombLaw{0.5, true}});
    free = before + smooth;
    after = free + impulse;
    lambda = impulse;
  }
  [[nodiscard]] StepLedger ledger() const {
    return step_ledger(problem, {free, after, lambda, std::nullopt});
  }
  [[nodiscard]] std::set<std::string> verdicts() const {
    std::set<std::string> out;
    const StepFindings findings = judge(ledger());
    for (const Violation v : all_violations)
      if (findings[static_cast<std::size_t>(v)]) out.emplace(name(v));
    return out;
  }
};

using Names = std::set<std::string>;

TEST(Audit, LawfulStepsAreClean) {
  EXPECT_EQ(Point({1, 0}, {0, -0.1}, {-0.05, 0.1}).verdicts(), Names{}) << "slides";
  EXPECT_EQ(Point({0.02, 0}, {0, -0.1}, {-0.02, 0.1}).verdicts(), Names{}) << "sticks";
  EXPECT_EQ(Point({1, 1}, {0, -0.1}, {0, 0}).verdicts(), Names{}) << "flies";
  EXPECT_EQ(Point({0, 0}, {0, 0}, {0, 0}).verdicts(), Names{}) << "nothing happens";
}

TEST(Audit, NoiseAloneInItsStepIsNotItsOwnMeasure) {
  const double noise = -1e-300;
  EXPECT_EQ(Point({1, 1}, {0, -0.1}, {0, noise}).verdicts(), Names{}) << "flies";
  EXPECT_EQ(Point({0, 0}, {0, -0.1}, {0, noise}).verdicts(), Names{"penetration"}) << "falls";
  EXPECT_EQ(Point({1, 1}, {0, 0}, {0, noise}).verdicts(), Names{}) << "flies freely";
  EXPECT_EQ(Point({1, 1}, {0, -0.1}, {-noise, 0}).verdicts(), Names{}) << "friction without load";
  // In whatever units the coordinates are: x and z in millimetres.
  Point flies({1, 1}, {0, -0.1}, {0, -1e-5});
  EXPECT_EQ(flies.verdicts(), (Names{"complementarity", "cone"}))
      << "a pull of a ten-thousandth of what moves it";
  const StepLedger metres = flies.ledger();
  flies.problem.velocity *= 1000;
  flies.free *= 1000;
  flies.after *= 1000;
  flies.problem.impulse /= 1000;
  flies.problem.rows *= 1.0 / 1000;
  flies.problem.mass *= 1.0 / 1'000'000;
  const StepLedger millimetres = flies.ledger();
  EXPECT_NEAR(metres.cone_scale, 0.10001, 1e-15);
  EXPECT_NEAR(millimetres.cone_scale, metres.cone_scale, 1e-15);
  EXPECT_NEAR(millimetres.cone_rounding, metres.cone_rounding, 1e-15 * metres.cone_rounding);
}

TEST(Audit, EachLawIsSeenToBeBroken) {
  EXPECT_EQ(Point({1, 0}, {0, -0.1}, {-0.06, 0.1}).verdicts(), Names{"cone"});
  EXPECT_EQ(Point({0, 1}, {0, 0}, {0, -1}).verdicts(), Names{"cone"}) << "a contact that pulls";
  EXPECT_EQ(Point({0, -1}, {0, 0}, {0, 1.5}).verdicts(), Names{"complementarity"})
      << "a bounce that no restitution explains";
  EXPECT_EQ(Point({0, -1}, {0, 0}, {0, 0.5}).verdicts(), (Names{"complementarity", "penetration"}));
  EXPECT_EQ(Point({0, -1}, {0, 0}, {0, 0}).verdicts(), Names{"penetration"});
  EXPECT_EQ(Point({0, -1}, {0, 0}, {0, 2.1}).verdicts(), (Names{"complementarity", "dissipation"}));
  EXPECT_EQ(Point({1, 0}, {0, -0.1}, {0.05, 0.1}).verdicts(), (Names{"dissipation", "friction"}));
  Point lost({1, 0}, {0, -0.1}, {-0.05, 0.1});
  lost.lambda.setZero();
  EXPECT_EQ(lost.verdicts(), (Names{"closure", "momentum"}));
}

TEST(Audit, FindingsSayWhoAndByHowMuch) {
  Point slip({1, 0}, {0, -0.1}, {-0.06, 0.1});
  const auto cone = judge(slip.ledger())[static_cast<std::size_t>(Violation::cone)];
  ASSERT_TRUE(cone);
  EXPECT_NEAR(cone->amount, 0.01, tolerance::rounding);
  EXPECT_EQ(cone->contact, 0);
  EXPECT_NEAR(cone->limit, 0.1 * tolerance::audit, tolerance::rounding);
  EXPECT_GT(cone->excess(), 1000);

  slip.after[1] += 0.25;
  const auto momentum = judge(slip.ledger())[static_cast<std::size_t>(Violation::momentum)];
  ASSERT_TRUE(momentum);
  EXPECT_EQ(momentum->dof, 1);
  EXPECT_NEAR(momentum->amount, 0.25, tolerance::rounding);
}

TEST(Audit, TheToleranceIsTheCallers) {
  const Point slip({1, 0}, {0, -0.1}, {-0.0501, 0.1});
  EXPECT_TRUE(judge(slip.ledger(), 1e-4)[static_cast<std::size_t>(Violation::cone)]);
  EXPECT_FALSE(judge(slip.ledger(), 1e-2)[static_cast<std::size_t>(Violation::cone)]);
}

TEST(Audit, NumbersThatAreNoneAreViolations) {
  Point broken({1, 0}, {0, -0.1}, {-0.05, 0.1});
  broken.after[0] = std::nan("");
  const Names found = broken.verdicts();
  EXPECT_TRUE(found.contains("momentum"));
  EXPECT_TRUE(found.contains("dissipation"));
  EXPECT_TRUE(found.contains("closure"));
}

Audit audit_stack(const StackOptions& options, int steps) {
  ShakenStack stack(options);
  Audit out;
  LedgerWorkspace work;
  StepLedger ledger;
  for (int k = 0; k < steps; ++k) {
    const testing::StackStep& s = stack.step();
    step_ledger(s.problem, s.laws, {s.free, s.after, s.lambda, s.potential_change}, work, ledger);
    add_step(out, {k, options.dt * k, s.problem, ledger, judge(ledger)});
  }
  return out;
}

TEST(Audit, TheSumsOfARunAreThoseOfItsSteps) {
  const Audit a = audit_stack({}, 500);
  EXPECT_EQ(a.steps, 500);
  EXPECT_DOUBLE_EQ(a.end, 499 * 0.002);
  const RunLedger& l = a.ledger;
  const double booked = l.force + l.contact + l.stabilisation + l.wall;
  EXPECT_NEAR(l.change, booked, 1e-12 * l.wall);
  EXPECT_NEAR(l.T_last - l.T_first, l.change + l.between, 1e-12 * l.wall);
  EXPECT_NEAR(l.between, 0, 1e-12 * l.wall) << "every step begins where the last one ended";
  EXPECT_LT(l.worst_closure, 1e-12);
  EXPECT_TRUE(l.integration);
  EXPECT_LT(a.deepest, 0);
  EXPECT_GT(a.largest_impulse, 0);
  // Poisson's bounces are no Newton bounces: that is the one thing this engine is not asked for.
  for (const Violation v : all_violations)
    if (v != Violation::complementarity) {
      EXPECT_EQ(a.of(v).steps, 0) << name(v);
    }
}

TEST(Audit, PlantedFaultsAreNamed) {
  StackOptions options;
  options.fault = Fault::dropped_contact;
  const Audit lost = audit_stack(options, 300);
  EXPECT_FALSE(lost.clean());
  EXPECT_GT(lost.of(Violation::momentum).steps, 250);
  EXPECT_GE(lost.of(Violation::momentum).worst.finding.dof, 0);

  options.fault = Fault::flipped_walls;
  const Audit flipped = audit_stack(options, 300);
  EXPECT_EQ(flipped.of(Violation::momentum).steps, 0);
  EXPECT_GT(flipped.of(Violation::penetration).steps, 0);
  EXPECT_GT(flipped.of(Violation::dissipation).steps, 0);
  EXPECT_FALSE(flipped.of(Violation::penetration).worst.contact.empty());
  ASSERT_TRUE(flipped.worst());

  options.fault = Fault::bouncy;
  const Audit bouncy = audit_stack(options, 5000);
  EXPECT_GT(bouncy.of(Violation::dissipation).steps, 0);
}

}  // namespace
}  // namespace tact
