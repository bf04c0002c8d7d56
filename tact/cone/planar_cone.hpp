// cone/planar_cone.hpp - projection onto the cone R+ (C x {1}) over a convex set C of the plane.
//
// One kernel serves every cone of contact: the patch cone K_P is the cone over the turned patch
// P^perp, the Coulomb cone over a disc of radius mu, the box and the pyramid over their polygons.
//
// Why a metric costs nothing extra: with M = U'U, U upper triangular, U maps the ray (x, 1) to
// u_ff (p, 1) with p = (U_ss x + u_sf) / u_ff. A projection in the metric M is therefore a
// Euclidean projection onto the cone over the affine image of C; no matrix is ever inverted, and a
// patch of a nanometre or of a thousand kilometres keeps all its digits.
//
// Why no distances are compared: two candidates whose distances agree to rounding may be 1e-8
// apart. The face that carries the projection is found by signs that hold on one face only, and the
// answer is built from the force f and a point x of C, so that it lies in the cone to rounding.
#pragma once

#include <span>

#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

/// argmin over y in R+ (C x {1}) of |U (y - z)|, C the hull of 1, 2 or more vertices in
/// counter-clockwise order. z = (s, f). O(number of vertices), no allocation.
[[nodiscard]] Vec3 project_on_polygon_cone(std::span<const Vec2> vertices, const Mat3& upper,
                                           const Vec3& z);

/// The face of the cone that carries a projection: itself where z is inside, the tip, a corner's
/// ray or the plane of two corners that follow each other.
struct ConeFace {
  enum class Kind { inside, tip, ray, plane };
  Kind kind = Kind::tip;
  std::size_t first = 0, second = 0;  ///< the corners
};
/// The same, and the face it falls on.
[[nodiscard]] Vec3 project_on_polygon_cone(std::span<const Vec2> vertices, const Mat3& upper,
                                           const Vec3& z, ConeFace& face);

/// The same over an ellipse c + B u, B regular.
[[nodiscard]] Vec3 project_on_ellipse_cone(const EllipseForm& ellipse, const Mat3& upper,
                                           const Vec3& z);

/// The same over any planar set.
[[nodiscard]] Vec3 project_on_planar_cone(const PlanarSet& set, const Mat3& upper, const Vec3& z);

/// The same in the Euclidean metric.
[[nodiscard]] Vec3 project_on_planar_cone(const PlanarSet& set, const Vec3& z);

/// How deep z lies in the cone: min over unit vectors n of f h_C(n) - n.s. Non-negative inside; for
/// f >= 0 it is f times the signed distance of s/f to the boundary of C. Of a single point, which
/// has no extent, a pulling force f < 0 counts as f more.
[[nodiscard]] double planar_cone_margin(const PlanarSet& set, const Vec3& z);

/// How deep w = (g, v) lies in the dual: min over x in C of v + g.x.
[[nodiscard]] double planar_dual_margin(const PlanarSet& set, const Vec3& w);

/// The generator (x, 1), x in C, that maximises its product with d.
[[nodiscard]] Vec3 planar_cone_support(const PlanarSet& set, const Vec3& d);

}  // namespace tact
