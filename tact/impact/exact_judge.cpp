// impact/exact_judge.cpp - the same in rationals: what doubles found is where to look, nothing
// more.
#include <algorithm>

#include "tact/base/expects.hpp"
#include "tact/impact/judge.hpp"

namespace tact {
namespace {

using Bound = WorkBound<Exact>;
using Pieces = Distribution<Exact>;

/// The generators of all cones, and J'g of each.
struct Columns {
  std::vector<Index> contact;
  std::vector<ConePiece<Exact>> piece;
  std::vector<ExactVector> force;
  ExactVector approach;  ///< γ(z).g
};

Columns columns_of(const Impact<Exact>& impact, const std::vector<ImpulseCone<Exact>>& cones) {
  const ExactVector gamma = contact_velocity(impact, impact.free);
  Columns out;
  for (Index i = 0; i < impact.contacts(); ++i)
    for (auto& piece : corners(cones[i])) {
      const ExactVector g = generator_of(cones[i], piece);
      ExactVector force(static_cast<std::size_t>(impact.dof()));
      Exact approach;
      for (std::size_t r = 0; r < g.size(); ++r) {
        const auto row = static_cast<std::size_t>(impact.offset[i]) + r;
        approach += gamma[row] * g[r];
        for (std::size_t k = 0; k < force.size(); ++k) force[k] += impact.rows[row][k] * g[r];
      }
      out.contact.push_back(i);
      out.piece.push_back(std::move(piece));
      out.force.push_back(std::move(force));
      out.approach.push_back(std::move(approach));
    }
  return out;
}

Pieces distribution(const Impact<Exact>& impact, const Columns& columns, const ExactVector& x,
                    std::size_t first) {
  Pieces out(static_cast<std::size_t>(impact.contacts()));
  for (std::size_t k = 0; k < columns.piece.size(); ++k) {
    if (sgn(x[first + k]) == 0) continue;
    out[columns.contact[k]].push_back(columns.piece[k]);
    out[columns.contact[k]].back().weight = x[first + k];
  }
  return out;
}

/// Σ force x = d x_0, column 0 being x_0.
ExactSystem explaining(const Columns& columns, const ExactVector& d) {
  ExactSystem out;
  out.columns = static_cast<Index>(columns.piece.size()) + 1;
  for (std::size_t k = 0; k < d.size(); ++k) {
    ExactVector row{Exact(-d[k])};
    for (const ExactVector& force : columns.force) row.push_back(force[k]);
    out.add(std::move(row), Sense::zero);
  }
  return out;
}

ExactVector with_sign(const ExactVector& x, int sign) {
  ExactVector out;
  for (const Exact& v : x) out.emplace_back(sign < 0 ? Exact(-v) : v);
  return out;
}

/// y >= 0 with Σ force y = 0 and sign approach.y > 0.
Pieces ray_of(const Impact<Exact>& impact, const Columns& columns, int sign) {
  ExactSystem system;
  system.columns = static_cast<Index>(columns.piece.size());
  for (Index k = 0; k < impact.dof(); ++k) {
    ExactVector row;
    for (const ExactVector& force : columns.force) row.push_back(force[k]);
    system.add(std::move(row), Sense::zero);
  }
  system.add(with_sign(columns.approach, sign), Sense::above);
  const ExactVerdict verdict = decide(system);
  TACT_EXPECTS(verdict.feasible);  // the program was unbounded
  return distribution(impact, columns, verdict.point, 0);
}

Bound bound_of(const Impact<Exact>& impact, const Columns& columns, const ExactVector& after,
               const ExactSystem& system, bool upper) {
  const int sign = upper ? 1 : -1;
  ExactVector objective = with_sign(columns.approach, sign);
  objective.insert(objective.begin(), Exact(0));
  const ExactMaximum found = maximise(system, objective, 0);
  Bound out;
  TACT_EXPECTS(found.end != ExactMaximum::End::empty);
  if (found.end == ExactMaximum::End::unbounded) {
    ExactSystem some = system;
    ExactVector unit(static_cast<std::size_t>(system.columns));
    unit[0] = 1;
    some.add(std::move(unit), Sense::above);
    ExactVerdict point = decide(some);
    const Exact scale = 1 / point.point[0];
    for (Exact& x : point.point) x *= scale;
    out.end = Bound::End::unbounded;
    out.impulses = distribution(impact, columns, point.point, 1);
    out.ray = ray_of(impact, columns, sign);
    return out;
  }
  out.end = Bound::End::finite;
  out.impulses = distribution(impact, columns, found.point, 1);
  // value x_0 - sign approach.x = m.(force x) + (something >= 0).x: then b = z + sign m is on the
  // right side of every contact.
  out.velocity = impact.free;
  for (std::size_t k = 0; k < out.velocity.size(); ++k)
    out.velocity[k] += sign * found.multipliers[k];
  out.low = out.high = work_of(impact, after, impulses_of(impact, out.impulses));
  return out;
}

/// v with J_i v in K_i* and v.d < 0.
std::optional<ExactVector> separator_of(const Columns& columns, const ExactVector& d) {
  ExactSystem system = explaining(columns, d);
  ExactVector unit(static_cast<std::size_t>(system.columns));
  unit[0] = 1;
  system.add(std::move(unit), Sense::above);
  const ExactVerdict verdict = decide(system);
  if (verdict.feasible) return std::nullopt;
  // m.A <= 0 in every column, with more than zero on the row of x_0: m.force <= 0 and m.d > 0.
  ExactVector v;
  for (std::size_t k = 0; k < d.size(); ++k) v.emplace_back(-verdict.multipliers[k]);
  return v;
}

ExactVector change_of_momentum(const Impact<Exact>& impact, const ExactVector& after) {
  ExactVector change = after;
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= impact.free[k];
  return momentum(impact, change);
}

/// The velocity that the impulses of a certificate in doubles lead to.
ExactVector explained(const Impact<Exact>& impact, const Pieces& impulses) {
  const auto force = generalised(impact, impulses_of(impact, impulses));
  const auto change = solve_exactly(impact.mass, force);
  TACT_EXPECTS(change.has_value());
  ExactVector out = impact.free;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += (*change)[k];
  return out;
}

Pieces exactly(const Distribution<double>& pieces) {
  Pieces out;
  for (const auto& own : pieces) {
    out.emplace_back();
    for (const auto& piece : own) {
      ConePiece<Exact> exact;
      exact.weight = piece.weight;
      exact.member = piece.member;
      for (const auto& s : piece.s) exact.s.emplace_back(s.begin(), s.end());
      out.back().push_back(std::move(exact));
    }
  }
  return out;
}

/// Whether some velocity is admissible: a jam, or a velocity.
void decide_admissible(const Impact<Exact>& impact, ImpactCertificate<Exact>& out) {
  const Columns columns = columns_of(impact, impact.opening);
  const ExactVector none(static_cast<std::size_t>(impact.dof()));
  ExactVector objective = with_sign(columns.approach, -1);
  objective.insert(objective.begin(), Exact(0));
  const ExactMaximum found = maximise(explaining(columns, none), objective, 0);
  if (found.end == ExactMaximum::End::unbounded) {
    out.jam = ray_of(impact, columns, -1);
    return;
  }
  out.admissible = impact.free;
  for (std::size_t k = 0; k < none.size(); ++k) out.admissible[k] -= found.multipliers[k];
}

}  // namespace

ImpactCertificate<Exact> judge(const Impact<Exact>& impact,
                               const ImpactCertificate<double>& rounded) {
  const Columns columns = columns_of(impact, impact.cone);
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  ExactVector d = change_of_momentum(impact, out.after);
  if (const auto v = separator_of(columns, d)) {
    if (rounded.verdict == ImpactVerdict::kinetically_incompatible) {
      out.separator = *v;
      out.verdict = ImpactVerdict::kinetically_incompatible;
      return out;
    }
    out.tolerance = rounded.tolerance;
    out.after = explained(impact, exactly(rounded.minimum.impulses));
    d = change_of_momentum(impact, out.after);
  }
  const ExactSystem system = explaining(columns, d);
  out.minimum = bound_of(impact, columns, out.after, system, false);
  out.maximum = bound_of(impact, columns, out.after, system, true);
  decide_admissible(impact, out);
  if (!out.jam.empty())
    out.verdict = ImpactVerdict::kinematically_infeasible;
  else if (!penetrating(impact, out.after, out.after, out.tolerance).empty())
    out.verdict = ImpactVerdict::kinematically_incompatible;
  else
    out.verdict = energy_verdict(impact, out);
  return out;
}

}  // namespace tact
