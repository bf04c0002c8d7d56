// modes/contact_rows.hpp - normal and tangent rows of contacts between bodies that move.
//
// Reference: [Huang20] sec. 3, (1) to (6), with the sign of docs/errata.md: n points into body 1,
// so
//            that n x > 0 separates.
// Notation:  x generalised velocity (joint rates, twists of free bodies), V = J x the spatial
//            velocity [ω, v] of a body: world axes, at the world's origin; p a contact point.
// Exactness: sums and products only. Whole numbers in give the rows without rounding, as long as
//            they stay below 2^53; so directions may have any length, as (3, 4, 0) for (3/5, 4/5,
//            0).
#pragma once

#include <span>

#include "tact/linalg/types.hpp"
#include "tact/modes/mode_system.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

/// How x moves a body: 6 rows [ω, v], one column per entry of x; columns that do not move it are 0.
using BodyJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// The world, which x does not move.
[[nodiscard]] BodyJacobian fixed_body(Index dof);

/// A free body: x[first ... first + 5] is its body velocity [ω, v] in its own frame.
/// [Huang20] (3)
[[nodiscard]] BodyJacobian free_body(Index dof, Index first, const Pose& X_WB);

enum class JointKind { hinge, slide };

/// One degree of freedom in the configuration at hand: a rate x[column] turns what hangs on the
/// joint about the line through `point` along `axis`, or moves it along `axis`. An axis of length a
/// moves it a times as fast.
struct ChainJoint {
  JointKind kind = JointKind::hinge;
  Index column = 0;
  Vec3 axis = Vec3::UnitZ();
  Vec3 point = Vec3::Zero();  ///< of a hinge; a slide has none
};

/// The spatial velocity at unit rate.
[[nodiscard]] Twist joint_twist(const ChainJoint& joint);

/// The body that hangs on `base` by one more joint; a chain is built link by link.
[[nodiscard]] BodyJacobian link_body(BodyJacobian base, const ChainJoint& joint);

/// The last link of an open chain on `base`, joints from base to tip.
[[nodiscard]] BodyJacobian link_body(BodyJacobian base, std::span<const ChainJoint> joints);

/// A contact in world coordinates: n points from body 2 into body 1, t1 and t2 span the tangent
/// plane. Directions of any length but zero.
struct ContactFrame {
  Vec3 p = Vec3::Zero();
  Vec3 t1 = Vec3::UnitX();
  Vec3 t2 = Vec3::UnitY();
  Vec3 n = Vec3::UnitZ();
};

/// Origin and axes of the frame C, its z the normal. [Huang20] sec. 3.2
[[nodiscard]] ContactFrame contact_frame(const Pose& X_WC);

struct ContactRows {
  VecX normal;    ///< normal . x: rate of the gap
  MatX tangents;  ///< 2 rows: sliding velocity of body 1 over body 2 along t1, t2
};

/// The velocity of body 1 minus that of body 2 at p, along n, t1 and t2.
/// [Huang20] (4), (5), (6)
[[nodiscard]] ContactRows contact_rows(const BodyJacobian& body1, const BodyJacobian& body2,
                                       const ContactFrame& frame);

/// The same appended to a system, with `planes` dividing planes ([Huang20] sec. 3.3). More than two
/// divide the plane in equal angles, for which t1 and t2 are made unit vectors.
void add_contact(ModeSystem& system, const BodyJacobian& body1, const BodyJacobian& body2,
                 ContactFrame frame, Index planes = 2);

}  // namespace tact
