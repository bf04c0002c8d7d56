#include "tact/modes/open_cone.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact::detail {
namespace {

OpenCone cone_of(const MatX& rows) {
  OpenCone out;
  out.rows = rows;
  out.error = VecX::Zero(rows.cols());
  out.exact = [rows](Index row) {
    const VecX entries = rows.row(row).transpose();
    return ExactVector(entries.begin(), entries.end());
  };
  return out;
}

/// The answer by what it says of the rows, in rationals.
void expect_proved(const OpenCone& cone, const OpenAnswer& answer) {
  if (answer.open) {
    ExactVector z = answer.exact;
    if (z.empty()) z.assign(answer.point.begin(), answer.point.end());
    for (Index i = 0; i < cone.rows.rows(); ++i) EXPECT_GT(sgn(dot(cone.exact(i), z)), 0);
    return;
  }
  ExactSystem sum;  // positive weights, as many as rows, under which every column vanishes
  sum.columns = static_cast<Index>(answer.circuit.size());
  for (Index k = 0; k < cone.dim(); ++k) {
    ExactVector column;
    for (const Index row : answer.circuit) column.push_back(cone.exact(row)[k]);
    sum.add(column, Sense::zero);
  }
  for (Index k = 0; k < sum.columns; ++k) {
    ExactVector one(sum.columns);
    one[k] = 1;
    sum.add(one, Sense::above);
  }
  EXPECT_TRUE(tact::decide(sum).feasible);
}

TEST(OpenCone, EveryAnswerIsProved) {
  Rng rng(5);
  int open = 0;
  OpenTally tally;
  constexpr int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    const auto dim = static_cast<Index>(1 + rng.below(6));
    const auto count = static_cast<Index>(1 + rng.below(12));
    const bool whole = rng.below(2) == 0;
    const MatX rows = MatX::NullaryExpr(
        count, dim, [&] { return whole ? static_cast<double>(rng.below(5)) - 2 : rng.normal(); });
    const OpenCone cone = cone_of(rows);
    const OpenAnswer answer = decide(cone, tally);
    open += answer.open ? 1 : 0;
    expect_proved(cone, answer);
  }
  EXPECT_GT(open, rounds / 10);
  EXPECT_LT(open, rounds - rounds / 10);
  EXPECT_EQ(tally.decisions, static_cast<std::uint64_t>(rounds));
}

TEST(OpenCone, HairBreadthsAreDecided) {
  // (1, e), (-1, e): open for every e > 0, however small, and empty for e = 0.
  OpenTally tally;
  for (double e = 1; e > tolerance::smallest; e /= 1024) {
    MatX rows(2, 2);
    rows << 1, e, -1, e;
    const OpenCone cone = cone_of(rows);
    const OpenAnswer answer = decide(cone, tally);
    EXPECT_TRUE(answer.open) << e;
    expect_proved(cone, answer);
    rows << 1, e, -1, -e;
    EXPECT_FALSE(decide(cone_of(rows), tally).open) << e;
  }
}

TEST(OpenCone, RowsThatAreOffMayBothBe) {
  // The doubles say open, the numbers they stand for say empty: the error leaves room for that.
  MatX rows(2, 1);
  rows << 1, 1;
  OpenCone cone = cone_of(rows);
  cone.error = VecX::Constant(1, 2.5);
  cone.exact = [](Index row) { return ExactVector{row == 0 ? Exact(1) : Exact(-1)}; };
  OpenTally tally;
  const OpenAnswer answer = decide(cone, tally);
  EXPECT_FALSE(answer.open);
  EXPECT_EQ(answer.circuit.size(), 2U);
}

TEST(OpenCone, NoRowsLeaveEverything) {
  OpenTally tally;
  EXPECT_TRUE(decide(cone_of(MatX(0, 3)), tally).open);
  EXPECT_FALSE(decide(cone_of(MatX::Zero(1, 3)), tally).open);
}

}  // namespace
}  // namespace tact::detail
