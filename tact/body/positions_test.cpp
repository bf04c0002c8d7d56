#include "tact/body/positions.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::rounding;

Model ball_joint() {
  Model draft;
  draft.bodies.resize(2);
  draft.bodies[1].mass = 1;
  draft.bodies[1].inertia_com_B = Mat3::Identity();
  draft.joints = {{.name = {}, .type = JointType::ball, .body = 1}};
  return *make_model(draft);
}

TEST(Positions, AQuarterTurnByTheExponentialAndByCayley) {
  const Model m = ball_joint();
  const VecX turn = Vec3(0, 0, std::numbers::pi / 2);
  VecX q = m.qpos0;
  integrate(m, q, turn, 1);
  EXPECT_LE(max_error(q, Vec4(std::sqrt(0.5), 0, 0, std::sqrt(0.5))), rounding);
  // cay(t) turns by 2 atan(t/2): two seconds of one radian a second make a quarter turn.
  q = m.qpos0;
  integrate(m, q, Vec3(0, 0, 1), 2, RotationMap::cayley);
  EXPECT_LE(max_error(q, Vec4(std::sqrt(0.5), 0, 0, std::sqrt(0.5))), rounding);
}

TEST(Positions, TurnsAreInTheBody) {
  const Model m = ball_joint();
  VecX q = m.qpos0;
  integrate(m, q, Vec3(0, 0, std::numbers::pi / 2), 1);
  integrate(m, q, Vec3(std::numbers::pi / 2, 0, 0), 1);
  const Mat3 R = to_matrix({q[0], q[1], q[2], q[3]});
  EXPECT_LE(max_error(R * Vec3::UnitX(), Vec3::UnitY()), 8 * rounding);
  EXPECT_LE(max_error(R * Vec3::UnitY(), Vec3::UnitZ()), 8 * rounding);
}

TEST(Positions, TheDifferenceTakesTheShortWay) {
  const Model m = ball_joint();
  VecX opposite = -m.qpos0;  // the same orientation
  VecX v;
  difference(m, m.qpos0, opposite, 0.5, v);
  EXPECT_EQ(v, VecX::Zero(3));
}

TEST(Positions, AThousandStepsDoNotStretchQuaternions) {
  const Model m = ball_joint();
  VecX q = m.qpos0;
  for (int i = 0; i < 1000; ++i) integrate(m, q, Vec3(1, 2, 3), 0.01, RotationMap::cayley);
  EXPECT_NEAR(q.norm(), 1, rounding);
}

}  // namespace
}  // namespace tact
