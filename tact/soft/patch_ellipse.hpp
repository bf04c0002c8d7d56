// soft/patch_ellipse.hpp - the ellipse in which two smooth bodies touch.
#pragma once

#include <cstdint>

#include "tact/linalg/types.hpp"

namespace tact {

/// Where the ellipse comes from.
enum class PatchModel : std::uint8_t {
  hertz,    ///< of the elastic half spaces: b/a from elliptic integrals
  quadric,  ///< where the undeformed bodies overlap, ½ζ'A_relζ <= |gap|: [Stramigioli] (28)
  none,     ///< a point: the law has no use for a patch
};

/// Semi axes a >= b in the tangent basis; the long one lies along the smaller curvature.
struct PatchEllipse {
  double a = 0, b = 0;             ///< [m]
  Vec2 long_axis = Vec2::UnitX();  ///< unit; any direction when a = b
  double perimeter_integral = 0;   ///< E(e), the complete elliptic integral, e² = 1 - b²/a²
};

}  // namespace tact
