#include "tact/cone/coulomb.hpp"

#include "tact/cone/planar_cone.hpp"

namespace tact {

namespace {

/// In a metric U'U the cone is the one over a disc of radius mu.
Vec3 project_in_metric(double mu, const Mat3& upper, const Vec3& z) {
  if (mu > 0) return project_on_ellipse_cone(disc_form(Vec2::Zero(), mu), upper, z);
  const Vec2 apex = Vec2::Zero();
  return project_on_polygon_cone({&apex, 1}, upper, z);
}

}  // namespace

Vec3 CoulombCone::project(const Vec3& x, const Metric<3>& metric) const {
  return project_in_metric(mu_, metric.upper(), x);
}

Vec3 CoulombCone::project_dual(const Vec3& x, const Metric<3>& metric) const {
  return project_on_dual(metric, x, [this](const Mat3& upper, const Vec3& z) {
    return project_in_metric(mu_, upper, z);
  });
}

Vec3 CoulombCone::support(const Vec3& direction) const {
  const double size = direction.head<2>().norm();
  if (size == 0) return {0, 0, 1};
  return {mu_ * direction[0] / size, mu_ * direction[1] / size, 1};
}

}  // namespace tact
