// soft/hertz.hpp - Hertz: two elastic bodies, smooth and curved, pressed together by |gap|.
//
// Notation: κ_a <= κ_b the eigenvalues of A_rel = A1 + A2 [1/m], δ = -gap > 0, k = b/a. With the
//           elliptic integrals of soft/elliptic.hpp
//     κ_a/κ_b = k² D/B,   a² = 2δ D/(K κ_a),   b² = k² a²,   K_h = (2π/3) E* √(2D/κ_a) K^(-3/2),
//     U = (2/5) K_h δ^(5/2),   F = K_h δ^(3/2),   p_0 = 3F/(2πab),
//           the long axis a along the direction of κ_a.
// Derivative: the energy is a minimum over pressures p of ½∫∫pGp + ∫p(½ζ'A_relζ) - δ∫p, up to sign,
//           so that dU/dA_rel = -½∫p ζζ' = -(F/10)(a² e_a e_a' + b² e_b e_b'). Nothing is
//           differentiated but the gap, and nothing is lost where κ_a = κ_b: with
//           q = (a² - b²)/(κ_b - κ_a) = a² k² D/(κ_a (D - C)) it is
//           -(F/10)(b² I + q (½(κ_b - κ_a) I - dev A_rel)).
// Reference: [Johnson] sec. 4.2; [Stramigioli] sec. 5.2, which takes the axes from the relative
//           curvature and the shape b/a = √(κ_a/κ_b) of the quadric (28): same axes, another shape.
#pragma once

#include "tact/soft/patch_ellipse.hpp"

namespace tact {

/// A_rel by what does not depend on the basis.
struct RelativeCurvature {
  double least = 0, largest = 0;  ///< κ_a <= κ_b
  double half_range = 0;          ///< (κ_b - κ_a)/2
  Mat2 deviator = Mat2::Zero();   ///< A_rel - ½(κ_a + κ_b) I

  [[nodiscard]] double mean() const { return (least + largest) / 2; }
};

[[nodiscard]] RelativeCurvature relative_curvature(const Mat2& A_rel);

/// What the shape of the patch is, per unit of depth: a² = a2 δ, and so on.
struct HertzShape {
  double ratio = 1;               ///< k = b/a
  double a2 = 0, b2 = 0;          ///< a²/δ, b²/δ [m]
  double slope = 0;               ///< (a² - b²)/((κ_b - κ_a) δ) = q/δ [m²]
  double stiffness = 0;           ///< K_h/E* [m^½]
  double perimeter_integral = 0;  ///< E(e)
};

/// Expects 0 < κ_a <= κ_b: bodies that are flat against each other along a line touch otherwise.
[[nodiscard]] HertzShape hertz_shape(double curvature_a, double curvature_b);

/// The shape of a circular patch of the mean curvature: K_h = (4/3) E*/√S.
[[nodiscard]] HertzShape circular_shape(double mean_curvature);

/// The same as an ellipse. @param depth  δ >= 0
[[nodiscard]] PatchEllipse hertz_patch(const HertzShape& shape, const RelativeCurvature& curvature,
                                       double depth);

/// The quadric: semi axes √(2δ/κ), where the undeformed bodies overlap. [Stramigioli] (28)
[[nodiscard]] PatchEllipse quadric_patch(const RelativeCurvature& curvature, double depth);

/// Force, energy and their derivative.
struct HertzContact {
  double K_h = 0;             ///< [N/m^(3/2)]
  double force = 0;           ///< [N]
  double energy = 0;          ///< [J]
  double peak_pressure = 0;   ///< p_0 [Pa]
  Mat2 dU_dA = Mat2::Zero();  ///< [J m]
  PatchEllipse patch;
};

/// @param modulus  E* [Pa]
[[nodiscard]] HertzContact hertz_contact(double modulus, double depth, const Mat2& A_rel);

/// dU/dA_rel of a contact of that shape.
[[nodiscard]] Mat2 curvature_derivative(const HertzShape& shape, const RelativeCurvature& curvature,
                                        double force, double depth);

/// ∂K_h/∂κ_a and ∂K_h/∂κ_b: -K_h a²/(4δ) and -K_h b²/(4δ).
[[nodiscard]] Vec2 stiffness_by_curvature(double modulus, const HertzShape& shape);

}  // namespace tact
