#include "tact/solve/extreme_rays.hpp"

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"

namespace tact {
namespace {

/// The cone over the cube [-1, 1]^d at height one.
std::vector<ExactVector> cube(Index d) {
  std::vector<ExactVector> rows;
  for (Index k = 0; k < d; ++k)
    for (const int sign : {-1, 1}) {
      ExactVector row(static_cast<std::size_t>(d) + 1);
      row[0] = 1;
      row[k + 1] = sign;
      rows.push_back(std::move(row));
    }
  return rows;
}

TEST(ExtremeRays, CubesHaveTheirCorners) {
  for (Index d = 1; d <= 6; ++d) {
    const auto rays = extreme_rays(cube(d), d + 1, 1000);
    ASSERT_TRUE(rays.has_value());
    EXPECT_EQ(rays->size(), std::size_t{1} << d);
    for (const ExactVector& z : *rays)
      for (const Exact& x : z) EXPECT_EQ(abs(x), 1);
  }
  EXPECT_FALSE(extreme_rays(cube(6), 7, 20).has_value());
}

TEST(ExtremeRays, RedundantAndRepeatedHalfSpaces) {
  auto rows = cube(3);
  rows.push_back(rows[0]);
  ExactVector far(4);
  far[0] = 5;
  far[1] = 1;
  rows.push_back(far);
  EXPECT_EQ(extreme_rays(rows, 4, 100)->size(), 8U);
  // The plane through four corners cuts nothing off.
  ExactVector touching(4);
  touching[0] = 2;
  touching[1] = touching[2] = 1;
  rows.push_back(touching);
  EXPECT_EQ(extreme_rays(rows, 4, 100)->size(), 8U);
}

TEST(ExtremeRays, LinesAndSmallCones) {
  EXPECT_FALSE(extreme_rays({{Exact(1), Exact(0)}}, 2, 10).has_value());
  EXPECT_TRUE(extreme_rays({}, 0, 10)->empty());
  // x >= 0 and x <= 0: nothing is inside.
  EXPECT_THROW((void)extreme_rays({{Exact(1)}, {Exact(-1)}}, 1, 10), ContractViolation);
}

TEST(ExtremeRays, RandomConesAgreeWithTheirHalfSpaces) {
  Rng rng(8);
  for (int k = 0; k < 50; ++k) {
    const auto d = static_cast<Index>(2 + rng.below(4));
    std::vector<ExactVector> rows;
    for (Index r = 0; r < 2 * d; ++r) {
      ExactVector row;
      for (Index c = 0; c < d; ++c) row.emplace_back(c == 0 ? 3.0 : rng.normal());
      rows.push_back(std::move(row));
    }
    const auto rays = extreme_rays(rows, d, 10000);
    ASSERT_TRUE(rays.has_value());
    for (const ExactVector& z : *rays) {
      std::vector<ExactVector> tight;
      for (const ExactVector& a : rows) {
        EXPECT_GE(dot(a, z), 0);
        if (dot(a, z) == 0) tight.push_back(a);
      }
      // A ray is where the half-spaces it lies on leave one direction.
      EXPECT_EQ(exact_rank(tight), d - 1);
    }
  }
}

}  // namespace
}  // namespace tact
