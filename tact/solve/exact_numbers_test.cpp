// Doubles taken at their word, numbers in quotes in their place, and which of them were rounded.
#include "tact/solve/exact_numbers.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

using Field = ExactNumber::Field;

ContactProblem one_wall() {
  ContactProblem p;
  p.contacts.resize(1);
  p.mass = MatX(MatX::Constant(1, 1, 2)).sparseView();
  p.rows = MatX(MatX::Constant(1, 1, 1)).sparseView();
  p.velocity = VecX::Constant(1, -0.5);
  p.outcome.emplace();
  p.outcome->velocity = VecX::Constant(1, 0.25);
  p.outcome->impulses.emplace(1, VecX::Constant(1, 1.5));
  return p;
}

TEST(ExactNumbers, DoublesAreTakenAtTheirWord) {
  const auto n = rational_problem(one_wall(), {});
  ASSERT_TRUE(n);
  EXPECT_EQ(n->mass[0][0], 2);
  EXPECT_EQ(n->velocity[0], Exact(-1, 2));
  EXPECT_EQ(n->after[0], Exact(1, 4));
  EXPECT_EQ(n->impulses[0], Exact(3, 2));
  EXPECT_FALSE(n->rounded);
}

TEST(ExactNumbers, QuotesReplaceDoublesAndAreNotRounded) {
  ContactProblem p = one_wall();
  p.velocity[0] = 0.1;
  EXPECT_TRUE(rational_problem(p, {})->rounded);
  const auto n = rational_problem(p, {{Field::velocity, 0, 0, "1/10"}});
  ASSERT_TRUE(n);
  EXPECT_EQ(n->velocity[0], Exact(1, 10));
  EXPECT_FALSE(n->rounded);
}

/// 2^-54 has one binary digit, and is what a computation leaves of a zero.
TEST(ExactNumbers, DustIsRounded) {
  ContactProblem p = one_wall();
  p.outcome->velocity[0] = 0x1p-54;
  EXPECT_TRUE(rational_problem(p, {})->rounded);
  EXPECT_FALSE(rational_problem(p, {{Field::after, 0, 0, "1/18014398509481984"}})->rounded);
}

TEST(ExactNumbers, WhatFitsNowhereIsRefused) {
  EXPECT_FALSE(rational_problem(one_wall(), {{Field::velocity, 3, 0, "1"}}));
  EXPECT_FALSE(rational_problem(one_wall(), {{Field::mass, 0, 1, "1"}}));
  EXPECT_FALSE(rational_problem(one_wall(), {{Field::velocity, 0, 0, "1/0"}}));
}

}  // namespace
}  // namespace tact
