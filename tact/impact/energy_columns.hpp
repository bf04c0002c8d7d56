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

/// An impact as matrices.
struct EnergyForm {
  MatX J;
  MatX a;  ///< L⁻¹ J'
  Eigen::LLT<MatX> factor;
  VecX gamma;   ///< γ(z)
  VecX change;  ///< L'(u⁺ - z)

  explicit EnergyForm(const Impact<double>& impact);
};

/// Some generators of all cones, side by side.
struct GeneratorColumns {
  std::vector<Index> contact;
  std::vector<ConePiece<double>> piece;
  MatX a;
  VecX approach;  ///< γ(z).g

  [[nodiscard]] Index count() const { return static_cast<Index>(contact.size()); }
};

/// All generators; every cone must be polyhedral.
[[nodiscard]] GeneratorColumns all_columns(const Impact<double>& impact, const EnergyForm& form,
                                           const std::vector<ImpulseCone<double>>& cones);
/// One more; its weight does not matter.
void add_column(GeneratorColumns& columns, const Impact<double>& impact, const EnergyForm& form,
                const std::vector<ImpulseCone<double>>& cones, Index contact,
                ConePiece<double> piece);

/// The pieces with these weights, those without weight left out.
[[nodiscard]] Distribution<double> distribution(const Impact<double>& impact,
                                                const GeneratorColumns& columns,
                                                const VecX& weight);
/// z + L⁻ᵀ w.
[[nodiscard]] std::vector<double> velocity_at(const Impact<double>& impact, const EnergyForm& form,
                                              const VecX& w);

/// As vectors of the other kind.
[[nodiscard]] inline Eigen::Map<const VecX> view(const std::vector<double>& x) {
  return {x.data(), static_cast<Index>(x.size())};
}
[[nodiscard]] inline std::vector<double> values(const VecX& x) {
  return {x.begin(), x.end()};
}

}  // namespace tact
