// cone/patch_regime.hpp - what a patch in contact is doing, with the geometry that proves it.
//
// Reference: [MontMarin25] (15), (16), (18), (19) and Fig. 5, completed by the cases it leaves out:
// grazing (no force, but the twist on the boundary of K_P*) and idle (neither force nor motion).
// Errata: docs/errata.md, MontMarin25 (19) and fig. 5.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/poly/planar_set.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

enum class Regime {
  idle,              ///< neither force nor normal motion
  separate,          ///< no force, every point opens
  separate_grazing,  ///< no force, some points open and some stay at zero distance
  stick,             ///< force, no motion of any point
  slide,             ///< force, the face stays closed and moves in its plane
  tip_vertex,        ///< turning about one point of the rim
  tip_edge,          ///< turning about an edge of the rim
  slide_tip_vertex,  ///< the same while that point slides
  slide_tip_edge,    ///< the same while that edge slides
};
[[nodiscard]] std::string_view name(Regime regime);

/// What counts as zero: forces below tolerance * force, velocities below tolerance * velocity.
struct RegimeScales {
  double force = 1;     ///< [N]
  double velocity = 1;  ///< [m/s]
  double tolerance = tolerance::regime;
};

/// Scales of the problem itself: the larger of force and moment over the patch's radius, the
/// largest velocity on the patch.
[[nodiscard]] RegimeScales natural_scales(const PlanarSet& hull, const Wrench& wrench,
                                          const Twist& twist);

/// D_z = { x : v_N(x) = 0 }, an oriented line. [MontMarin25] (15)
struct ZeroLine {
  Vec2 point;      ///< its point closest to the middle of the patch
  Vec2 direction;  ///< unit, with the opening side on its left
  Vec2 normal;     ///< unit, -ω_T^perp / |ω_T|: points to the side that opens, v_N(x) > 0
};
/// Nothing when ω_T = 0: the normal velocity is then the same everywhere.
[[nodiscard]] std::optional<ZeroLine> zero_line(const PlanarSet& hull, const Twist& twist);

/// Where the patch presses, or would first or last touch: a point, an edge or the whole patch.
struct ExtendedCop {
  enum class Kind { point, edge, patch };
  Kind kind = Kind::point;
  std::vector<Vec2> points;  ///< one, the two ends, or the corners of the hull (round: its outline)
};
/// -m_T^perp / f_N where there is force, otherwise the part of the hull closest to the zero-line
/// (the support mapping in the direction ω_T^perp). [MontMarin25] (18), (19)
[[nodiscard]] ExtendedCop extended_center_of_pressure(const PlanarSet& hull, const Wrench& wrench,
                                                      const Twist& twist,
                                                      const RegimeScales& scales);

/// A regime and what it rests on. The margins say how far the pair is from the planar Signorini
/// condition, in units of the scales: all three >= -tolerance iff it holds.
struct RegimeReport {
  std::optional<Regime> regime;  ///< nothing when the condition (17) is violated
  double wrench_margin = 0;      ///< of K_P, relative to force * radius (force for a point)
  double twist_margin = 0;       ///< of K_P*, relative to velocity
  double power = 0;              ///< <[m_T, f_N], [ω_T, v_N]> [W], relative to force * velocity
  std::optional<Vec2> cop;       ///< where there is force
  std::optional<ZeroLine> zero_line;
  std::optional<SupportFace> pivot;  ///< what the patch tips about
  double largest_opening = 0;        ///< max over the patch of v_N(x) [m/s]
  double largest_sliding = 0;        ///< max over what is in contact of |v_T(x)| [m/s]
};
[[nodiscard]] RegimeReport classify(const PlanarSet& hull, const Wrench& wrench, const Twist& twist,
                                    const RegimeScales& scales);

/// max over the hull of |v_T(x)|: a convex function, largest on the rim.
[[nodiscard]] double largest_tangential_velocity(const PlanarSet& hull, const Twist& twist);

}  // namespace tact
