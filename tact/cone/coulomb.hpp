// cone/coulomb.hpp - the friction cone of a point contact, and its dual.
//
// Reference: [FrictionM4] stick and slip. Coordinates (t1, t2, n): tangents first, normal last.
#pragma once

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/cone/cone.hpp"

namespace tact {

class CoulombDual;

/// K = { (f_t, f_n) : |f_t| <= mu f_n }.
class CoulombCone {
 public:
  static constexpr int dim = 3;

  CoulombCone() = default;  ///< mu = 0: the frictionless half-line
  explicit CoulombCone(double mu) : mu_(mu) { TACT_EXPECTS(mu >= 0 && std::isfinite(mu)); }

  [[nodiscard]] double mu() const { return mu_; }
  [[nodiscard]] Vec3 project(const Vec3& x) const {
    const double t = x.head<2>().norm();
    const double n = x[2];
    if (n >= 0 && t <= mu_ * n) return x;                // inside K: stick
    if (mu_ * t <= -n) return Vec3::Zero();              // inside -K*: open
    const double f_n = (n + mu_ * t) / (1 + mu_ * mu_);  // on the boundary ray: slip
    return {mu_ * f_n * (x[0] / t), mu_ * f_n * (x[1] / t), f_n};
  }
  [[nodiscard]] Vec3 project(const Vec3& x, const Metric<3>& metric) const;
  /// mu f_n - |f_t|: the tangential force left before the contact slips; never above f_n.
  [[nodiscard]] double margin(const Vec3& x) const {
    return std::min(mu_ * x[2] - x.head<2>().norm(), x[2]);
  }
  /// The generator (mu e, 1), |e| <= 1.
  [[nodiscard]] Vec3 support(const Vec3& direction) const;
  [[nodiscard]] CoulombDual dual() const;
  /// Round about the normal: turning the tangent axes changes nothing.
  [[nodiscard]] CoulombCone turned(double /*angle*/) const { return *this; }

  [[nodiscard]] Vec3 project_dual(const Vec3& x) const { return x + project(-x); }
  [[nodiscard]] Vec3 project_dual(const Vec3& x, const Metric<3>& metric) const;

  bool operator==(const CoulombCone&) const = default;

 private:
  double mu_ = 0;
};

/// K* = { (v_t, v_n) : mu |v_t| <= v_n }.
class CoulombDual {
 public:
  static constexpr int dim = 3;

  CoulombDual() = default;
  explicit CoulombDual(double mu) : primal_(mu) {}

  [[nodiscard]] Vec3 project(const Vec3& x) const { return primal_.project_dual(x); }
  [[nodiscard]] Vec3 project(const Vec3& x, const Metric<3>& metric) const {
    return primal_.project_dual(x, metric);
  }
  [[nodiscard]] double margin(const Vec3& x) const {
    return x[2] - primal_.mu() * x.head<2>().norm();
  }
  /// Of unit length: for mu = 0 the dual has no bounded base.
  [[nodiscard]] Vec3 support(const Vec3& d) const { return support_in_unit_ball(*this, d); }
  [[nodiscard]] CoulombCone dual() const { return primal_; }

  bool operator==(const CoulombDual&) const = default;

 private:
  CoulombCone primal_;
};

inline CoulombDual CoulombCone::dual() const {
  return CoulombDual(mu_);
}

static_assert(Cone<CoulombCone> && Cone<CoulombDual>);

}  // namespace tact
