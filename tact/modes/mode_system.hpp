// modes/mode_system.hpp - what modes are enumerated from: the rows of every contact.
//
// A contact has one normal row n and any number of tangent rows t, the dividing planes of its
// sliding directions; all act on one velocity x of `dof` numbers. n x > 0 separates, n x = 0 keeps
// contact ([Huang20] (5), with the sign of docs/errata.md); the signs of t x say how it slides.
// Modes depend on the direction of a row only, never on its length.
#pragma once

#include <vector>

#include "tact/base/rational.hpp"
#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Where the rows of one contact stand in ModeSystem::rows: the normal, then its tangents.
struct ModeContact {
  Index normal = 0;
  Index tangents = 0;  ///< how many
};

/// An entry that no double holds, as 1/3.
struct ExactEntry {
  Index row = 0;
  Index column = 0;
  Rational value;
};

struct ModeSystem {
  MatX rows;                          ///< one per normal and tangent, dof columns
  std::vector<ModeContact> contacts;  ///< in the order of their rows, without gaps
  std::vector<ExactEntry> exact;      ///< what entries mean where their double is not it

  [[nodiscard]] Index dof() const { return rows.cols(); }
};

/// Appends a contact: `normal` of length dof, `tangents` with dof columns.
void add_contact(ModeSystem& system, const VecX& normal, const MatX& tangents);

/// Planes 0 ... planes - 1 through the normal, equal angles apart, from two tangent axes:
/// cos(pi k / planes) t1 + sin(pi k / planes) t2, up to the length. Two planes are the axes
/// themselves, four these and their sum and difference; other angles are rounded, by 2^-30 at most,
/// to directions of few digits, which keep what the axes have in common.
/// [Huang20] 3.3
[[nodiscard]] MatX dividing_planes(const VecX& t1, const VecX& t2, Index planes);

/// The direction of plane k of that many: [c, s] of c t1 + s t2, of few digits and any length.
[[nodiscard]] Vec2 plane_direction(Index k, Index planes);

/// Refuses an entry that is not finite; a layout that is not the one above breaks the contract.
[[nodiscard]] Result<bool> validate(const ModeSystem& system);

}  // namespace tact
