// spatial/so3.hpp - rotations: exponential, logarithm, their derivatives, and quaternions.
//
// Reference: [Huang20] sec. 3.1, [Stramigioli] sec. 2.2.
// Notation:  R rotation matrix; w = t a rotation vector [rad] with angle t = |w| and axis a;
//            ŵ = hat(w); quaternions in the order w x y z with the Hamilton product, as in MuJoCo.
// At π:      the rotations by π about a and about -a are one. log answers the vector whose first
//            non-zero component is positive; next to π the nearer side decides, as it must.
#pragma once

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// The matrix of w × . [Huang20] (1)
[[nodiscard]] Mat3 hat(const Vec3& w);

/// The inverse of hat. Of a matrix that is not skew, its skew part decides.
[[nodiscard]] Vec3 vee(const Mat3& m);

/// SO(3) = { R : R⁻¹ = Rᵀ, det R = 1 }, here up to the tolerance. [Stramigioli] (10)
[[nodiscard]] bool is_rotation(const Mat3& m, Tolerance tol = {});

/// The rotation nearest to m in the Frobenius norm (its polar factor): undoes drift.
/// Expects a finite m with det m > 0.
[[nodiscard]] Mat3 nearest_rotation(const Mat3& m);

/// e^ŵ (Rodrigues), for w of any length.
[[nodiscard]] Mat3 exp_so3(const Vec3& w);

/// The shortest w with e^ŵ = R, |w| <= π, accurate to rounding up to π itself.
[[nodiscard]] Vec3 log_so3(const Mat3& R);

/// J_l with e^(w + δ)^ = e^(J_l δ)^ e^ŵ to first order in δ; also ∫₀¹ e^(s ŵ) ds.
[[nodiscard]] Mat3 left_jacobian(const Vec3& w);

/// J_r with e^(w + δ)^ = e^ŵ e^(J_r δ)^ to first order in δ. J_r(w) = J_l(-w) = J_l(w)ᵀ.
[[nodiscard]] Mat3 right_jacobian(const Vec3& w);

/// The inverses of the Jacobians; they exist unless |w| is a non-zero multiple of 2π.
[[nodiscard]] Mat3 left_jacobian_inverse(const Vec3& w);
[[nodiscard]] Mat3 right_jacobian_inverse(const Vec3& w);

/// A rotation as w + x i + y j + z k; q and -q are the same rotation.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;

  [[nodiscard]] Vec3 vec() const { return {x, y, z}; }
  bool operator==(const Quaternion&) const = default;
};

[[nodiscard]] double norm(const Quaternion& q);

/// q/|q|: undoes drift. Expects q finite and not zero.
[[nodiscard]] Quaternion normalized(const Quaternion& q);

/// The rotation back. Expects a unit quaternion.
[[nodiscard]] inline Quaternion inverse(const Quaternion& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

/// The rotation b, then the rotation a.
[[nodiscard]] Quaternion operator*(const Quaternion& a, const Quaternion& b);

/// The rotation of q/|q|: a drifted length does no harm. Expects q finite and not zero.
[[nodiscard]] Mat3 to_matrix(const Quaternion& q);

/// The unit quaternion of R; of the two, the one with w > 0, at π the one whose first non-zero
/// component is positive.
[[nodiscard]] Quaternion to_quaternion(const Mat3& R);

/// The unit quaternion of e^ŵ.
[[nodiscard]] Quaternion exp_quaternion(const Vec3& w);

/// The same vector as log_so3(to_matrix(q)); q and -q give the same. Expects q not zero.
[[nodiscard]] Vec3 log_quaternion(const Quaternion& q);

}  // namespace tact
