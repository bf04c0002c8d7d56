// impact/ledger.cpp - one pass over the mass, one over the rows, one over the normals.
#include "tact/impact/ledger.hpp"

#include <algorithm>
#include <limits>

#include "tact/base/expects.hpp"

namespace tact {
namespace {

double polygon_margin(const std::vector<Vec2>& corners, double mu, const Vec2& T, double n) {
  if (!(mu > 0)) return std::min(n, -T.norm());
  double room = n;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 e = corners[(k + 1) % corners.size()] - corners[k];
    const double length = e.norm();
    if (length > 0) room = std::min(room, cross(e, T - n * corners[k]) / length);
  }
  return room;
}

/// A bound `length` N on a moment, as an impulse.
double moment_margin(double length, double n, double moment) {
  return length > 0 ? n - moment / length : -moment;
}

double patch_margin(const LocalLaw& law, const double* lambda, LocalWorkspace& work) {
  const double n = lambda[law.normal_row()];
  const PatchCone& cone = law.patch->cone;
  const double radius = cone.hull().radius();
  const double tip = cone.margin({lambda[0], lambda[1], n});
  const double normal = std::min(n, radius > 0 ? tip / radius : tip);
  if (law.kind == LawKind::patch) return normal;
  const Vec3 T(lambda[3], lambda[4], lambda[2]);
  if (!(n > 0) || !(law.mu > 0)) return std::min(normal, -T.norm());
  make_friction_set(law.patch->model, cone.hull(),
                    NormalLoad::from_wrench({lambda[0], lambda[1], n}), law.mu, work.friction,
                    work.set);
  const double arm = radius > 0 ? radius : 1;
  const Vec3 weight(1, 1, 1 / (arm * arm));
  const Vec3 apart = T - work.set.project(weight.asDiagonal(), T, work.friction.friction).T;
  const double distance = std::sqrt(apart.dot(weight.asDiagonal() * apart));
  return distance > 0 ? std::min(normal, -distance) : std::min(normal, 0.0);
}

bool is_normal_row(const LocalLaw& law, Index row) {
  return row == law.normal_row() || (law.is_patch() && row < 2);
}

/// In m/s, as against the rows of moments.
bool is_linear_row(const LocalLaw& law, Index row) {
  if (law.rows == 6) return row >= 3;
  return !law.is_patch() || row == law.normal_row();
}

/// s of a contact: problem.hpp.
double stabilisation_of(const Contact& contact, double dt) {
  if (contact.gap == 0) return 0;
  return (contact.gap > 0 ? 1 : contact.stabilisation) * contact.gap / dt;
}

/// Kinetic energies and the squares that the momentum is judged by.
struct MassSums {
  double force_part = 0, contact_part = 0;  ///< T_free - T⁻, T⁺ - T_free
  double jump = 0;                          ///< |u⁺ - z|²
  double error = 0, scale = 0, before = 0;
};

void add_mass(const ContactProblem& p, const StepClaim& claim, LedgerWorkspace& work,
              MassSums& sums, StepLedger& out) {
  const VecX& gained = work.gained;
  const VecX &u = p.velocity, &z = claim.free, &v = claim.after;
  double worst = -1;
  for (Index i = 0; i < p.dof(); ++i) {
    double at_rest = 0, by_force = 0, by_contact = 0, diagonal = 0;
    for (SparseMatrix::InnerIterator it(p.mass, i); it; ++it) {
      const Index k = it.col();
      at_rest += it.value() * u[k];
      by_force += it.value() * (z[k] - u[k]);
      by_contact += it.value() * (v[k] - z[k]);
      if (k == i) diagonal = it.value();
    }
    const double smooth = p.impulse.size() > 0 ? p.impulse[i] : 0.0;
    out.T_minus += 0.5 * u[i] * at_rest;
    out.T_free += 0.5 * z[i] * (at_rest + by_force);
    out.T_plus += 0.5 * v[i] * (at_rest + by_force + by_contact);
    sums.force_part += 0.5 * (u[i] + z[i]) * by_force;
    sums.contact_part += 0.5 * (v[i] + z[i]) * by_contact;
    sums.jump += (v[i] - z[i]) * by_contact;
    out.W_force += 0.5 * smooth * (u[i] + z[i]);
    out.W_force_average += 0.5 * smooth * (u[i] + v[i]);
    out.closure.scale += std::abs(smooth * u[i]) + std::abs(smooth * z[i]);

    const double change = by_force + by_contact, missing = change - smooth - gained[i];
    const double m = std::max(diagonal, tolerance::smallest);
    const double share = missing * missing / m;
    sums.error += share;
    sums.scale += std::max({change * change, smooth * smooth, gained[i] * gained[i]}) / m;
    sums.before += at_rest * at_rest / m;
    work.inverse[i] = 1 / m;
    work.moved[i] = std::max(std::abs(change), std::abs(smooth));
    work.carried[i] = at_rest;
    if (share > worst) {
      worst = share;
      out.worst_dof = i;
      out.worst_dof_error = missing;
    }
  }
}

/// γ of one row at u⁻, z and u⁺, and the size of what was added up for it.
struct RowVelocity {
  double before = 0, free = 0, after = 0, size = 0;
};
/// What the row's impulse gives goes to `gained` in the same pass.
RowVelocity row_velocity(const ContactProblem& p, const StepClaim& claim, Index row, double chi,
                         VecX& gained) {
  const double lambda = claim.lambda[row];
  double before = 0, by_force = 0, by_contact = 0, size = std::abs(chi);
  for (SparseMatrix::InnerIterator it(p.rows, row); it; ++it) {
    const Index k = it.col();
    const double u = p.velocity[k], z = claim.free[k], v = claim.after[k];
    before += it.value() * u;
    by_force += it.value() * (z - u);
    by_contact += it.value() * (v - z);
    size += std::abs(it.value()) * std::max(std::abs(u), std::abs(v));
    gained[k] += it.value() * lambda;
  }
  before += chi;
  return {before, before + by_force, before + by_force + by_contact, size};
}

/// The normal velocity after, of a patch the least on it.
double opening_of(const LocalLaw& law, const double* after, double slack) {
  const double n = after[law.normal_row()] + slack;
  return law.is_patch() ? law.patch->cone.dual_margin({after[0], after[1], n}) : n;
}

void add_contact(const ContactProblem& p, const LocalLaw& law, const StepClaim& claim, Index i,
                 Index at, LedgerWorkspace& work, StepLedger& out) {
  const Contact& contact = p.contacts[i];
  const double shift = stabilisation_of(contact, p.dt);
  ContactLedger c;
  double after[6] = {};
  const double* lambda = claim.lambda.data() + at;
  for (Index r = 0; r < law.rows; ++r) {
    const double chi = p.excitation.size() > 0 ? p.excitation[at + r] : 0.0;
    const double s = r == law.normal_row() ? shift : 0.0;
    const RowVelocity g = row_velocity(p, claim, at + r, chi, work.gained);
    after[r] = g.after;
    const double l = lambda[r], done = 0.5 * (g.after + g.free + 2 * s) * l;
    if (is_linear_row(law, r))
      c.speed = std::max({c.speed, std::abs(g.free + s), std::abs(g.after + s)});
    c.work += done;
    c.wall -= chi * l;
    c.stabilisation -= s * l;
    out.W_contact_average += 0.5 * (g.after + g.before + 2 * s) * l;
    out.work.scale += std::abs((g.free + s) * l);
    out.work.rounding += tolerance::rounding * g.size * std::abs(l);
    out.closure.scale += std::abs(chi * l) + std::abs(s * l) + std::abs(g.after * l);
    if (is_normal_row(law, r)) {
      c.complementarity += l * (g.after + s + contact.restitution * g.before);
    } else {
      c.friction += done;
      c.slip_power += g.after * l;
    }
    if (r == law.normal_row()) {
      out.velocity_scale =
          std::max({out.velocity_scale, std::abs(g.free + s), std::abs(g.after + s)});
      out.velocity_rounding = std::max(out.velocity_rounding, tolerance::rounding * g.size);
    }
  }
  c.normal_impulse = lambda[law.normal_row()];
  c.opening = opening_of(law, after, contact.gap > 0 ? contact.gap / p.dt : 0.0);
  c.cone_margin = cone_margin(law, lambda, work.local);
  out.contacts[i] = c;
}

void summarise(StepLedger& out) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  out.least_opening = out.least_margin = out.contacts.empty() ? 0 : inf;
  for (const ContactLedger& c : out.contacts) {
    out.W_contact += c.work;
    out.W_wall += c.wall;
    out.W_stab += c.stabilisation;
    out.impulse_scale = std::max(out.impulse_scale, std::abs(c.normal_impulse));
    out.least_opening = std::min(out.least_opening, c.opening);
    out.least_margin = std::min(out.least_margin, c.cone_margin);
    out.worst_complementarity = std::max(out.worst_complementarity, std::abs(c.complementarity));
  }
}

/// Generalised impulses q are worth |q|/|j| along a row j, both in the metric diag(M)⁻¹ and over
/// the degrees of freedom of the row: no unit of a coordinate counts.
void add_cone_scale(const ContactProblem& p, std::span<const LocalLaw> laws,
                    const LedgerWorkspace& work, StepLedger& out) {
  out.cone_scale = out.impulse_scale;
  Index at = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const LocalLaw& law = laws[i];
    double row = 0, moved = 0, carried = 0;
    for (SparseMatrix::InnerIterator it(p.rows, at + law.normal_row()); it; ++it) {
      const Index k = it.col();
      if (it.value() == 0) continue;
      row += it.value() * it.value() * work.inverse[k];
      moved += work.moved[k] * work.moved[k] * work.inverse[k];
      carried += work.carried[k] * work.carried[k] * work.inverse[k];
    }
    at += law.rows;
    if (!(row > 0)) continue;
    moved = std::sqrt(moved / row);
    carried = std::sqrt(carried / row);
    out.cone_scale = std::max(out.cone_scale, moved);
    // What an impulse does that is too small to be told from none.
    out.work.rounding += tolerance::rounding * (moved + carried) * out.contacts[i].speed;
    out.cone_rounding = std::max(out.cone_rounding, tolerance::rounding * carried);
  }
}

/// Everything zero, the memory kept.
void clear(StepLedger& out, std::size_t contacts) {
  std::vector<ContactLedger> kept = std::move(out.contacts);
  out = StepLedger{};
  kept.resize(contacts);
  out.contacts = std::move(kept);
}

}  // namespace

std::string_view name(WorkVerdict verdict) {
  return verdict == WorkVerdict::generating ? "generating" : "dissipative";
}

double cone_margin(const LocalLaw& law, const double* lambda, LocalWorkspace& work) {
  const double n = lambda[law.normal_row()];
  switch (law.kind) {
    case LawKind::frictionless:
      return n;
    case LawKind::interval:
      return std::min(n, law.mu * n - std::abs(lambda[0]));
    case LawKind::disc:
      return std::min(n, law.mu * n - std::hypot(lambda[0], lambda[1]));
    case LawKind::polygon:
      return polygon_margin(*law.polygon, law.mu, {lambda[0], lambda[1]}, n);
    case LawKind::rolling:
      return std::min({n, law.mu * n - std::hypot(lambda[3], lambda[4]),
                       moment_margin(law.rolling, n, std::hypot(lambda[0], lambda[1])),
                       moment_margin(law.spinning, n, std::abs(lambda[2]))});
    case LawKind::patch:
    case LawKind::patch_friction:
      return patch_margin(law, lambda, work);
  }
  return n;
}

void step_ledger(const ContactProblem& p, std::span<const LocalLaw> laws, const StepClaim& claim,
                 LedgerWorkspace& work, StepLedger& out) {
  TACT_EXPECTS(p.in_mass_form() && laws.size() == p.contacts.size());
  TACT_EXPECTS(claim.free.size() == p.dof() && claim.after.size() == p.dof());
  TACT_EXPECTS(claim.lambda.size() == p.rows.rows());
  clear(out, laws.size());
  work.gained.setZero(p.dof());
  work.inverse.resize(p.dof());
  work.moved.resize(p.dof());
  work.carried.resize(p.dof());
  Index at = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    add_contact(p, laws[i], claim, static_cast<Index>(i), at, work, out);
    at += laws[i].rows;
  }
  summarise(out);
  MassSums sums;
  add_mass(p, claim, work, sums, out);
  add_cone_scale(p, laws, work, out);
  out.change = sums.force_part + sums.contact_part;
  out.work.amount = out.W_contact;
  out.work.scale += 0.5 * sums.jump;
  out.momentum = {std::sqrt(sums.error), std::sqrt(sums.scale),
                  tolerance::rounding * std::sqrt(sums.before)};
  out.closure.scale += out.T_minus + out.T_free + out.T_plus;
  out.closure.amount = out.change - out.booked();
  if (claim.potential_change) out.W_integration = out.W_force + *claim.potential_change;
}

StepLedger step_ledger(const ContactProblem& p, const StepClaim& claim) {
  std::vector<LocalLaw> laws;
  laws.reserve(p.contacts.size());
  for (const Contact& contact : p.contacts) laws.push_back(local_law(contact.law));
  LedgerWorkspace work;
  StepLedger out;
  step_ledger(p, laws, claim, work, out);
  return out;
}

}  // namespace tact
