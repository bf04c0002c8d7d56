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

}  // namespace tact
