// geom/surface.hpp - smooth surfaces with their Gauss map: what compliant contact is made between.
//
// A surface bounds a solid; n is its outward unit normal and dn = g_* the derivative of n along the
// surface, a symmetric 3x3 matrix with dn n = 0, positive where the solid is convex [Stramigioli]
// (12)-(15). Everything is in the frame of the body that the surface belongs to, in metres.
#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// A point of a surface and the geometry around it.
struct SurfacePoint {
  Vec3 p = Vec3::Zero();
  Vec3 n = Vec3::UnitZ();  ///< outward
  Mat3 dn = Mat3::Zero();  ///< dn n = 0, > 0 convex [1/m]
  Vec2 uv = Vec2::Zero();  ///< of surfaces with a chart: where on it
};

}  // namespace tact
