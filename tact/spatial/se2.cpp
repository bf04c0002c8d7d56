#include "tact/spatial/se2.hpp"

#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/spatial/angle.hpp"

namespace tact {

namespace {

/// The matrix of ω ẑ × .
Mat2 spin(double w) {
  return (Mat2() << 0, -w, w, 0).finished();
}

/// The ω of the skew part of a 2 × 2 matrix.
double unspin(const Mat2& m) {
  return (m(1, 0) - m(0, 1)) / 2;
}

}  // namespace

Mat2 exp_so2(double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return (Mat2() << c, -s, s, c).finished();
}

double log_so2(const Mat2& R) {
  const double angle = std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
  return angle == -std::numbers::pi ? std::numbers::pi : angle;  // atan2 knows -0
}

Pose2 normalized(const Pose2& X) {
  const double c = X.R(0, 0) + X.R(1, 1);
  const double s = X.R(1, 0) - X.R(0, 1);
  const double n = std::hypot(c, s);
  TACT_EXPECTS(X.R(0, 0) * X.R(1, 1) > X.R(0, 1) * X.R(1, 0) && std::isfinite(n));
  return {(Mat2() << c, -s, s, c).finished() / n, X.p};
}

Mat3 matrix(const Pose2& X) {
  Mat3 m = Mat3::Identity();
  m.topLeftCorner<2, 2>() = X.R;
  m.topRightCorner<2, 1>() = X.p;
  return m;
}

Mat3 hat(const Twist2& T) {
  Mat3 m = Mat3::Zero();
  m.topLeftCorner<2, 2>() = spin(T.w);
  m.topRightCorner<2, 1>() = T.v;
  return m;
}

Twist2 vee_twist2(const Mat3& m) {
  const Mat2 w_hat = m.topLeftCorner<2, 2>();
  return {unspin(w_hat), m.topRightCorner<2, 1>()};
}

Pose2 exp(const Twist2& T) {
  // p = ∫₀¹ R(s ω) v ds
  return {exp_so2(T.w), sinc(T.w) * T.v - T.w * versine_ratio(T.w) * perp(T.v)};
}

Twist2 log(const Pose2& X) {
  const double w = log_so2(X.R);
  const double h = w / 2;
  return {w, std::cos(h) / sinc(h) * X.p + h * perp(X.p)};
}

Mat3 adjoint(const Pose2& X_AB) {
  Mat3 m = Mat3::Identity();
  m.bottomLeftCorner<2, 1>() = perp(X_AB.p);
  m.bottomRightCorner<2, 2>() = X_AB.R;
  return m;
}

Mat3 coadjoint(const Pose2& X_AB) {
  Mat3 m = Mat3::Identity();
  m.topRightCorner<1, 2>() = -perp(X_AB.p).transpose() * X_AB.R;
  m.bottomRightCorner<2, 2>() = X_AB.R;
  return m;
}

Twist2 transform(const Pose2& X_AB, const Twist2& T_B) {
  return {T_B.w, X_AB.R * T_B.v + T_B.w * perp(X_AB.p)};
}

Wrench2 transform(const Pose2& X_AB, const Wrench2& W_B) {
  const Vec2 f = X_AB.R * W_B.f;
  return {W_B.m + cross(X_AB.p, f), f};
}

Twist2 transform_inverse(const Pose2& X_AB, const Twist2& T_A) {
  return {T_A.w, X_AB.R.transpose() * (T_A.v - T_A.w * perp(X_AB.p))};
}

Wrench2 transform_inverse(const Pose2& X_AB, const Wrench2& W_A) {
  return {W_A.m - cross(X_AB.p, W_A.f), X_AB.R.transpose() * W_A.f};
}

Twist2 bracket(const Twist2& T1, const Twist2& T2) {
  return {0, T2.w * perp(T1.v) - T1.w * perp(T2.v)};
}

Mat3 ad(const Twist2& T) {
  Mat3 m = Mat3::Zero();
  m.bottomLeftCorner<2, 1>() = perp(T.v);
  m.bottomRightCorner<2, 2>() = spin(T.w);
  return m;
}

Wrench2 dual_bracket(const Twist2& T, const Wrench2& W) {
  return {cross(T.v, W.f), -T.w * perp(W.f)};
}

PoseRate2 left_translate(const Pose2& g, const PoseRate2& rate) {
  return {g.R * rate.R_dot, g.R * rate.p_dot};
}

PoseRate2 right_translate(const PoseRate2& rate, const Pose2& g) {
  return {rate.R_dot * g.R, rate.R_dot * g.p + rate.p_dot};
}

Twist2 spatial_velocity(const Pose2& X_AB, const PoseRate2& rate) {
  const PoseRate2 at_identity = right_translate(rate, inverse(X_AB));
  return {unspin(at_identity.R_dot), at_identity.p_dot};
}

Twist2 body_velocity(const Pose2& X_AB, const PoseRate2& rate) {
  const PoseRate2 at_identity = left_translate(inverse(X_AB), rate);
  return {unspin(at_identity.R_dot), at_identity.p_dot};
}

PoseRate2 rate_from_spatial(const Pose2& X_AB, const Twist2& V_s) {
  return right_translate({spin(V_s.w), V_s.v}, X_AB);
}

PoseRate2 rate_from_body(const Pose2& X_AB, const Twist2& V_b) {
  return left_translate(X_AB, {spin(V_b.w), V_b.v});
}

Pose2 integrate_body(const Pose2& X, const Twist2& V_b, double t) {
  return X * exp(t * V_b);
}

Pose2 integrate_spatial(const Pose2& X, const Twist2& V_s, double t) {
  return exp(t * V_s) * X;
}

}  // namespace tact
