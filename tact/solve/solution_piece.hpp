// solve/solution_piece.hpp - one joint mode that has solutions: how many, and how far they reach.
#pragma once

#include "tact/solve/exact_problem.hpp"

namespace tact {

/// Everything about the piece of a joint mode whose conditions `point` satisfies. All units have
/// faces, or separate. Where discs stick, `modes` holds polygons inside them and `around` polygons
/// around them: what is proved, is proved of the latter, and ranges and corners are left out.
/// Otherwise the two are the same.
[[nodiscard]] SolutionPiece describe_piece(const ExactProblem& problem, const ModeChoice& choice,
                                           const PieceSystem& modes, const PieceSystem& around,
                                           const ExactVector& point, Index max_vertices);

[[nodiscard]] ExactTerms as_terms(const ExactVector& y);
/// Nothing when an index or a number makes no sense.
[[nodiscard]] std::optional<ExactVector> from_terms(const ExactTerms& terms, std::size_t size);

/// Labels from the modes of the units and the loads of a point inside the piece.
[[nodiscard]] std::vector<Regime> piece_labels(const ExactProblem& problem,
                                               const std::vector<UnitMode>& modes,
                                               const std::vector<bool>& loaded);

/// Half-spaces of the loads of a face of a polygonal unit: functionals of the rows of the contact.
[[nodiscard]] std::vector<ExactVector> face_half_spaces(const ExactUnit& unit,
                                                        const UnitMode& mode);

/// Whether the closures of two polyhedral pieces have a point in common.
[[nodiscard]] bool touch(const ExactProblem& problem, const SolutionPiece& a,
                         const SolutionPiece& b);

/// The conditions of a piece's modes.
[[nodiscard]] ModeChoice choice_of(const SolutionPiece& piece);

/// The velocities as functionals of the columns: u_r = (row r).x.
[[nodiscard]] ExactVector velocity_row(const ExactProblem& problem, const PieceSystem& modes,
                                       Index row);
[[nodiscard]] ExactVector load_row(const ExactProblem& problem, const PieceSystem& modes,
                                   Index row);

}  // namespace tact
