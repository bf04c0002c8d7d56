// soft/stiffness.hpp - stiffness and damping of two bodies in series, as tensors on their surfaces.
//
// Notation:  K_i, B_i symmetric 4x4 in the rows (x, y, n, θ) of soft/motion_split.hpp [N/m, N
// m/rad,
//            N s/m, N m s/rad]; K_t the 2x2 block of the tangents.
// Reference: [Stramigioli] (29)-(31), (33)-(35), (37)-(40).
// Errata:    (38) is the series of the dampers alone, the limit of high frequencies; what a slow
//            motion feels is B_eff below. (34), (35) apply the basis (t_x t_y t_n r_n) where its
//            inverse is meant: only then N'N = K. (40) is indefinite as printed, because the state
//            enters with its sign and the map is not symmetric: congruence with |s|^n is meant.
#pragma once

#include <string>
#include <string_view>

#include <Eigen/Cholesky>

#include "tact/base/result.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/root2.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// The matrix, or a sentence that begins with its name: not finite, not symmetric, not definite.
template <int N>
[[nodiscard]] Result<Eigen::Matrix<double, N, N>> checked_spd(const Eigen::Matrix<double, N, N>& m,
                                                              std::string_view name) {
  const auto refuse = [name](const char* what) {
    return Error{Errc::value, std::string(name).append(what)};
  };
  if (!m.allFinite()) return refuse(" must have finite entries");
  if ((m - m.transpose()).cwiseAbs().maxCoeff() > tolerance::symmetry * m.cwiseAbs().maxCoeff())
    return refuse(" must be symmetric; give the same number on both sides of the diagonal");
  // In units of the diagonal, for newtons per metre and newton metres stand side by side.
  const Eigen::Matrix<double, N, 1> diagonal = m.diagonal();
  const char* const not_positive =
      " must be positive definite; give positive numbers on the diagonal and less beside it";
  if (!(diagonal.minCoeff() > 0)) return refuse(not_positive);
  const Eigen::Matrix<double, N, 1> unit = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::Matrix<double, N, N>> factor(unit.asDiagonal() * m * unit.asDiagonal());
  if (factor.info() != Eigen::Success ||
      !(factor.matrixLLT().diagonal().minCoeff() > tolerance::quadratic))
    return refuse(not_positive);
  return m;
}

/// (K1⁻¹ + K2⁻¹)⁻¹, without inverting either. [Stramigioli] (29), (30)
[[nodiscard]] Mat4 series(const Mat4& K1, const Mat4& K2);
[[nodiscard]] Mat2 series(const Mat2& K1, const Mat2& K2);

/// B_eff = K (K1⁻¹ B1 K1⁻¹ + K2⁻¹ B2 K2⁻¹) K: each body is damped by its share of the motion; exact
/// in the limit of slow motion. [Stramigioli] (37), (38), corrected
[[nodiscard]] Mat4 series_damping(const Mat4& K1, const Mat4& B1, const Mat4& K2, const Mat4& B2);

/// α = [K1⁻¹]_nn / ([K1⁻¹]_nn + [K2⁻¹]_nn): see centre_share. [Stramigioli] (31), (32), corrected
[[nodiscard]] double centre_share(const Mat4& K1, const Mat4& K2);

/// A constant tensor of a body in its field of tangent frames, seen in a tangent basis E:
/// `axis` is the first axis of the frame in E, unit; `mirrored` where the outward normal of the
/// body is -n, so that its frame turns the other way.
[[nodiscard]] Mat2 in_basis(const Mat2& tensor, const Vec2& axis, bool mirrored);

/// `direction` projected to the tangent plane and made unit, in E. A field of tangent directions
/// has points where it cannot point anywhere: there, where `direction` is the normal, another
/// direction stands in for it.
[[nodiscard]] Vec2 frame_axis(const Eigen::Matrix<double, 3, 2>& E, const Vec3& direction);

/// Coordinates in which the tangential stiffness is the unit, the relative curvature diagonal:
/// A_rel X = K_t X Λ, X'K_t X = I, N = blkdiag(X⁻¹, √k_n, √k_θ), N'N = K. [Stramigioli] (33)-(35),
/// corrected
struct StiffnessMetric {
  Mat4 N = Mat4::Identity();
  Vec2 curvatures = Vec2::Zero();  ///< Λ, the smaller first
};

/// Of a K without coupling of tangents, normal and drilling; others say nothing here. The rows of N
/// may change sign and place where Λ has a double value: symmetric_root does not, and gives the
/// same forces.
[[nodiscard]] StiffnessMetric stiffness_metric(const Mat4& K, const Mat2& A_rel);

/// Hunt-Crossley as a positive semidefinite tensor: N' D^½ (N⁻ᵀ B N⁻¹) D^½ N, D = diag |s_i|^n, s
/// the state in the coordinates of N. [Stramigioli] (39), (40), corrected
[[nodiscard]] Mat4 state_damping(const Mat4& B, const Mat4& N, const Vec4& s, double exponent);

}  // namespace tact
