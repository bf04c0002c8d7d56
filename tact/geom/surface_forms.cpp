#include "tact/geom/surface_forms.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact::detail {

namespace {

/// n and dn of a level set with the given gradient and second derivatives: dn = P H P/|g|.
void curve_level(const Vec3& gradient, const Mat3& hessian, SurfacePoint& at) {
  const double inverse = 1 / gradient.norm();
  at.n = inverse * gradient;
  const Vec3 w = inverse * (hessian * at.n);
  const double s = at.n.dot(w);
  at.dn =
      inverse * hessian - at.n * w.transpose() - w * at.n.transpose() + s * at.n * at.n.transpose();
}

/// A ball about `centre`.
bool on_ball(const Vec3& centre, double radius, const Vec3& near, SurfacePoint& at) {
  const Vec3 arm = near - centre;
  const double length = arm.norm();
  if (!(length > 0)) return false;
  at.n = arm / length;
  at.p = centre + radius * at.n;
  at.dn = (Mat3::Identity() - at.n * at.n.transpose()) / radius;
  return true;
}

/// A point at height z along the axis, and the way out from it.
bool on_mantle(const Vec3& axis, double radius, double z, const Vec3& near, SurfacePoint& at) {
  const Vec3 out = near - z * axis;
  const double length = out.norm();
  if (!(length > 0)) return false;
  at.n = out / length;
  at.p = z * axis + radius * at.n;
  at.dn = (Mat3::Identity() - at.n * at.n.transpose() - axis * axis.transpose()) / radius;
  return true;
}

/// The q-norm (|x|^q + |y|^q)^(1/q), q >= 2, with its derivatives, the second ones times the norm:
/// these stay finite where the norm vanishes. There the direction (1, 0) stands for all.
struct PowerNorm {
  double value = 0;
  Vec2 gradient = Vec2::Zero();
  Mat2 bend = Mat2::Zero();  ///< norm times second derivative
};

PowerNorm power_norm(double x, double y, double q) {
  const double largest = std::max(std::abs(x), std::abs(y));
  if (!(largest > 0)) return {0, Vec2::UnitX(), Vec2(0, q == 2 ? 1 : 0).asDiagonal()};
  const Vec2 scaled = Vec2(std::abs(x), std::abs(y)) / largest;
  PowerNorm norm;
  const double sum = std::pow(scaled[0], q) + std::pow(scaled[1], q);
  const double root = std::pow(sum, 1 / q);
  norm.value = largest * root;
  const Vec2 share = scaled / root;
  const Vec2 thin(std::pow(share[0], q - 2), std::pow(share[1], q - 2));
  const Vec2 slope = thin.cwiseProduct(share);
  norm.gradient = {std::copysign(slope[0], x), std::copysign(slope[1], y)};
  norm.bend = (q - 1) * (Mat2(thin.asDiagonal()) - norm.gradient * norm.gradient.transpose());
  return norm;
}

void on_heights(const HeightJet& jet, const Vec3& near, SurfacePoint& at) {
  at.p = {near[0], near[1], jet.h};
  Mat3 hessian = Mat3::Zero();
  hessian.topLeftCorner<2, 2>() << -jet.hxx, -jet.hxy, -jet.hxy, -jet.hyy;
  curve_level({-jet.hx, -jet.hy, 1}, hessian, at);
}

bool beyond(const Vec3& p, const Vec2& half_size) {
  return !(std::abs(p[0]) <= half_size[0] && std::abs(p[1]) <= half_size[1]);
}

}  // namespace

bool place(const PlaneSurface& form, const Vec3& near, SurfacePoint& at) {
  at.n = form.normal;
  at.p = near + (form.offset - form.normal.dot(near)) * form.normal;
  at.dn.setZero();
  return true;
}

bool place(const SphereSurface& form, const Vec3& near, SurfacePoint& at) {
  return on_ball(Vec3::Zero(), form.radius, near, at);
}

bool place(const EllipsoidSurface& form, const Vec3& near, SurfacePoint& at) {
  const Vec3 inverse = form.semi_axes.cwiseInverse();
  const Vec3 d = inverse.cwiseProduct(inverse);
  const Vec3 q = near.cwiseProduct(d);
  const double squared = near.dot(q);
  if (!(squared > 0)) return false;
  const double size = std::sqrt(squared);
  const double shrink = 1 / q.norm();
  at.p = near / size;
  at.n = shrink * q;
  const double h = size * shrink;  // 1/|q| of the point itself
  const Vec3 w = h * d.cwiseProduct(at.n);
  const Vec3 m = w - at.n.dot(w) / 2 * at.n;  // n wᵀ + w nᵀ - s n nᵀ = n mᵀ + m nᵀ
  const Mat3 product = at.n * m.transpose();
  at.dn = -product - product.transpose();
  at.dn.diagonal() += h * d;
  return true;
}

// The gauge G = |(ρ, z/c)| of the exponent 2/e1 with ρ = |(x/a, y/b)| of the exponent 2/e2 is a
// norm: G = 1 on the surface, and dividing by it leads there.
bool place(const SuperellipsoidSurface& form, const Vec3& near, SurfacePoint& at) {
  const Vec3 inverse = form.semi_axes.cwiseInverse();
  const Vec3 x = near.cwiseProduct(inverse);
  const double q1 = 2 / form.e1;
  const PowerNorm ring = power_norm(x[0], x[1], 2 / form.e2);
  const PowerNorm gauge = power_norm(ring.value, x[2], q1);
  if (!(gauge.value > 0)) return false;
  at.p = near / gauge.value;
  Vec3 gradient;
  gradient << gauge.gradient[0] * ring.gradient, gauge.gradient[1];
  // Everything below is taken at the point itself, where G = 1; G_ρ/ρ = ρ^(q1 - 2) there.
  const double rate = std::pow(ring.value / gauge.value, q1 - 2);
  Mat3 hessian;
  hessian.topLeftCorner<2, 2>() =
      rate * ring.bend + gauge.bend(0, 0) * ring.gradient * ring.gradient.transpose();
  hessian.topRightCorner<2, 1>() = gauge.bend(0, 1) * ring.gradient;
  hessian.bottomLeftCorner<1, 2>() = hessian.topRightCorner<2, 1>().transpose();
  hessian(2, 2) = gauge.bend(1, 1);
  curve_level(gradient.cwiseProduct(inverse), inverse.asDiagonal() * hessian * inverse.asDiagonal(),
              at);
  return true;
}

bool place(const TorusSurface& form, const Vec3& near, SurfacePoint& at) {
  const Vec3& axis = form.axis;
  const Vec3 flat = near - axis.dot(near) * axis;
  const double radius = flat.norm();
  if (!(radius > 0)) return false;
  const Vec3 out = flat / radius;
  const Vec3 arm = near - form.ring * out;
  const double length = arm.norm();
  if (!(length > 0)) return false;
  at.n = arm / length;
  at.p = form.ring * out + form.tube * at.n;
  const double cosine = at.n.dot(out);
  const Vec3 around = axis.cross(out);
  const Vec3 across = around.cross(at.n);
  at.dn = across * across.transpose() / form.tube +
          cosine / (form.ring + form.tube * cosine) * around * around.transpose();
  return true;
}

bool place(const CylinderSurface& form, const Vec3& near, SurfacePoint& at) {
  return on_mantle(form.axis, form.radius, form.axis.dot(near), near, at);
}

bool place(const CapsuleSurface& form, const Vec3& near, SurfacePoint& at) {
  const double z = form.axis.dot(near);
  if (std::abs(z) <= form.half_length) return on_mantle(form.axis, form.radius, z, near, at);
  return on_ball(std::copysign(form.half_length, z) * form.axis, form.radius, near, at);
}

bool place(const HeightSurface& form, const Vec3& near, SurfacePoint& at) {
  if (beyond(near, form.half_size)) return false;
  on_heights(form.height(near[0], near[1]), near, at);
  return true;
}

bool place(const SplineHeightSurface& form, const Vec3& near, SurfacePoint& at) {
  if (beyond(near, form.heights->half_size)) return false;
  on_heights(evaluate(*form.heights, near[0], near[1]), near, at);
  return true;
}

bool place(const ImplicitSurface& form, const Vec3& near, SurfacePoint& at) {
  constexpr int most = 60;
  Vec3 p = near;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most; ++i) {
    const ImplicitJet jet = form.function(p);
    const double slope = jet.gradient.norm();
    if (!(slope > 0) || !(p.norm() <= form.reach) || !std::isfinite(jet.F)) return false;
    const double way = std::abs(jet.F) / slope;
    const double scale = p.norm();
    // At rounding, or as near as the function's own noise lets one come.
    if (way <= tolerance::epsilon * scale ||
        (way <= tolerance::quadratic * scale && way >= last / 2)) {
      at.p = p;
      curve_level(jet.gradient, jet.hessian, at);
      return true;
    }
    p -= jet.F / (slope * slope) * jet.gradient;
    last = way;
  }
  return false;
}

}  // namespace tact::detail
