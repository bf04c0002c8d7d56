// soft/pair_geometry.hpp - two smooth bodies that face each other along a common normal.
//
// Inside this floor the bodies are 1 and 2, n = g1 is the outward normal of body 1 and points to
// body 2, T is the twist of 2 relative to 1 in the frame of 1, and the gap is positive when the
// bodies are apart: the names of [Stramigioli]. (The rest of tact calls the body that n points into
// body 1: the names are exchanged at the doors, sim/soft_scene.hpp and soft/port.hpp.)
//
// With v1 = v + ω × p1, ω̂ = Eᵀ(ω × n), v_t = Eᵀ v1 and M = A1 + A2 + gap A2 A1,
//     M  ζ1 = ω̂ + A2 (v_t + gap ω̂),   ṗ1 = E ζ1         in the frame of 1,
//     Mᵀ ζ2 = ω̂ - A1 v_t,             ṗ2 = R_12ᵀ E ζ2   in the frame of 2,
//     gap' = n · v1:                                               [Stramigioli] (20)-(25).
// (22) prints ṗ1 and ṗ2 exchanged, and its matrix must not be inverted as a 4x4 one, whose fourth
// column mixes points with vectors. At gap 0 this is Montana's kinematics, [Stramigioli] (16)-(19).
#pragma once

#include <limits>
#include <optional>

#include "tact/geom/curvature.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

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

[[nodiscard]] PairGeometry pair_geometry(const FacingPoints& facing, const Pose& X_12);

/// M = A1 + A2 + gap A2 A1 [1/m]. Regular inside the window.
[[nodiscard]] inline Mat2 facing_matrix(const PairGeometry& g) {
  return g.A1 + g.A2 + g.gap * g.A2 * g.A1;
}

/// ṗ1 = J1 T in the frame of 1 and ṗ2 = J2 T in the frame of 2, columns (ω, v).
struct PointRates {
  Mat36 J1 = Mat36::Zero();
  Mat36 J2 = Mat36::Zero();
};

/// Expects a gap inside the window.
[[nodiscard]] PointRates point_rates(const PairGeometry& g, const Mat3& R_12);

/// n · v at any point of the normal line [m/s].
[[nodiscard]] double gap_rate(const PairGeometry& g, const Twist& T);

/// Where the two points are a minimum of distance, or of depth: det M = det(A1 + A2) det(1 + gap C)
/// with the parallel sum C = A1 (A1 + A2)⁻¹ A2. This is what Theorem 1 of [Stramigioli] leaves
/// open.
struct GapWindow {
  double least = -std::numeric_limits<double>::infinity();  ///< Δ_min [m]
  double most = std::numeric_limits<double>::infinity();    ///< Δ_max [m]
  [[nodiscard]] bool contains(double gap) const { return least < gap && gap < most; }
};

/// None where A1 + A2 is not positive: a line or a face touches, or the bodies are not convex
/// relative to each other.
[[nodiscard]] std::optional<GapWindow> gap_window(const Mat2& A1, const Mat2& A2);

/// The rates of the relative curvature A1 + A2 as linear maps of the twist, rows (11, 12, 22), in a
/// basis E that is carried along body 1 parallel: A1 changes as p1 wanders, A2 as p2 does and as
/// body 2 spins about n. What depends on the eigenvalues alone, such as Hertz's stiffness, has with
/// it its whole derivative.
[[nodiscard]] Mat36 relative_curvature_rates(const Surface& one, const Surface& two,
                                             const FacingPoints& facing, const Pose& X_12,
                                             const PairGeometry& g, const PointRates& rates);

}  // namespace tact
