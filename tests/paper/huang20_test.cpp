// [Huang20] sec. 3.1: twists, poses, their adjoint and velocities; one test a claim.
//
// The paper orders twists (v, ω), tact (ω, v): the comparison permutes, once, here.
#include <gtest/gtest.h>

#include "tact/spatial/se3.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::rounding;
using testing::twist_error;

constexpr int trials = 100;

/// P with (v, ω) = P (ω, v); P = P⁻¹.
Mat6 swap_halves() {
  Mat6 P = Mat6::Zero();
  P.topRightCorner<3, 3>().setIdentity();
  P.bottomLeftCorner<3, 3>().setIdentity();
  return P;
}

/// [R, p̂R; 0, last], the adjoint in the paper's order with a choice for the block printed "R".
Mat6 paper_adjoint(const Pose& g, const Mat3& last) {
  Mat6 m;
  m << g.R, hat(g.p) * g.R, Mat3::Zero(), last;
  return m;
}

double size(const Pose& X) {
  return 1 + X.p.norm();
}

// [Huang20] (1): the matrices of a twist and of an angular velocity, entry by entry.
TEST(Huang20, Eq1HatOfATwistAndOfAVector) {
  Mat3 w_hat;
  w_hat << 0, -3, 2, 3, 0, -1, -2, 1, 0;
  EXPECT_EQ(hat(Vec3(1, 2, 3)), w_hat);
  Mat4 xi_hat = Mat4::Zero();
  xi_hat.topLeftCorner<3, 3>() = w_hat;
  xi_hat.topRightCorner<3, 1>() = Vec3(4, 5, 6);
  EXPECT_EQ(hat(Twist{{1, 2, 3}, {4, 5, 6}}), xi_hat);
}

// [Huang20] (1): vee takes the hats off again.
TEST(Huang20, Eq1VeeIsTheInverseOfHat) {
  EXPECT_EQ(vee(hat(Vec3(1, 2, 3))), Vec3(1, 2, 3));
  const Twist xi{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(vee_twist(hat(xi)), xi);
}

// [Huang20] (1): g = exp ξ̂ is a rigid motion, and the series of the matrix.
TEST(Huang20, Eq1ExponentialOfATwistIsARigidMotion) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Twist xi = random_twist(rng);
    const Mat4 g = testing::series_exp<4>(hat(xi));
    EXPECT_LE(max_error(matrix(exp(xi)), g), rounding * (1 + xi.vec().norm()));
    EXPECT_TRUE(is_rotation(g.topLeftCorner<3, 3>(), {.rel = rounding}));
  }
}

// [Huang20] (2): g_ab takes coordinates in b to coordinates in a.
TEST(Huang20, Eq2TransformationTakesPointsFromBToA) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const Pose g_ab = random_pose(rng);
    const Vec3 q_b = random_vec3(rng);
    const Vec4 q_a = matrix(g_ab) * q_b.homogeneous();
    EXPECT_LE(max_error(transform_point(g_ab, q_b), q_a.head<3>()),
              rounding * size(g_ab) * (1 + q_b.norm()));
    EXPECT_EQ(q_a[3], 1);
  }
}

// [Huang20] (2): the adjoint with R_ab in the last block is ξ̂ -> g ξ̂ g⁻¹. The print says "R",
// without its frames: no rotation but R_ab will do, not the identity and not the transpose.
TEST(Huang20, Eq2AdjointNeedsRabInItsLastBlock) {
  Rng rng(3);
  const Mat6 P = swap_halves();
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Twist xi = random_twist(rng);
    const double bound = rounding * size(g) * size(g) * (1 + xi.vec().norm());
    EXPECT_LE(max_error(P * paper_adjoint(g, g.R) * P, adjoint(g)), bound);
    const Twist conjugated = vee_twist(matrix(g) * hat(xi) * matrix(inverse(g)));
    const auto error = [&](const Mat3& last) {
      return max_error(P * paper_adjoint(g, last) * P * xi.vec(), conjugated.vec());
    };
    EXPECT_LE(error(g.R), bound);
    EXPECT_GT(error(Mat3::Identity()), bound);
    EXPECT_GT(error(g.R.transpose()), bound);
  }
}

// [Huang20] (3): spatial and body velocity of a curve through g_ab, from its finite difference.
TEST(Huang20, Eq3SpatialAndBodyVelocity) {
  Rng rng(4);
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Twist V_b = random_twist(rng);
    const double h = testing::difference_step;
    const Mat4 ahead = matrix(integrate_body(g, V_b, h));
    const Mat4 behind = matrix(integrate_body(g, V_b, -h));
    const Mat4 g_dot = (ahead - behind) / (2 * h);
    const PoseRate rate{g_dot.topLeftCorner<3, 3>(), g_dot.topRightCorner<3, 1>()};
    const double bound = testing::difference_error * size(g) * std::pow(1 + V_b.vec().norm(), 3);
    EXPECT_LE(twist_error(spatial_velocity(g, rate), vee_twist(g_dot * matrix(inverse(g)))), bound);
    EXPECT_LE(twist_error(body_velocity(g, rate), vee_twist(matrix(inverse(g)) * g_dot)), bound);
    EXPECT_LE(twist_error(body_velocity(g, rate), V_b), bound);
  }
}

// [Huang20] (3): V_s = Ad V_b.
TEST(Huang20, Eq3AdjointRelatesBodyAndSpatialVelocity) {
  Rng rng(5);
  for (int i = 0; i < trials; ++i) {
    const Pose g = random_pose(rng);
    const Twist V_b = random_twist(rng);
    const PoseRate rate = rate_from_body(g, V_b);
    const double bound = rounding * size(g) * size(g) * (1 + V_b.vec().norm());
    EXPECT_LE(max_error(spatial_velocity(g, rate).vec(), adjoint(g) * body_velocity(g, rate).vec()),
              bound);
    EXPECT_LE(twist_error(spatial_from_body(g, V_b), spatial_velocity(g, rate)), bound);
  }
}

// [Huang20] (4): the blocks of the inverse adjoint.
TEST(Huang20, Eq4InverseAdjointByItsBlocks) {
  Rng rng(6);
  for (int i = 0; i < trials; ++i) {
    const Pose g_oc = random_pose(rng);
    const Twist V_o = random_twist(rng);
    const Mat3 Rt = g_oc.R.transpose();
    Mat6 printed;
    printed << Rt, -Rt * hat(g_oc.p), Mat3::Zero(), Rt;
    const Mat6 P = swap_halves();
    EXPECT_LE(max_error(transform_inverse(g_oc, V_o).vec(), P * printed * P * V_o.vec()),
              rounding * size(g_oc) * (1 + V_o.vec().norm()));
  }
}

// [Huang20] (4): V_c is the body velocity of the contact frame, carried rigidly by the object.
TEST(Huang20, Eq4IsTheBodyVelocityOfAFrameFixedInTheObject) {
  Rng rng(7);
  for (int i = 0; i < trials; ++i) {
    const Pose g_wo = random_pose(rng);
    const Pose g_oc = random_pose(rng);
    const Twist V_o = random_twist(rng);
    const PoseRate rate_wc = right_translate(rate_from_body(g_wo, V_o), g_oc);
    EXPECT_LE(
        twist_error(body_velocity(g_wo * g_oc, rate_wc), transform_inverse(g_oc, V_o)),
        rounding * size(g_wo) * size(g_wo) * size(g_oc) * size(g_oc) * (1 + V_o.vec().norm()));
  }
}

}  // namespace
}  // namespace tact
