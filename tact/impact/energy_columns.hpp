// impact/energy_columns.hpp - generators of impulse cones as columns, in coordinates where the
// kinetic energy is half a square.
//
//     A = L⁻¹ J',  M = L L',        A x = L'(u⁺ - z)   says that the weights x explain u⁺,
//     b = z + L⁻ᵀ w                 has  γ(b) = γ(z) + A'w.
// Neither units nor frames are left in it. [Glocker] 5
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "tact/impact/certificate.hpp"

namespace tact {

/// As vectors of the other kind.
[[nodiscard]] inline Eigen::Map<const VecX> view(const std::vector<double>& x) {
  return {x.data(), static_cast<Index>(x.size())};
}
[[nodiscard]] inline std::vector<double> values(const VecX& x) {
  return {x.begin(), x.end()};
}

/// An impact as matrices.
struct EnergyForm {
  MatX J;
  MatX a;  ///< L⁻¹ J'
  Eigen::LLT<MatX> factor;
  VecX gamma;   ///< γ(z)
  VecX change;  ///< L'(u⁺ - z)

  explicit EnergyForm(const Impact<double>& impact);
};

struct GeneratorColumns : PieceList<double> {
  MatX a;
  VecX approach;  ///< γ(z).g
};

/// These pieces as further columns; their weights do not matter.
void add_columns(GeneratorColumns& columns, const Impact<double>& impact, const EnergyForm& form,
                 const std::vector<ImpulseCone<double>>& cones, const Distribution<double>& pieces);
/// All generators; every cone must be polyhedral.
[[nodiscard]] inline GeneratorColumns all_columns(const Impact<double>& impact,
                                                  const EnergyForm& form,
                                                  const std::vector<ImpulseCone<double>>& cones) {
  GeneratorColumns out;
  add_columns(out, impact, form, cones, corners(cones));
  return out;
}
/// A g of a generator of contact i.
[[nodiscard]] inline VecX column_of(const Impact<double>& impact, const EnergyForm& form, Index i,
                                    const std::vector<double>& g) {
  return form.a.middleCols(impact.offset[i], static_cast<Index>(g.size())) * view(g);
}

/// z + L⁻ᵀ w.
[[nodiscard]] std::vector<double> velocity_at(const Impact<double>& impact, const EnergyForm& form,
                                              const VecX& w);

}  // namespace tact
