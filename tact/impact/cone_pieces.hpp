// impact/cone_pieces.hpp - impulses of round cones as few pieces, and moving them to where they are
// needed.
//
// A piece x (1, c + E s) of a round member has its weight x and, on the rim |s| = 1, its direction
// to move; both together hit a target with the square of the error, where adding more and more
// generators on the rim would only crowd it.
#pragma once

#include "tact/impact/generator_columns.hpp"

namespace tact {

/// s of length one, inside without rounding; zero stays.
void to_rim(std::vector<double>& s);
/// Pieces of one cone with the same members made one, and taken to the rim: where two generators on
/// a rim share a load, the one between them is better by the square.
[[nodiscard]] std::vector<ConePiece<double>> merged_on_rim(
    const std::vector<ConePiece<double>>& pieces);

/// The pieces with weights and directions moved by Newton's method until A λ = target, as near as
/// it gets. Those on the rim stay there.
[[nodiscard]] Distribution<double> moved_to(const Impact<double>& impact, const EnergyForm& form,
                                            Distribution<double> pieces, const VecX& target);

/// The size of an impulse, every row in units of what the cone reaches there at unit normal load.
[[nodiscard]] double impulse_size(const ImpulseCone<double>& cone,
                                  const std::vector<double>& lambda);
/// Whether λ is in the cone, or no farther from it than `slack`, a size as above.
[[nodiscard]] bool in_cone(const ImpulseCone<double>& cone, const std::vector<double>& lambda,
                           double slack);

}  // namespace tact
