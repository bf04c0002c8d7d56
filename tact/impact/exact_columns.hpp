// impact/exact_columns.hpp - generators of impulse cones as columns of linear programs over the
// rationals.
//
//     Σ force x = d x_0,  x >= 0:    the impulses that explain a change of momentum d.
// [Glocker] 5, 7
#pragma once

#include "tact/impact/certificate.hpp"

namespace tact {

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
