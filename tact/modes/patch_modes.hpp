// modes/patch_modes.hpp - the modes of a flat patch: its corners as contacts, or its own classes.
//
// A patch separates, tips about a part of its rim, or stays flat: the faces of the cone K_P* of
// twists that open it. Of a polygon these are the contacting and separating modes of its corners,
// for v_N(x) is affine in x and least at a corner: [MontMarin25] (12), Lemma 2. A round rim has
// infinitely many faces, one per point; they are one class here, and one that is divided into
// corners where a finite list of contacts is asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tact/cone/patch_regime.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact {

struct PatchRows {
  Index planes = 2;  ///< dividing planes of every corner
  Index rim = 0;     ///< corners per turn that stand for a round rim; 0 refuses one
};

/// Appends the corners of the hull, counter-clockwise, as contacts; `twist` has the six rows
/// [ω_T(2), ω_N, v_T(2), v_N] of the patch frame. A corner p has the normal row v_N + ω_T.p^perp
/// and planes through the tangent rows v_T - ω_N p^perp. Returns how many contacts there are, or
/// refuses a shape without hull and a round one without `rim`. Nothing is rounded: `exact` are
/// entries of `twist` that no double holds.
[[nodiscard]] Result<Index> add_patch(ModeSystem& system, const MatX& twist,
                                      const PatchShape& shape, const PatchRows& options = {},
                                      std::span<const ExactEntry> exact = {});

/// What the patch keeps in contact.
enum class PatchMotion {
  separate,    ///< nothing
  tip_vertex,  ///< one corner
  tip_rim,     ///< one point of a round part of the rim: a class of infinitely many faces
  tip_edge,    ///< one straight edge
  flat,        ///< everything
};
[[nodiscard]] std::string_view name(PatchMotion motion);

/// What slides of that.
enum class PatchSlip {
  free,          ///< nothing is in contact
  stick,         ///< no point moves
  slide,         ///< the corner, the edge or the point patch moves, however
  translate,     ///< flat: all points alike
  turn_inside,   ///< flat: about a centre inside the patch
  turn_on_rim,   ///< flat: about a centre on its rim
  turn_outside,  ///< flat: about a centre elsewhere
};
[[nodiscard]] std::string_view name(PatchSlip slip);

/// A class of twists.
struct PatchMode {
  PatchMotion motion = PatchMotion::separate;
  PatchSlip slip = PatchSlip::free;
  /// Corners of the hull, as places in vertices(): that of the vertex twice, the ends of the edge,
  /// or the ends of the round part, which do not belong to it; -1 where there is no such thing.
  Index first = -1, last = -1;
  Index dim = 0;             ///< of the class among all twists
  Twist witness;             ///< one of the class, at about unit speed
  Vec2 held = Vec2::Zero();  ///< a point that stays in contact with it; unless it separates
};

struct PatchModes {
  PlanarSet hull;
  std::vector<PatchMode> modes;  ///< by motion in the order above, counter-clockwise, by slip
};

/// All classes of a free patch. Of a segment or a point, flat includes turning about itself.
[[nodiscard]] Result<PatchModes> patch_modes(const PatchShape& shape);

/// What patches call this class when they are loaded.
[[nodiscard]] Regime regime_of(const PatchMode& mode);

/// The cs string of the corners of a polygon.
[[nodiscard]] std::string cs_of(const PatchModes& modes, const PatchMode& mode);

}  // namespace tact
