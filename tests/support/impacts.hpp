// tests/support/impacts.hpp - impacts written by hand, and random ones with all that makes them
// hard: separating contacts, moving walls, mass ratios, contacts that depend on each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include "tact/base/rng.hpp"
#include "tact/contact/problem.hpp"
#include "tact/impact/law.hpp"

namespace tact::testing {

/// Frictionless contacts, the columns of W, moving with -χ; u⁻; restitution.
inline ContactProblem smooth_impact(const MatX& mass, const MatX& W, const VecX& chi,
                                    const VecX& before, const VecX& e) {
  ContactProblem p;
  p.contacts.resize(static_cast<std::size_t>(W.cols()));
  for (Index i = 0; i < W.cols(); ++i) {
    p.contacts[i].law = Frictionless{};
    p.contacts[i].restitution = e.size() > 0 ? e[i] : 0.0;
  }
  p.mass = sparse(mass);
  p.rows = sparse(W.transpose());
  p.excitation = chi;
  p.velocity = before;
  return p;
}

/// Planar contacts, rows [t, n] from the columns of W_T and W_N.
inline ContactProblem planar_impact(const MatX& mass, const MatX& W_N, const MatX& W_T,
                                    const VecX& before, const VecX& e, double mu) {
  ContactProblem p;
  p.contacts.resize(static_cast<std::size_t>(W_N.cols()));
  MatX rows(2 * W_N.cols(), W_N.rows());
  for (Index i = 0; i < W_N.cols(); ++i) {
    p.contacts[i].law = CoulombLaw{mu, true};
    p.contacts[i].restitution = e[i];
    rows.row(2 * i) = W_T.col(i).transpose();
    rows.row(2 * i + 1) = W_N.col(i).transpose();
  }
  p.mass = sparse(mass);
  p.rows = sparse(rows);
  p.velocity = before;
  return p;
}

/// A uniform rod of length 2 and mass 1 in the plane, (x, y, angle), touching the ground at r from
/// its centre.
inline ContactProblem rod_impact(const Vec2& r, const Vec3& before, double e, double mu) {
  const MatX mass = Vec3(1, 1, 1.0 / 3).asDiagonal();
  MatX W_N(3, 1), W_T(3, 1);
  W_N << 0, 1, r[0];
  W_T << 1, 0, -r[1];
  return planar_impact(mass, W_N, W_T, before, VecX::Constant(1, e), mu);
}

/// What a random impact may have.
struct ImpactKind {
  bool moving = true;       ///< walls
  bool separating = true;   ///< contacts that open before the impact
  bool lopsided = false;    ///< mass ratio 1e6
  bool degenerate = false;  ///< nearly parallel, dependent and repeated contacts
};

inline MatX random_impact_mass(Rng& rng, Index n, bool lopsided) {
  MatX root(n, n);
  for (Index i = 0; i < root.size(); ++i) root(i) = rng.normal();
  VecX unit(n);
  for (double& x : unit) x = std::sqrt(lopsided ? rng.log_uniform(1e-3, 1e3) : 1.0);
  const MatX core = root * root.transpose() / static_cast<double>(n) + MatX::Identity(n, n);
  const MatX half = 0.5 * (unit.asDiagonal() * core * unit.asDiagonal());
  return half + half.transpose();
}

inline MatX random_impact_columns(Rng& rng, Index n, Index m, bool degenerate) {
  MatX W(n, m);
  for (Index i = 0; i < W.size(); ++i) W(i) = rng.normal();
  if (!degenerate) return W;
  for (Index j = 1; j < m; ++j) {
    const Index other = static_cast<Index>(rng.below(static_cast<std::uint64_t>(j)));
    switch (rng.below(5)) {
      case 0:
        W.col(j) = W.col(other);
        break;
      case 1:  // nearly parallel
        W.col(j) = W.col(other) + rng.log_uniform(1e-6, 1e-2) * VecX(W.col(j));
        break;
      case 2:  // nearly opposite: a narrow gap
        W.col(j) = -W.col(other) + rng.log_uniform(1e-5, 1e-2) * VecX(W.col(j));
        break;
      case 3:  // in the plane of two others, to rounding
        W.col(j) = W.col(other) * rng.uniform(0.5, 2) +
                   W.col(static_cast<Index>(rng.below(static_cast<std::uint64_t>(j))));
        break;
      default:
        break;
    }
  }
  return W;
}

/// Up to six degrees of freedom and seven contacts. P+ is not empty and, but for rounding, has an
/// interior: γ(b) > 0 for some b. Without `separating`, γ⁻ <= 0 at every contact.
inline ContactProblem random_impact(Rng& rng, const ImpactKind& kind) {
  const Index n = 1 + static_cast<Index>(rng.below(6));
  const Index m = 1 + static_cast<Index>(rng.below(7));
  MatX W = random_impact_columns(rng, n, m, kind.degenerate);
  VecX before(n), inside(n), e(m), chi = VecX::Zero(m);
  for (double& x : before) x = rng.normal();
  for (double& x : inside) x = rng.normal();
  for (double& x : e) x = rng.below(4) == 0 ? static_cast<double>(rng.below(2)) : rng.uniform();
  for (Index j = 0; j < m; ++j) {
    const double size = W.col(j).norm();
    if (kind.moving) chi[j] = size * rng.uniform(0.01, 1) - W.col(j).dot(inside);
    if (!kind.moving && W.col(j).dot(inside) < 0) W.col(j) = -VecX(W.col(j));
    if (kind.separating) continue;
    // A wall that still closes in: move the wall, or turn the contact about.
    const double gamma = W.col(j).dot(before) + chi[j];
    if (gamma > 0) before -= (gamma / W.col(j).squaredNorm()) * VecX(W.col(j));
  }
  ContactProblem p = smooth_impact(random_impact_mass(rng, n, kind.lopsided), W, chi, before, e);
  if (rng.below(3) == 0) {
    p.impulse.resize(n);
    for (double& x : p.impulse) x = 0.3 * rng.normal();
  }
  return p;
}

/// How well an outcome without friction keeps what it must, each relative to the sum of the sizes
/// of its terms: impulses of nearly parallel contacts are large and cancel.
struct ImpactErrors {
  double momentum = 0;     ///< |M (u⁺ - u⁻) - p - J'λ|
  double penetration = 0;  ///< -γ⁺, recomputed from λ
};
inline ImpactErrors impact_errors(const ContactProblem& p, const ImpactOutcome& out) {
  ImpactErrors errors;
  const MatX mass = MatX(p.mass), rows = MatX(p.rows);
  const VecX smooth = p.impulse.size() > 0 ? p.impulse : VecX::Zero(p.dof());
  const VecX miss = mass * (out.velocity - p.velocity) - smooth - rows.transpose() * out.impulses;
  const VecX terms = mass.cwiseAbs() * (out.velocity.cwiseAbs() + p.velocity.cwiseAbs()) +
                     smooth.cwiseAbs() + rows.transpose().cwiseAbs() * out.impulses.cwiseAbs();
  for (Index i = 0; i < miss.size(); ++i)
    if (terms[i] > 0) errors.momentum = std::max(errors.momentum, std::abs(miss[i]) / terms[i]);
  const MatX G = rows * mass.llt().solve(rows.transpose());
  const VecX sizes = G.cwiseAbs() * out.impulses.cwiseAbs() + out.gamma_minus.cwiseAbs();
  for (Index r = 0; r < sizes.size(); ++r)
    if (sizes[r] > 0)
      errors.penetration = std::max(errors.penetration, -out.gamma_plus[r] / sizes[r]);
  return errors;
}

}  // namespace tact::testing
