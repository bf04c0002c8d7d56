// spatial/se3.hpp - rigid motions of space: poses, their velocities, and changes of frame.
//
// Reference: [Huang20] sec. 3.1, [Stramigioli] sec. 2.1 and 2.2.
// Notation:  X_AB = (R_AB, p_AB) maps coordinates in B to coordinates in A; Ẋ = (Ṙ, ṗ) its rate;
//            T̂ = hat(T) the 4 × 4 matrix of a twist; V_s spatial, V_b body velocity of B in A.
// Order:     [Huang20] writes twists (v, ω); the order here is (ω, v), as in [Stramigioli].
// Errata:    [Huang20] (2) prints R for R_ab in the last block of Ad. [Stramigioli] (8) prints the
//            last factor with T1²/2, it must be T2²/2; sec. 2.1 says that e^T1 and e^T2 commute iff
//            [T1, T2] = 0: only "if" holds (T1 a full turn, T2 a translation).
#pragma once

#include "tact/linalg/types.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// An element of SE(3). Invariant kept by its users: R is a rotation, up to drift (see normalized).
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  bool operator==(const Pose&) const = default;
};

/// A velocity Ẋ tangent to SE(3) at some pose.
struct PoseRate {
  Mat3 R_dot = Mat3::Zero();
  Vec3 p_dot = Vec3::Zero();

  bool operator==(const PoseRate&) const = default;
};

/// X_AB X_BC = X_AC: the left map L_g h = g h, and the right map R_h g = g h.
/// [Stramigioli] (1), (2)
[[nodiscard]] inline Pose operator*(const Pose& g, const Pose& h) {
  return {g.R * h.R, g.R * h.p + g.p};
}

[[nodiscard]] inline Pose inverse(const Pose& g) {
  return {g.R.transpose(), -(g.R.transpose() * g.p)};
}

/// g h g⁻¹: the motion h as seen after everything was moved by g. [Stramigioli] sec. 2.1
[[nodiscard]] inline Pose conjugate(const Pose& g, const Pose& h) {
  return g * h * inverse(g);
}

/// Coordinates of a point, which are translated, and of a free vector, which are not.
[[nodiscard]] inline Vec3 transform_point(const Pose& X_AB, const Vec3& point_B) {
  return X_AB.R * point_B + X_AB.p;
}
[[nodiscard]] inline Vec3 transform_vector(const Pose& X_AB, const Vec3& vector_B) {
  return X_AB.R * vector_B;
}

/// The pose with the nearest rotation: undoes drift. Expects det R > 0.
[[nodiscard]] Pose normalized(const Pose& X);

/// The homogeneous matrices of a pose and of a twist. [Huang20] (1), (2)
[[nodiscard]] Mat4 matrix(const Pose& X);
[[nodiscard]] Mat4 hat(const Twist& T);

/// The inverse of hat; the last row is not read.
[[nodiscard]] Twist vee_twist(const Mat4& m);

/// e^T̂: the motion of one second with constant twist T (of a displacement T: the motion itself).
[[nodiscard]] Pose exp(const Twist& T);

/// The T with e^T̂ = X of least angle |ω| <= π; at π the sign is that of log_so3.
[[nodiscard]] Twist log(const Pose& X);

/// Ad_X in the order (ω, v): [R 0; p̂R R], a twist in B to the same twist in A. [Huang20] (2)
[[nodiscard]] Mat6 adjoint(const Pose& X_AB);

/// Ad_X⁻ᵀ in the order (m, f): [R p̂R; 0 R], a wrench in B to the same wrench in A.
[[nodiscard]] Mat6 coadjoint(const Pose& X_AB);

/// Change of frame, Ad_X T and Ad_X⁻ᵀ W without the matrices; power is invariant.
[[nodiscard]] Twist transform(const Pose& X_AB, const Twist& T_B);
[[nodiscard]] Wrench transform(const Pose& X_AB, const Wrench& W_B);

/// The way back: Ad_X⁻¹ T and Ad_Xᵀ W. [Huang20] (4)
[[nodiscard]] Twist transform_inverse(const Pose& X_AB, const Twist& T_A);
[[nodiscard]] Wrench transform_inverse(const Pose& X_AB, const Wrench& W_A);

/// [T1, T2] = T̂1 T̂2 - T̂2 T̂1, the commutator of left-invariant fields: skew, and a Lie algebra by
/// the Jacobi identity. It is what the small loop e^(T1 √s) e^(T2 √s) e^(-T1 √s) e^(-T2 √s) leaves
/// over, per s. [Stramigioli] (3), (4), (7), (8)
[[nodiscard]] Twist bracket(const Twist& T1, const Twist& T2);

/// ad_T in the order (ω, v): [ω̂ 0; v̂ ω̂], ad_T1 T2 = [T1, T2] = d/ds Ad_{e^(T1 s)} T2 at s = 0.
/// [Stramigioli] (9)
[[nodiscard]] Mat6 ad(const Twist& T);

/// -ad_Tᵀ W: the rate of a wrench carried along by T; power(T2, result) = -power([T, T2], W).
[[nodiscard]] Wrench dual_bracket(const Twist& T, const Wrench& W);

/// (L_g)_* Ẋ = g Ẋ and (R_g)_* Ẋ = Ẋ g, velocities at g X and at X g. [Stramigioli] sec. 2.1
[[nodiscard]] PoseRate left_translate(const Pose& g, const PoseRate& rate);
[[nodiscard]] PoseRate right_translate(const PoseRate& rate, const Pose& g);

/// V_s = [Ẋ X⁻¹]^∨ in the axes of A. [Huang20] (3), [Stramigioli] (11)
[[nodiscard]] Twist spatial_velocity(const Pose& X_AB, const PoseRate& rate);

/// V_b = [X⁻¹ Ẋ]^∨ in the axes of B. [Huang20] (3)
[[nodiscard]] Twist body_velocity(const Pose& X_AB, const PoseRate& rate);

/// Ẋ = V̂_s X and Ẋ = X V̂_b.
[[nodiscard]] PoseRate rate_from_spatial(const Pose& X_AB, const Twist& V_s);
[[nodiscard]] PoseRate rate_from_body(const Pose& X_AB, const Twist& V_b);

/// V_s = Ad_X V_b. [Huang20] (3)
[[nodiscard]] inline Twist spatial_from_body(const Pose& X_AB, const Twist& V_b) {
  return transform(X_AB, V_b);
}
[[nodiscard]] inline Twist body_from_spatial(const Pose& X_AB, const Twist& V_s) {
  return transform_inverse(X_AB, V_s);
}

/// Integral curves: Ẋ = X V̂_b gives X e^(V_b t), Ẋ = V̂_s X gives e^(V_s t) X; t in seconds.
/// [Stramigioli] (5), (6)
[[nodiscard]] Pose integrate_body(const Pose& X, const Twist& V_b, double t);
[[nodiscard]] Pose integrate_spatial(const Pose& X, const Twist& V_s, double t);

}  // namespace tact
