// solve/force_range.hpp - what the contacts of a solved problem may carry, when it is not unique.
//
// The velocities of a solution fix what every contact may do: separated ones carry nothing, sliding
// ones rub at their bound against the motion, the others push and stick as they like. All impulses
// λ' of these sets with the same effect,
//     G λ' = G λ,
// are solutions too (a table on four legs). Here: the least and the greatest value of every row
// of λ' over that set, the impulses that show it, the λ' of least size |λ'|_D, and where the
// contacts have stiffnesses k the elastic choice among them: the λ' of least energy Σ |λ'_i|²/2k_i,
// which is what bodies on such springs come to rest with as the springs harden in proportion.
//
// Linear programs by Lemke's method over the corners of the sets. Round sets (exact Coulomb discs,
// round patches, rolling) are filled from inside with points of their rims, added where the prices
// of the last program want them. The values are attained, so they never overstate; what they can
// miss is at most `missed` times the size Σ|g_j| x_j of the impulses in the units of the metric.
#pragma once

#include <vector>

#include "tact/contact/delassus.hpp"

namespace tact {

struct ForceRangeOptions {
  double tolerance = tolerance::range;  ///< what counts as zero velocity and as one value
  /// [contacts] of points in every direction, > 0, in one unit of any size [N/m]; empty: no choice.
  VecX stiffness;
};

struct ForceRange {
  enum class Status {
    found,
    not_solved,   ///< the judge's residual of λ is above the tolerance
    unsupported,  ///< a patch with friction: its bound is not convex in load and friction together;
                  ///< a bounded row: its loads are no cone
    not_converged,
  };
  Status status = Status::not_converged;

  VecX low, high;      ///< per row; infinite when unbounded
  MatX least_load;     ///< column i: impulses with the smallest normal force at contact i
  MatX greatest_load;  ///< column i: with the greatest; when unbounded, the ray: add any multiple
  VecX smallest;       ///< the λ' of least |λ'|_D
  VecX elastic;        ///< the elastic choice; empty where no stiffness is given
  std::vector<bool> unique;  ///< of every contact: all its rows are

  Index rank = 0;       ///< of the rows that may carry anything
  Index freedom = 0;    ///< dimension of the loads that cancel: 0 means λ is unique
  double mismatch = 0;  ///< |G λ' - G λ| over |G λ|, from the residual of λ
  double missed = 0;    ///< see above; zero for polygonal laws
};

/// `lambda` solves the problem to a residual well below the tolerance. Expects stiffnesses for
/// points alone: how a patch shares a moment is not a number.
[[nodiscard]] ForceRange force_range(const DelassusProblem& problem, const VecX& lambda,
                                     const ForceRangeOptions& options = {});

}  // namespace tact
