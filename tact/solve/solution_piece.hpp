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

/// The conditions, and the column above zero.
[[nodiscard]] ExactSystem with_positive(const ExactSystem& system, Index column);

/// The greatest value of f over the closure of the conditions; nothing when there is no bound.
[[nodiscard]] std::optional<Exact> greatest(const ExactSystem& system, const ExactVector& f);

/// Which units carry a load at a point.
[[nodiscard]] std::vector<bool> loaded_units(const ExactProblem& problem, const PieceSystem& modes,
                                             const ExactVector& point);

}  // namespace tact
