#include "tact/body/mass_matrix.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::Mechanics;
using testing::rounding;

TEST(MassMatrix, OfAFreeBodyIsTheSameAloneAndBelowNothing) {
  // The closed form of a body that is alone against the recursion, made to run by a light hinge.
  Model alone;
  alone.bodies.resize(2);
  alone.bodies[1].mass = 2;
  alone.bodies[1].com_B = Vec3(0.3, -0.2, 0.5);
  alone.bodies[1].inertia_com_B << 1, 0.1, 0.2, 0.1, 1.5, -0.1, 0.2, -0.1, 0.9;
  alone.joints = {{.name = "free", .type = JointType::free, .body = 1}};
  alone.joints[0].armature = 0.25;
  Model carrying = alone;
  carrying.bodies.emplace_back().parent = 1;
  carrying.joints.push_back({.name = "hinge", .type = JointType::hinge, .body = 2});
  carrying.joints[1].armature = 1;  // no mass: the rest is not to feel it
  const Model a = *make_model(alone);
  const Model b = *make_model(carrying);
  EXPECT_TRUE(a.tree.links[0].alone);
  EXPECT_FALSE(b.tree.links[0].alone);
  Rng rng(1);
  for (int k = 0; k < 20; ++k) {
    const State s = testing::random_state(a, rng);
    State t = initial_state(b);
    t.qpos.head<7>() = s.qpos;
    t.qvel.head<6>() = s.qvel;
    const Mechanics one(a, s), two(b, t);
    const MatX M = dense(a, one.mass);
    EXPECT_LE(max_error(M, dense(b, two.mass).topLeftCorner<6, 6>()), 8 * rounding);
    EXPECT_LE(max_error(one.c, two.c.head<6>()), 64 * rounding * (1 + s.qvel.squaredNorm()));
    // [m 1, -m R ĉ; ., I_B] and the armature.
    const Mat3 R = one.kin.X_WB[1].R;
    const Vec3& c = a.bodies[1].com_B;
    MatX expected(6, 6);
    expected << 2 * Mat3::Identity(), -2 * R * hat(c), 2 * hat(c) * R.transpose(),
        a.bodies[1].inertia_com_B - 2 * hat(c) * hat(c);
    expected.diagonal().array() += 0.25;
    EXPECT_LE(max_error(M, expected), 8 * rounding);
  }
}

TEST(MassMatrix, OfADoublePendulum) {
  // Point masses m on massless rods l, angles relative: M11 = m l² (3 + 2 cos q2), ...
  const double mass = 1.5, l = 0.8;
  Model draft;
  draft.bodies.resize(3);
  for (const Index i : {1, 2}) {
    draft.bodies[i].parent = i - 1;
    draft.bodies[i].mass = mass;
    draft.bodies[i].com_B = Vec3(l, 0, 0);
    draft.bodies[i].X_PB.p = Vec3(i == 1 ? 0 : l, 0, 0);
    draft.joints.push_back({.name = {}, .type = JointType::hinge, .body = i});
  }
  draft.gravity = Vec3(0, -9.81, 0);
  const Model m = *make_model(draft);
  State s = initial_state(m);
  s.qpos << 0.4, 1.1;
  s.qvel << 0.7, -1.3;
  const Mechanics at(m, s);
  const double I = mass * l * l;
  Mat2 expected;
  expected << I * (3 + 2 * std::cos(1.1)), I * (1 + std::cos(1.1)), I * (1 + std::cos(1.1)), I;
  EXPECT_LE(max_error(dense(m, at.mass), expected), 8 * rounding);
  const double k = I * std::sin(1.1), g = mass * 9.81 * l;
  const Vec2 c(-k * (2 * 0.7 * -1.3 + 1.3 * 1.3) + g * (2 * std::cos(0.4) + std::cos(1.5)),
               k * 0.7 * 0.7 + g * std::cos(1.5));
  EXPECT_LE(max_error(at.c, c), 64 * rounding);
}

TEST(MassMatrix, FactorSaysWhatIsNotPositiveDefinite) {
  const Model m = testing::quadruped();
  Mechanics at(m, initial_state(m));
  ASSERT_TRUE(factor(m, at.mass, at.tree_factor));
  at.mass.values[m.tree.row[m.nv] - 1] = -1;
  EXPECT_FALSE(factor(m, at.mass, at.tree_factor));
  EXPECT_THROW((void)factor(m, VecX::Zero(3), at.tree_factor), ContractViolation);
}

}  // namespace
}  // namespace tact
