// Columns that join, leave and join again: Q'Q = 1 and Q R = A throughout.
#include "tact/linalg/growing_qr.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

TEST(GrowingQr, FactorsWhatHasJoined) {
  Rng rng(3);
  MatX A = MatX::NullaryExpr(6, 9, [&] { return rng.uniform(-1, 1); });
  A.col(4) = A.col(0) - 2 * A.col(1);
  for (Index j = 0; j < A.cols(); ++j) A.col(j).normalize();
  GrowingQr qr(6, 6);
  std::vector<Index> used;
  const auto expect_factors = [&] {
    ASSERT_EQ(qr.size(), static_cast<Index>(used.size()));
    MatX taken(6, qr.size());
    for (Index k = 0; k < qr.size(); ++k) taken.col(k) = A.col(used[k]);
    const MatX q = qr.basis(), r = qr.upper().toDenseMatrix();
    EXPECT_LE((q.transpose() * q - MatX::Identity(qr.size(), qr.size())).norm(),
              tolerance::rounding);
    EXPECT_LE((q * r - taken).norm(), tolerance::rounding);
  };
  for (Index j = 0; j < 4; ++j) {
    ASSERT_TRUE(qr.join(A.col(j), tolerance::rank));
    used.push_back(j);
    expect_factors();
  }
  EXPECT_FALSE(qr.join(A.col(4), tolerance::rank));
  expect_factors();
  qr.keep(2);
  used.resize(2);
  for (Index j = 5; j < 9; ++j) {
    ASSERT_TRUE(qr.join(A.col(j), tolerance::rank));
    used.push_back(j);
    expect_factors();
  }
  EXPECT_FALSE(qr.join(A.col(2), tolerance::rank));  // no room
  expect_factors();
}

}  // namespace
}  // namespace tact
