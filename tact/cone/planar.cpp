#include "tact/cone/planar.hpp"

#include <cmath>

#include "tact/cone/planar_cone.hpp"

namespace tact {

Vec3 PlanarCone::project(const Vec3& x) const {
  return project_on_planar_cone(base_, x);
}

Vec3 PlanarCone::project(const Vec3& x, const Metric<3>& metric) const {
  return project_on_planar_cone(base_, metric.upper(), x);
}

double PlanarCone::margin(const Vec3& x) const {
  return planar_cone_margin(base_, x);
}

Vec3 PlanarCone::support(const Vec3& direction) const {
  return planar_cone_support(base_, direction);
}

PlanarDual PlanarCone::dual() const {
  return PlanarDual(*this);
}

Vec3 PlanarCone::project_dual(const Vec3& x) const {
  return x + project(-x);
}

Vec3 PlanarCone::project_dual(const Vec3& x, const Metric<3>& metric) const {
  return project_on_dual(metric, x, [this](const Mat3& upper, const Vec3& z) {
    return project_on_planar_cone(base_, upper, z);
  });
}

double PlanarCone::dual_margin(const Vec3& x) const {
  return planar_dual_margin(base_, x);
}

PlanarCone PlanarCone::turned(double angle) const {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat2 to_turned_axes;
  to_turned_axes << c, s, -s, c;
  return PlanarCone(base_.mapped(to_turned_axes, Vec2::Zero()));
}

}  // namespace tact
