// spatial/se2.hpp - rigid motions of the plane: spatial/se3.hpp with one axis of rotation.
//
// Reference: [Stramigioli] sec. 2.1; every function means what its namesake in se3.hpp means.
// Notation:  rows (ω, v_x, v_y) and (m, f_x, f_y), counter-clockwise positive; ẑ × x = -x^⊥.
#pragma once

#include "tact/linalg/types.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// The rotation by an angle [rad], counter-clockwise; and the angle in (-π, π] of a rotation.
[[nodiscard]] Mat2 exp_so2(double angle);
[[nodiscard]] double log_so2(const Mat2& R);

/// An element of SE(2). Invariant kept by its users: R is a rotation, up to drift (see normalized).
struct Pose2 {
  Mat2 R = Mat2::Identity();
  Vec2 p = Vec2::Zero();

  bool operator==(const Pose2&) const = default;
};

/// A velocity Ẋ tangent to SE(2) at some pose.
struct PoseRate2 {
  Mat2 R_dot = Mat2::Zero();
  Vec2 p_dot = Vec2::Zero();

  bool operator==(const PoseRate2&) const = default;
};

[[nodiscard]] inline Pose2 operator*(const Pose2& g, const Pose2& h) {
  return {g.R * h.R, g.R * h.p + g.p};
}
[[nodiscard]] inline Pose2 inverse(const Pose2& g) {
  return {g.R.transpose(), -(g.R.transpose() * g.p)};
}
[[nodiscard]] inline Pose2 conjugate(const Pose2& g, const Pose2& h) {
  return g * h * inverse(g);
}
[[nodiscard]] inline Vec2 transform_point(const Pose2& X_AB, const Vec2& point_B) {
  return X_AB.R * point_B + X_AB.p;
}
[[nodiscard]] inline Vec2 transform_vector(const Pose2& X_AB, const Vec2& vector_B) {
  return X_AB.R * vector_B;
}

/// The pose with the nearest rotation: undoes drift. Expects det R > 0.
[[nodiscard]] Pose2 normalized(const Pose2& X);

[[nodiscard]] Mat3 matrix(const Pose2& X);
[[nodiscard]] Mat3 hat(const Twist2& T);
[[nodiscard]] Twist2 vee_twist2(const Mat3& m);  ///< The inverse of hat; the last row is not read.

[[nodiscard]] Pose2 exp(const Twist2& T);
[[nodiscard]] Twist2 log(const Pose2& X);  ///< With the angle in (-π, π].

[[nodiscard]] Mat3 adjoint(const Pose2& X_AB);
[[nodiscard]] Mat3 coadjoint(const Pose2& X_AB);
[[nodiscard]] Twist2 transform(const Pose2& X_AB, const Twist2& T_B);
[[nodiscard]] Wrench2 transform(const Pose2& X_AB, const Wrench2& W_B);
[[nodiscard]] Twist2 transform_inverse(const Pose2& X_AB, const Twist2& T_A);
[[nodiscard]] Wrench2 transform_inverse(const Pose2& X_AB, const Wrench2& W_A);

[[nodiscard]] Twist2 bracket(const Twist2& T1, const Twist2& T2);
[[nodiscard]] Mat3 ad(const Twist2& T);
[[nodiscard]] Wrench2 dual_bracket(const Twist2& T, const Wrench2& W);

[[nodiscard]] PoseRate2 left_translate(const Pose2& g, const PoseRate2& rate);
[[nodiscard]] PoseRate2 right_translate(const PoseRate2& rate, const Pose2& g);
[[nodiscard]] Twist2 spatial_velocity(const Pose2& X_AB, const PoseRate2& rate);
[[nodiscard]] Twist2 body_velocity(const Pose2& X_AB, const PoseRate2& rate);
[[nodiscard]] PoseRate2 rate_from_spatial(const Pose2& X_AB, const Twist2& V_s);
[[nodiscard]] PoseRate2 rate_from_body(const Pose2& X_AB, const Twist2& V_b);
[[nodiscard]] inline Twist2 spatial_from_body(const Pose2& X_AB, const Twist2& V_b) {
  return transform(X_AB, V_b);
}
[[nodiscard]] inline Twist2 body_from_spatial(const Pose2& X_AB, const Twist2& V_s) {
  return transform_inverse(X_AB, V_s);
}
[[nodiscard]] Pose2 integrate_body(const Pose2& X, const Twist2& V_b, double t);
[[nodiscard]] Pose2 integrate_spatial(const Pose2& X, const Twist2& V_s, double t);

}  // namespace tact
