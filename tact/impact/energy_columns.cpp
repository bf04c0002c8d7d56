// impact/energy_columns.cpp - one factorisation of the mass, and columns that follow from it.
#include "tact/impact/energy_columns.hpp"

namespace tact {

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

GeneratorColumns all_columns(const Impact<double>& impact, const EnergyForm& form,
                             const std::vector<ImpulseCone<double>>& cones) {
  GeneratorColumns out;
  for (Index i = 0; i < impact.contacts(); ++i)
    for (auto& piece : corners(cones[i])) {
      out.contact.push_back(i);
      out.piece.push_back(std::move(piece));
    }
  out.a.resize(impact.dof(), out.count());
  out.approach.resize(out.count());
  for (Index k = 0; k < out.count(); ++k) {
    const Index at = impact.offset[out.contact[k]];
    const auto g = generator_of(cones[out.contact[k]], out.piece[k]);
    out.a.col(k) = form.a.middleCols(at, static_cast<Index>(g.size())) * view(g);
    out.approach[k] = form.gamma.segment(at, static_cast<Index>(g.size())).dot(view(g));
  }
  return out;
}

void add_column(GeneratorColumns& columns, const Impact<double>& impact, const EnergyForm& form,
                const std::vector<ImpulseCone<double>>& cones, Index contact,
                ConePiece<double> piece) {
  const Index at = impact.offset[contact], k = columns.count();
  const auto g = generator_of(cones[contact], piece);
  columns.contact.push_back(contact);
  columns.piece.push_back(std::move(piece));
  columns.a.conservativeResize(impact.dof(), k + 1);
  columns.approach.conservativeResize(k + 1);
  columns.a.col(k) = form.a.middleCols(at, static_cast<Index>(g.size())) * view(g);
  columns.approach[k] = form.gamma.segment(at, static_cast<Index>(g.size())).dot(view(g));
}

Distribution<double> distribution(const Impact<double>& impact, const GeneratorColumns& columns,
                                  const VecX& weight) {
  Distribution<double> out(static_cast<std::size_t>(impact.contacts()));
  for (Index k = 0; k < weight.size(); ++k) {
    if (!(weight[k] > 0)) continue;
    out[columns.contact[k]].push_back(columns.piece[k]);
    out[columns.contact[k]].back().weight = weight[k];
  }
  return out;
}

std::vector<double> velocity_at(const Impact<double>& impact, const EnergyForm& form,
                                const VecX& w) {
  const VecX v = form.factor.matrixU().solve(w);
  return values(view(impact.free) + v);
}

}  // namespace tact
