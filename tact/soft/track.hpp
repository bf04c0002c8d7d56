// soft/track.hpp - the points where two smooth bodies face each other: found once, then followed.
//
// Newton's method on [Stramigioli] (20) with the matrix of soft/pair_geometry.hpp: of
// e = Eᵀ(p2 - p1) and r = Eᵀ(g1 + R_12 g2), both seen from body 1,
//     M δ1 = A2 e - r,   δ2 = (1 + gap A1) δ1 - e,
// and both points slide along their surfaces. One step a time step is enough for a motion that was
// predicted; a few are taken until the points stand still to rounding.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tact/soft/pair_geometry.hpp"

namespace tact {

enum class TrackStatus : std::uint8_t {
  tracked,
  lost_convexity,  ///< A1 + A2 is not positive: line or face contact, or a hollow that is too tight
  past_window,     ///< deeper than Δ_min or farther than Δ_max: the points are no nearest pair
  not_converged,   ///< Newton's method went astray: start again with find_facing
  left_surface,    ///< a point ran over the edge of its patch
};

/// What happened, and what to do about it, as half a sentence.
[[nodiscard]] std::string_view describe(TrackStatus status);

/// Brings `facing`, near enough to a solution at a pose not far away, to the solution at X_12. No
/// allocation. `facing` stays as it was unless a solution was reached: then it is that solution,
/// and the answer is `tracked`, or lost_convexity or past_window if it is no nearest pair. Never a
/// pseudo-inverse: where the matrix is singular on the way the answer says which of the two it is.
[[nodiscard]] TrackStatus track(const Surface& one, const Surface& two, const Pose& X_12,
                                FacingPoints& facing);

struct FacingOptions {
  Index starts = 400;  ///< directions or points that the search begins with
  double max_gap =
      std::numeric_limits<double>::infinity();  ///< farther ones are of no interest [m]
  Index max_found = 16;
};

/// All pairs of facing points inside their windows, by gap, each once. Of convex bodies one: the
/// maximum over n of -h1(n) - h2(-n), which is their signed distance, apart and penetrating alike.
/// Of others what Newton's method finds from points spread over one of them.
struct FacingSearch {
  TrackStatus status = TrackStatus::not_converged;  ///< tracked: some face each other
  std::vector<FacingPoints> found;
};

[[nodiscard]] FacingSearch find_facing(const Surface& one, const Surface& two, const Pose& X_12,
                                       const FacingOptions& options = {});

}  // namespace tact
