#include "tact/contact/mass.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

MatX random_spd(Rng& rng, Index n) {
  MatX root(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) root(i, j) = rng.normal();
  const MatX m = root * root.transpose() + MatX::Identity(n, n);
  return 0.5 * (m + m.transpose());
}

MatX random_rows(Rng& rng, Index rows, Index cols) {
  MatX m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = rng.normal();
  return m;
}

void expect_divides(const MatX& m, bool general, Rng& rng) {
  const auto factor = MassFactor::from(sparse(m), general);
  ASSERT_TRUE(factor) << factor.error().message;
  const VecX x = random_rows(rng, m.rows(), 1);
  const MatX inverse = m.inverse();
  EXPECT_LE((factor->solve(x) - inverse * x).norm(), 1e-11 * inverse.norm() * x.norm());
  const MatX J = random_rows(rng, 5, m.rows());
  const MatX G = factor->delassus(sparse(J));
  EXPECT_LE((G - J * inverse * J.transpose()).norm(), 1e-11 * inverse.norm() * J.squaredNorm());
}

TEST(MassFactor, DividesByEveryKindOfMass) {
  Rng rng(1);
  for (int k = 0; k < 20; ++k) {
    expect_divides(random_spd(rng, 1 + static_cast<Index>(rng.below(12))), false, rng);
    expect_divides(random_spd(rng, 13 + static_cast<Index>(rng.below(20))), false, rng);
    MatX free_bodies = MatX::Zero(24, 24);
    for (Index b = 0; b < 24; b += 6) free_bodies.block(b, b, 6, 6) = random_spd(rng, 6);
    expect_divides(free_bodies, false, rng);
    MatX general = random_rows(rng, 9, 9) + 9 * MatX::Identity(9, 9);
    expect_divides(general, true, rng);
    general = random_rows(rng, 20, 20) + 20 * MatX::Identity(20, 20);
    expect_divides(general, true, rng);
  }
}

TEST(MassFactor, FreeBodiesKeepTheDelassusMatrixSparse) {
  Rng rng(2);
  MatX mass = MatX::Zero(12, 12);
  mass.topLeftCorner(6, 6) = random_spd(rng, 6);
  mass.bottomRightCorner(6, 6) = random_spd(rng, 6);
  MatX J = MatX::Zero(6, 12);
  J.topLeftCorner(3, 6) = random_rows(rng, 3, 6);
  J.bottomRightCorner(3, 6) = random_rows(rng, 3, 6);
  EXPECT_EQ(MassFactor::from(sparse(mass), false)->delassus(sparse(J)).nonZeros(), 18)
      << "contacts of different bodies do not know each other";
}

TEST(MassFactor, SmallMassesBesideLargeOnesAreStillMasses) {
  MatX m = MatX::Zero(3, 3);
  m.diagonal() << 1e12, 1, 1e-12;
  EXPECT_TRUE(MassFactor::from(sparse(m), false));
  MatX large = MatX::Identity(20, 20);
  large(3, 4) = large(4, 3) = 0.5;
  for (Index i = 0; i + 1 < 20; ++i) large(i, i + 1) = large(i + 1, i) = 0.1;
  large.row(7) *= 1e-6;
  large.col(7) *= 1e-6;
  EXPECT_TRUE(MassFactor::from(sparse(large), false));
}

std::string refusal(const MatX& m, bool general = false) {
  const auto factor = MassFactor::from(sparse(m), general);
  return factor ? "" : factor.error().message;
}

TEST(MassFactor, RefusesAndNamesTheRow) {
  MatX m = MatX::Identity(4, 4);
  m(2, 2) = 0;
  EXPECT_EQ(refusal(m),
            "mass must be positive definite, and is not in row 2; check the inertia that stands "
            "there");
  m(2, 2) = -1;
  EXPECT_NE(refusal(m).find("row 2"), std::string::npos);
  m = MatX::Identity(4, 4);
  m(1, 3) = 0.5;
  EXPECT_EQ(refusal(m), "mass must be symmetric, and is not in row 1");
  EXPECT_EQ(refusal(m, true), "") << "a general mass need not be";
  m = MatX::Identity(4, 4);
  m(2, 3) = m(3, 2) = 1;  // two rows of one body, the same
  EXPECT_NE(refusal(m).find("row 2"), std::string::npos);
  EXPECT_EQ(refusal(m, true), "mass is singular in row 2");
}

TEST(MassFactor, RefusesLargeOnesToo) {
  Rng rng(3);
  MatX m = random_spd(rng, 20);
  MatX indefinite = m;
  indefinite(11, 11) = -1;
  EXPECT_TRUE(refusal(indefinite).starts_with("mass must be positive definite"));
  MatX singular = m;
  singular.row(5).setZero();
  EXPECT_FALSE(refusal(singular, true).empty());
}

}  // namespace
}  // namespace tact
