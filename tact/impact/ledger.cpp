// impact/ledger.cpp - one pass over the mass, one over the rows, one over the normals.
#include "tact/impact/ledger.hpp"

#include <algorithm>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/contact/labels.hpp"

namespace tact {
namespace {

double length(double x, double y) {
  return std::sqrt(x * x + y * y);
}

/// A bound `arm` N on a moment, as an impulse.
double moment_margin(double arm, double n, double moment) {
  return arm > 0 ? n - moment / arm : -moment;
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

/// The first row in m/s; those before it are of moments.
Index first_linear_row(const LocalLaw& law) {
  if (law.rows == 6) return 3;
  return law.is_patch() ? law.normal_row() : 0;
}

/// Two numbers side by side cost what one does: the books are kept in pairs of quantities over the
/// rows, and in pairs of degrees of freedom after that.
using Pair = Eigen::Array2d;

/// Row k of the table, for degrees of freedom i and i + 1.
Pair pair_of(const FreedomTable& table, Index k, Index i) {
  return {table(k, i), table(k, i + 1)};
}

/// In one piece: what is read as a pair soon after must not be written number by number.
void store(const Pair& pair, double* to) {
  Eigen::Map<Pair>(to, 2) = pair;
}

/// The stored entries of one row.
struct RowView {
  const double* value;
  const SparseMatrix::StorageIndex* col;
  Index size;
};
RowView row_of(const SparseMatrix& m, Index row) {
  const Index begin = m.outerIndexPtr()[row];
  const Index size =
      m.isCompressed() ? m.outerIndexPtr()[row + 1] - begin : m.innerNonZeroPtr()[row];
  return {m.valuePtr() + begin, m.innerIndexPtr() + begin, size};
}

/// The velocities as they are added up; an odd number of them gets a neighbour that rests.
void read_motion(const ContactProblem& p, const StepClaim& claim, LedgerWorkspace& work) {
  const Index n = p.dof(), even = n + n % 2;
  work.motion.resize(4, even);
  work.momentum.resize(4, even);
  work.gained.setZero(even);
  work.smooth.setZero(even);
  if (p.impulse.size() > 0) work.smooth.head(n) = p.impulse;
  for (Index i = 0; i < n; ++i) {
    const double u = p.velocity[i], z = claim.free[i], v = claim.after[i];
    double* to = work.motion.data() + 4 * i;
    store(Pair(u, z - u), to);
    store(Pair(v - z, std::max(std::abs(u), std::abs(v))), to + 2);
  }
  if (even > n) work.motion.col(n).setZero();
}

/// M times the motion, and 1/diag(M).
void read_mass(const ContactProblem& p, LedgerWorkspace& work) {
  const double* motion = work.motion.data();
  for (Index i = 0; i < p.dof(); ++i) {
    Pair smooth = Pair::Zero();
    double by_contact = 0, diagonal = 0;
    const RowView row = row_of(p.mass, i);
    for (Index e = 0; e < row.size; ++e) {
      const double m = row.value[e];
      const double* own = motion + 4 * Index{row.col[e]};
      smooth += m * Eigen::Map<const Pair>(own);
      by_contact += m * own[2];
      if (row.col[e] == i) diagonal = m;
    }
    double* to = work.momentum.data() + 4 * i;
    store(smooth, to);
    store(Pair(by_contact, 1 / std::max(diagonal, tolerance::smallest)), to + 2);
  }
  if (work.momentum.cols() > p.dof()) work.momentum.col(p.dof()).setZero();
}

/// Kinetic energies and the squares that the momentum is judged by.
struct MassSums {
  double force_part = 0, contact_part = 0;  ///< T_free - T⁻, T⁺ - T_free
  double jump = 0;                          ///< |u⁺ - z|²
  double error = 0, scale = 0, before = 0;
  double forced = 0;  ///< |p u⁻| + |p z|
};

/// After the rows, whose impulses it needs; leaves the shares of p, M (u⁺ - u⁻) and M u⁻ in the
/// metric behind.
MassSums add_mass(LedgerWorkspace& work, StepLedger& out) {
  Pair T_minus = Pair::Zero(), T_free = T_minus, T_plus = T_minus, force_part = T_minus,
       contact_part = T_minus, jump = T_minus, force = T_minus, average = T_minus, forced = T_minus,
       error = T_minus, scale = T_minus, before = T_minus;
  double worst = -1;
  out.worst_dof = -1;
  out.worst_dof_error = 0;
  for (Index i = 0; i < work.motion.cols(); i += 2) {
    const Pair u = pair_of(work.motion, 0, i), dz = pair_of(work.motion, 1, i);
    const Pair dv = pair_of(work.motion, 2, i), z = u + dz, v = z + dv;
    const Pair at_rest = pair_of(work.momentum, 0, i), by_force = pair_of(work.momentum, 1, i);
    const Pair by_contact = pair_of(work.momentum, 2, i), inverse = pair_of(work.momentum, 3, i);
    const Pair smooth = work.smooth.segment<2>(i), gained = work.gained.segment<2>(i);
    const Pair free = at_rest + by_force;
    T_minus += u * at_rest;
    T_free += z * free;
    T_plus += v * (free + by_contact);
    force_part += (u + z) * by_force;
    contact_part += (v + z) * by_contact;
    jump += dv * by_contact;
    force += smooth * (u + z);
    average += smooth * (u + v);
    forced += smooth.abs() * (u.abs() + z.abs());

    const Pair change = by_force + by_contact, missing = change - smooth - gained;
    const Pair share = missing.square() * inverse, carried = at_rest.square() * inverse;
    const Pair larger = change.square().max(smooth.square());
    error += share;
    scale += larger.max(gained.square()) * inverse;
    before += carried;
    const Pair pushed = larger * inverse;
    for (Index k = 0; k < 2; ++k) {
      store(Pair(pushed[k], carried[k]), work.momentum.data() + 4 * (i + k));
      if (share[k] > worst) {
        worst = share[k];
        out.worst_dof = i + k;
        out.worst_dof_error = missing[k];
      }
    }
  }
  out.T_minus = 0.5 * T_minus.sum();
  out.T_free = 0.5 * T_free.sum();
  out.T_plus = 0.5 * T_plus.sum();
  out.W_force = 0.5 * force.sum();
  out.W_force_average = 0.5 * average.sum();
  return {0.5 * force_part.sum(),
          0.5 * contact_part.sum(),
          jump.sum(),
          error.sum(),
          scale.sum(),
          before.sum(),
          forced.sum()};
}

/// γ of one row at u⁻, z and u⁺, and the size of what was added up for it.
struct RowVelocity {
  double before = 0, free = 0, after = 0, size = 0;
};
/// What the row's impulse gives goes to `gained` in the same pass.
RowVelocity row_velocity(const SparseMatrix& rows, Index row, double chi, double lambda,
                         LedgerWorkspace& work) {
  const double* motion = work.motion.data();
  double* gained = work.gained.data();
  Pair smooth = Pair::Zero(), contact = Pair::Zero();
  const RowView view = row_of(rows, row);
  for (Index e = 0; e < view.size; ++e) {
    const double j = view.value[e];
    const double* own = motion + 4 * Index{view.col[e]};
    smooth += j * Eigen::Map<const Pair>(own);
    contact += Pair(j, std::abs(j)) * Eigen::Map<const Pair>(own + 2);
    gained[view.col[e]] += j * lambda;
  }
  const double before = smooth[0] + chi, free = before + smooth[1];
  return {before, free, free + contact[0], contact[1] + std::abs(chi)};
}

/// The normal velocity after, of a patch the least on it; what is open may close in the step.
/// A bounded row does not open; where no bound lets it move, motion is what penetration is
/// elsewhere.
double opening_of(const LocalLaw& law, const double* after, const Vec3& shift) {
  if (law.kind == LawKind::bounded) {
    const double u = after[0] + shift[2];
    return std::isinf(u > 0 ? law.lower : law.upper) ? -std::abs(u) : 0.0;
  }
  const auto least = [&](const Vec3& twist) {
    return law.is_patch() ? law.patch->cone.dual_margin(twist) : twist[2];
  };
  // What is left of a penetration excuses nothing.
  const double n = after[law.normal_row()] + shift[2] - std::min(least(shift), 0.0);
  return law.is_patch() ? least({after[0] + shift[0], after[1] + shift[1], n}) : n;
}

/// What the rows and contacts are added up to.
struct RowSums {
  double average = 0, scale = 0, rounding = 0, closure = 0;
  double velocity = 0, velocity_size = 0;
};

ContactLedger contact_ledger(const ContactProblem& p, const LocalLaw& law, const StepClaim& claim,
                             const Contact& contact, Index at, LedgerWorkspace& work,
                             RowSums& sums) {
  const Vec3 shift = gap_velocity(contact, p.dt);
  const Index normal = law.normal_row(), linear = first_linear_row(law);
  const Index tips = law.is_patch() ? 2 : 0;  // rows of the normal load, beside the last
  ContactLedger c;
  double after[6];
  const double* lambda = claim.lambda.data() + at;
  for (Index r = 0; r < law.rows; ++r) {
    const double chi = p.excitation.size() > 0 ? p.excitation[at + r] : 0.0;
    const double s = r == normal ? shift[2] : (r < tips ? shift[r] : 0.0);
    const double l = lambda[r], load = std::abs(l);
    const RowVelocity g = row_velocity(p.rows, at + r, chi, l, work);
    after[r] = g.after;
    const double free = g.free + s, end = g.after + s, done = 0.5 * (end + free) * l;
    const double speed = std::max(std::abs(free), std::abs(end));
    if (r >= linear) c.speed = std::max(c.speed, speed);
    c.work += done;
    c.wall -= chi * l;
    c.stabilisation -= s * l;
    sums.average += 0.5 * (end + (g.before + s)) * l;
    sums.scale += std::abs(free) * load;
    sums.rounding += g.size * load;
    sums.closure += (std::abs(chi) + std::abs(s) + std::abs(g.after)) * load;
    if (r < tips || (r == normal && law.kind != LawKind::bounded)) {
      c.complementarity += l * (end + contact.restitution * g.before);
    } else {
      c.friction += done;
      c.slip_power += g.after * l;
    }
    if (r == normal && law.kind != LawKind::bounded) {
      sums.velocity = std::max(sums.velocity, speed);
      sums.velocity_size = std::max(sums.velocity_size, g.size);
    }
  }
  c.normal_impulse = law.kind == LawKind::bounded ? 0.0 : lambda[normal];
  c.opening = opening_of(law, after, shift);
  c.cone_margin = cone_margin(law, lambda, work.local);
  return c;
}

RowSums add_contacts(const ContactProblem& p, std::span<const LocalLaw> laws,
                     const StepClaim& claim, LedgerWorkspace& work, StepLedger& out) {
  RowSums sums;
  out.W_contact = out.W_wall = out.W_stab = out.impulse_scale = 0;
  out.contacts.resize(laws.size());
  Index at = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    ContactLedger& c = out.contacts[i];
    c = contact_ledger(p, laws[i], claim, p.contacts[i], at, work, sums);
    at += laws[i].rows;
    out.W_contact += c.work;
    out.W_wall += c.wall;
    out.W_stab += c.stabilisation;
    out.impulse_scale = std::max(out.impulse_scale, std::abs(c.normal_impulse));
  }
  out.W_contact_average = sums.average;
  out.velocity_scale = sums.velocity;
  out.velocity_rounding = tolerance::rounding * sums.velocity_size;
  return sums;
}

/// Generalised impulses q are worth |q|/|j| along a row j, both in the metric diag(M)⁻¹ and over
/// the degrees of freedom of the row: no unit of a coordinate counts.
void add_cone_scale(const ContactProblem& p, std::span<const LocalLaw> laws,
                    const LedgerWorkspace& work, StepLedger& out) {
  double largest = out.impulse_scale, rounding = 0, carried = 0;
  const double* shares = work.momentum.data();
  Index at = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const LocalLaw& law = laws[i];
    double row = 0;
    Pair worth = Pair::Zero();  // what was moved, what was carried
    const RowView view = row_of(p.rows, at + law.normal_row());
    for (Index e = 0; e < view.size; ++e) {
      const double j = view.value[e];
      if (j == 0) continue;
      const double* own = shares + 4 * Index{view.col[e]};
      row += j * j * own[3];
      worth += Eigen::Map<const Pair>(own);
    }
    at += law.rows;
    if (!(row > 0)) continue;
    worth = (worth / row).sqrt();
    largest = std::max(largest, worth[0]);
    carried = std::max(carried, worth[1]);
    // What an impulse does that is too small to be told from none.
    rounding += worth.sum() * out.contacts[i].speed;
  }
  out.cone_scale = largest;
  out.cone_rounding = tolerance::rounding * carried;
  out.work.rounding += tolerance::rounding * rounding;
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
    case LawKind::bounded: {
      const double room = std::min(n - law.lower, law.upper - n);
      return std::isinf(room) ? 0.0 : room;
    }
    case LawKind::interval:
      return std::min(n, law.mu * n - std::abs(lambda[0]));
    case LawKind::disc:
      return std::min(n, law.mu * n - length(lambda[0], lambda[1]));
    case LawKind::polygon:
      if (!(law.mu > 0)) return std::min(n, -length(lambda[0], lambda[1]));
      return std::min(n, polygon_room(*law.polygon, {lambda[0], lambda[1]}, n));
    case LawKind::rolling:
      return std::min({n, law.mu * n - length(lambda[3], lambda[4]),
                       moment_margin(law.rolling, n, length(lambda[0], lambda[1])),
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
  // Every field is written: nothing has to be cleared first.
  read_motion(p, claim, work);
  const RowSums rows = add_contacts(p, laws, claim, work, out);
  read_mass(p, work);
  const MassSums mass = add_mass(work, out);
  out.change = mass.force_part + mass.contact_part;
  out.work = {out.W_contact, rows.scale + 0.5 * mass.jump, tolerance::rounding * rows.rounding};
  add_cone_scale(p, laws, work, out);
  out.momentum = {std::sqrt(mass.error), std::sqrt(mass.scale),
                  tolerance::rounding * std::sqrt(mass.before)};
  out.closure = {out.change - out.booked(),
                 rows.closure + mass.forced + out.T_minus + out.T_free + out.T_plus, 0};
  out.W_integration.reset();
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
