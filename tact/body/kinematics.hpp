// body/kinematics.hpp - where everything is and how it moves, from the coordinates.
//
// Notation:  O(t) a point of tree t, fixed for the instant: where its first link is. Motions of
//            links and axes of dofs are [ω; v of the point at O], in the axes of W; one point for a
//            whole tree spares all changes of frame. S_d axis of dof d: the motion of its link with
//            q̇ = e_d.
// Rates:     a link turns with V = Σ S_d q̇_d over its dofs and those above it; its acceleration is
//            Σ S_d q̈_d + B with B = Σ Ṡ_d q̇_d. An axis carried by the link below it changes by
//            Ṡ = [V, S]; the translations of a free joint are along W and do not change.
#pragma once

#include <vector>

#include "tact/body/model.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// Mass, first moment and rotational inertia about a point, in the axes of W; they add up.
struct PointInertia {
  double mass = 0;
  Vec3 moment = Vec3::Zero();  ///< m (c - O)
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  PointInertia& operator+=(const PointInertia& o) {
    mass += o.mass;
    moment += o.moment;
    xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
    return *this;
  }
  /// I ω about the point.
  [[nodiscard]] Vec3 turned(const Vec3& w) const {
    return {xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2],
            xz * w[0] + yz * w[1] + zz * w[2]};
  }
};

/// A motion of a rigid body, or an axis: angular velocity and velocity of the point at O.
struct Motion {
  Vec3 w = Vec3::Zero();
  Vec3 v = Vec3::Zero();
};

/// Kept by the caller and filled by the functions below; dirty ones do no harm, and one that has
/// seen the model allocates nothing.
struct Kinematics {
  std::vector<Pose> X_WB;             ///< [bodies]
  std::vector<Vec3> origin;           ///< [links] O of its tree
  std::vector<Motion> axis;           ///< [nv] S_d
  std::vector<PointInertia> inertia;  ///< [links] about O; of links that are alone it is not set
  std::vector<Motion> velocity;       ///< [links] V, by forward_velocities
  std::vector<Motion> bias;           ///< [links] B, by forward_velocities
  std::vector<Vec2> turn;             ///< [joints] cosine and sine of hinges; workspace
};

/// Poses, axes and inertias. Expects sizes of the model; quaternions of any length but zero.
void forward_kinematics(const Model& model, const State& state, Kinematics& kin);

/// Motions of the links and their accelerations at q̈ = 0, after forward_kinematics.
void forward_velocities(const Model& model, const VecX& qvel, Kinematics& kin);

/// The centre of mass of a body. [m]
[[nodiscard]] inline Vec3 centre(const Model& model, const Kinematics& kin, Index body) {
  return transform_point(kin.X_WB[body], model.bodies[body].com_B);
}

/// Of the body's point that is at `point_W`: [ω, its velocity], in the axes of W. Zero for bodies
/// that no joint moves.
[[nodiscard]] Twist point_velocity(const Model& model, const Kinematics& kin, Index body,
                                   const Vec3& point_W);

/// The same point's [ω̇, acceleration] at q̈ = 0: the term J̇ q̇.
[[nodiscard]] Twist point_acceleration_bias(const Model& model, const Kinematics& kin, Index body,
                                            const Vec3& point_W);

}  // namespace tact
