// linalg/svd2.hpp - singular value decomposition of a 2 x 2 matrix, to full relative accuracy.
#pragma once

#include <cmath>
#include <utility>

#include "tact/linalg/types.hpp"

namespace tact {

/// A = V diag(σ) W' with σ_1 >= σ_2 >= 0, V and W orthogonal.
struct Svd2 {
  Mat2 left;  ///< V
  Vec2 sigma;
  Mat2 right;  ///< W
};

/// One Jacobi rotation from the right makes the columns orthogonal; even a tiny σ_2 keeps its
/// digits.
[[nodiscard]] inline Svd2 svd2(const Mat2& a) {
  Vec2 p = a.col(0), q = a.col(1);
  double c = 1, s = 0;
  const double pq = p.dot(q);
  if (pq != 0) {
    const double zeta = (q.squaredNorm() - p.squaredNorm()) / (2 * pq);
    const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
    c = 1 / std::sqrt(1 + t * t);
    s = c * t;
    const Vec2 p_turned = c * p - s * q;
    q = s * p + c * q;
    p = p_turned;
  }
  Vec2 w_p(c, -s), w_q(s, c);
  double norm_p = p.norm(), norm_q = q.norm();
  if (norm_p < norm_q) {
    std::swap(p, q);
    std::swap(w_p, w_q);
    std::swap(norm_p, norm_q);
  }
  Svd2 out;
  out.sigma = {norm_p, norm_q};
  const Vec2 v_p = norm_p > 0 ? Vec2(p / norm_p) : Vec2::UnitX();
  // The second left vector is the first one turned by a right angle; its sign is taken from q, so
  // that it is exact even where q is tiny.
  const Vec2 v_q(-v_p[1], v_p[0]);
  const double side = q.dot(v_q) < 0 ? -1 : 1;
  out.left << v_p, side * v_q;
  out.right << w_p, w_q;
  return out;
}

}  // namespace tact
