// modes/open_cone.hpp - whether some point lies strictly above a set of planes, without error.
//
// {z : a_i z > 0 for all i} holds a point, or some of the rows, each taken a positive number of
// times, add up to zero, and then it does not (Gordan 1873). Non-negative least squares proposes
// one or the other in floating point: the point of the hull of the rows that is nearest to zero is
// the point itself, with the largest margin, and where it is zero its weights are the sum. A point
// is checked by products with a bound on their error, a sum of dim + 1 rows by a linear system
// whose solution is enclosed, a sum of fewer rows in rationals. What neither check can settle is
// decided by an exact linear program (poly/exact_lp.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tact/linalg/types.hpp"
#include "tact/poly/exact_lp.hpp"

namespace tact::detail {

/// Rows as doubles, how far off they may be, and where to ask for them without rounding.
struct OpenCone {
  MatX rows;   ///< one per plane
  VecX error;  ///< per column: no entry of it is farther from the exact one
  std::function<ExactVector(Index row)> exact;

  [[nodiscard]] Index dim() const { return rows.cols(); }
};

/// Either a point or a sum.
struct OpenAnswer {
  bool open = false;
  VecX point;                  ///< as it stands: its doubles are meant exactly, unless
  ExactVector exact;           ///< is there, which it then is the rounding of
  std::vector<Index> circuit;  ///< rows that add up to zero with positive weights
};

/// How decisions were come by, for those who measure.
struct OpenTally {
  std::uint64_t decisions = 0;
  std::uint64_t rational_sums = 0;    ///< sums checked in rationals
  std::uint64_t linear_programs = 0;  ///< of the exact kind
};

[[nodiscard]] OpenAnswer decide(const OpenCone& cone, OpenTally& tally);

/// sum_k z_k a_k of one row and a bound on the error of that, for entries off by `error`.
struct BoundedSum {
  double value = 0;
  double bound = 0;

  [[nodiscard]] bool certain() const { return value > bound || value < -bound; }
};

/// `slack` is sum_k |z_k| error_k, which all rows have in common.
[[nodiscard]] BoundedSum bounded_sum(const double* row, const double* z, Index dim, double slack);
[[nodiscard]] double slack_of(const VecX& z, const VecX& error);

}  // namespace tact::detail
