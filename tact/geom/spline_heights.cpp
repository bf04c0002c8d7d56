#include "tact/geom/spline_heights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

/// Coefficients c[-1], ..., c[n] of the natural spline through n values: c[i-1] + 4 c[i] + c[i+1] =
/// 6 f[i], and no second derivative at the ends. `stride` apart in `c`, whose inner ones hold f.
void interpolate(double* c, Index n, Index stride, std::vector<double>& scratch) {
  const auto at = [&](Index i) -> double& { return c[(i + 1) * stride]; };
  // At the ends c = f; between them a tridiagonal system with diagonal 4, eliminated downwards.
  scratch.assign(n, 0.0);
  for (Index i = 1; i + 1 < n; ++i) {
    const double pivot = 4 - scratch[i - 1];
    scratch[i] = 1 / pivot;
    at(i) = (6 * at(i) - at(i - 1)) / pivot;
  }
  for (Index i = n - 2; i >= 1; --i) at(i) -= scratch[i] * at(i + 1);
  at(-1) = 2 * at(0) - at(1);
  at(n) = 2 * at(n - 1) - at(n - 2);
}

/// The four cubic B-splines over one cell, t in [0, 1], with two derivatives.
struct Weights {
  std::array<double, 4> value{}, slope{}, bend{};
};

Weights weights_at(double t) {
  const double s = 1 - t;
  Weights w;
  w.value = {s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6,
             (4 - 6 * s * s + 3 * s * s * s) / 6, t * t * t / 6};
  w.slope = {-s * s / 2, (3 * t * t - 4 * t) / 2, (4 * s - 3 * s * s) / 2, t * t / 2};
  w.bend = {s, 3 * t - 2, 3 * s - 2, t};
  return w;
}

struct Cell {
  Index index = 0;
  double t = 0;
};

/// The cell of a coordinate in units of cells, the outermost for those beyond.
Cell cell_of(double x, Index corners) {
  const double last = static_cast<double>(corners - 2);
  const double index = std::clamp(std::floor(x), 0.0, last);
  return {static_cast<Index>(index), x - index};
}

}  // namespace

Result<SplineHeights> spline_through(const HeightGrid& grid) {
  if (grid.rows < 2 || grid.columns < 2)
    return Error{Errc::value, "a height field needs at least two rows and two columns"};
  if (static_cast<Index>(grid.heights.size()) != grid.rows * grid.columns)
    return Error{Errc::value, "a height field needs one height for each row and column"};
  if (!(grid.half_size.minCoeff() > 0) || !grid.half_size.allFinite())
    return Error{Errc::value, "the half sizes of a height field must be positive"};
  for (const double h : grid.heights)
    if (!std::isfinite(h)) return Error{Errc::value, "a height of a height field is not finite"};

  SplineHeights spline{grid.rows, grid.columns, grid.half_size, {}};
  const Index width = grid.columns + 2;
  spline.coefficients.assign((grid.rows + 2) * width, 0.0);
  double* c = spline.coefficients.data();
  std::vector<double> scratch;
  for (Index i = 0; i < grid.rows; ++i) {
    double* row = c + (i + 1) * width;
    std::copy_n(grid.heights.data() + i * grid.columns, grid.columns, row + 1);
    interpolate(row, grid.columns, 1, scratch);
  }
  for (Index j = 0; j < width; ++j) interpolate(c + j, grid.rows, width, scratch);
  return spline;
}

HeightJet evaluate(const SplineHeights& heights, double x, double y) {
  const Vec2 cells(static_cast<double>(heights.columns - 1), static_cast<double>(heights.rows - 1));
  const Vec2 rate = cells.cwiseQuotient(2 * heights.half_size);  // cells a metre
  const Cell cx = cell_of((x + heights.half_size[0]) * rate[0], heights.columns);
  const Cell cy = cell_of((y + heights.half_size[1]) * rate[1], heights.rows);
  const Weights wx = weights_at(cx.t);
  const Weights wy = weights_at(cy.t);
  HeightJet jet;
  for (Index i = 0; i < 4; ++i) {
    const double* c =
        heights.coefficients.data() + (cy.index + i) * (heights.columns + 2) + cx.index;
    double value = 0;
    double slope = 0;
    double bend = 0;
    for (Index j = 0; j < 4; ++j) {
      value += wx.value[j] * c[j];
      slope += wx.slope[j] * c[j];
      bend += wx.bend[j] * c[j];
    }
    jet.h += wy.value[i] * value;
    jet.hx += wy.value[i] * slope;
    jet.hxx += wy.value[i] * bend;
    jet.hy += wy.slope[i] * value;
    jet.hxy += wy.slope[i] * slope;
    jet.hyy += wy.bend[i] * value;
  }
  jet.hx *= rate[0];
  jet.hy *= rate[1];
  jet.hxx *= rate[0] * rate[0];
  jet.hxy *= rate[0] * rate[1];
  jet.hyy *= rate[1] * rate[1];
  return jet;
}

}  // namespace tact
