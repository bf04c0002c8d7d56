#include "tact/modes/contact_rows.hpp"

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

/// The row r with r x = direction . (velocity at p).
VecX velocity_row(const BodyJacobian& relative, const Vec3& p, const Vec3& direction) {
  const Wrench along = shift(Wrench{Vec3::Zero(), direction}, -p);
  return relative.transpose() * along.vec();
}

}  // namespace

BodyJacobian fixed_body(Index dof) {
  TACT_EXPECTS(dof >= 0);
  return BodyJacobian::Zero(6, dof);
}

BodyJacobian free_body(Index dof, Index first, const Pose& X_WB) {
  TACT_EXPECTS(first >= 0 && first + 6 <= dof);
  BodyJacobian body = fixed_body(dof);
  body.middleCols<6>(first) = adjoint(X_WB);
  return body;
}

Twist joint_twist(const ChainJoint& joint) {
  if (joint.kind == JointKind::slide) return {Vec3::Zero(), joint.axis};
  return {joint.axis, joint.point.cross(joint.axis)};
}

BodyJacobian link_body(BodyJacobian base, const ChainJoint& joint) {
  TACT_EXPECTS(joint.column >= 0 && joint.column < base.cols());
  base.col(joint.column) += joint_twist(joint).vec();
  return base;
}

BodyJacobian link_body(BodyJacobian base, std::span<const ChainJoint> joints) {
  for (const ChainJoint& joint : joints) base = link_body(std::move(base), joint);
  return base;
}

ContactFrame contact_frame(const Pose& X_WC) {
  return {X_WC.p, X_WC.R.col(0), X_WC.R.col(1), X_WC.R.col(2)};
}

ContactRows contact_rows(const BodyJacobian& body1, const BodyJacobian& body2,
                         const ContactFrame& frame) {
  TACT_EXPECTS(body1.cols() == body2.cols());
  TACT_EXPECTS(!frame.n.isZero(0) && !frame.t1.isZero(0) && !frame.t2.isZero(0));
  const BodyJacobian relative = body1 - body2;
  ContactRows rows{velocity_row(relative, frame.p, frame.n), MatX(2, relative.cols())};
  rows.tangents.row(0) = velocity_row(relative, frame.p, frame.t1).transpose();
  rows.tangents.row(1) = velocity_row(relative, frame.p, frame.t2).transpose();
  return rows;
}

void add_contact(ModeSystem& system, const BodyJacobian& body1, const BodyJacobian& body2,
                 ContactFrame frame, Index planes) {
  TACT_EXPECTS(planes >= 0);
  if (planes > 2) {
    frame.t1.normalize();
    frame.t2.normalize();
  }
  const ContactRows rows = contact_rows(body1, body2, frame);
  const MatX tangents = planes == 0 ? MatX(0, rows.normal.size())
                                    : dividing_planes(rows.tangents.row(0).transpose(),
                                                      rows.tangents.row(1).transpose(), planes);
  add_contact(system, rows.normal, tangents);
}

}  // namespace tact
