// poly/simplex.hpp - linear programs in doubles from a known point, for many objectives.
//
//     min c.x   over   A x = b,  x >= 0,       started from x0 >= 0 with A x0 = b.
//
// A dense tableau over the span of the columns, so that any rank will do; columns are taken in
// units of their own length. Every answer is made again from its basis by an orthogonal
// factorisation, so that no rounding of the pivots is left in it; where that shows that the pivots
// went astray, they go on from there. For decisions without rounding see poly/exact_lp.hpp.
#pragma once

#include <vector>

#include "tact/linalg/growing_qr.hpp"

namespace tact {

struct SimplexAnswer {
  enum class End { optimal, unbounded, gave_up };
  End end = End::gave_up;
  VecX x;       ///< the optimum, or a point the ray starts from
  VecX prices;  ///< y: c - A'y >= 0 and y.b = c.x; empty without an optimum
  VecX ray;     ///< >= 0, A ray = 0, c.ray < 0; empty unless unbounded
  int pivots = 0;
};

class Simplex {
 public:
  /// `start`: independent columns, among them all that x0 uses. What of b is not in their span is
  /// ignored.
  Simplex(const MatX& A, const VecX& b, const std::vector<Index>& start);

  /// From where the last objective ended.
  [[nodiscard]] SimplexAnswer minimise(const VecX& c);

 private:
  using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void choose_basis(const std::vector<Index>& start);
  bool join(Index column);
  [[nodiscard]] VecX outside() const;
  void make_table();
  void price(const VecX& c);
  [[nodiscard]] Index entering(bool bland) const;
  [[nodiscard]] Index leaving(Index column, bool bland) const;
  void pivot(Index row, Index column);
  [[nodiscard]] SimplexAnswer::End climb(int& pivots);
  [[nodiscard]] VecX point() const;
  [[nodiscard]] VecX unbounded_ray() const;

  MatX a_;  ///< columns of length one
  VecX b_, length_;
  Index rank_;    ///< at most; of A, once a basis was chosen
  GrowingQr qr_;  ///< of the basis
  std::vector<Index> basis_;
  std::vector<bool> basic_;
  Table table_;  ///< B⁻¹ A
  VecX value_;   ///< B⁻¹ b
  VecX reduced_, cost_;
  Index entered_ = -1;  ///< the column that nothing stops
};

}  // namespace tact
