// impact/exact_columns.hpp - generators of impulse cones as columns of linear programs over the
// rationals.
//
//     Σ force x = d x_0,  x >= 0:    the impulses that explain a change of momentum d.
// [Glocker] 5, 7
#pragma once

#include "tact/impact/certificate.hpp"

namespace tact {

/// The generators of all cones, and J'g of each.
struct ExactColumns {
  std::vector<Index> contact;
  std::vector<ConePiece<Exact>> piece;
  std::vector<ExactVector> force;
  ExactVector approach;  ///< γ(z).g
};

/// All generators; every cone must be polyhedral.
[[nodiscard]] ExactColumns exact_columns(const Impact<Exact>& impact,
                                         const std::vector<ImpulseCone<Exact>>& cones);
/// One more; gamma is γ(z), the weight of the piece does not matter.
void add_column(ExactColumns& columns, const Impact<Exact>& impact,
                const std::vector<ImpulseCone<Exact>>& cones, const ExactVector& gamma, Index i,
                ConePiece<Exact> piece);

/// The pieces with the weights x[first], x[first + 1], ...
[[nodiscard]] Distribution<Exact> distribution(const Impact<Exact>& impact,
                                               const ExactColumns& columns, const ExactVector& x,
                                               std::size_t first);
/// Σ force x = d x_0, column 0 being x_0.
[[nodiscard]] ExactSystem explaining(const ExactColumns& columns, const ExactVector& d);
/// y >= 0 with Σ force y = 0 and sign approach.y > 0; empty where there is none.
[[nodiscard]] Distribution<Exact> ray_of(const Impact<Exact>& impact, const ExactColumns& columns,
                                         int sign);
/// One end of the work over these generators; none where they do not explain d.
[[nodiscard]] WorkBound<Exact> exact_bound(const Impact<Exact>& impact, const ExactColumns& columns,
                                           const ExactVector& after, const ExactSystem& system,
                                           bool upper);

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
