#include "tact/soft/pair_geometry.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

Mat2 symmetric(const Mat2& A) {
  return (A + A.transpose()) / 2;
}

double determinant(const Mat2& A) {
  return A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
}

Mat2 inverse(const Mat2& A) {
  Mat2 adjugate;
  adjugate << A(1, 1), -A(0, 1), -A(1, 0), A(0, 0);
  return adjugate / determinant(A);
}

/// (11, 12, 22) of Bᵀ rate B.
Vec3 rate_in(const Mat3& rate, const Mat32& B) {
  const Mat2 A = B.transpose() * rate * B;
  return {A(0, 0), (A(0, 1) + A(1, 0)) / 2, A(1, 1)};
}

}  // namespace

PairGeometry pair_geometry(const FacingPoints& facing, const Pose& X_12) {
  PairGeometry g;
  g.p1 = facing.one.p;
  g.p2 = transform_point(X_12, facing.two.p);
  g.n = facing.one.n;
  g.E = tangent_basis(g.n);
  const Mat32 B = X_12.R.transpose() * g.E;
  g.A1 = symmetric(g.E.transpose() * facing.one.dn * g.E);
  g.A2 = symmetric(B.transpose() * facing.two.dn * B);
  g.gap = facing.gap;
  return g;
}

PointRates point_rates(const PairGeometry& g, const Mat3& R_12) {
  using Mat26 = Eigen::Matrix<double, 2, 6>;
  const auto e1 = g.E.col(0);
  const auto e2 = g.E.col(1);
  Mat26 tilt = Mat26::Zero();  // ω̂ = Eᵀ(ω × n)
  tilt.block<1, 3>(0, 0) = e2.transpose();
  tilt.block<1, 3>(1, 0) = -e1.transpose();
  Mat26 drift;  // v_t = Eᵀ(v + ω × p1)
  drift.block<1, 3>(0, 0) = g.p1.cross(e1).transpose();
  drift.block<1, 3>(1, 0) = g.p1.cross(e2).transpose();
  drift.rightCols<3>() = g.E.transpose();
  const Mat2 M_inverse = inverse(facing_matrix(g));
  PointRates rates;
  rates.J1 = g.E * (M_inverse * (tilt + g.A2 * (drift + g.gap * tilt)));
  rates.J2 = R_12.transpose() * g.E * (M_inverse.transpose() * (tilt - g.A1 * drift));
  return rates;
}

double gap_rate(const PairGeometry& g, const Twist& T) {
  return g.n.dot(T.v + T.w.cross(g.p1));
}

std::optional<GapWindow> gap_window(const Mat2& A1, const Mat2& A2) {
  const Mat2 sum = A1 + A2;
  if (!positive_form(sum, A1.norm() + A2.norm())) return std::nullopt;
  const Mat2 C = symmetric(A1 * inverse(sum) * A2);
  const double mean = C.trace() / 2;
  const double spread = std::hypot((C(0, 0) - C(1, 1)) / 2, C(0, 1));
  // A curvature that is zero but for rounding closes no window.
  const double flat = tolerance::rounding * (A1.norm() + A2.norm());
  GapWindow window;
  if (mean + spread > flat) window.least = -1 / (mean + spread);
  if (mean - spread < -flat) window.most = -1 / (mean - spread);
  return window;
}

Mat36 relative_curvature_rates(const Surface& one, const Surface& two, const FacingPoints& facing,
                               const Pose& X_12, const PairGeometry& g, const PointRates& rates) {
  const Mat32 B = X_12.R.transpose() * g.E;
  Mat32 along_one;  // rates of A1 per metre along either tangent
  Mat32 along_two;
  for (Index k = 0; k < 2; ++k) {
    along_one.col(k) = rate_in(curvature_rate(one, facing.one, g.E.col(k)), g.E);
    along_two.col(k) = rate_in(curvature_rate(two, facing.two, B.col(k)), B);
  }
  const Eigen::Matrix<double, 2, 6> way_one = g.E.transpose() * rates.J1;
  const Eigen::Matrix<double, 2, 6> way_two = B.transpose() * rates.J2;
  Mat36 total = along_one * way_one + along_two * way_two;
  // A2 turns with body 2 at ω · n: the rate is J A2 - A2 J, J the quarter turn.
  const double skew = g.A2(0, 0) - g.A2(1, 1);
  total.leftCols<3>() += Vec3(-2 * g.A2(0, 1), skew, 2 * g.A2(0, 1)) * g.n.transpose();
  return total;
}

}  // namespace tact
