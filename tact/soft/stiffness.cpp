#include "tact/soft/stiffness.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/soft/motion_split.hpp"

namespace tact {

namespace {

/// The share of body 2's stiffness, K2 (K1 + K2)⁻¹ = K K1⁻¹: how much of the motion body 1 takes.
Mat4 share_of_one(const Mat4& K1, const Mat4& K2) {
  return (K1 + K2).llt().solve(K2).transpose();
}

template <class Matrix>
Matrix symmetric_part(const Matrix& m) {
  return (m + m.transpose()) / 2;
}

}  // namespace

Mat4 series(const Mat4& K1, const Mat4& K2) {
  return symmetric_part<Mat4>(share_of_one(K1, K2) * K1);
}

Mat2 series(const Mat2& K1, const Mat2& K2) {
  const Mat2 sum = K1 + K2;
  const double det = sum(0, 0) * sum(1, 1) - sum(0, 1) * sum(1, 0);
  Mat2 adjugate;
  adjugate << sum(1, 1), -sum(0, 1), -sum(1, 0), sum(0, 0);
  return symmetric_part<Mat2>(K1 * adjugate * K2 / det);
}

Mat4 series_damping(const Mat4& K1, const Mat4& B1, const Mat4& K2, const Mat4& B2) {
  const Mat4 one = share_of_one(K1, K2), two = share_of_one(K2, K1);
  return symmetric_part<Mat4>(one * B1 * one.transpose() + two * B2 * two.transpose());
}

double centre_share(const Mat4& K1, const Mat4& K2) {
  const Vec4 normal = Vec4::Unit(2);
  return centre_share(K1.llt().solve(normal)[2], K2.llt().solve(normal)[2]);
}

Mat2 in_basis(const Mat2& tensor, const Vec2& axis, bool mirrored) {
  const double side = mirrored ? -1 : 1;
  Mat2 frame;
  frame << axis[0], -side * axis[1], axis[1], side * axis[0];
  return symmetric_part<Mat2>(frame * tensor * frame.transpose());
}

Vec2 frame_axis(const Eigen::Matrix<double, 3, 2>& E, const Vec3& direction) {
  Vec2 axis = E.transpose() * direction;
  double size = axis.norm();
  if (!(size > tolerance::parallel * direction.norm())) {
    axis = E.transpose() * Vec3(direction[1], direction[2], -direction[0]);
    size = axis.norm();
  }
  return size > 0 ? Vec2(axis / size) : Vec2::UnitX();
}

StiffnessMetric stiffness_metric(const Mat4& K, const Mat2& A_rel) {
  Mat4 coupling = K;
  coupling.topLeftCorner<2, 2>().setZero();
  coupling.diagonal().setZero();
  TACT_EXPECTS(coupling.isZero(0));
  const Mat2 root = symmetric_root(K.topLeftCorner<2, 2>());
  const Mat2 back = root.inverse();
  const Mat2 form = symmetric_part<Mat2>(back * A_rel * back);
  // Eigenvalues Λ of the curvature in units of the stiffness; the rows of the rotation are its
  // axes.
  const double mean = form.trace() / 2;
  const double x = (form(0, 0) - form(1, 1)) / 2, y = form(0, 1);
  const double range = std::hypot(x, y);
  const double angle = range > 0 ? std::atan2(-y, -x) / 2 : 0;  // of the axis of the smaller one
  Mat2 turn;
  turn << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  StiffnessMetric out;
  out.curvatures = {mean - range, mean + range};
  out.N.topLeftCorner<2, 2>() = turn * root;
  out.N(2, 2) = std::sqrt(K(2, 2));
  out.N(3, 3) = std::sqrt(K(3, 3));
  return out;
}

Mat4 state_damping(const Mat4& B, const Mat4& N, const Vec4& s, double exponent) {
  const Mat4 inverse = N.inverse();
  const Mat4 hat = inverse.transpose() * B * inverse;
  const Vec4 weight = s.cwiseAbs().array().pow(exponent / 2).matrix();
  const Mat4 weighted = weight.asDiagonal() * hat * weight.asDiagonal();
  return symmetric_part<Mat4>(N.transpose() * weighted * N);
}

}  // namespace tact
