// poly/calipers.hpp - the longest and the shortest extent of a strictly convex polygon.
#pragma once

#include <span>

#include "tact/linalg/types.hpp"

namespace tact {

/// Two vertices of a polygon, by index.
struct Chord {
  Index from = 0;
  Index to = 0;
};

/// A pair of vertices at the largest distance; the first found of equals. O(n) by rotating
/// calipers, whose turns are decided exactly: the vertices must be strictly convex and
/// counter-clockwise, as exact_hull and convex_hull leave them (one or two vertices are allowed).
[[nodiscard]] Chord longest_chord(std::span<const Vec2> strictly_convex);

/// The least distance of two parallel lines with the polygon between them. Same contract.
[[nodiscard]] double least_width(std::span<const Vec2> strictly_convex);

}  // namespace tact
