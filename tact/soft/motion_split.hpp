// soft/motion_split.hpp - which part of a relative motion a contact's springs feel.
//
// se(3) = R ⊕ (se(2) × T): R are the rotations about axes in the contact plane through the contact
// centre c, which roll and strain nothing; the rest is sliding (x, y), approach n and drilling θ.
// P projects along R, and its adjoint brings forces back, so that power is the same on both sides.
//
// Names:     soft/pair_geometry.hpp; rows (x, y, n, θ), twists (ω, v) of body 2 relative to body 1.
// Reference: [Stramigioli] (26), (27), (32), (36).
// Errata:    (27) maps to se*(3). (32) prints α = P_n(K1)/P_n(K), which is above 1: it must be the
//            share of body 1 in the compliance. (36) is the wrench on the spring: on body 2 acts
//            -W.
#pragma once

#include "tact/soft/pair_geometry.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

using Mat46 = Eigen::Matrix<double, 4, 6>;

/// c = p1 + α gap n. [Stramigioli] (32), corrected
[[nodiscard]] Vec3 contact_centre(const PairGeometry& geometry, double alpha);

/// α of two bodies by their normal compliances, [C1]_nn/([C1]_nn + [C2]_nn): c lies at the harder
/// body, which keeps its shape. Both zero, two hard bodies, is no soft contact.
[[nodiscard]] double centre_share(double normal_compliance1, double normal_compliance2);

/// The plane and the point of a contact, with what acts through them.
struct MotionSplit {
  Mat32 E = Mat32::Zero();  ///< tangent basis, e1 × e2 = n
  Vec3 n = Vec3::UnitZ();
  Vec3 c = Vec3::Zero();
};

[[nodiscard]] MotionSplit motion_split(const PairGeometry& geometry, double alpha);

/// ξ = P T = (sliding at c, ġap, drilling). [Stramigioli] (26)
[[nodiscard]] Vec4 strain_rate(const MotionSplit& split, const Twist& T);

/// W = P* w, about the origin of body 1: what body 2 does to the spring. On body 2 acts -W, on body
/// 1 +W. [Stramigioli] (27), (36)
[[nodiscard]] Wrench spring_wrench(const MotionSplit& split, const Vec4& w);

/// P itself, [-E'ĉ E'; -n'ĉ n'; n' 0]. [Stramigioli] (26)
[[nodiscard]] Mat46 projection(const MotionSplit& split);

}  // namespace tact
