// linalg/root2.hpp - the symmetric root of a symmetric positive semidefinite 2 x 2 matrix.
#pragma once

#include <algorithm>
#include <cmath>

#include "tact/linalg/types.hpp"

namespace tact {

/// The symmetric R with R R = m: a smooth function of m, also where its eigenvalues meet.
[[nodiscard]] inline Mat2 symmetric_root(const Mat2& m) {
  const double root_det = std::sqrt(std::max(0.0, m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)));
  const double trace = std::sqrt(std::max(0.0, m(0, 0) + m(1, 1) + 2 * root_det));
  if (!(trace > 0)) return Mat2::Zero();
  return (m + root_det * Mat2::Identity()) / trace;
}

}  // namespace tact
