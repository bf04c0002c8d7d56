// Laws of mechanics on random trees with all kinds of joints: each quantity against another that
// was computed from something else.
#include <gtest/gtest.h>

#include "tact/body/constraints.hpp"
#include "tact/body/jacobian.hpp"
#include "tests/support/mechanics.hpp"

namespace tact {
namespace {

using testing::difference_error;
using testing::difference_step;
using testing::lagrange_bias;
using testing::max_error;
using testing::Mechanics;
using testing::moved;
using testing::random_state;
using testing::random_tree;
using testing::random_vec3;
using testing::rounding;

constexpr int trees = 60;

/// A tree that moves, and a state of it.
struct Case {
  Model model;
  State state;
};
Case random_case(Rng& rng) {
  for (;;) {
    Model model = random_tree(rng, 1 + static_cast<Index>(rng.below(8)));
    if (model.nv == 0) continue;
    State state = random_state(model, rng);
    return {std::move(model), std::move(state)};
  }
}

VecX random_vector(Rng& rng, Index n) {
  VecX x(n);
  for (Index i = 0; i < n; ++i) x[i] = rng.normal();
  return x;
}

TEST(BodyLaws, TheMassMatrixIsTheSecondDerivativeOfTheKineticEnergy) {
  Rng rng(1);
  for (int k = 0; k < trees; ++k) {
    const Case one = random_case(rng);
    const Model& model = one.model;
    [[maybe_unused]] const State& state = one.state;
    const MatX M = dense(model, Mechanics(model, state).mass);
    const VecX zero = VecX::Zero(model.nv);
    const auto T = [&](const VecX& v) { return testing::kinetic_at(model, state, zero, v); };
    const double bound = 16 * rounding * M.cwiseAbs().maxCoeff();
    for (Index i = 0; i < model.nv; ++i)
      for (Index j = 0; j <= i; ++j) {
        const VecX a = VecX::Unit(model.nv, i);
        const VecX b = VecX::Unit(model.nv, j);
        EXPECT_NEAR(M(i, j), T(a + b) - T(a) - T(b), bound);  // T is quadratic: exact
      }
  }
}

TEST(BodyLaws, TheBiasForceIsLagranges) {
  Rng rng(2);
  for (int k = 0; k < trees; ++k) {
    const Case one = random_case(rng);
    const Model& model = one.model;
    [[maybe_unused]] const State& state = one.state;
    const VecX c = Mechanics(model, state).c;
    const VecX expected = lagrange_bias(model, state);
    // Derivatives of all orders grow with lengths, masses and the speed of the fastest link.
    const double scale = 1 + testing::kinetic_at(model, state, VecX::Zero(model.nv), state.qvel) +
                         std::abs(testing::potential_at(model, state, VecX::Zero(model.nv)));
    EXPECT_LE(max_error(c, expected), difference_error * 8 * scale);
  }
}

TEST(BodyLaws, InverseThenForwardDynamicsIsTheIdentity) {
  Rng rng(3);
  for (int k = 0; k < trees; ++k) {
    const Case one = random_case(rng);
    const Model& model = one.model;
    [[maybe_unused]] const State& state = one.state;
    Mechanics m(model, state);
    const VecX a = random_vector(rng, model.nv);
    VecX tau;
    inverse_dynamics(model, state.qvel, a, m.kin, m.work, tau);
    VecX Ma;
    product(model, m.mass, a, Ma);
    const double scale = 1 + tau.cwiseAbs().maxCoeff() + m.c.cwiseAbs().maxCoeff();
    EXPECT_LE(max_error(tau, Ma + m.c), 16 * rounding * scale);
    VecX back = tau - m.c;
    ASSERT_TRUE(factor(model, m.mass, m.tree_factor));
    solve_in_place(model, m.tree_factor, back);
    const MatX M = dense(model, m.mass);
    const double condition = M.norm() * M.inverse().norm();
    EXPECT_LE(max_error(back, a), 16 * rounding * condition * (1 + scale / M.norm()));
  }
}

TEST(BodyLaws, FactorProductAndConversionsAreOfOneMatrix) {
  Rng rng(4);
  for (int k = 0; k < trees; ++k) {
    const Case one = random_case(rng);
    const Model& model = one.model;
    [[maybe_unused]] const State& state = one.state;
    Mechanics m(model, state);
    const MatX M = dense(model, m.mass);
    EXPECT_EQ(MatX(sparse(model, m.mass)), M);
    const VecX x = random_vector(rng, model.nv);
    VecX y;
    product(model, m.mass, x, y);
    EXPECT_LE(max_error(y, M * x), rounding * M.norm() * x.norm());
    ASSERT_TRUE(factor(model, m.mass, m.tree_factor));
    MatX L = MatX::Identity(model.nv, model.nv);
    VecX D(model.nv);
    const Tree& tree = model.tree;
    for (Index i = 0; i < model.nv; ++i) {
      for (Index e = tree.row[i]; e < tree.row[i + 1] - 1; ++e)
        L(i, tree.column[e]) = m.tree_factor.values[e];
      D[i] = 1 / m.tree_factor.values[tree.row[i + 1] - 1];
    }
    EXPECT_LE(max_error(L.transpose() * D.asDiagonal() * L, M), rounding * M.norm());
    solve_in_place(model, m.tree_factor, y);
    EXPECT_LE((y - x).norm(), rounding * M.norm() * M.inverse().norm() * x.norm());
  }
}

TEST(BodyLaws, JacobiansAreDerivativesOnTheManifold) {
  Rng rng(5);
  for (int k = 0; k < trees; ++k) {
    const Case one = random_case(rng);
    const Model& model = one.model;
    [[maybe_unused]] const State& state = one.state;
    const auto body = static_cast<Index>(1 + rng.below(model.bodies.size() - 1));
    const Vec3 point_B = random_vec3(rng);
    Kinematics kin;
    const auto point_at = [&](const State& s, Pose& X) {
      forward_kinematics(model, s, kin);
      X = kin.X_WB[body];
      return transform_point(X, point_B);
    };
    Pose X;
    const Vec3 p = point_at(state, X);
    std::vector<Motion> columns;
    point_jacobian(model, kin, body, p, columns);
    MatX J = MatX::Zero(6, model.nv);
    const auto dofs = chain(model, body);
    ASSERT_EQ(dofs.size(), columns.size());
    for (std::size_t i = 0; i < dofs.size(); ++i) J.col(dofs[i]) << columns[i].w, columns[i].v;
    const double h = difference_step;
    const double scale = 1 + p.norm();
    for (Index d = 0; d < model.nv; ++d) {
      const VecX e = h * VecX::Unit(model.nv, d);
      Pose up, down;
      const Vec3 a = point_at(moved(model, state, e), up);
      const Vec3 b = point_at(moved(model, state, -e), down);
      EXPECT_LE(max_error(J.col(d).tail<3>(), (a - b) / (2 * h)), difference_error * scale);
      const Vec3 turn = log_so3(up.R * down.R.transpose()) / (2 * h);
      EXPECT_LE(max_error(J.col(d).head<3>(), turn), difference_error);
    }
    // The velocity of the point, and J̇ q̇ from velocities a little before and after.
    const auto velocity_at = [&](const State& s) {
      Pose Y;
      const Vec3 at = point_at(s, Y);
      forward_velocities(model, state.qvel, kin);
      return point_velocity(model, kin, body, at);
    };
    const Twist V = velocity_at(state);
    EXPECT_LE(max_error(V.vec(), J * state.qvel), rounding * scale * (1 + V.vec().norm()));
    const Twist B = point_acceleration_bias(model, kin, body, p);
    const Twist up = velocity_at(moved(model, state, h * state.qvel));
    const Twist down = velocity_at(moved(model, state, -h * state.qvel));
    const double fast = 1 + V.vec().squaredNorm() * scale;
    EXPECT_LE(max_error(B.vec(), (up.vec() - down.vec()) / (2 * h)), 8 * difference_error * fast);
  }
}

TEST(BodyLaws, RowsOfTwoBodiesAreDifferencesOfJacobians) {
  Rng rng(6);
  for (int k = 0; k < trees; ++k) {
    const Case one = random_case(rng);
    const Model& model = one.model;
    [[maybe_unused]] const State& state = one.state;
    const Mechanics m(model, state);
    const auto any = [&] { return static_cast<Index>(rng.below(model.bodies.size())); };
    const RowSide a{any(), random_vec3(rng), random_vec3(rng), random_vec3(rng)};
    const RowSide b{any(), random_vec3(rng), random_vec3(rng), random_vec3(rng)};
    SparseRows rows;
    append_row(model, m.kin, a, b, rows);
    append_row(model, m.kin, a, {a.body, a.point_W, -a.direction, -a.axis}, rows);
    const auto side = [&](const RowSide& s) {
      const Twist V = point_velocity(model, m.kin, s.body, s.point_W);
      return s.direction.dot(V.v) + s.axis.dot(V.w);
    };
    const double scale = 1 + std::abs(side(a)) + std::abs(side(b));
    EXPECT_NEAR(rows.times(0, state.qvel), side(a) + side(b), 64 * rounding * scale);
    EXPECT_EQ(rows.begin[2], rows.begin[1]) << "a body does not move relative to itself";
    EXPECT_LE(max_error(sparse(rows, model.nv).row(0) * state.qvel,
                        VecX::Constant(1, rows.times(0, state.qvel))),
              rounding * scale);
  }
}

TEST(BodyLaws, DifferenceUndoesIntegrate) {
  Rng rng(7);
  for (const RotationMap map : {RotationMap::exponential, RotationMap::cayley})
    for (int k = 0; k < trees; ++k) {
      const Case one = random_case(rng);
      const Model& model = one.model;
      [[maybe_unused]] const State& state = one.state;
      VecX qpos = state.qpos;
      integrate(model, qpos, state.qvel, 0.3, map);
      VecX v;
      difference(model, state.qpos, qpos, 0.3, v, map);
      EXPECT_LE(max_error(v, state.qvel), 16 * rounding * (1 + state.qpos.norm()));
      VecX unit = qpos;
      normalize_quaternions(model, unit);
      EXPECT_LE(max_error(unit, qpos), rounding);
    }
}

TEST(BodyLaws, WithoutForcesEnergyAndMomentumStay) {
  Rng rng(8);
  for (int k = 0; k < 5; ++k) {
    // One free-flying tree: everything hangs on the first body.
    Model draft = random_tree(rng, 6);
    draft.joints.erase(
        std::remove_if(draft.joints.begin(), draft.joints.end(),
                       [](const Joint& j) { return j.body == 1 || j.type == JointType::free; }),
        draft.joints.end());
    draft.joints.push_back({.name = "flight", .type = JointType::free, .body = 1});
    for (std::size_t i = 1; i < draft.bodies.size(); ++i) {
      if (i > 1 && draft.bodies[i].parent == 0) draft.bodies[i].parent = 1;
      draft.bodies[i].driven = false;
    }
    for (Joint& j : draft.joints) j.armature = 0;  // a rotor without a body has no momentum
    draft.gravity.setZero();
    const Model model = *make_model(draft);
    State state = random_state(model, rng);
    const auto totals = [&](Vec6& momentum) {
      const Mechanics m(model, state);
      momentum.setZero();
      for (Index i = 1; i < static_cast<Index>(model.bodies.size()); ++i) {
        const Body& b = model.bodies[i];
        const Vec3 c = centre(model, m.kin, i);
        const Twist V = point_velocity(model, m.kin, i, c);
        const Mat3& R = m.kin.X_WB[i].R;
        momentum.head<3>() += R * b.inertia_com_B * R.transpose() * V.w + b.mass * c.cross(V.v);
        momentum.tail<3>() += b.mass * V.v;
      }
      return kinetic_energy(model, state.qvel, m.kin);
    };
    Vec6 before, after;
    const double T = totals(before);
    constexpr double h = 1e-3;
    for (int i = 0; i < 200; ++i)
      testing::runge_kutta(model, state, h, [&](const State&, const Mechanics&) {
        return VecX(VecX::Zero(model.nv));
      });
    const double end = totals(after);
    // Fourth order: (rate · h)⁴ a second, with rates up to some tens a second.
    const double bound = 1e-7;
    EXPECT_NEAR(end, T, bound * T);
    EXPECT_LE(max_error(before, after), bound * before.norm());
  }
}

}  // namespace
}  // namespace tact
