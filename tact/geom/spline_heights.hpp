// geom/spline_heights.hpp - a grid of heights as a smooth function of x and y.
//
// A bicubic spline goes through the heights with two continuous derivatives, so that a body that
// rolls over it meets no edge. It is kept as a tensor product of uniform cubic B-splines, natural
// at the border.
#pragma once

#include <vector>

#include "tact/base/result.hpp"
#include "tact/geom/shape.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// A height and its derivatives at one (x, y).
struct HeightJet {
  double h = 0;
  double hx = 0, hy = 0;
  double hxx = 0, hxy = 0, hyy = 0;
};

/// Coefficients of the B-splines; (rows + 2) x (columns + 2), row after row.
struct SplineHeights {
  Index rows = 0, columns = 0;    ///< of the grid
  Vec2 half_size = Vec2::Zero();  ///< [m]
  std::vector<double> coefficients;
};

/// The spline through the heights of a grid.
[[nodiscard]] Result<SplineHeights> spline_through(const HeightGrid& grid);

/// Outside the grid the outermost cells are continued.
[[nodiscard]] HeightJet evaluate(const SplineHeights& heights, double x, double y);

}  // namespace tact
