// Linear programs against the exact ones, over random data with dependent rows and duplicates.
#include "tact/poly/simplex.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/poly/exact_lp.hpp"

namespace tact {
namespace {

struct Program {
  MatX A;
  VecX b, c;
};

/// Small whole numbers: ties, dependent rows, repeated columns and rays turn up by themselves.
Program random_program(Rng& rng) {
  const auto whole = [&](int most) { return std::floor(rng.uniform(-most, most + 1)); };
  Program p;
  const auto rows = static_cast<Index>(1 + std::abs(whole(4)));
  const auto columns = static_cast<Index>(1 + std::abs(whole(8)));
  p.A = MatX::NullaryExpr(rows, columns, [&] { return whole(3); });
  if (columns > 2) p.A.col(columns - 1) = 2 * p.A.col(0);
  if (rows > 2) p.A.row(rows - 1) = p.A.row(0) - p.A.row(1);
  const VecX x = VecX::NullaryExpr(columns, [&] { return std::max(whole(4), 0.0); });
  p.b = p.A * x;
  p.c = VecX::NullaryExpr(columns, [&] { return whole(5); });
  return p;
}

ExactMaximum exact_answer(const Program& p) {
  ExactSystem system;
  system.columns = p.A.cols() + 1;
  for (Index r = 0; r < p.A.rows(); ++r) {
    ExactVector row{Exact(-p.b[r])};
    for (Index k = 0; k < p.A.cols(); ++k) row.emplace_back(p.A(r, k));
    system.add(row, Sense::zero);
  }
  ExactVector cost{Exact(0)};
  for (Index k = 0; k < p.c.size(); ++k) cost.emplace_back(-p.c[k]);
  return maximise(system, cost, 0);
}

/// Everything that the answer promises.
void expect_proved(const Program& p, const SimplexAnswer& got) {
  const double size = 1 + p.b.norm() + p.c.norm();
  EXPECT_GE(got.x.minCoeff(), 0);
  EXPECT_LE((p.A * got.x - p.b).norm(), 1e-12 * size * (1 + got.x.norm()));
  if (got.end == SimplexAnswer::End::optimal) {
    const VecX reduced = p.c - p.A.transpose() * got.prices;
    EXPECT_GE(reduced.minCoeff(), -1e-10 * size);
    EXPECT_NEAR(got.prices.dot(p.b), p.c.dot(got.x), 1e-10 * size * size);
  } else {
    EXPECT_GE(got.ray.minCoeff(), 0);
    EXPECT_LE((p.A * got.ray).norm(), 1e-12 * size * got.ray.norm());
    EXPECT_LT(p.c.dot(got.ray), 0);
  }
}

TEST(Simplex, AgreesWithTheExactProgramInBothDirections) {
  Rng rng(7);
  int unbounded = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Program p = random_program(rng);
    const Nnls start = nnls(p.A, p.b);
    ASSERT_LE(start.residual.norm(), 1e-10 * (1 + p.b.norm()));
    Simplex simplex(p.A, p.b, start.positive);
    for (int turn = 0; turn < 2; ++turn) {
      SCOPED_TRACE(trial);
      const SimplexAnswer got = simplex.minimise(p.c);
      const ExactMaximum want = exact_answer(p);
      ASSERT_NE(want.end, ExactMaximum::End::empty);
      ASSERT_EQ(got.end == SimplexAnswer::End::unbounded, want.end == ExactMaximum::End::unbounded);
      ASSERT_NE(got.end, SimplexAnswer::End::gave_up);
      expect_proved(p, got);
      if (got.end == SimplexAnswer::End::optimal) {
        EXPECT_NEAR(p.c.dot(got.x), -nearest(want.value), 1e-10 * (1 + p.c.norm() * p.b.norm()));
      }
      unbounded += got.end == SimplexAnswer::End::unbounded ? 1 : 0;
      p.c = -p.c;
    }
  }
  EXPECT_GT(unbounded, 100);
}

TEST(Simplex, NothingToChooseFrom) {
  const MatX A(2, 0);
  const SimplexAnswer got = Simplex(A, Vec2::Zero(), {}).minimise(VecX());
  EXPECT_EQ(got.end, SimplexAnswer::End::optimal);
  EXPECT_EQ(got.x.size(), 0);
}

TEST(Simplex, ColumnsOfAnyLength) {
  MatX A(1, 3);
  A << 1e-9, 1e9, 0;
  const VecX b = VecX::Constant(1, 1), c = (VecX(3) << 1e-9, 2e9, 5).finished();
  const Nnls start = nnls(A, b);
  const SimplexAnswer got = Simplex(A, b, start.positive).minimise(c);
  ASSERT_EQ(got.end, SimplexAnswer::End::optimal);
  EXPECT_NEAR(c.dot(got.x), 1, 1e-12);
}

}  // namespace
}  // namespace tact
