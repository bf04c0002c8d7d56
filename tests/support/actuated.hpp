// Systems with actuators and contacts: a box on its face, and random robots.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tact/base/rng.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/solve/inverse_dynamics.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_contacts.hpp"

namespace tact::testing {

struct Actuated {
  ContactProblem problem;
  InverseWish wish;  ///< all but the velocity
};

inline PatchShape rectangle(double a, double b) {
  return {PolygonShape{{{-a, -b}, {a, -b}, {a, b}, {-a, b}}}};
}

/// A box of mass 2 kg on a patch a height below its middle. Motions: v, ω. Actuated by B.
inline Actuated box_on(const Law& law, double height, const MatX& B) {
  Actuated out;
  ContactProblem& p = out.problem;
  p.contacts.push_back({"face", law});
  const double m = 2, h = height, dt = 0.01;
  VecX mass(6);
  mass << m, m, m, 0.03, 0.04, 0.05;
  p.mass = sparse(MatX(mass.asDiagonal()));
  p.velocity = VecX::Zero(6);
  p.impulse = VecX::Zero(6);
  p.impulse[2] = -9.81 * m * dt;
  p.dt = dt;
  MatX J = MatX::Zero(6, 6);  // [ω_T, ω_N, v_T, v_N]
  J.topRightCorner(3, 3).setIdentity();
  J.bottomLeftCorner(3, 3).setIdentity();
  J(3, 4) = -h;
  J(4, 3) = h;
  p.rows = sparse(J);
  out.wish.actuation = B;
  return out;
}

/// A free base of six motions and `joints` actuated ones, with a dense random mass.
inline Actuated random_robot(Rng& rng, Index joints, const std::vector<Law>& laws) {
  Actuated out;
  ContactProblem& p = out.problem;
  const Index n = 6 + joints;
  const MatX root = random_dense(rng, n, n);
  p.mass = sparse(root * root.transpose() / static_cast<double>(n) + MatX::Identity(n, n));
  p.dt = 0.01;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    std::string name = "foot ";
    name += std::to_string(i);
    p.contacts.push_back({name, laws[i]});
  }
  p.rows = sparse(random_dense(rng, row_offsets(p.contacts).back(), n));
  p.velocity = 0.3 * random_dense(rng, n, 1);
  p.impulse = 0.3 * random_dense(rng, n, 1);
  out.wish.actuation = MatX::Zero(n, joints);
  out.wish.actuation.bottomRows(joints).setIdentity();
  return out;
}

/// The same robot at rest, pressed onto its contacts: most of them stick.
inline Actuated standing_robot(Rng& rng, Index joints, const std::vector<Law>& laws) {
  Actuated out = random_robot(rng, joints, laws);
  ContactProblem& p = out.problem;
  p.velocity.setZero();
  p.impulse *= 0.1;
  const auto offset = row_offsets(p.contacts);
  for (std::size_t i = 0; i < laws.size(); ++i)
    p.impulse -= rng.uniform(0.5, 2) * p.rows.row(offset[i + 1] - 1).transpose();
  return out;
}

/// What follows from given actuator forces; empty when the solver did not converge.
inline VecX forward(const Actuated& a, const VecX& tau, VecX* lambda = nullptr) {
  const ContactProblem p = actuated(a.problem, a.wish, tau);
  const auto reduced = reduce(p);
  if (!reduced) return {};
  VecX impulses = VecX::Zero(reduced->rows());
  // More digits than needed, where there are any: what is compared afterwards has passed through
  // two solves and the system between them.
  SolveOptions options;
  options.polish = true;
  options.tolerance = 0.01 * tolerance::solved;
  const SolveReport report = solve(*reduced, options, impulses);
  if (!accepted(report.residual, tolerance::solved)) return {};
  if (lambda != nullptr) *lambda = impulses;
  return velocity_after(p, impulses);
}

/// |v| in the metric of the mass.
inline double speed(const ContactProblem& p, const VecX& v) {
  return std::sqrt(v.dot(p.mass * v));
}

}  // namespace tact::testing
