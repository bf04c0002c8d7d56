#include "tact/modes/contact_rows.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tact/spatial/so3.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::difference_error;
using testing::difference_step;
using testing::random_direction;
using testing::random_pose;
using testing::random_vec3;

constexpr int trials = 50;

VecX random_velocity(Rng& rng, Index dof) {
  VecX x(dof);
  for (Index k = 0; k < dof; ++k) x[k] = rng.normal();
  return x;
}

/// Velocity of the point of a body that is at p now, from its poses a step ahead and behind.
Vec3 point_velocity(const Pose& now, const Pose& ahead, const Pose& behind, const Vec3& p) {
  const Vec3 p_B = transform_point(inverse(now), p);
  return (transform_point(ahead, p_B) - transform_point(behind, p_B)) / (2 * difference_step);
}

void expect_rows(const ContactRows& rows, const VecX& x, const ContactFrame& frame,
                 const Vec3& relative) {
  // Third derivatives of a screw motion grow with the cube of its speed, here by the joints' sum.
  const double bound = difference_error * std::pow(1 + x.norm(), 3) *
                       std::pow(1 + frame.p.norm(), 2) * (1 + relative.norm());
  EXPECT_NEAR(rows.normal.dot(x), frame.n.dot(relative), bound);
  EXPECT_NEAR(rows.tangents.row(0).dot(x), frame.t1.dot(relative), bound);
  EXPECT_NEAR(rows.tangents.row(1).dot(x), frame.t2.dot(relative), bound);
}

// [Huang20] (5), (6): a body against the world, by moving the body.
TEST(ContactRows, BodyAgainstWorldIsTheVelocityOfTheMovedPoint) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Pose X = random_pose(rng);
    const ContactFrame frame = contact_frame(random_pose(rng));
    const VecX x = random_velocity(rng, 6);
    const Twist V = Twist::from(x);
    const Vec3 v = point_velocity(X, integrate_body(X, V, difference_step),
                                  integrate_body(X, V, -difference_step), frame.p);
    expect_rows(contact_rows(free_body(6, 0, X), fixed_body(6), frame), x, frame, v);
    expect_rows(contact_rows(fixed_body(6), free_body(6, 0, X), frame), x, frame, -v);
  }
}

// [Huang20] (4) and its remark on two objects: relative velocity is body 1 minus body 2.
TEST(ContactRows, BodyAgainstBodyIsTheDifferenceOfTheMovedPoints) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const std::array<Pose, 2> X{random_pose(rng), random_pose(rng)};
    const ContactFrame frame = contact_frame(random_pose(rng));
    const VecX x = random_velocity(rng, 13);  // one column that moves neither
    std::array<Vec3, 2> v;
    for (std::size_t k : {0, 1}) {
      const Twist V = Twist::from(k == 0 ? x.head<6>() : x.tail<6>());
      v.at(k) = point_velocity(X.at(k), integrate_body(X.at(k), V, difference_step),
                               integrate_body(X.at(k), V, -difference_step), frame.p);
    }
    const ContactRows rows = contact_rows(free_body(13, 0, X[0]), free_body(13, 7, X[1]), frame);
    expect_rows(rows, x, frame, v[0] - v[1]);
    EXPECT_EQ(rows.normal[6], 0);
    EXPECT_EQ(rows.tangents(0, 6), 0);
  }
}

/// Pose of the last link after the joints went by `by`, as a product of exponentials.
Pose chain_pose(std::span<const ChainJoint> joints, const VecX& by) {
  Pose X;
  for (const ChainJoint& joint : joints) {
    const double q = by[joint.column];
    const Pose step =
        joint.kind == JointKind::slide
            ? Pose{Mat3::Identity(), q * joint.axis}
            : Pose{exp_so3(q * joint.axis), joint.point - exp_so3(q * joint.axis) * joint.point};
    X = X * step;
  }
  return X;
}

// Three joints, hinge, slide, hinge, then a free body that the tip touches.
TEST(ContactRows, OpenChainIsTheVelocityOfItsTip) {
  Rng rng(3);
  for (int i = 0; i < trials; ++i) {
    std::array<ChainJoint, 3> joints;
    for (Index k = 0; k < 3; ++k) {
      const auto kind = k == 1 ? JointKind::slide : JointKind::hinge;
      joints.at(static_cast<std::size_t>(k)) = {kind, 2 - k, random_direction(rng),
                                                random_vec3(rng)};
    }
    const ContactFrame frame = contact_frame(random_pose(rng));
    const VecX x = random_velocity(rng, 9);
    const Pose X_ball = random_pose(rng);
    const Twist V = Twist::from(x.tail<6>());
    const Vec3 ball = point_velocity(X_ball, integrate_body(X_ball, V, difference_step),
                                     integrate_body(X_ball, V, -difference_step), frame.p);
    const Vec3 tip = point_velocity({}, chain_pose(joints, difference_step * x),
                                    chain_pose(joints, -difference_step * x), frame.p);
    const ContactRows rows =
        contact_rows(free_body(9, 3, X_ball), link_body(fixed_body(9), joints), frame);
    expect_rows(rows, x, frame, ball - tip);
  }
}

TEST(ContactRows, LinksMoveWithTheJointsBeforeThemOnly) {
  const std::array<ChainJoint, 2> joints{
      ChainJoint{JointKind::hinge, 0, Vec3::UnitZ(), Vec3::Zero()},
      ChainJoint{JointKind::slide, 1, Vec3::UnitX(), Vec3::Zero()}};
  const BodyJacobian first = link_body(fixed_body(2), joints[0]);
  EXPECT_EQ(first.col(1), Vec6::Zero());
  EXPECT_EQ(link_body(first, joints[1]), link_body(fixed_body(2), joints));
}

// A unit cube on the floor, written down by hand: [ω, v] columns, z x > 0 lifts the corner.
TEST(ContactRows, CornerOfACubeOnTheFloorHasTheseRows) {
  const ContactFrame frame{{-0.5, 0.5, -0.5}, Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const ContactRows rows = contact_rows(free_body(6, 0, {}), fixed_body(6), frame);
  EXPECT_EQ(rows.normal.transpose(), (Vec6() << 0.5, 0.5, 0, 0, 0, 1).finished().transpose());
  EXPECT_EQ(rows.tangents.row(0), (Vec6() << 0, -0.5, -0.5, 1, 0, 0).finished().transpose());
  EXPECT_EQ(rows.tangents.row(1), (Vec6() << 0.5, 0, -0.5, 0, 1, 0).finished().transpose());
}

TEST(ContactRows, LengthsOfDirectionsScaleTheirRowsExactly) {
  const BodyJacobian body = free_body(6, 0, {Mat3::Identity(), {1, 2, 3}});
  const ContactFrame frame{{4, 5, 6}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ContactFrame longer = frame;
  longer.n *= 7;
  longer.t1 *= 3;
  const ContactRows one = contact_rows(body, fixed_body(6), frame);
  const ContactRows other = contact_rows(body, fixed_body(6), longer);
  EXPECT_EQ(other.normal, 7 * one.normal);
  EXPECT_EQ(other.tangents.row(0), 3 * one.tangents.row(0));
  EXPECT_EQ(other.tangents.row(1), one.tangents.row(1));
}

TEST(ContactRows, AddContactDividesTheTangentPlaneInEqualAngles) {
  const BodyJacobian body = free_body(6, 0, {});
  const ContactFrame frame{Vec3::Zero(), {2, 0, 0}, {0, 5, 0}, {0, 0, 3}};
  ModeSystem system;
  for (Index planes : {0, 1, 2, 4}) add_contact(system, body, fixed_body(6), frame, planes);
  ASSERT_EQ(system.contacts.size(), 4U);
  EXPECT_EQ(system.rows.rows(), 4 + 0 + 1 + 2 + 4);
  const auto four = system.rows.bottomRows(4);
  EXPECT_EQ(four.row(1), four.row(0) + four.row(2));  // exact: the length does not matter
  EXPECT_EQ(four.row(3), four.row(2) - four.row(0));
  for (Index k = 0; k < 4; ++k) {
    const double turned = four.row(k).normalized().dot(four.row((k + 1) % 4).normalized());
    EXPECT_NEAR(turned, (k == 3 ? -1 : 1) * std::sqrt(0.5), tolerance::rounding);
  }
}

TEST(ContactRows, ContractsNameColumnsThatExist) {
  EXPECT_THROW((void)free_body(6, 1, {}), ContractViolation);
  EXPECT_THROW((void)link_body(fixed_body(2), ChainJoint{.column = 2}), ContractViolation);
  EXPECT_THROW((void)contact_rows(fixed_body(2), fixed_body(3), {}), ContractViolation);
  ContactFrame flat;
  flat.n.setZero();
  EXPECT_THROW((void)contact_rows(fixed_body(2), fixed_body(2), flat), ContractViolation);
}

}  // namespace
}  // namespace tact
