// tests/support/mechanics.hpp - a model with everything computed, and Lagrange's equations by
// differences.
#pragma once

#include "tact/body/bias.hpp"
#include "tact/body/energy.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tact/body/positions.hpp"
#include "tests/support/robots.hpp"

namespace tact::testing {

/// Everything at one state.
struct Mechanics {
  Kinematics kin;
  MassMatrix mass;
  BiasWorkspace work;
  TreeFactor tree_factor;
  VecX c;

  Mechanics() = default;
  Mechanics(const Model& model, const State& state) { update(model, state); }

  void update(const Model& model, const State& state) {
    forward_kinematics(model, state, kin);
    forward_velocities(model, state.qvel, kin);
    mass_matrix(model, kin, mass);
    bias_force(model, state.qvel, kin, work, c);
  }
};

/// Of q ⊕ step with velocity v.
inline State moved(const Model& model, const State& state, const VecX& step) {
  State s = state;
  integrate(model, s.qpos, step, 1);
  return s;
}

/// The rates of qvel's kind when the chart q ⊕ ξ is passed with ξ̇: turns by the right Jacobian.
inline VecX chart_velocity(const Model& model, const VecX& xi, const VecX& rate) {
  VecX v = rate;
  for (const Joint& j : model.joints) {
    if (j.type != JointType::free && j.type != JointType::ball) continue;
    const Index d = j.type == JointType::free ? j.dof + 3 : j.dof;
    v.segment<3>(d) = right_jacobian(xi.segment<3>(d)) * rate.segment<3>(d);
  }
  return v;
}
inline VecX chart_rate(const Model& model, const VecX& xi, const VecX& v) {
  VecX rate = v;
  for (const Joint& j : model.joints) {
    if (j.type != JointType::free && j.type != JointType::ball) continue;
    const Index d = j.type == JointType::free ? j.dof + 3 : j.dof;
    rate.segment<3>(d) = right_jacobian_inverse(xi.segment<3>(d)) * v.segment<3>(d);
  }
  return rate;
}

inline double kinetic_at(const Model& model, const State& state, const VecX& xi, const VecX& rate) {
  State s = moved(model, state, xi);
  s.qvel = chart_velocity(model, xi, rate);
  Kinematics kin;
  forward_kinematics(model, s, kin);
  forward_velocities(model, s.qvel, kin);
  return kinetic_energy(model, s.qvel, kin);
}

inline double potential_at(const Model& model, const State& state, const VecX& xi) {
  const State s = moved(model, state, xi);
  Kinematics kin;
  forward_kinematics(model, s, kin);
  return gravity_potential(model, kin);
}

/// ∂T/∂ξ̇: T is quadratic in it, so that this difference is exact.
inline VecX momentum_at(const Model& model, const State& state, const VecX& xi, const VecX& rate) {
  VecX p(model.nv);
  for (Index i = 0; i < model.nv; ++i) {
    const VecX e = VecX::Unit(model.nv, i);
    p[i] = (kinetic_at(model, state, xi, rate + e) - kinetic_at(model, state, xi, rate - e)) / 2;
  }
  return p;
}

/// d/dt ∂L/∂ξ̇ - ∂L/∂ξ at ξ = 0 with ξ̈ = 0, where the chart leaves velocities and accelerations as
/// they are: the bias force, from energies alone.
inline VecX lagrange_bias(const Model& model, const State& state) {
  const double h = difference_step;
  const VecX& v = state.qvel;
  VecX c = (momentum_at(model, state, h * v, v) - momentum_at(model, state, -h * v, v)) / (2 * h);
  for (Index i = 0; i < model.nv; ++i) {
    const VecX e = h * VecX::Unit(model.nv, i);
    const double up = kinetic_at(model, state, e, v) - potential_at(model, state, e);
    const double down = kinetic_at(model, state, -e, v) - potential_at(model, state, -e);
    c[i] -= (up - down) / (2 * h);
  }
  return c;
}

/// One step of the classical fourth-order method in the chart at the start of the step; forces by
/// `force(state, mechanics)`.
template <class Force>
void runge_kutta(const Model& model, State& state, double h, Force force) {
  const auto slope = [&](const VecX& xi, const VecX& v) {
    State s = moved(model, state, xi);
    s.qvel = v;
    Mechanics m(model, s);
    VecX a = force(s, m) - m.c;
    (void)factor(model, m.mass, m.tree_factor);
    solve_in_place(model, m.tree_factor, a);
    return std::pair{chart_rate(model, xi, v), a};
  };
  const VecX& v = state.qvel;
  const auto [x1, a1] = slope(VecX::Zero(model.nv), v);
  const auto [x2, a2] = slope(h / 2 * x1, v + h / 2 * a1);
  const auto [x3, a3] = slope(h / 2 * x2, v + h / 2 * a2);
  const auto [x4, a4] = slope(h * x3, v + h * a3);
  const VecX step = h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
  state.qvel = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  integrate(model, state.qpos, step, 1);
  state.time += h;
}

}  // namespace tact::testing
