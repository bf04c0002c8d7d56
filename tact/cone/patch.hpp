// cone/patch.hpp - the planar Signorini condition: one cone for a whole contact face.
//
//     K_P ∋ [m_T, f_N]  ⟂  [ω_T, v_N] ∈ K_P*                                      [MontMarin25]
//     (2), (17)
//
// Reference: [MontMarin25]. Notation: P the patch, C(P) its hull, x^perp = [x_y, -x_x], P^perp the
// turned patch; m_T [N m] and f_N [N] moment and force of the normal pressure about the origin of
// the patch frame, ω_T [rad/s] and v_N [m/s] the twist that opens or closes the contact. Errata:
// docs/errata.md, MontMarin25 (9) and (19).
#pragma once

#include "tact/cone/planar.hpp"
#include "tact/cone/planar_cone.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

class PatchDual;

/// K_P = R+ (C(P^perp) x {1}). [MontMarin25] (10)
/// In K_P iff a non-negative pressure on P has this moment and force: [MontMarin25] (9), with f_N >
/// 0 in its first case, and [MontMarin25] (11).
class PatchCone {
 public:
  static constexpr int dim = 3;

  PatchCone() = default;  ///< P = {0}: Signorini's law at a point
  explicit PatchCone(const PlanarSet& hull)
      : hull_(hull), cone_(hull.mapped(turn(), Vec2::Zero())) {}

  /// Becomes the cone of a patch with these corners; see PlanarSet::assign_polygon.
  [[nodiscard]] bool assign_polygon(std::span<const Vec2> corners) {
    if (hull_.has_corners(corners)) return true;  // as in the last step, where it rests
    if (!hull_.assign_polygon(corners)) return false;
    cone_.base().assign_mapped(hull_, turn(), Vec2::Zero());
    return true;
  }
  /// The same for a round patch; see PlanarSet::assign_ellipse.
  [[nodiscard]] bool assign_ellipse(const EllipseForm& form) {
    if (hull_.is_ellipse(form)) return true;
    if (!hull_.assign_ellipse(form)) return false;
    cone_.base().assign_mapped(hull_, turn(), Vec2::Zero());
    return true;
  }

  [[nodiscard]] const PlanarSet& hull() const { return hull_; }  ///< C(P), patch frame
  [[nodiscard]] const PlanarSet& turned_hull() const { return cone_.base(); }  ///< C(P^perp)

  [[nodiscard]] Vec3 project(const Vec3& wrench) const { return cone_.project(wrench); }
  [[nodiscard]] Vec3 project(const Vec3& wrench, const Metric<3>& metric) const {
    return cone_.project(wrench, metric);
  }
  /// The same in the metric U'U, U upper triangular: for hot loops that keep the factor alone.
  [[nodiscard]] Vec3 project(const Vec3& wrench, const Mat3& upper) const {
    return project_on_planar_cone(cone_.base(), upper, wrench);
  }
  /// f_N times the distance of the centre of pressure to the rim [N m]; negative outside.
  [[nodiscard]] double margin(const Vec3& wrench) const { return cone_.margin(wrench); }
  /// The wrench [x^perp, 1] of a unit force at the point x of C(P) that maximises its power with d.
  [[nodiscard]] Vec3 support(const Vec3& d) const { return cone_.support(d); }
  [[nodiscard]] PatchDual dual() const;

  /// P_{K_P*} of a twist [ω_T, v_N], without making the dual.
  [[nodiscard]] Vec3 project_dual(const Vec3& twist) const { return cone_.project_dual(twist); }
  [[nodiscard]] Vec3 project_dual(const Vec3& twist, const Metric<3>& metric) const {
    return cone_.project_dual(twist, metric);
  }
  /// The least normal velocity on the patch [m/s]: min over x in P of v_N + ω_T.x^perp.
  /// [MontMarin25] (12), (13), (14)
  [[nodiscard]] double dual_margin(const Vec3& twist) const { return cone_.dual_margin(twist); }

  /// The same cone seen from a frame of the same plane, its origin at `origin`, its axes turned by
  /// `angle` about the normal. Wrenches and twists follow with change_frame below.
  [[nodiscard]] PatchCone in_frame(const Vec2& origin, double angle) const;

  bool operator==(const PatchCone&) const = default;

 private:
  static Mat2 turn() {
    Mat2 m;
    m << 0, 1, -1, 0;
    return m;
  }

  PlanarSet hull_;
  PlanarCone cone_;  ///< over P^perp
};

/// K_P* = { [ω_T, v_N] : v_N(x) >= 0 for every x in P }. [MontMarin25] Lemma 2
class PatchDual {
 public:
  static constexpr int dim = 3;

  PatchDual() = default;
  explicit PatchDual(PatchCone primal) : primal_(std::move(primal)) {}

  [[nodiscard]] Vec3 project(const Vec3& twist) const { return primal_.project_dual(twist); }
  [[nodiscard]] Vec3 project(const Vec3& twist, const Metric<3>& metric) const {
    return primal_.project_dual(twist, metric);
  }
  [[nodiscard]] double margin(const Vec3& twist) const { return primal_.dual_margin(twist); }
  /// Of unit length: the dual of a segment or a point has no bounded base.
  [[nodiscard]] Vec3 support(const Vec3& d) const { return support_in_unit_ball(*this, d); }
  [[nodiscard]] const PatchCone& dual() const { return primal_; }

  bool operator==(const PatchDual&) const = default;

 private:
  PatchCone primal_;
};

inline PatchDual PatchCone::dual() const {
  return PatchDual(*this);
}

static_assert(Cone<PatchCone> && Cone<PatchDual>);

/// [m_T, f_N] seen from the frame of in_frame: the moment is taken about the new origin, (7).
[[nodiscard]] Vec3 change_frame_of_normal_wrench(const Vec3& wrench, const Vec2& origin,
                                                 double angle);
/// [ω_T, v_N] seen from the frame of in_frame. The product of the two is the same in every frame.
[[nodiscard]] Vec3 change_frame_of_normal_twist(const Vec3& twist, const Vec2& origin,
                                                double angle);

}  // namespace tact
