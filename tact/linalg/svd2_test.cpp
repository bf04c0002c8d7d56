#include "tact/linalg/svd2.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

void expect_decomposes(const Mat2& a) {
  const Svd2 svd = svd2(a);
  const double bound = tolerance::rounding * a.norm();
  EXPECT_LE((svd.left * svd.sigma.asDiagonal() * svd.right.transpose() - a).norm(), bound) << a;
  EXPECT_LE((svd.left * svd.left.transpose() - Mat2::Identity()).norm(), tolerance::rounding);
  EXPECT_LE((svd.right * svd.right.transpose() - Mat2::Identity()).norm(), tolerance::rounding);
  EXPECT_GE(svd.sigma[0], svd.sigma[1]);
  EXPECT_GE(svd.sigma[1], 0);
}

TEST(Svd2, RandomAndSpecialMatrices) {
  Rng rng(2);
  for (int k = 0; k < 500; ++k) {
    Mat2 a;
    for (Index i = 0; i < 4; ++i) a.data()[i] = rng.normal() * rng.log_uniform(1e-6, 1e6);
    expect_decomposes(a);
  }
  Mat2 a;
  for (const auto& entries : {Vec4(0, 0, 0, 0), Vec4(1, 0, 0, 1), Vec4(0, 1, -1, 0),
                              Vec4(1, 1, 1, 1), Vec4(0, 0, 2, 0), Vec4(1, 2, 2, 4)}) {
    a << entries[0], entries[1], entries[2], entries[3];
    expect_decomposes(a);
  }
}

/// A column scaled down keeps the digits of the small singular value: det = σ_1 σ_2.
TEST(Svd2, SmallSingularValueKeepsItsDigits) {
  Mat2 a;
  a << 3, 1e-12, 4, 2e-12;
  const Svd2 svd = svd2(a);
  const double det = 3 * 2e-12 - 4 * 1e-12;
  EXPECT_NEAR(svd.sigma[0] * svd.sigma[1] / det, 1, tolerance::rounding);
}

}  // namespace
}  // namespace tact
