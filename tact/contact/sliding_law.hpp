// contact/sliding_law.hpp - the law of a patch that slides, read off its motion: no search.
//
// A patch that slides with τ != 0 carries N̂ = P_K(y_N) and T̂ = F(τ; N̂), the one force that opposes
// τ most. Where λ = (N̂, T̂) this is the natural map's fixed point too: with τ = D_T (T - y_T),
// T̂ is the projection of y_T moved by T̂ - T, so that |T̂ - Π_T(y)|_D <= |T̂ - T|_D.
#pragma once

#include "tact/contact/local_law.hpp"

namespace tact {

/// What a sliding patch carries, by the rows of its law.
struct SlidingLoad {
  Vec3 N = Vec3::Zero();    ///< rows 0, 1, 5
  Vec3 T = Vec3::Zero();    ///< rows 3, 4, 2
  Vec3 tau = Vec3::Zero();  ///< velocities of the rows of T
  ConeFace face;            ///< that N lies on
};

/// dN = by_y dy_N, dT = by_tau dτ + by_N dN.
struct SlidingSlope {
  Mat3 by_y, by_tau, by_N;
};

/// N̂ and T̂ for the argument y and the velocities u of the six rows. False where nothing is carried
/// or nothing moves, for pressures without nodes, and on a round rim, where there is no slope.
[[nodiscard]] bool sliding_load(const LocalLaw& law, const LocalMetric& metric, const double* y,
                                const double* u, LocalWorkspace& work, SlidingLoad& out);

/// The slope there; `work` as sliding_load has left it.
[[nodiscard]] SlidingSlope sliding_slope(const LocalLaw& law, const LocalMetric& metric,
                                         const double* y, const SlidingLoad& at,
                                         LocalWorkspace& work);

/// The same for an N inside its cone, as if the pressure moved with its centre and kept its shape:
/// quick, and exact where nothing turns.
[[nodiscard]] SlidingSlope rough_slope(const LocalLaw& law, const SlidingLoad& at,
                                       const LocalWorkspace& work);

}  // namespace tact
