#include "tact/linalg/root2.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

using tolerance::rounding;

TEST(SymmetricRoot, SquaresToTheMatrix) {
  Rng rng(5);
  for (int trial = 0; trial < 100; ++trial) {
    Mat2 a;
    a << rng.normal(), rng.normal(), rng.normal(), rng.normal();
    const Mat2 m = a * a.transpose();
    const Mat2 r = symmetric_root(m);
    EXPECT_LE((r * r - m).cwiseAbs().maxCoeff(), rounding * m.trace());
    EXPECT_EQ(r(0, 1), r(1, 0));
    EXPECT_GE(r.determinant(), 0);
  }
  EXPECT_EQ(symmetric_root(Mat2::Zero()), Mat2::Zero());
}

TEST(SymmetricRoot, IsSmoothWhereTheEigenvaluesMeet) {
  for (const double share : {1e-3, 1e-9, 1e-15, 0.0}) {
    const Mat2 m = 100 * (Mat2() << 1, share, share, 1).finished();
    EXPECT_LE((symmetric_root(m) - 10 * Mat2::Identity()).norm(), 10 * (share + rounding));
  }
}

}  // namespace
}  // namespace tact
