// cone/friction_bound.hpp - projection onto what friction at a point may transmit: a disc or a
// polygon of the tangent plane, in any metric, with the derivative.
//
// Reference: [FrictionM4] maximum dissipation. With T = P_{N C}^D(y) and y = T0 - D⁻¹ τ0 this is
// one step of the natural map; solvers and the judge use the same one.
#pragma once

#include <span>

#include "tact/linalg/types.hpp"

namespace tact {

/// A projection onto N C and how it moves: dT = along_y dy + along_n dN.
struct BoundProjection {
  Vec2 T = Vec2::Zero();
  Mat2 along_y = Mat2::Zero();
  Vec2 along_n = Vec2::Zero();
};

/// argmin over |T| <= mu n of |T - y|_D; n >= 0, D positive definite. A guess of T, if there is
/// one, saves time.
[[nodiscard]] Vec2 project_on_disc(const Mat2& D, const Vec2& y, double radius,
                                   const Vec2& guess = Vec2::Zero());
[[nodiscard]] BoundProjection project_on_disc(const Mat2& D, const Vec2& y, double mu, double n,
                                              const Vec2& guess = Vec2::Zero());

/// argmin over T in n C of |T - y|_D, C a polygon with counter-clockwise corners: one (a point),
/// two (a segment) or more.
[[nodiscard]] BoundProjection project_on_polygon(std::span<const Vec2> corners, const Mat2& D,
                                                 const Vec2& y, double n);

}  // namespace tact
