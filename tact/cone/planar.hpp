// cone/planar.hpp - the cone R+ (C x {1}) over a convex set C of the plane, as a value, and its
// dual.
//
// Coordinates (x_t1, x_t2, x_n): the tangents first, the normal last. Box and pyramid friction are
// such cones (box.hpp, pyramid.hpp); the patch cone is one over the turned patch (patch.hpp).
#pragma once

#include "tact/cone/cone.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

class PlanarDual;

/// K = { (s, f) : f >= 0, s in f C }.
class PlanarCone {
 public:
  static constexpr int dim = 3;

  PlanarCone() = default;  ///< C = {0}: the frictionless half-line
  explicit PlanarCone(PlanarSet base) : base_(std::move(base)) {}

  [[nodiscard]] const PlanarSet& base() const { return base_; }
  /// To be changed in place, where memory is to be used again.
  [[nodiscard]] PlanarSet& base() { return base_; }

  [[nodiscard]] Vec3 project(const Vec3& x) const;
  [[nodiscard]] Vec3 project(const Vec3& x, const Metric<3>& metric) const;
  /// min over unit vectors n of x_n h_C(n) - n.x_t.
  [[nodiscard]] double margin(const Vec3& x) const;
  /// The generator (c, 1), c in C.
  [[nodiscard]] Vec3 support(const Vec3& direction) const;
  [[nodiscard]] PlanarDual dual() const;

  /// P_{K*} without making the dual: no copy, no allocation.
  [[nodiscard]] Vec3 project_dual(const Vec3& x) const;
  [[nodiscard]] Vec3 project_dual(const Vec3& x, const Metric<3>& metric) const;
  /// min over c in C of x_n + c.x_t.
  [[nodiscard]] double dual_margin(const Vec3& x) const;

  /// The same cone seen from axes turned by `angle` about the normal.
  [[nodiscard]] PlanarCone turned(double angle) const;

  bool operator==(const PlanarCone&) const = default;

 private:
  PlanarSet base_;
};

/// K* = { (g, v) : v + g.x >= 0 for every x in C }.
class PlanarDual {
 public:
  static constexpr int dim = 3;

  PlanarDual() = default;
  explicit PlanarDual(PlanarCone primal) : primal_(std::move(primal)) {}

  [[nodiscard]] Vec3 project(const Vec3& x) const { return primal_.project_dual(x); }
  [[nodiscard]] Vec3 project(const Vec3& x, const Metric<3>& metric) const {
    return primal_.project_dual(x, metric);
  }
  [[nodiscard]] double margin(const Vec3& x) const { return primal_.dual_margin(x); }
  /// Of unit length: the dual of a flat set has no bounded base.
  [[nodiscard]] Vec3 support(const Vec3& d) const { return support_in_unit_ball(*this, d); }
  [[nodiscard]] const PlanarCone& dual() const { return primal_; }

  bool operator==(const PlanarDual&) const = default;

 private:
  PlanarCone primal_;
};

static_assert(Cone<PlanarCone> && Cone<PlanarDual>);

}  // namespace tact
