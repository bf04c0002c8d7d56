#include "tact/poly/exact_lp.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

ExactVector numbers(std::initializer_list<int> list) {
  return {list.begin(), list.end()};
}

TEST(ExactLp, NearestRoundsToNearest) {
  EXPECT_EQ(nearest(Exact(1, 3)), 1.0 / 3);
  EXPECT_EQ(nearest(Exact(2, 3)), 2.0 / 3);  // truncation would be one too low
  EXPECT_EQ(nearest(Exact(-2, 3)), -2.0 / 3);
  EXPECT_EQ(nearest(Exact(0)), 0);
  EXPECT_EQ(nearest(Exact(0.1)), 0.1);
}

TEST(ExactLp, ByHand) {
  // x_0 > 0, x_1 - x_0 = 0, x_2 - 2 x_1 >= 0.
  ExactSystem s;
  s.columns = 3;
  s.add(numbers({1, 0, 0}), Sense::above);
  s.add(numbers({-1, 1, 0}), Sense::zero);
  s.add(numbers({0, -2, 1}), Sense::at_least);
  const ExactVerdict yes = decide(s);
  ASSERT_TRUE(yes.feasible);
  EXPECT_TRUE(satisfies(s, yes.point));
  // and x_1 > x_2: impossible.
  s.add(numbers({0, 1, -1}), Sense::above);
  const ExactVerdict no = decide(s);
  ASSERT_FALSE(no.feasible);
  EXPECT_TRUE(refutes(s, no.multipliers));
  // Multipliers of the wrong sign, of nothing that counts, or too few, refute nothing.
  ExactVector y = no.multipliers;
  y[3] = -y[3];
  EXPECT_FALSE(refutes(s, y));
  EXPECT_FALSE(refutes(s, ExactVector(4)));
  EXPECT_FALSE(refutes(s, {}));
}

TEST(ExactLp, StrictAtTheEdge) {
  // x_1 <= x_0 and x_1 >= x_0 leave equality; one part in 2^60 more is too much.
  ExactSystem s;
  s.columns = 2;
  s.add(numbers({1, 0}), Sense::above);
  s.add(numbers({1, -1}), Sense::at_least);
  s.add(numbers({-1, 1}), Sense::at_least);
  EXPECT_TRUE(decide(s).feasible);
  s.rows[2][0] -= Exact(0x1p-60);
  EXPECT_FALSE(decide(s).feasible);
  s.rows[2][0] += Exact(0x1p-59);
  EXPECT_TRUE(decide(s).feasible);
  s.rows[2][0] = -1;
  s.sense[2] = Sense::above;
  EXPECT_FALSE(decide(s).feasible);
}

TEST(ExactLp, MaximumByHand) {
  // x_1 + x_2 <= x_0, x_1 <= 2/3 x_0.
  ExactSystem s;
  s.columns = 3;
  s.add(numbers({1, 0, 0}), Sense::above);
  s.add(numbers({1, -1, -1}), Sense::at_least);
  s.add(numbers({2, -3, 0}), Sense::at_least);
  const ExactMaximum one = maximise(s, numbers({0, 2, 1}), 0);
  ASSERT_EQ(one.end, ExactMaximum::End::found);
  EXPECT_EQ(one.value, Exact(5, 3));
  EXPECT_TRUE(bounds(s, numbers({0, 2, 1}), 0, one.value, one.multipliers));
  EXPECT_FALSE(bounds(s, numbers({0, 2, 1}), 0, one.value - Exact(1, 1000), one.multipliers));
  ExactSystem free = s;
  free.rows.resize(1);
  free.sense.resize(1);
  EXPECT_EQ(maximise(free, numbers({0, 1, 0}), 0).end, ExactMaximum::End::unbounded);
  s.add(numbers({-1, 1, 0}), Sense::at_least);
  EXPECT_EQ(maximise(s, numbers({0, 1, 0}), 0).end, ExactMaximum::End::empty);
}

TEST(ExactLp, RandomSystemsAreDecidedWithProof) {
  Rng rng(5);
  int yes = 0, no = 0;
  for (int k = 0; k < 500; ++k) {
    ExactSystem s;
    s.columns = 2 + static_cast<Index>(rng.below(5));
    const auto rows = 1 + rng.below(8);
    const bool ties = rng.below(2) == 0;
    for (std::uint64_t r = 0; r <= rows; ++r) {
      ExactVector row;
      for (Index c = 0; c < s.columns; ++c)
        row.emplace_back(ties ? static_cast<double>(rng.below(3)) - 1 : rng.normal());
      s.add(std::move(row), r == 0 ? Sense::above : static_cast<Sense>(rng.below(3)));
    }
    const ExactVerdict verdict = decide(s);
    ++(verdict.feasible ? yes : no);
    EXPECT_TRUE(verdict.feasible ? satisfies(s, verdict.point) : refutes(s, verdict.multipliers));
  }
  EXPECT_GT(yes, 50);
  EXPECT_GT(no, 50);
}

TEST(ExactLp, LinearSystems) {
  const std::vector<ExactVector> A{numbers({1, 2, 3}), numbers({2, 4, 6}), numbers({0, 1, 1})};
  EXPECT_EQ(exact_rank(A), 2);
  const auto N = null_space(A, 3);
  ASSERT_EQ(N.size(), 1U);
  for (const ExactVector& row : A) EXPECT_EQ(dot(row, N[0]), 0);
  const auto x = solve_exactly(A, numbers({6, 12, 2}));
  ASSERT_TRUE(x.has_value());
  EXPECT_EQ(dot(A[0], *x), 6);
  EXPECT_EQ(dot(A[2], *x), 2);
  EXPECT_FALSE(solve_exactly(A, numbers({6, 13, 2})).has_value());
  EXPECT_EQ(null_space({}, 2).size(), 2U);
}

}  // namespace
}  // namespace tact
