// geom/bounds.hpp - the axis-aligned box around a shape.
#pragma once

#include "tact/geom/shape.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

/// A closed box; sides may be infinite.
struct Bounds {
  Vec3 lower, upper;
  bool operator==(const Bounds&) const = default;
};

/// Boxes that only touch do overlap.
[[nodiscard]] inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.lower[0] <= b.upper[0] && b.lower[0] <= a.upper[0] && a.lower[1] <= b.upper[1] &&
         b.lower[1] <= a.upper[1] && a.lower[2] <= b.upper[2] && b.lower[2] <= a.upper[2];
}

/// The tightest box, up to rounding, and `margin` [m] more on every side: how far the shape reaches
/// along the six axis directions. A half-space is infinite but towards an axis that is its normal.
[[nodiscard]] Bounds bounds_of(const Shape& shape, const Pose& X_WS, double margin = 0);

}  // namespace tact
