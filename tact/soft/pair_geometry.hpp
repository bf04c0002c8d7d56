// soft/pair_geometry.hpp - two smooth bodies that face each other along a common normal.
//
// Inside this floor the bodies are 1 and 2, n = g1 is the outward normal of body 1 and points to
// body 2, T is the twist of 2 relative to 1 in the frame of 1, and the gap is positive when the
// bodies are apart: the names of [Stramigioli]. (The rest of tact calls the body that n points into
// body 1: the names are exchanged where this floor is entered, in soft/port.hpp, and nowhere else.)
#pragma once

#include "tact/geom/surface.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

using Mat32 = Eigen::Matrix<double, 3, 2>;
using Mat36 = Eigen::Matrix<double, 3, 6>;

/// A solution of [Stramigioli] (20): p2 - p1 = gap n, g2 = -n.
struct FacingPoints {
  SurfacePoint one;  ///< in the frame of body 1
  SurfacePoint two;  ///< in the frame of body 2
  double gap = 0;    ///< [m] < 0: penetration
};

/// The same seen from body 1.
struct PairGeometry {
  Vec3 p1 = Vec3::Zero(), p2 = Vec3::Zero(), n = Vec3::UnitZ();
  Mat32 E = Mat32::Zero();                    ///< tangent basis, e1 x e2 = n
  Mat2 A1 = Mat2::Zero(), A2 = Mat2::Zero();  ///< Gauss maps in E, A2 that of body 2 [1/m]
  double gap = 0;
};

}  // namespace tact
