// sim/mobility.cpp - blocks cut out of the diagonal, and their inverses.
#include "tact/sim/mobility.hpp"

namespace tact {
namespace {

/// A = UᵀU and A⁻¹ of a symmetric matrix of three; false where a pivot is below its share of
/// `scale`, the diagonal that A came from.
bool invert_three(const Mat3& A, const Vec3& scale, Mat3& U, Mat3& inverse) {
  const double p0 = A(0, 0);
  if (!(p0 > tolerance::metric * scale[0])) return false;
  const double u00 = std::sqrt(p0), r0 = 1 / u00;
  const double u01 = A(0, 1) * r0, u02 = A(0, 2) * r0;
  const double p1 = A(1, 1) - u01 * u01;
  if (!(p1 > tolerance::metric * scale[1])) return false;
  const double u11 = std::sqrt(p1), r1 = 1 / u11;
  const double u12 = (A(1, 2) - u01 * u02) * r1;
  const double p2 = A(2, 2) - u02 * u02 - u12 * u12;
  if (!(p2 > tolerance::metric * scale[2])) return false;
  const double u22 = std::sqrt(p2), r2 = 1 / u22;
  U << u00, u01, u02, 0, u11, u12, 0, 0, u22;
  // V = U⁻¹, and A⁻¹ = V Vᵀ.
  const double v01 = -u01 * r0 * r1, v12 = -u12 * r1 * r2;
  const double v02 = -(u01 * v12 + u02 * r2) * r0;
  inverse(0, 0) = r0 * r0 + v01 * v01 + v02 * v02;
  inverse(1, 1) = r1 * r1 + v12 * v12;
  inverse(2, 2) = r2 * r2;
  inverse(0, 1) = inverse(1, 0) = v01 * r1 + v02 * v12;
  inverse(0, 2) = inverse(2, 0) = v02 * r2;
  inverse(1, 2) = inverse(2, 1) = v12 * r2;
  return true;
}

}  // namespace

bool make_mobility(const RowGroup& group, const LocalLaw& law, bool held,
                   const BlockMatrix::Block& block, Mobility& m) {
  m.normal = normal_rows(law);
  m.held = held ? held_rows(group, law) : std::span<const Index>{};
  const auto normals = count(m.normal);
  const auto ties = count(m.held);
  m.inverse_held.setZero();
  m.held_by_normal.setZero();
  Mat3 N = Mat3::Identity(), C = Mat3::Identity(), B = Mat3::Zero(), U;
  for (Index c = 0; c < normals; ++c)
    for (Index r = 0; r < normals; ++r) N(r, c) = block(m.normal[r], m.normal[c]);
  Mat3 S = N;
  if (ties > 0) {
    for (Index c = 0; c < ties; ++c) {
      for (Index r = 0; r < ties; ++r) C(r, c) = block(m.held[r], m.held[c]);
      for (Index r = 0; r < normals; ++r) B(r, c) = block(m.normal[r], m.held[c]);
    }
    if (!invert_three(C, C.diagonal(), U, m.inverse_held)) return false;
    m.held_by_normal = m.inverse_held * B.transpose();
    S -= B * m.held_by_normal;
  }
  Mat3 inverse;
  if (!invert_three(S, N.diagonal(), U, inverse)) return false;
  Eigen::Map<Mat3>(m.metric) = S;
  Eigen::Map<Mat3>(m.metric + 9) = inverse;
  Eigen::Map<Mat3>(m.metric + 18) = U;
  return true;
}

}  // namespace tact
