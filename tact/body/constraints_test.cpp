#include "tact/body/constraints.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::difference_error;
using testing::difference_step;
using testing::max_error;
using testing::moved;
using testing::random_vec3;
using testing::rounding;

constexpr double anywhere = std::numeric_limits<double>::infinity();

/// Two trees and two joints that equalities and limits can tie.
Model tied(Rng& rng) {
  Model draft;
  draft.bodies.resize(6);
  const Index parents[] = {0, 0, 1, 2, 0, 4};
  for (Index i = 1; i < 6; ++i) {
    draft.bodies[i].parent = parents[i];
    draft.bodies[i].X_PB = testing::random_pose(rng);
    draft.bodies[i].mass = 1;
    draft.bodies[i].inertia_com_B = Mat3::Identity();
  }
  const JointType types[] = {JointType::free, JointType::hinge, JointType::slide, JointType::ball,
                             JointType::hinge};
  for (Index i = 1; i < 6; ++i) {
    Joint j;
    j.type = types[i - 1];
    j.body = i;
    j.axis_B = testing::random_direction(rng);
    j.reference = j.type == JointType::hinge ? 0.3 : 0;
    j.limited = j.type != JointType::free;
    j.range = j.type == JointType::ball ? Vec2(0, 2) : Vec2(-1, 1.5);
    j.dry_friction = j.type == JointType::ball ? 0.4 : 0;
    draft.joints.push_back(j);
  }
  draft.tendons = {{.name = "cable",
                    .joints = {{4, 1.0}, {1, -0.5}},
                    .limited = true,
                    .range = {-1, 1},
                    .dry_friction = 0.7}};
  draft.equalities.resize(5);
  draft.equalities[0] = {.name = {}, .type = EqualityType::connect, .first = 3, .second = 5};
  draft.equalities[1] = {.name = {}, .type = EqualityType::weld, .first = 2, .second = 5};
  draft.equalities[2] = {.name = {}, .type = EqualityType::joint, .first = 4, .second = 1};
  draft.equalities[2].polynomial = {0.1, 0.5, -0.3, 0.2, 0.7};
  draft.equalities[3] = {.name = {}, .type = EqualityType::joint, .first = 2, .second = -1};
  draft.equalities[4] = {
      .name = {}, .type = EqualityType::connect, .active = false, .first = 1, .second = 2};
  for (Equality& e : draft.equalities) {
    e.anchor_first = random_vec3(rng);
    e.anchor_second = random_vec3(rng);
    e.R_first_second = exp_so3(random_vec3(rng));
  }
  return *make_model(draft);
}

/// The rate of a list of scalars along the motion of a state, by differences.
template <class Scalars>
VecX rate_of(const Model& m, const State& s, Scalars scalars) {
  const double h = difference_step;
  const std::vector<double> up = scalars(moved(m, s, h * s.qvel));
  const std::vector<double> down = scalars(moved(m, s, -h * s.qvel));
  VecX out(static_cast<Index>(up.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = (up[i] - down[i]) / (2 * h);
  return out;
}

TEST(Constraints, RowsAreTheRatesOfGapsAndErrors) {
  Rng rng(1);
  int checked = 0;
  for (int k = 0; k < 80; ++k) {
    const Model m = tied(rng);
    const State s = testing::random_state(m, rng);
    Kinematics kin;
    const auto errors = [&](const State& at) {
      EqualityRows out;
      forward_kinematics(m, at, kin);
      equality_rows(m, at, kin, out);
      return out.error;
    };
    const auto gaps = [&](const State& at) {
      LimitRows out;
      limit_rows(m, at, anywhere, out);
      return out.gap;
    };
    EqualityRows equalities;
    forward_kinematics(m, s, kin);
    equality_rows(m, s, kin, equalities);
    ASSERT_EQ(equalities.rows.rows(), 3 + 6 + 1 + 1);
    EXPECT_EQ(equalities.begin, (std::vector<Index>{0, 3, 6, 9, 10, 11}));
    EXPECT_EQ(equalities.equality, (std::vector<Index>{0, 1, 1, 2, 3}));
    std::vector<double> alone;
    equality_errors(m, s, kin, alone);
    EXPECT_EQ(alone, equalities.error);
    // Next to half a turn the logarithm changes sides, and its derivatives grow.
    const Vec3 phi(equalities.error[3], equalities.error[4], equalities.error[5]);
    if (phi.norm() > 2.5) continue;
    ++checked;
    const MatX J = sparse(equalities.rows, m.nv);
    EXPECT_LE(max_error(J * s.qvel, rate_of(m, s, errors)), 1e3 * difference_error);
    LimitRows limits;
    limit_rows(m, s, anywhere, limits);
    ASSERT_EQ(limits.rows.rows(), 2 * 3 + 1 + 2);
    const MatX L = sparse(limits.rows, m.nv);
    EXPECT_LE(max_error(L * s.qvel, rate_of(m, s, gaps)), 1e3 * difference_error);
  }
  EXPECT_GT(checked, 20);
}

/// Without the rows: from the twists of the bodies, and from the slopes of joints' polynomials.
TEST(Constraints, RatesOfErrorsAreThoseOfTheRows) {
  Rng rng(5);
  for (int k = 0; k < 20; ++k) {
    const Model m = tied(rng);
    const State s = testing::random_state(m, rng);
    Kinematics kin;
    forward_kinematics(m, s, kin);
    forward_velocities(m, s.qvel, kin);
    EqualityRows rows;
    equality_rows(m, s, kin, rows);
    const VecX expected = sparse(rows.rows, m.nv) * s.qvel;
    VecX rates = VecX::Zero(11);
    for (const Index i : {0, 1}) {
      const Equality& e = m.equalities[i];
      const auto at = [&](Index body, const Vec3& anchor) {
        return point_velocity(m, kin, body, transform_point(kin.X_WB[body], anchor));
      };
      add_error_rates(kin, e, at(e.first, e.anchor_first), at(e.second, e.anchor_second),
                      rates.data() + 3 * i);
    }
    const auto rate = [&](Index joint) { return s.qvel[m.joints[joint].dof]; };
    rates[9] = rate(4) - joint_tie(m, m.equalities[2], s.qpos).slope * rate(1);
    rates[10] = rate(2);
    EXPECT_LE(max_error(rates, expected), 1e3 * rounding);
  }
}

TEST(Constraints, OnlyLimitsWithinTheMarginCount) {
  Rng rng(2);
  const Model m = tied(rng);
  State s = initial_state(m);
  LimitRows out;
  limit_rows(m, s, 0.1, out);
  EXPECT_EQ(out.rows.rows(), 0);
  s.qpos[7] = 1.45;  // the first hinge, limit 1.5
  s.qpos[8] = -1.2;  // the slide, beyond -1
  s.qpos[13] = 0;
  limit_rows(m, s, 0.1, out);
  ASSERT_EQ(out.rows.rows(), 2);
  EXPECT_NEAR(out.gap[0], 0.05, rounding);
  EXPECT_TRUE(out.source[0].upper);
  EXPECT_EQ(out.source[0].index, 1);
  EXPECT_NEAR(out.gap[1], -0.2, rounding);
  EXPECT_FALSE(out.source[1].upper);
}

TEST(Constraints, AllErrorsVanishWhereTheTiesHold) {
  Rng rng(3);
  Model draft = tied(rng);
  const State s = testing::random_state(draft, rng);
  Kinematics kin;
  forward_kinematics(draft, s, kin);
  for (Equality& e : draft.equalities) {
    if (e.type == EqualityType::joint) continue;
    const Pose X_12 = inverse(kin.X_WB[e.first]) * kin.X_WB[e.second];
    e.anchor_first = transform_point(X_12, e.anchor_second);
    e.R_first_second = X_12.R;
  }
  EqualityRows out;
  equality_rows(draft, s, kin, out);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(out.error[i], 0, 64 * rounding);
}

TEST(Constraints, DryFrictionIsARowWithABound) {
  Rng rng(4);
  const Model m = tied(rng);
  FrictionRows out;
  dry_friction_rows(m, out);
  ASSERT_EQ(out.rows.rows(), 4);
  EXPECT_EQ(out.bound, (std::vector<double>{0.4, 0.4, 0.4, 0.7}));
  for (Index axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(out.source[axis].kind, LimitRows::Kind::joint);
    EXPECT_EQ(out.source[axis].index, 3);
    EXPECT_EQ(out.source[axis].axis, axis);
  }
  EXPECT_EQ(out.source[3].kind, LimitRows::Kind::tendon);
  EXPECT_EQ(out.source[3].index, 0);
  const VecX v = VecX::LinSpaced(m.nv, 1, double(m.nv));
  EXPECT_EQ(out.rows.times(0, v), v[m.joints[3].dof]);
  EXPECT_EQ(out.rows.times(3, v), v[m.joints[4].dof] - 0.5 * v[m.joints[1].dof]);
}

}  // namespace
}  // namespace tact
