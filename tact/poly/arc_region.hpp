// poly/arc_region.hpp - what half-planes and discs have in common, bounded by segments and arcs.
//
// The region is convex, so its boundary turns once: pieces are found one by one, each as the part
// of a line or circle that lies in all the other sets, and then ordered by their outward normals.
// A point where many lines and circles meet needs no special care.
#pragma once

#include <span>
#include <vector>

#include "tact/linalg/types.hpp"
#include "tact/poly/clip.hpp"

namespace tact {

struct Disc {
  Vec2 center = Vec2::Zero();
  double radius = 0;  ///< negative: no point at all
};

/// One piece of the boundary, walked counter-clockwise around the region.
struct ArcPiece {
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();
  Vec2 center = Vec2::Zero();  ///< of an arc, walked counter-clockwise and less than half a turn
  double radius = 0;           ///< zero: a segment
};

/// The boundary of the intersection. Empty when the intersection is, or when it is a point; a
/// segment is walked twice. It must be bounded. Pieces shorter than `relative` times the size of
/// the data are left out, so that neighbours meet up to that.
[[nodiscard]] std::vector<ArcPiece> arc_region(std::span<const HalfPlane> half_planes,
                                               std::span<const Disc> discs,
                                               double relative = tolerance::collinear);

[[nodiscard]] double area(std::span<const ArcPiece> boundary);

}  // namespace tact
