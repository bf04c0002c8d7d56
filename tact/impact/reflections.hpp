// impact/reflections.hpp - impacts in a row within one instant, until no contact is approached.
//
// Of the pushes of an ImpactFrame. Every event keeps or lowers ½|u - b|² for b in P+ by γ(b).λ, so
// the impulses are bounded when P+ has an interior; when it has none, they may go on for ever: two
// walls that move alike, and a ball between them. Approach below tolerance::settled is settled by
// one last projection on P+, which loses energy of the square of that share.
#pragma once

#include "tact/impact/energy_frame.hpp"
#include "tact/impact/law.hpp"

namespace tact {

/// Said where a projection failed.
inline constexpr const char* lost_to_rounding =
    "the projection was lost to rounding: contacts are nearly dependent";

// An outcome is in sizes of the pushes: status, impulses, ray, events and why.

/// Reflected at all approaching pushes together, 2 proj(u) - u. P+ is not empty; `motion` is
/// |p - z|, p the projection of z on it: next to it an approach of rounding is none, also in the
/// first event.
[[nodiscard]] ImpactOutcome reflect_together(const ImpactFrame& frame, double motion,
                                             int max_events);

/// One push after the other, the fastest in units of its own energy first. The same is asked.
[[nodiscard]] ImpactOutcome reflect_in_turn(const ImpactFrame& frame, double motion,
                                            int max_events);

}  // namespace tact
