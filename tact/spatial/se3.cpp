#include "tact/spatial/se3.hpp"

#include "tact/spatial/so3.hpp"

namespace tact {

Pose normalized(const Pose& X) {
  return {nearest_rotation(X.R), X.p};
}

Mat4 matrix(const Pose& X) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() = X.R;
  m.topRightCorner<3, 1>() = X.p;
  return m;
}

Mat4 hat(const Twist& T) {
  Mat4 m = Mat4::Zero();
  m.topLeftCorner<3, 3>() = hat(T.w);
  m.topRightCorner<3, 1>() = T.v;
  return m;
}

Twist vee_twist(const Mat4& m) {
  const Mat3 w_hat = m.topLeftCorner<3, 3>();
  return {vee(w_hat), m.topRightCorner<3, 1>()};
}

Pose exp(const Twist& T) {
  return {exp_so3(T.w), left_jacobian(T.w) * T.v};  // p = ∫₀¹ e^(s ω̂) v ds
}

Twist log(const Pose& X) {
  const Vec3 w = log_so3(X.R);
  return {w, left_jacobian_inverse(w) * X.p};
}

Mat6 adjoint(const Pose& X_AB) {
  Mat6 m;
  m << X_AB.R, Mat3::Zero(), hat(X_AB.p) * X_AB.R, X_AB.R;
  return m;
}

Mat6 coadjoint(const Pose& X_AB) {
  Mat6 m;
  m << X_AB.R, hat(X_AB.p) * X_AB.R, Mat3::Zero(), X_AB.R;
  return m;
}

Twist transform(const Pose& X_AB, const Twist& T_B) {
  const Vec3 w = X_AB.R * T_B.w;
  return {w, X_AB.R * T_B.v + X_AB.p.cross(w)};
}

Wrench transform(const Pose& X_AB, const Wrench& W_B) {
  const Vec3 f = X_AB.R * W_B.f;
  return {X_AB.R * W_B.m + X_AB.p.cross(f), f};
}

Twist transform_inverse(const Pose& X_AB, const Twist& T_A) {
  return {X_AB.R.transpose() * T_A.w, X_AB.R.transpose() * (T_A.v - X_AB.p.cross(T_A.w))};
}

Wrench transform_inverse(const Pose& X_AB, const Wrench& W_A) {
  return {X_AB.R.transpose() * (W_A.m - X_AB.p.cross(W_A.f)), X_AB.R.transpose() * W_A.f};
}

Twist bracket(const Twist& T1, const Twist& T2) {
  return {T1.w.cross(T2.w), T1.w.cross(T2.v) + T1.v.cross(T2.w)};
}

Mat6 ad(const Twist& T) {
  const Mat3 w_hat = hat(T.w);
  Mat6 m;
  m << w_hat, Mat3::Zero(), hat(T.v), w_hat;
  return m;
}

Wrench dual_bracket(const Twist& T, const Wrench& W) {
  return {T.w.cross(W.m) + T.v.cross(W.f), T.w.cross(W.f)};
}

PoseRate left_translate(const Pose& g, const PoseRate& rate) {
  return {g.R * rate.R_dot, g.R * rate.p_dot};
}

PoseRate right_translate(const PoseRate& rate, const Pose& g) {
  return {rate.R_dot * g.R, rate.R_dot * g.p + rate.p_dot};
}

Twist spatial_velocity(const Pose& X_AB, const PoseRate& rate) {
  const PoseRate at_identity = right_translate(rate, inverse(X_AB));
  return {vee(at_identity.R_dot), at_identity.p_dot};
}

Twist body_velocity(const Pose& X_AB, const PoseRate& rate) {
  const PoseRate at_identity = left_translate(inverse(X_AB), rate);
  return {vee(at_identity.R_dot), at_identity.p_dot};
}

PoseRate rate_from_spatial(const Pose& X_AB, const Twist& V_s) {
  return right_translate({hat(V_s.w), V_s.v}, X_AB);
}

PoseRate rate_from_body(const Pose& X_AB, const Twist& V_b) {
  return left_translate(X_AB, {hat(V_b.w), V_b.v});
}

Pose integrate_body(const Pose& X, const Twist& V_b, double t) {
  return X * exp(t * V_b);
}

Pose integrate_spatial(const Pose& X, const Twist& V_s, double t) {
  return exp(t * V_s) * X;
}

}  // namespace tact
