#include "tact/linalg/sparse.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Sparse, KeepsEveryEntryThatIsNotZero) {
  MatX m = MatX::Zero(3, 4);
  m(0, 1) = 1e-300;
  m(2, 3) = -2;
  const SparseMatrix s = sparse(m);
  EXPECT_EQ(s.nonZeros(), 2);
  EXPECT_EQ(MatX(s), m);
  EXPECT_EQ(sparse(MatX(0, 5)).cols(), 5);
}

TEST(Sparse, FiniteMeansEveryStoredEntry) {
  MatX m = MatX::Identity(3, 3);
  EXPECT_TRUE(all_finite(sparse(m)));
  EXPECT_TRUE(all_finite(SparseMatrix(0, 0)));
  m(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(all_finite(sparse(m)));
  m(2, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(all_finite(sparse(m)));
}

}  // namespace
}  // namespace tact
