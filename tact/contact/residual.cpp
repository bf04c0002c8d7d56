// contact/residual.cpp - the judge.
#include "tact/contact/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/cone/coulomb.hpp"
#include "tact/contact/six_rows.hpp"

namespace tact {
namespace {

/// Σ over the rows of the normal load, and over the rows of friction, of λ u.
struct Power {
  double normal = 0, friction = 0;
};
bool is_normal(const LocalLaw& law, Index row) {
  if (law.kind == LawKind::bounded) return false;
  return row == law.normal_row() || (law.is_patch() && row < 2);
}
Power power(const LocalLaw& law, const double* lambda, const double* u) {
  Power out;
  for (Index r = 0; r < law.rows; ++r) {
    const bool normal = is_normal(law, r);
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
    case LawKind::bounded: {
      double most = 0;
      for (Index r = 0; r < law.rows; ++r)
        if (u[r] != 0) most -= (u[r] > 0 ? law.lower : law.upper) * u[r];
      return most;
    }
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

/// Whether the collection's measure knows the law.
bool in_collection(const LocalLaw& law) {
  return law.kind == LawKind::frictionless || law.kind == LawKind::interval ||
         law.kind == LawKind::disc;
}

/// Whether no bound stops a velocity of bounded rows: the velocity itself is the error then.
bool is_unbounded_against(const LocalLaw& law, const double* u) {
  return law.kind == LawKind::bounded && std::any_of(u, u + law.rows, [&](double rate) {
           return rate != 0 && std::isinf(rate > 0 ? law.lower : law.upper);
         });
}

/// A point that carries nothing and does not approach obeys its law exactly, whatever the metric;
/// so do bounded rows without load that do not move, or move as their bounds let them.
bool is_apart(const LocalLaw& law, const double* lambda, const double* u) {
  if (std::any_of(lambda, lambda + law.rows, [](double l) { return l != 0; })) return false;
  if (law.kind == LawKind::bounded)
    return law.lower <= 0 && law.upper >= 0 && std::all_of(u, u + law.rows, [&](double rate) {
             return rate == 0 || (rate > 0 ? law.lower : law.upper) == 0;
           });
  return !law.is_patch() && u[law.normal_row()] >= 0;
}

}  // namespace

JudgedContacts judged(const DelassusProblem& p) {
  double diagonal = 0;
  for (Index i = 0; i < p.contacts(); ++i) {
    const double* block = p.G.values.data() + p.G.at[p.G.diagonal[i]];
    const Index n = p.laws[i].rows;
    for (Index r = 0; r < n; ++r) diagonal += std::abs(block[r * n + r]);
  }
  if (p.rows() > 0) diagonal /= static_cast<double>(p.rows());
  return {p.laws, p.G.offset, p.metric_at, p.metric_values.data(), p.b, diagonal, p.noise};
}

namespace {

/// How fast a contact closes at b, zero where it opens: of a patch its deepest point.
double closing(const LocalLaw& law, const double* b) {
  if (!law.is_patch()) return std::min(b[law.normal_row()], 0.0);
  return std::min(law.patch->cone.dual_margin(Vec3(b[0], b[1], b[law.normal_row()])), 0.0);
}

/// Σ D_rr λ_r² and Σ b_r² / D_rr of one contact, the two tangents of a plane taken together:
/// turning the frame then changes nothing. Of the normal rows of b what closes: gaps that are open
/// would be taken for speeds, and hide errors.
void add_energies(const LocalLaw& law, const LocalMetric& metric, const double* l, const double* b,
                  EnergyScales& sums) {
  const Index n = metric.n, last = n - 1;
  const auto load = [&](Index r) { sums.load += metric.matrix(r, r) * l[r] * l[r]; };
  const auto motion = [&](Index r) { sums.motion += b[r] * b[r] / metric.matrix(r, r); };
  const auto pair = [&](Index r, bool moves) {
    const double d = 0.5 * (metric.matrix(r, r) + metric.matrix(r + 1, r + 1));
    sums.load += d * (l[r] * l[r] + l[r + 1] * l[r + 1]);
    if (moves) sums.motion += (b[r] * b[r] + b[r + 1] * b[r + 1]) / d;
  };
  const bool turns_in_normal = law.is_patch();
  if (n >= 3) pair(0, !turns_in_normal);
  if (n == 2) load(0), motion(0);
  if (n == 6) {
    load(2), motion(2);
    pair(3, true);
  }
  load(last);
  if (law.kind == LawKind::bounded) return motion(last);
  const double speed = closing(law, b);
  sums.motion += speed * speed / metric.matrix(last, last);
}

EnergyScales roots(const EnergyScales& sums) {
  return {std::sqrt(sums.load), std::sqrt(sums.motion)};
}

}  // namespace

EnergyScales energy_scales(const JudgedContacts& p, const VecX& lambda) {
  EnergyScales sums;
  for (std::size_t i = 0; i < p.laws.size(); ++i)
    add_energies(p.laws[i], p.metric(i), lambda.data() + p.offset[i], p.b.data() + p.offset[i],
                 sums);
  return roots(sums);
}

double rounding_scale(const JudgedContacts& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const LocalMetric metric = p.metric(i);
    const double* b = p.b.data() + p.offset[i];
    for (Index r = 0; r < metric.n; ++r) sum += b[r] * b[r] / metric.matrix(r, r);
  }
  return std::sqrt(sum);
}

EnergyScales energy_scales(const DelassusProblem& p, const VecX& lambda) {
  return energy_scales(JudgedContacts{p.laws, p.G.offset, p.metric_at, p.metric_values.data(), p.b},
                       lambda);
}

double energy_scale(const DelassusProblem& p, const VecX& lambda) {
  return energy_scales(p, lambda).larger();
}

namespace {

/// What the judge adds up over the contacts.
struct Sums {
  double natural = 0, fc3d = 0;  ///< squares
  double worst = -1;
  Index worst_contact = -1;
  bool collection = true;  ///< the collection's measure knows all laws
  EnergyScales energies;
};

Sums add_contacts(const JudgedContacts& p, double rho, const VecX& lambda, const VecX& velocity,
                  LocalWorkspace& work) {
  Sums out;
  double y[6], image[6];
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const LocalLaw& law = p.laws[i];
    const LocalMetric metric = p.metric(i);
    const double* l = lambda.data() + p.offset[i];
    const double* u = velocity.data() + p.offset[i];
    add_energies(law, metric, l, p.b.data() + p.offset[i], out.energies);
    double square = 0;
    const bool collected = in_collection(law);
    if (!is_apart(law, l, u)) {
      argument_of(metric, l, u, y);
      project(law, metric, y, image, work, l);
      for (Index r = 0; r < metric.n; ++r) image[r] -= l[r];
      square = energy_of(metric, image);
      if (collected) out.fc3d += fc3d_square(law, l, u, rho);
    }
    out.collection = out.collection && collected;
    out.natural += square;
    if (!(square <= out.worst)) {  // negated, so that a NaN is the worst
      out.worst = square;
      out.worst_contact = static_cast<Index>(i);
    }
  }
  return out;
}

std::optional<double> fc3d(const JudgedContacts& p, double rho, const Sums& sums,
                           const VecX& lambda) {
  if (!sums.collection) return std::nullopt;
  const double size = p.b.norm();
  if (size > 0 && p.diagonal > 0) return std::sqrt(sums.fc3d) / (rho * size);
  if (lambda.squaredNorm() > 0) return std::nullopt;
  return 0.0;
}

void set_figures(double error, const EnergyScales& scales, Residual& out) {
  out.scales = scales;
  out.natural = scales.larger() > 0 ? error / scales.larger() : 0;
  out.unhidden = scales.motion > 0 ? error / scales.motion : out.natural;
  out.growth = scales.motion > 0 ? scales.load / scales.motion : 0;
}

/// Whether some contact closes, slides or misses its bounds at b.
bool moves(const JudgedContacts& p) {
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const LocalLaw& law = p.laws[i];
    const double* b = p.b.data() + p.offset[i];
    const double last = law.kind == LawKind::bounded ? b[law.rows - 1] : closing(law, b);
    if (last != 0) return true;
    for (Index r = law.rows == 6 ? 2 : 0; r + 1 < law.rows && law.kind != LawKind::patch; ++r)
      if (b[r] != 0) return true;
  }
  return false;
}

void set_lost(Residual& out) {
  out.natural = out.unhidden = std::numeric_limits<double>::infinity();
}

}  // namespace

Residual residual(const JudgedContacts& p, const VecX& lambda, const VecX& u,
                  LocalWorkspace& work) {
  Residual out;
  work.unreliable = false;
  const double rho = p.diagonal > 0 ? 1 / p.diagonal : 0;
  const Sums sums = add_contacts(p, rho, lambda, u, work);
  out.worst_contact = sums.worst_contact;
  out.worst = sums.worst;
  const EnergyScales scales = roots(sums.energies);
  const double error = std::sqrt(sums.natural);
  set_figures(error <= p.noise ? 0 : error, scales, out);
  // Numbers so large or so small that their squares are not numbers cannot be judged; neither can
  // friction whose pressure model has no answer.
  const bool lost = scales.motion == 0 && moves(p);
  if (!lambda.allFinite() || !std::isfinite(scales.larger()) || lost || work.unreliable)
    set_lost(out);
  out.fc3d = fc3d(p, rho, sums, lambda);
  if (out.fc3d && error <= p.noise) out.fc3d = 0;
  return out;
}

void join(const Residual& part, std::span<const Index> of, Residual& whole) {
  const bool lost = !std::isfinite(part.natural) || !std::isfinite(whole.natural);
  const bool collected = part.fc3d && whole.fc3d;
  const double error =
      std::hypot(whole.natural * whole.scales.larger(), part.natural * part.scales.larger());
  set_figures(error,
              {std::hypot(whole.scales.load, part.scales.load),
               std::hypot(whole.scales.motion, part.scales.motion)},
              whole);
  if (lost) set_lost(whole);
  whole.fc3d = collected ? std::optional(std::max(*whole.fc3d, *part.fc3d)) : std::nullopt;
  if (part.worst_contact < 0 || part.worst <= whole.worst) return;
  whole.worst = part.worst;
  whole.worst_contact = of[static_cast<std::size_t>(part.worst_contact)];
}

bool is_apart(const DelassusProblem& p, const VecX& lambda) {
  for (Index i = 0; i < p.contacts(); ++i)
    if (!is_apart(p.laws[i], lambda.data() + p.G.offset[i], p.b.data() + p.G.offset[i]))
      return false;
  // The judge has no word on numbers whose squares are none.
  double square = 0;
  for (Index r = 0; r < p.rows(); ++r) square += p.b[r] * p.b[r];
  return std::isfinite(square) && (square > 0 || p.b.isZero(0));
}

Residual residual(const DelassusProblem& p, const VecX& lambda, JudgeWorkspace& work) {
  TACT_EXPECTS(lambda.size() == p.rows());
  multiply(p.G, lambda, work.u);
  work.u += p.b;
  return residual(judged(p), lambda, work.u, work.local);
}

Residual residual(const DelassusProblem& p, const VecX& lambda) {
  JudgeWorkspace work;
  return residual(p, lambda, work);
}

ResidualParts residual_parts(const JudgedContacts& p, const VecX& lambda, const VecX& velocity) {
  ResidualParts out;
  const double scale = energy_scales(p, lambda).larger();
  if (!(scale > 0)) return out;
  LocalWorkspace work;
  double primal = 0, dual = 0;
  double y[6], image[6];
  constexpr double zero[6] = {};
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const LocalLaw& law = p.laws[i];
    const LocalMetric metric = p.metric(i);
    const double* l = lambda.data() + p.offset[i];
    const double* u = velocity.data() + p.offset[i];
    project(law, metric, l, image, work);
    for (Index r = 0; r < law.rows; ++r) image[r] -= l[r];
    primal += energy_of(metric, image);
    // Moreau: the distance of W to K* is the length of P_K(-D⁻¹ W), friction rows left out.
    argument_of(metric, zero, u, y);
    project(law, metric, y, image, work);
    for (Index r = 0; r < law.rows; ++r)
      if (!is_normal(law, r)) image[r] = 0;
    dual += energy_of(metric, image);
    const Power done = power(law, l, u);
    if (is_unbounded_against(law, u)) {
      for (Index r = 0; r < law.rows; ++r) dual += u[r] * u[r] * metric.inverse(r, r);
      out.complementarity += std::abs(done.friction) / (scale * scale);
      continue;
    }
    out.complementarity += std::abs(done.normal) / (scale * scale);
    out.dissipation += (most_dissipation(law, l, u, work) + done.friction) / (scale * scale);
  }
  out.primal = std::sqrt(primal) / scale;
  out.dual = std::sqrt(dual) / scale;
  return out;
}

ResidualParts residual_parts(const DelassusProblem& p, const VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  VecX u;
  multiply(p.G, lambda, u);
  u += p.b;
  return residual_parts(judged(p), lambda, u);
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
