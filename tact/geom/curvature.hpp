// geom/curvature.hpp - what the Gauss map says: principal curvatures, convexity, how both change.
#pragma once

#include <cmath>

#include "tact/geom/surface.hpp"

namespace tact {

using Mat32 = Eigen::Matrix<double, 3, 2>;

/// Two tangents with e1 × e2 = n. Which ones follows from n alone.
[[nodiscard]] inline Mat32 tangent_basis(const Vec3& n) {
  const double sign = std::copysign(1.0, n[2]);
  const double a = -1 / (sign + n[2]);
  const double b = n[0] * n[1] * a;
  Mat32 E;
  E.col(0) << 1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0];
  E.col(1) << b, sign + n[1] * n[1] * a, -n[1];
  return E;
}

/// The derivative of dn along the tangent t, a symmetric matrix per metre squared: eᵀ(·)e' is the
/// rate of eᵀ dn e' for tangents that are carried along parallel. In closed form for planes,
/// spheres, cylinders, capsules, ellipsoids and tori, by central differences for the others.
[[nodiscard]] Mat3 curvature_rate(const Surface& surface, const SurfacePoint& at, const Vec3& t);

/// Eigenvalues of dn in the tangent plane, ascending, and their directions; e1 × e2 = n.
struct PrincipalCurvatures {
  Vec2 kappa = Vec2::Zero();  ///< [1/m], > 0 convex
  Vec3 e1 = Vec3::UnitX(), e2 = Vec3::UnitY();
};
[[nodiscard]] PrincipalCurvatures principal_curvatures(const SurfacePoint& at);

/// (κ1 + κ2)/2 and κ1 κ2.
[[nodiscard]] double mean_curvature(const SurfacePoint& at);
[[nodiscard]] double gauss_curvature(const SurfacePoint& at);

/// The radius-curvature quadric [Stramigioli] (12), { x in the tangent plane : xᵀ dn x = 1 }: radii
/// 1/√κ along the principal directions, infinite along flat ones and none along hollow ones. Radii
/// of two bodies do not add, as [Stramigioli] (28) has it, but the forms do: a plane adds zero.
struct CurvatureQuadric {
  Vec2 radii = Vec2::Zero();  ///< [√m]; infinite: flat; NaN: hollow
  PrincipalCurvatures principal;
};
[[nodiscard]] CurvatureQuadric curvature_quadric(const SurfacePoint& at);

/// Both eigenvalues are positive, and not by rounding only: neither beside `scale`, the size of
/// what A is a sum of, nor one beside the other. What is flat along a line is no point contact.
[[nodiscard]] bool positive_form(const Mat2& A, double scale);

/// dn > 0 on the tangent plane. [Stramigioli] sec. 2.3
[[nodiscard]] bool absolutely_convex(const SurfacePoint& at);

/// dn_1 + R_12 dn_2 R_12ᵀ > 0 on the common tangent plane of points that face each other.
/// [Stramigioli] sec. 4.1
[[nodiscard]] bool relatively_convex(const SurfacePoint& one, const SurfacePoint& two,
                                     const Mat3& R_12);

}  // namespace tact
