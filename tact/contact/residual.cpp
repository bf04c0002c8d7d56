// contact/residual.cpp - the judge.
#include "tact/contact/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/cone/coulomb.hpp"

namespace tact {
namespace {

/// Σ over the rows of the normal load, and over the rows of friction, of λ u.
struct Power {
  double normal = 0, friction = 0;
};
Power power(const LocalLaw& law, const double* lambda, const double* u) {
  Power out;
  for (Index r = 0; r < law.rows; ++r) {
    const bool normal = r == law.normal_row() || (law.is_patch() && r < 2);
    (normal ? out.normal : out.friction) += lambda[r] * u[r];
  }
  return out;
}

/// max over T in F(N) of -T.τ.
double most_dissipation(const LocalLaw& law, const double* lambda, const double* u,
                        LocalWorkspace& work) {
  const double n = std::max(lambda[law.normal_row()], 0.0);
  switch (law.kind) {
    case LawKind::frictionless:
    case LawKind::patch:
      return 0;
    case LawKind::interval:
      return law.mu * n * std::abs(u[0]);
    case LawKind::disc:
      return law.mu * n * std::hypot(u[0], u[1]);
    case LawKind::polygon: {
      double most = 0;
      for (const Vec2& c : *law.polygon) most = std::max(most, -(c[0] * u[0] + c[1] * u[1]));
      return most * n;
    }
    case LawKind::rolling:
      return n * (law.mu * std::hypot(u[3], u[4]) + law.rolling * std::hypot(u[0], u[1]) +
                  law.spinning * std::abs(u[2]));
    case LawKind::patch_friction:
      make_friction_set(law.patch->model, law.patch->cone.hull(),
                        NormalLoad::from_wrench({lambda[0], lambda[1], n}), law.mu, work.friction,
                        work.set);
      return work.set.support({u[3], u[4], u[2]});
  }
  return 0;
}

/// |λ - P_K(λ - ρ û)|² of one point; normal row last.
double fc3d_square(const LocalLaw& law, const double* lambda, const double* u, double rho) {
  const Index n = law.normal_row();
  if (law.kind == LawKind::frictionless) {
    const double gap = lambda[0] - std::max(lambda[0] - rho * u[0], 0.0);
    return gap * gap;
  }
  const bool planar = law.kind == LawKind::interval;
  const Vec3 v(u[0], planar ? 0.0 : u[1], u[n]);
  const Vec3 l(lambda[0], planar ? 0.0 : lambda[1], lambda[n]);
  const Vec3 shifted(v[0], v[1], v[2] + law.mu * std::sqrt(v[0] * v[0] + v[1] * v[1]));
  return (l - CoulombCone(law.mu).project(l - rho * shifted)).squaredNorm();
}

std::optional<double> fc3d(const DelassusProblem& p, const VecX& lambda, const VecX& u) {
  double sum = 0;
  double diagonal = 0;
  for (Index i = 0; i < p.contacts(); ++i) {
    const LawKind kind = p.laws[i].kind;
    if (kind != LawKind::frictionless && kind != LawKind::interval && kind != LawKind::disc)
      return std::nullopt;
    diagonal += p.G.diagonal_block(i).diagonal().cwiseAbs().sum();
  }
  const double size = p.b.norm();
  if (!(size > 0) || !(diagonal > 0))
    return lambda.squaredNorm() > 0 ? std::nullopt : std::optional(0.0);
  const double rho = static_cast<double>(p.rows()) / diagonal;
  for (Index i = 0; i < p.contacts(); ++i)
    sum += fc3d_square(p.laws[i], lambda.data() + p.G.offset[i], u.data() + p.G.offset[i], rho);
  return std::sqrt(sum) / (rho * size);
}

}  // namespace

EnergyScales energy_scales(const DelassusProblem& p, const VecX& lambda) {
  double load = 0;
  double motion = 0;
  for (Index i = 0; i < p.contacts(); ++i) {
    load += energy(p.metric(i), lambda.data() + p.G.offset[i]);
    motion += inverse_energy(p.metric(i), p.b.data() + p.G.offset[i]);
  }
  return {std::sqrt(load), std::sqrt(motion)};
}

double energy_scale(const DelassusProblem& p, const VecX& lambda) {
  const EnergyScales scales = energy_scales(p, lambda);
  return std::max(scales.load, scales.motion);
}

Residual residual(const DelassusProblem& p, const VecX& lambda, JudgeWorkspace& work) {
  TACT_EXPECTS(lambda.size() == p.rows());
  Residual out;
  multiply(p.G, lambda, work.u);
  work.u += p.b;
  double sum = 0, worst = -1;
  double y[6], image[6];
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalMetric metric = p.metric(i);
    const double* l = lambda.data() + p.G.offset[i];
    natural_argument(metric, l, work.u.data() + p.G.offset[i], y);
    project(p.laws[i], metric, y, image, work.local);
    for (Index r = 0; r < metric.n; ++r) image[r] -= l[r];
    const double square = energy(metric, image);
    sum += square;
    if (!(square <= worst)) {  // negated, so that a NaN is the worst
      worst = square;
      out.worst_contact = i;
    }
  }
  const EnergyScales scales = energy_scales(p, lambda);
  const double scale = std::max(scales.load, scales.motion);
  const double error = std::sqrt(sum);
  out.natural = scale > 0 ? error / scale : 0;
  out.unhidden = scales.motion > 0 ? error / scales.motion : out.natural;
  if (!lambda.allFinite()) out.natural = out.unhidden = std::numeric_limits<double>::infinity();
  out.fc3d = fc3d(p, lambda, work.u);
  return out;
}

Residual residual(const DelassusProblem& p, const VecX& lambda) {
  JudgeWorkspace work;
  return residual(p, lambda, work);
}

ResidualParts residual_parts(const DelassusProblem& p, const VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  ResidualParts out;
  JudgeWorkspace work;
  multiply(p.G, lambda, work.u);
  work.u += p.b;
  const double scale = energy_scale(p, lambda);
  if (!(scale > 0)) return out;
  double primal = 0, dual = 0;
  double y[6], image[6];
  constexpr double zero[6] = {};
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalLaw& law = p.laws[i];
    const LocalMetric metric = p.metric(i);
    const double* l = lambda.data() + p.G.offset[i];
    const double* u = work.u.data() + p.G.offset[i];
    project(law, metric, l, image, work.local);
    for (Index r = 0; r < law.rows; ++r) image[r] -= l[r];
    primal += energy(metric, image);
    // Moreau: the distance of W to K* is the length of P_K(-D⁻¹ W), friction rows left out.
    natural_argument(metric, zero, u, y);
    project(law, metric, y, image, work.local);
    for (Index r = 0; r < law.rows; ++r)
      if (r != law.normal_row() && !(law.is_patch() && r < 2)) image[r] = 0;
    dual += energy(metric, image);
    const Power done = power(law, l, u);
    out.complementarity += std::abs(done.normal) / (scale * scale);
    out.dissipation += (most_dissipation(law, l, u, work.local) + done.friction) / (scale * scale);
  }
  out.primal = std::sqrt(primal) / scale;
  out.dual = std::sqrt(dual) / scale;
  return out;
}

double momentum_residual(const ContactProblem& p, const VecX& lambda, const VecX& velocity) {
  TACT_EXPECTS(p.in_mass_form());
  const VecX change = p.mass * (velocity - p.velocity);
  const VecX contact = p.rows.transpose() * lambda;
  const VecX smooth = p.impulse.size() > 0 ? p.impulse : VecX::Zero(p.dof());
  const VecX before = p.mass * p.velocity;
  double error = 0, size = 0;
  for (Index i = 0; i < p.dof(); ++i) {
    const double m = std::abs(p.mass.coeff(i, i));
    if (!(m > 0)) continue;
    const double e = change[i] - contact[i] - smooth[i];
    error += e * e / m;
    size += std::max({change[i] * change[i], contact[i] * contact[i], smooth[i] * smooth[i],
                      before[i] * before[i]}) /
            m;
  }
  return size > 0 ? std::sqrt(error / size) : 0;
}

}  // namespace tact
