#include "tact/spatial/so3.hpp"

#include <cmath>

#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/spatial/angle.hpp"

namespace tact {

namespace {

/// Newton's iteration for the polar factor doubles the digits once it is near; from a condition
/// number of 1e16 it needs about 60 steps to get near.
constexpr int polar_steps = 80;

/// 1 + b ŵ + c ŵ²: exp and the Jacobians are all of this form.
Mat3 quadratic_in_hat(const Vec3& w, double b, double c) {
  const Mat3 h = hat(w);
  return Mat3::Identity() + b * h + c * (h * h);
}

/// Whether the first non-zero of the components is negative.
bool leads_negative(const Vec3& v) {
  for (const double x : {v[0], v[1], v[2]}) {
    if (x != 0) return x < 0;
  }
  return false;
}

/// The half of the double cover in which log and to_quaternion answer.
bool in_lower_half(const Quaternion& q) {
  return q.w < 0 || (q.w == 0 && leads_negative(q.vec()));
}

Quaternion negated(const Quaternion& q) {
  return {-q.w, -q.x, -q.y, -q.z};
}

}  // namespace

Mat3 hat(const Vec3& w) {
  Mat3 m;
  m << 0, -w[2], w[1],  //
      w[2], 0, -w[0],   //
      -w[1], w[0], 0;
  return m;
}

Vec3 vee(const Mat3& m) {
  return Vec3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / 2;
}

bool is_rotation(const Mat3& m, Tolerance tol) {
  const double defect = (m.transpose() * m - Mat3::Identity()).cwiseAbs().maxCoeff();
  return m.allFinite() && tol.accepts(defect, 1) && m.determinant() > 0;
}

Mat3 nearest_rotation(const Mat3& m) {
  TACT_EXPECTS(m.allFinite() && m.determinant() > 0);
  Mat3 R = m / std::cbrt(m.determinant());  // a common factor does not move the polar factor
  for (int i = 0; i < polar_steps; ++i) {
    const Mat3 next = (R + R.inverse().transpose()) / 2;
    const double change = (next - R).cwiseAbs().maxCoeff();
    R = next;
    if (change <= tolerance::quadratic) break;  // the error is of the order of its square
  }
  return R;
}

Mat3 exp_so3(const Vec3& w) {
  const double t = w.norm();
  return quadratic_in_hat(w, sinc(t), versine_ratio(t));
}

Vec3 log_so3(const Mat3& R) {
  return log_quaternion(to_quaternion(R));  // no arccos: it loses half the digits at 0 and at π
}

Mat3 left_jacobian(const Vec3& w) {
  const double t = w.norm();
  return quadratic_in_hat(w, versine_ratio(t), sine_lag_ratio(t));
}

Mat3 right_jacobian(const Vec3& w) {
  return left_jacobian(-w);
}

Mat3 left_jacobian_inverse(const Vec3& w) {
  return quadratic_in_hat(w, -0.5, cotangent_ratio(w.norm()));
}

Mat3 right_jacobian_inverse(const Vec3& w) {
  return left_jacobian_inverse(-w);
}

double norm(const Quaternion& q) {
  const double square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
  if (square > 0.25 && square < 4) return std::sqrt(square);  // as nearly all are
  return std::hypot(std::hypot(q.w, q.x), std::hypot(q.y, q.z));
}

Quaternion normalized(const Quaternion& q) {
  const double n = norm(q);
  TACT_EXPECTS(n > 0 && std::isfinite(n));
  return {q.w / n, q.x / n, q.y / n, q.z / n};
}

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Mat3 to_matrix(const Quaternion& q) {
  const Quaternion u = normalized(q);
  const Mat3 h = hat(u.vec());
  return Mat3::Identity() + 2 * u.w * h + 2 * (h * h);
}

Quaternion to_quaternion(const Mat3& R) {
  // 4 w² - 1 = tr R, 4 x² - 1 = 2 R_xx - tr R, ...: divide by the largest of the four (Shepperd).
  const double trace = R.trace();
  Index i = 0;
  const double largest = R.diagonal().maxCoeff(&i);
  Quaternion q;
  if (trace >= largest) {
    const double s = 2 * std::sqrt(1 + trace);
    const Vec3 v = 2 * vee(R) / s;
    q = {s / 4, v[0], v[1], v[2]};
  } else {
    const Index j = (i + 1) % 3;
    const Index k = (i + 2) % 3;
    const double s = 2 * std::sqrt(1 + R(i, i) - R(j, j) - R(k, k));
    Vec3 v;
    v[i] = s / 4;
    v[j] = (R(i, j) + R(j, i)) / s;
    v[k] = (R(i, k) + R(k, i)) / s;
    q = {(R(k, j) - R(j, k)) / s, v[0], v[1], v[2]};
  }
  q = normalized(q);
  return in_lower_half(q) ? negated(q) : q;
}

Quaternion exp_quaternion(const Vec3& w) {
  const double half = w.norm() / 2;
  const Vec3 v = sinc(half) / 2 * w;
  return {std::cos(half), v[0], v[1], v[2]};
}

Vec3 log_quaternion(const Quaternion& q) {
  TACT_EXPECTS(norm(q) > 0);
  const Quaternion u = in_lower_half(q) ? negated(q) : q;
  const Vec3 v = u.vec();
  const double sine = v.norm();
  if (sine == 0) return 2 / u.w * v;  // v is zero, or so small that its square is
  return 2 * std::atan2(sine, u.w) / sine * v;
}

}  // namespace tact
