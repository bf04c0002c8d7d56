// impact/generator_columns.hpp - generators of impulse cones as columns of programs, in doubles and
// in rationals.
//
// In doubles in coordinates where the kinetic energy is half a square, so that neither units nor
// frames are left:
//     A = L⁻¹ J',  M = L L',        A x = L'(u⁺ - z)   says that the weights x explain u⁺,
//     b = z + L⁻ᵀ w                 has  γ(b) = γ(z) + A'w.
// In rationals the columns are J'g:
//     Σ force x = d x_0,  x >= 0:   the impulses that explain a change of momentum d.
// [Glocker] 5, 7
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "tact/impact/certificate.hpp"

namespace tact {

/// Generators side by side, the columns of a program.
template <class T>
struct PieceList {
  std::vector<Index> contact;
  std::vector<ConePiece<T>> piece;

  [[nodiscard]] Index count() const { return static_cast<Index>(contact.size()); }
};
/// The pieces with the weights x[first], x[first + 1], ..., those without weight left out.
template <class T, class Weights>
[[nodiscard]] Distribution<T> distribution(const Impact<T>& impact, const PieceList<T>& list,
                                           const Weights& x, Index first = 0) {
  Distribution<T> out(static_cast<std::size_t>(impact.contacts()));
  for (Index k = 0; first + k < static_cast<Index>(x.size()); ++k) {
    if (!(x[first + k] > 0)) continue;
    auto& own = out[list.contact[k]];
    own.push_back(list.piece[k]);
    own.back().weight = x[first + k];
  }
  return out;
}
/// The generators of polyhedral cones.
template <class T>
[[nodiscard]] Distribution<T> corners(const std::vector<ImpulseCone<T>>& cones) {
  Distribution<T> out;
  for (const auto& cone : cones) out.push_back(corners(cone));
  return out;
}

// ---- doubles

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

// ---- rationals

struct ExactColumns : PieceList<Exact> {
  std::vector<ExactVector> force;  ///< J'g
  ExactVector approach;            ///< γ.g
};

/// These pieces as further columns, whatever their weights; `gamma` is γ(z), or χ, which is γ(0).
void add_columns(ExactColumns& columns, const Impact<Exact>& impact,
                 const std::vector<ImpulseCone<Exact>>& cones, const Distribution<Exact>& pieces,
                 const ExactVector& gamma);
/// All generators; every cone must be polyhedral.
[[nodiscard]] ExactColumns exact_columns(const Impact<Exact>& impact,
                                         const std::vector<ImpulseCone<Exact>>& cones,
                                         const ExactVector& gamma);

/// x >= 0 with Σ column x = 0 and sign approach.x > 0, if there is one. Columns have `size`
/// entries.
[[nodiscard]] std::optional<ExactVector> cancelling(const std::vector<ExactVector>& columns,
                                                    Index size, const ExactVector& approach,
                                                    int sign);
/// The same as impulses; empty where there are none.
[[nodiscard]] Distribution<Exact> ray_of(const Impact<Exact>& impact, const ExactColumns& columns,
                                         int sign);
/// x >= 0 with Σ column x = d x_0 and x_0 > 0, x_0 being the first entry of x.
[[nodiscard]] ExactVerdict explanation(const std::vector<ExactVector>& columns,
                                       const ExactVector& d);
/// One end of the work over these generators; none where they do not explain `after`.
[[nodiscard]] WorkBound<Exact> exact_bound(const Impact<Exact>& impact, const ExactColumns& columns,
                                           const ExactVector& after, bool upper);

/// M (after - z).
[[nodiscard]] ExactVector change_of_momentum(const Impact<Exact>& impact, const ExactVector& after);
/// The velocity that impulses lead to.
[[nodiscard]] ExactVector explained(const Impact<Exact>& impact,
                                    const Distribution<Exact>& impulses);
/// Doubles taken at their word.
[[nodiscard]] Distribution<Exact> exactly(const Distribution<double>& pieces);
/// Whether some velocity is admissible: a jam, or a velocity. Opening cones must be polyhedral.
void decide_admissible(const Impact<Exact>& impact, ImpactCertificate<Exact>& out);

}  // namespace tact
