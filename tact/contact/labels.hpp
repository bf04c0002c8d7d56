// contact/labels.hpp - what each contact of a solved problem is doing, and how far it is from doing
// something else.
//
// Labels use the names of patch_regime.hpp for points and patches alike. A contact without friction
// that carries a load is labelled `stick`: nothing is known of its motion along the plane. A
// bounded row sticks, or slides at one of its bounds.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "tact/cone/friction_law.hpp"
#include "tact/cone/patch_regime.hpp"
#include "tact/contact/residual.hpp"

namespace tact {

struct ContactLabel {
  Regime regime = Regime::idle;
  Vec2 direction = Vec2::Zero();  ///< unit, of the sliding velocity; zero when nothing slides
  double multiplier = 0;          ///< the sliding speed [m/s]: v_t = -multiplier T/|T|
  /// Friction left before it slips [N s]: mu f_N - |f_T| at a point, (1 - gauge) mu f_N on a patch,
  /// the distance to the bound in use for box and pyramid. Zero while sliding or without friction.
  double slip_margin = 0;   ///< of a bounded row: the distance to the nearer bound
  double lift_margin = 0;   ///< normal impulse left before it lifts: f_N [N s]
  double tip_margin = 0;    ///< of a patch: f_N times the distance of the centre of pressure to the
                            ///< rim [N m s]
  std::optional<Vec2> cop;  ///< of a patch that carries a load
  std::optional<SupportFace> pivot;               ///< what a patch tips about
  std::optional<std::array<BoxBound, 2>> bounds;  ///< of box friction, each axis
  std::optional<BoxBound> bound;                  ///< of a bounded row
};

/// What counts as zero: shares of the largest normal impulse and of the largest velocity. Bounded
/// rows, which may turn or move, have no part in them and are compared with themselves.
struct LabelScales {
  double force = 1;     ///< [N s]
  double velocity = 1;  ///< [m/s]
  double tolerance = tolerance::label;
  /// Of all bodies over the step [N s]: next to a jam, what is no small share of it is still a
  /// load.
  double weight = std::numeric_limits<double>::infinity();
};
[[nodiscard]] LabelScales label_scales(const JudgedContacts& contacts, const VecX& lambda,
                                       const VecX& u);

/// One label per contact, from impulses and the velocities the law sees, u = G λ + b.
[[nodiscard]] std::vector<ContactLabel> labels(const JudgedContacts& contacts, const VecX& lambda,
                                               const VecX& u, const LabelScales& scales);
/// With the problem's own scales.
[[nodiscard]] std::vector<ContactLabel> labels(const DelassusProblem& problem, const VecX& lambda);

/// How far T is from the rim of n C, C the convex hull of the corners; negative outside. Infinite
/// for a C without sides.
[[nodiscard]] double polygon_room(const std::vector<Vec2>& corners, const Vec2& T, double n);

}  // namespace tact
