// sim/position_step.hpp - the mean velocity of a step, corrected where a gap would end below zero.
//
//     ū = ū₀ + M⁻¹ JᵀΛ,    Λ_N ∈ K ⟂ W(ū) + Γ/h ∈ K*,    J_T (ū - ū₀) = 0 where it sticks,
// equations to their zeros. Without friction, by the matrix of the velocity solve; most steps need
// none. Where the velocity solve presses a contact flat it is the load of the mean velocity and its
// correction together that are in K, ½λ_N + Λ_N ∈ K ⟂ W(ū) + Γ/h ∈ K*: it stays closed while it is
// pressed. Else a tower that bends would open by nanometres wherever a correction passes through
// it.
#pragma once

#include <algorithm>
#include <span>

#include "tact/contact/body_problem.hpp"
#include "tact/contact/constraint_rows.hpp"
#include "tact/solve/augmented_newton.hpp"

namespace tact {

/// Scratch of position_step.hpp.
struct PositionWork {
  struct Part {
    Index group, member;          ///< of the step, and its place among the groups that are solved
    Index first;                  ///< row of the problem below
    std::span<const Index> rows;  ///< of the group: those with a gap, or one that is held
  };
  std::vector<Part> parts;
  DelassusProblem problem;       ///< of the parts; of G the diagonal alone
  BodyRows bodies, part_bodies;  ///< of the groups, and of the parts
  std::vector<double> Y;         ///< of the parts
  AugmentedNewtonWorkspace newton;
  VecX load, begun;  ///< Λ + ½λ, and its start
  VecX moved;
  VecX impulse;  ///< Λ over the rows of the step
  VecX rates, change;
};

/// Which rows of a group carry the normal load: three, one, or none of a bounded row.
[[nodiscard]] std::span<const Index> normal_rows(const LocalLaw& law);

/// Rows with a gap: the normal ones, and those of equations.
[[nodiscard]] std::span<const Index> gap_rows(const RowGroup& group, const LocalLaw& law);

/// Rows along which a contact that sticks does not move. A point that rolls may turn.
[[nodiscard]] std::span<const Index> held_rows(const LocalLaw& law);

/// The least of an affine gap over the patch, or at the point [m].
[[nodiscard]] double least_gap(const LocalLaw& law, const Vec3& gap);

/// No less than the greatest of an affine gap that is nowhere negative [m].
[[nodiscard]] double widest_gap(const LocalLaw& law, const Vec3& gap);

/// An overlap of two links of one robot deeper than tolerance::support is left: `gap` is lifted to
/// zero by the depth that is returned [m], else zero. Files overlap where links meet, and a joint
/// that were to open that would go where nobody meant it to. So is one that no joint opens.
double leave_overlap(const ConstraintRows& rows, std::size_t group, Vec3& gap);

/// The gap after dt seconds at the velocities `rates` of all rows.
[[nodiscard]] Vec3 moved_gap(const RowGroup& group, const LocalLaw& law, const Vec3& gap,
                             const VecX& rates, double dt);

/// What a position step starts from.
struct PositionStep {
  const ConstraintRows& rows;
  const DelassusProblem& problem;   ///< of these rows: laws, and the blocks of G on the diagonal
  const std::vector<Vec3>& gaps;    ///< [groups] at the start
  const VecX& rates;                ///< [rows] at ū₀, prescribed motion included
  const std::vector<bool>& sticks;  ///< [groups]
  double dt = 0;
  double deepest = 0;           ///< [m] a deeper penetration is taken back in several steps
  const VecX* loads = nullptr;  ///< [rows] λ of the velocity solve, where there was one
  /// [m] an overlap that is left: the rounding of coordinates, or a share of what moves in the
  /// step.
  double allowed = tolerance::overlap;
};
/// That share of the way at the velocities `rates`, far below the square of what turns in a step;
/// at least the rounding of coordinates at the contacts.
[[nodiscard]] double allowed_overlap(const ConstraintRows& rows, const VecX& rates, double dt);

/// What the rates leave at the end of the step, zero or negative.
struct WorstGaps {
  double surfaces = 0, limits = 0;  ///< [m], [m, rad]
  double equations = 0;             ///< [m, rad] minus the length of the largest error

  [[nodiscard]] double unilateral() const { return std::min(surfaces, limits); }
  [[nodiscard]] double worst() const { return std::min(unilateral(), equations); }
};
[[nodiscard]] WorstGaps worst_gaps(const PositionStep& step);
[[nodiscard]] WorstGaps worst_gaps(const PositionStep& step, std::span<const Index> groups);

/// Λ of `groups`, which share no body with any other, into their rows of `impulse`. `local` as
/// make_body_rows wants it. False where not every gap could be opened: Λ is then the best there is.
bool solve_positions(const Model& model, const PositionStep& step, std::span<const Index> groups,
                     std::span<Index> local, PositionWork& work, VecX& impulse);

}  // namespace tact
