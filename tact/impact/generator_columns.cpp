// impact/generator_columns.cpp - one factorisation of the mass and columns that follow from it;
// systems in x >= 0 and what their solutions say about an impact.
#include "tact/impact/generator_columns.hpp"

namespace tact {
namespace {

using Bound = WorkBound<Exact>;
using Pieces = Distribution<Exact>;

ExactVector with_sign(const ExactVector& x, int sign) {
  return sign < 0 ? negative(x) : x;
}

/// Σ column x = 0.
ExactSystem sums_to_zero(const std::vector<ExactVector>& columns, Index size) {
  ExactSystem out;
  out.columns = static_cast<Index>(columns.size());
  for (Index k = 0; k < size; ++k) {
    ExactVector row;
    for (const ExactVector& column : columns) row.push_back(column[k]);
    out.add(std::move(row), Sense::zero);
  }
  return out;
}

/// Σ column x = d x_0, x_0 first.
ExactSystem explaining(const std::vector<ExactVector>& columns, const ExactVector& d) {
  std::vector<ExactVector> all{negative(d)};
  all.insert(all.end(), columns.begin(), columns.end());
  return sums_to_zero(all, static_cast<Index>(d.size()));
}

/// max sign approach.x over Σ force x = d, x >= 0.
ExactMaximum most(const ExactColumns& columns, const ExactVector& d, int sign) {
  ExactVector objective = with_sign(columns.approach, sign);
  objective.insert(objective.begin(), Exact(0));
  return maximise(explaining(columns.force, d), objective, 0);
}

}  // namespace

EnergyForm::EnergyForm(const Impact<double>& impact) {
  const Index n = impact.dof();
  MatX M(n, n);
  for (Index r = 0; r < n; ++r) M.row(r) = view(impact.mass[r]);
  J.resize(static_cast<Index>(impact.rows.size()), n);
  for (Index r = 0; r < J.rows(); ++r) J.row(r) = view(impact.rows[r]);
  factor.compute(M);
  a = J.transpose();
  factor.matrixL().solveInPlace(a);
  gamma = view(contact_velocity(impact, impact.free));
  change = factor.matrixU() * (view(impact.after) - view(impact.free));
}

void add_columns(GeneratorColumns& columns, const Impact<double>& impact, const EnergyForm& form,
                 const std::vector<ImpulseCone<double>>& cones,
                 const Distribution<double>& pieces) {
  Index k = columns.count();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    columns.contact.insert(columns.contact.end(), pieces[i].size(), static_cast<Index>(i));
    columns.piece.insert(columns.piece.end(), pieces[i].begin(), pieces[i].end());
  }
  columns.a.conservativeResize(impact.dof(), columns.count());
  columns.approach.conservativeResize(columns.count());
  for (; k < columns.count(); ++k) {
    const Index i = columns.contact[k];
    const auto g = generator_of(cones[i], columns.piece[k]);
    columns.a.col(k) = column_of(impact, form, i, g);
    columns.approach[k] =
        form.gamma.segment(impact.offset[i], static_cast<Index>(g.size())).dot(view(g));
  }
}

std::vector<double> velocity_at(const Impact<double>& impact, const EnergyForm& form,
                                const VecX& w) {
  const VecX v = form.factor.matrixU().solve(w);
  return values(view(impact.free) + v);
}

void add_columns(ExactColumns& columns, const Impact<Exact>& impact,
                 const std::vector<ImpulseCone<Exact>>& cones, const Pieces& pieces,
                 const ExactVector& gamma) {
  for (Index i = 0; i < impact.contacts(); ++i)
    for (const auto& piece : pieces[i]) {
      const ExactVector g = generator_of(cones[i], piece);
      ExactVector force(static_cast<std::size_t>(impact.dof()));
      for (std::size_t r = 0; r < g.size(); ++r)
        add(force, g[r], impact.rows[impact.offset[i] + r]);
      columns.contact.push_back(i);
      columns.piece.push_back(piece);
      columns.force.push_back(std::move(force));
      columns.approach.push_back(inner(g, part(gamma, impact.offset[i], impact.offset[i + 1])));
    }
}

ExactColumns exact_columns(const Impact<Exact>& impact,
                           const std::vector<ImpulseCone<Exact>>& cones, const ExactVector& gamma) {
  ExactColumns out;
  add_columns(out, impact, cones, corners(cones), gamma);
  return out;
}

std::optional<ExactVector> cancelling(const std::vector<ExactVector>& columns, Index size,
                                      const ExactVector& approach, int sign) {
  ExactSystem system = sums_to_zero(columns, size);
  system.add(with_sign(approach, sign), Sense::above);
  ExactVerdict verdict = decide(system);
  if (!verdict.feasible) return std::nullopt;
  return std::move(verdict.point);
}

Pieces ray_of(const Impact<Exact>& impact, const ExactColumns& columns, int sign) {
  const auto sum = cancelling(columns.force, impact.dof(), columns.approach, sign);
  return sum ? distribution(impact, columns, *sum) : Pieces{};
}

ExactVerdict explanation(const std::vector<ExactVector>& columns, const ExactVector& d) {
  ExactSystem system = explaining(columns, d);
  ExactVector unit(static_cast<std::size_t>(system.columns));
  unit[0] = 1;
  system.add(std::move(unit), Sense::above);
  return decide(system);
}

Bound exact_bound(const Impact<Exact>& impact, const ExactColumns& columns,
                  const ExactVector& after, bool upper) {
  const int sign = upper ? 1 : -1;
  const ExactVector d = change_of_momentum(impact, after);
  const ExactMaximum found = most(columns, d, sign);
  Bound out;
  if (found.end == ExactMaximum::End::empty) return out;
  if (found.end == ExactMaximum::End::unbounded) {
    ExactVector x = explanation(columns.force, d).point;
    const Exact scale = 1 / x[0];
    for (Exact& weight : x) weight *= scale;
    out.end = Bound::End::unbounded;
    out.impulses = distribution(impact, columns, x, 1);
    out.ray = ray_of(impact, columns, sign);
    return out;
  }
  out.impulses = distribution(impact, columns, found.point, 1);
  // value x_0 - sign approach.x = m.(force x) + (something >= 0).x: then b = z + sign m is on the
  // right side of every contact, and proves what the impulses attain.
  out.velocity = impact.free;
  add(out.velocity, sign, found.multipliers);
  set_bracket(impact, after, upper, out);
  return out;
}

ExactVector change_of_momentum(const Impact<Exact>& impact, const ExactVector& after) {
  return momentum(impact, minus(after, impact.free));
}

ExactVector explained(const Impact<Exact>& impact, const Pieces& impulses) {
  const auto force = generalised(impact, impulses_of(impact, impulses));
  const auto change = solve_exactly(impact.mass, force);
  TACT_EXPECTS(change.has_value());
  ExactVector out = impact.free;
  add(out, 1, *change);
  return out;
}

Pieces exactly(const Distribution<double>& pieces) {
  Pieces out;
  for (const auto& own : pieces) {
    out.emplace_back();
    for (const auto& p : own) out.back().push_back({p.weight, p.member, exactly(p.s)});
  }
  return out;
}

void decide_admissible(const Impact<Exact>& impact, ImpactCertificate<Exact>& out) {
  const ExactColumns columns =
      exact_columns(impact, impact.opening, contact_velocity(impact, impact.free));
  const ExactVector none(static_cast<std::size_t>(impact.dof()));
  const ExactMaximum found = most(columns, none, -1);
  if (found.end == ExactMaximum::End::unbounded) {
    out.jam = ray_of(impact, columns, -1);
    return;
  }
  out.admissible = impact.free;
  add(out.admissible, -1, found.multipliers);
}

}  // namespace tact
