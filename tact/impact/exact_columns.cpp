// impact/exact_columns.cpp - systems in x >= 0, and what their solutions say about an impact.
#include "tact/impact/exact_columns.hpp"

#include "tact/base/expects.hpp"

namespace tact {
namespace {

using Bound = WorkBound<Exact>;
using Pieces = Distribution<Exact>;

ExactVector with_sign(const ExactVector& x, int sign) {
  ExactVector out;
  for (const Exact& v : x) out.emplace_back(sign < 0 ? Exact(-v) : v);
  return out;
}

}  // namespace

void add_column(ExactColumns& columns, const Impact<Exact>& impact,
                const std::vector<ImpulseCone<Exact>>& cones, const ExactVector& gamma, Index i,
                ConePiece<Exact> piece) {
  const ExactVector g = generator_of(cones[i], piece);
  ExactVector force(static_cast<std::size_t>(impact.dof()));
  Exact approach;
  for (std::size_t r = 0; r < g.size(); ++r) {
    const auto row = static_cast<std::size_t>(impact.offset[i]) + r;
    approach += gamma[row] * g[r];
    for (std::size_t k = 0; k < force.size(); ++k) force[k] += impact.rows[row][k] * g[r];
  }
  columns.contact.push_back(i);
  columns.piece.push_back(std::move(piece));
  columns.force.push_back(std::move(force));
  columns.approach.push_back(std::move(approach));
}

ExactColumns exact_columns(const Impact<Exact>& impact,
                           const std::vector<ImpulseCone<Exact>>& cones) {
  const ExactVector gamma = contact_velocity(impact, impact.free);
  ExactColumns out;
  for (Index i = 0; i < impact.contacts(); ++i)
    for (auto& piece : corners(cones[i]))
      add_column(out, impact, cones, gamma, i, std::move(piece));
  return out;
}

Pieces distribution(const Impact<Exact>& impact, const ExactColumns& columns, const ExactVector& x,
                    std::size_t first) {
  Pieces out(static_cast<std::size_t>(impact.contacts()));
  for (std::size_t k = 0; k < columns.piece.size(); ++k) {
    if (sgn(x[first + k]) == 0) continue;
    out[columns.contact[k]].push_back(columns.piece[k]);
    out[columns.contact[k]].back().weight = x[first + k];
  }
  return out;
}

ExactSystem explaining(const ExactColumns& columns, const ExactVector& d) {
  ExactSystem out;
  out.columns = static_cast<Index>(columns.piece.size()) + 1;
  for (std::size_t k = 0; k < d.size(); ++k) {
    ExactVector row{Exact(-d[k])};
    for (const ExactVector& force : columns.force) row.push_back(force[k]);
    out.add(std::move(row), Sense::zero);
  }
  return out;
}

Pieces ray_of(const Impact<Exact>& impact, const ExactColumns& columns, int sign) {
  ExactSystem system;
  system.columns = static_cast<Index>(columns.piece.size());
  for (Index k = 0; k < impact.dof(); ++k) {
    ExactVector row;
    for (const ExactVector& force : columns.force) row.push_back(force[k]);
    system.add(std::move(row), Sense::zero);
  }
  system.add(with_sign(columns.approach, sign), Sense::above);
  const ExactVerdict verdict = decide(system);
  if (!verdict.feasible) return {};
  return distribution(impact, columns, verdict.point, 0);
}

Bound exact_bound(const Impact<Exact>& impact, const ExactColumns& columns,
                  const ExactVector& after, const ExactSystem& system, bool upper) {
  const int sign = upper ? 1 : -1;
  ExactVector objective = with_sign(columns.approach, sign);
  objective.insert(objective.begin(), Exact(0));
  const ExactMaximum found = maximise(system, objective, 0);
  Bound out;
  if (found.end == ExactMaximum::End::empty) return out;
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

ExactVector change_of_momentum(const Impact<Exact>& impact, const ExactVector& after) {
  ExactVector change = after;
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= impact.free[k];
  return momentum(impact, change);
}

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

void decide_admissible(const Impact<Exact>& impact, ImpactCertificate<Exact>& out) {
  const ExactColumns columns = exact_columns(impact, impact.opening);
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

}  // namespace tact
