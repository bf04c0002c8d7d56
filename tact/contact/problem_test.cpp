#include "tact/contact/problem.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/contact/delassus.hpp"

namespace tact {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ContactProblem mass_form() {
  ContactProblem p;
  p.contacts.resize(2);
  p.contacts[0].law = Frictionless{};
  p.contacts[1].law = CoulombLaw{0.5};
  p.mass = sparse(MatX::Identity(3, 3));
  p.velocity = VecX::Zero(3);
  p.impulse = VecX::Zero(3);
  p.rows = sparse(MatX::Ones(4, 3));
  p.excitation = VecX::Zero(4);
  return p;
}

ContactProblem delassus_form() {
  ContactProblem p;
  p.contacts = mass_form().contacts;
  p.delassus = sparse(MatX::Identity(4, 4));
  p.free_velocity = VecX::Zero(4);
  return p;
}

TEST(ContactProblem, RowOffsets) {
  EXPECT_EQ(row_offsets({}), (std::vector<Index>{0}));
  EXPECT_EQ(row_offsets(mass_form().contacts), (std::vector<Index>{0, 1, 4}));
}

TEST(ContactProblem, GoodOnesPass) {
  EXPECT_TRUE(mass_form().in_mass_form());
  EXPECT_EQ(mass_form().dof(), 3);
  EXPECT_FALSE(delassus_form().in_mass_form());
  EXPECT_TRUE(validate(mass_form()));
  EXPECT_TRUE(validate(delassus_form()));
  ContactProblem bare = mass_form();
  bare.impulse.resize(0);
  bare.excitation.resize(0);
  EXPECT_TRUE(validate(bare)) << "empty means zero";
  EXPECT_TRUE(validate(ContactProblem{})) << "nothing to solve";
}

struct Refusal {
  std::function<void(ContactProblem&)> spoil;
  std::string sentence;
};

void expect_refusals(const ContactProblem& good, const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    ContactProblem p = good;
    refusal.spoil(p);
    const auto result = validate(p);
    ASSERT_FALSE(result) << refusal.sentence;
    EXPECT_EQ(result.error().message, refusal.sentence);
  }
}

TEST(ContactProblem, RefusesContactsThatMakeNoSense) {
  using P = ContactProblem;
  expect_refusals(mass_form(),
                  {{[](P& p) { p.contacts[1].law = CoulombLaw{-1}; },
                    "contacts[1]: mu must be a finite number, zero or more"},
                   {[](P& p) { p.contacts[0].restitution = -0.5; },
                    "contacts[0]: restitution must be a finite number, zero or more"},
                   {[](P& p) { p.contacts[0].restitution = nan; },
                    "contacts[0]: restitution must be a finite number, zero or more"},
                   {[](P& p) { p.contacts[0].gap = nan; }, "contacts[0]: gap must be finite"},
                   {[](P& p) {
                      p.contacts[0].gap_slope = {0.1, 0};
                    },
                    "contacts[0]: only the gap of a patch has a slope, leave it out"},
                   {[](P& p) { p.contacts[1].stabilisation = 1.5; },
                    "contacts[1]: stabilisation must lie between 0 and 1"},
                   {[](P& p) { p.contacts[1].stabilisation = nan; },
                    "contacts[1]: stabilisation must lie between 0 and 1"},
                   {[](P& p) { p.contacts[1].gap = 0.1; },
                    "contacts[1]: a gap needs the step dt, give dt > 0 or leave gap out"}});
}

TEST(ContactProblem, TheGapOfAPatchIsThatOfItsCorners) {
  Rng rng(7);
  const std::vector<Vec2> corners{{-0.1, -0.2}, {0.3, -0.2}, {0.3, 0.1}, {-0.1, 0.1}};
  for (int round = 0; round < 200; ++round) {
    Contact contact{"", FrictionlessPatch{{PolygonShape{corners}}}};
    contact.gap = rng.uniform(-0.1, 0.1);
    contact.gap_slope = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
    contact.stabilisation = rng.uniform(0, 1);
    const double dt = rng.uniform(0.001, 0.01);
    const auto gap_at = [&](const Vec2& x) { return contact.gap + contact.gap_slope.dot(x); };
    double least = gap_at(corners[0]);
    for (const Vec2& x : corners) least = std::min(least, gap_at(x));
    const double lift = -(1 - contact.stabilisation) * std::min(least, 0.0);
    const Vec3 twist = gap_velocity(contact, dt);
    for (const Vec2& x : corners)
      EXPECT_NEAR(twist[2] + twist.head<2>().dot(perp(x)), (gap_at(x) + lift) / dt,
                  tolerance::rounding / dt);
  }
}

/// γ + stabilisation gap/dt = 0, whichever sign the error has; restitution is of no account.
TEST(ContactProblem, TheGapOfABoundedRowIsAnErrorOfEitherSign) {
  Contact contact{"", BoundedLaw{}};
  contact.stabilisation = 0.25;
  contact.restitution = 0.7;
  for (const double gap : {-0.01, 0.01}) {
    contact.gap = gap;
    EXPECT_DOUBLE_EQ(gap_velocity(contact, 0.001)[2], 250 * gap);
    ContactProblem p;
    p.dt = 0.001;
    p.contacts = {contact};
    EXPECT_DOUBLE_EQ(law_shift(p, VecX::Constant(1, 3))[0], 250 * gap);
    EXPECT_EQ(first_bounded(p), 0);
  }
  EXPECT_EQ(first_bounded(mass_form()), -1);
}

TEST(ContactProblem, AGapWithoutSlopeIsTakenBackByItsShare) {
  Contact contact{"", Frictionless{}};
  contact.gap = -0.01;
  contact.stabilisation = 0.25;
  EXPECT_DOUBLE_EQ(gap_velocity(contact, 0.001)[2], -2.5);
  contact.gap = 0.01;
  EXPECT_DOUBLE_EQ(gap_velocity(contact, 0.001)[2], 10);
}

TEST(ContactProblem, RefusesSizesThatDoNotFit) {
  using P = ContactProblem;
  expect_refusals(
      mass_form(),
      {{[](P& p) { p.mass = sparse(MatX::Ones(3, 2)); }, "mass is 3 x 2, 3 x 3 is needed (square)"},
       {[](P& p) { p.mass.coeffRef(0, 0) = nan; }, "mass has an entry that is not finite"},
       {[](P& p) { p.velocity.resize(0); },
        "velocity has 0 entries, 3 are needed (one per degree of freedom)"},
       {[](P& p) { p.velocity[1] = nan; }, "velocity has an entry that is not finite"},
       {[](P& p) { p.impulse = VecX::Zero(2); },
        "impulse has 2 entries, 3 are needed (one per degree of freedom)"},
       {[](P& p) { p.rows = sparse(MatX::Ones(3, 3)); },
        "rows is 3 x 3, 4 x 3 is needed (contact rows by degrees of freedom)"},
       {[](P& p) { p.excitation = VecX::Zero(5); },
        "excitation has 5 entries, 4 are needed (one per contact row)"}});
  expect_refusals(
      delassus_form(),
      {{[](P& p) { p.delassus.resize(0, 0); }, "neither mass nor delassus is given"},
       {[](P& p) { p.delassus = sparse(MatX::Ones(3, 3)); },
        "delassus is 3 x 3, 4 x 4 is needed (one per contact row)"},
       {[](P& p) { p.free_velocity.resize(0); },
        "free_velocity has 0 entries, 4 are needed (one per contact row)"},
       {[](P& p) { p.free_velocity[3] = nan; }, "free_velocity has an entry that is not finite"}});
}

TEST(ContactProblem, RefusesOutcomesThatDoNotFit) {
  using P = ContactProblem;
  ContactProblem good = mass_form();
  good.outcome = Outcome{VecX::Zero(3), std::vector<VecX>{VecX::Zero(1), VecX::Zero(3)}};
  ASSERT_TRUE(validate(good));
  expect_refusals(good, {{[](P& p) { p.outcome->velocity.resize(2); },
                          "outcome.velocity has 2 entries, 3 are needed (one per degree of "
                          "freedom)"},
                         {[](P& p) { p.outcome->impulses->resize(1); },
                          "outcome.impulses has 1 entries, 2 are needed (one list per contact)"},
                         {[](P& p) { p.outcome->impulses->at(1).resize(2); },
                          "outcome.impulses[1] has 2 entries, 3 are needed (one per contact "
                          "row)"}});
}

}  // namespace
}  // namespace tact
