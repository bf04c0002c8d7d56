#include "tact/geom/spline_heights.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/surface_zoo.hpp"

namespace tact {
namespace {

using namespace testing;

Vec2 corner(const HeightGrid& grid, Index i, Index j) {
  return {
      grid.half_size[0] * (2 * static_cast<double>(j) / static_cast<double>(grid.columns - 1) - 1),
      grid.half_size[1] * (2 * static_cast<double>(i) / static_cast<double>(grid.rows - 1) - 1)};
}

TEST(SplineHeights, GoThroughTheHeights) {
  Rng rng(1);
  for (int k = 0; k < 20; ++k) {
    const HeightGrid grid = bumpy_grid(rng, 1);
    const auto spline = spline_through(grid);
    ASSERT_TRUE(spline);
    for (Index i = 0; i < grid.rows; ++i)
      for (Index j = 0; j < grid.columns; ++j) {
        const Vec2 x = corner(grid, i, j);
        EXPECT_NEAR(evaluate(*spline, x[0], x[1]).h, grid.heights[i * grid.columns + j], rounding);
      }
  }
}

TEST(SplineHeights, DerivativesAreDifferences) {
  Rng rng(2);
  const auto spline = spline_through(bumpy_grid(rng, 1));
  const double h = difference_step;
  for (int k = 0; k < 200; ++k) {
    const double x = rng.uniform(-0.9, 0.9);
    const double y = rng.uniform(-0.7, 0.7);
    const HeightJet at = evaluate(*spline, x, y);
    const HeightJet east = evaluate(*spline, x + h, y);
    const HeightJet west = evaluate(*spline, x - h, y);
    const HeightJet north = evaluate(*spline, x, y + h);
    const HeightJet south = evaluate(*spline, x, y - h);
    const double bound = 100 * difference_error;
    EXPECT_NEAR((east.h - west.h) / (2 * h), at.hx, bound);
    EXPECT_NEAR((north.h - south.h) / (2 * h), at.hy, bound);
    // Third derivatives jump between cells: the difference is off by one step there.
    EXPECT_NEAR((east.hx - west.hx) / (2 * h), at.hxx, 200 * h);
    EXPECT_NEAR((north.hx - south.hx) / (2 * h), at.hxy, 200 * h);
    EXPECT_NEAR((north.hy - south.hy) / (2 * h), at.hyy, 200 * h);
  }
}

TEST(SplineHeights, BendContinuouslyFromCellToCell) {
  Rng rng(3);
  const HeightGrid grid = bumpy_grid(rng, 1);
  const auto spline = spline_through(grid);
  for (Index j = 1; j + 1 < grid.columns; ++j) {
    const double x = corner(grid, 0, j)[0];
    const HeightJet before = evaluate(*spline, std::nextafter(x, -2), 0.1);
    const HeightJet after = evaluate(*spline, std::nextafter(x, 2), 0.1);
    EXPECT_NEAR(before.h, after.h, 10 * rounding);
    EXPECT_NEAR(before.hx, after.hx, 100 * rounding);
    EXPECT_NEAR(before.hxx, after.hxx, 1e3 * rounding);
    EXPECT_NEAR(before.hyy, after.hyy, 1e3 * rounding);
  }
}

TEST(SplineHeights, APlaneStaysAPlane) {
  HeightGrid grid{5, 4, Vec2(0.3, 0.7), 0, {}};
  for (Index i = 0; i < grid.rows; ++i)
    for (Index j = 0; j < grid.columns; ++j) {
      const Vec2 x = corner(grid, i, j);
      grid.heights.push_back(0.2 + 0.5 * x[0] - 0.3 * x[1]);
    }
  const auto spline = spline_through(grid);
  for (const Vec2& x : {Vec2(0, 0), Vec2(0.29, -0.69), Vec2(-0.3, 0.7), Vec2(0.1, 0.2)}) {
    const HeightJet jet = evaluate(*spline, x[0], x[1]);
    EXPECT_NEAR(jet.h, 0.2 + 0.5 * x[0] - 0.3 * x[1], rounding);
    EXPECT_NEAR(jet.hx, 0.5, 10 * rounding);
    EXPECT_NEAR(jet.hy, -0.3, 10 * rounding);
    EXPECT_LE(std::abs(jet.hxx) + std::abs(jet.hxy) + std::abs(jet.hyy), 1e3 * rounding);
  }
}

// Away from the border, where a natural spline does not bend, the error falls with the fourth power
// of the cell, that of the second derivative with the second.
TEST(SplineHeights, ConvergeToASmoothFunction) {
  const auto error = [](Index cells) {
    HeightGrid grid{cells + 1, cells + 1, Vec2(1, 1), 0, {}};
    for (Index i = 0; i <= cells; ++i)
      for (Index j = 0; j <= cells; ++j) {
        const Vec2 x = corner(grid, i, j);
        grid.heights.push_back(std::cos(3 * x[0]) * std::sin(2 * x[1]));
      }
    const auto spline = spline_through(grid);
    double height = 0;
    double bend = 0;
    for (double x = -0.3; x < 0.3; x += 0.017)
      for (double y = -0.3; y < 0.3; y += 0.019) {
        const HeightJet jet = evaluate(*spline, x, y);
        height = std::max(height, std::abs(jet.h - std::cos(3 * x) * std::sin(2 * y)));
        bend = std::max(bend, std::abs(jet.hxx + 9 * std::cos(3 * x) * std::sin(2 * y)));
      }
    return Vec2(height, bend);
  };
  const Vec2 coarse = error(20);
  const Vec2 fine = error(40);
  EXPECT_GT(coarse[0] / fine[0], 14);
  EXPECT_GT(coarse[1] / fine[1], 3.5);
}

TEST(SplineHeights, TwoByTwoIsBilinear) {
  const HeightGrid grid{2, 2, Vec2(1, 1), 0, {0, 1, 2, 5}};
  const auto spline = spline_through(grid);
  EXPECT_NEAR(evaluate(*spline, 0, 0).h, 2, rounding);
  EXPECT_NEAR(evaluate(*spline, 0, 0).hxy, 0.5, rounding);
}

TEST(SplineHeights, FaultsAreNamed) {
  HeightGrid grid{2, 2, Vec2(1, 1), 0, {0, 1, 2}};
  EXPECT_EQ(spline_through(grid).error().message,
            "a height field needs one height for each row and column");
  grid.heights.push_back(std::nan(""));
  EXPECT_EQ(spline_through(grid).error().message, "a height of a height field is not finite");
  grid.heights[3] = 0;
  grid.half_size[0] = 0;
  EXPECT_EQ(spline_through(grid).error().message,
            "the half sizes of a height field must be positive");
  grid.rows = 1;
  EXPECT_EQ(spline_through(grid).error().message,
            "a height field needs at least two rows and two columns");
}

}  // namespace
}  // namespace tact
