#include "tact/geom/surface.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "tact/base/tolerance.hpp"
#include "tact/geom/surface_forms.hpp"

namespace tact {

namespace {

using Fault = std::optional<Error>;

Fault unless(bool good, const char* sentence) {
  if (good) return std::nullopt;
  return Error{Errc::value, sentence};
}

bool positive(double x) {
  return x > 0 && std::isfinite(x);
}
bool unit(const Vec3& x) {
  return std::abs(x.norm() - 1) <= tolerance::rounding;
}

Fault fault_of(const PlaneSurface& s) {
  if (auto fault = unless(unit(s.normal), "the normal of a plane must be a unit vector"))
    return fault;
  return unless(std::isfinite(s.offset), "the offset of a plane is not finite");
}
Fault fault_of(const SphereSurface& s) {
  return unless(positive(s.radius), "the radius of a sphere must be positive");
}
Fault fault_of(const EllipsoidSurface& s) {
  return unless(s.semi_axes.allFinite() && s.semi_axes.minCoeff() > 0,
                "the semi-axes of an ellipsoid must be positive");
}
Fault fault_of(const SuperellipsoidSurface& s) {
  if (auto fault = unless(s.semi_axes.allFinite() && s.semi_axes.minCoeff() > 0,
                          "the semi-axes of a superellipsoid must be positive"))
    return fault;
  return unless(s.e1 > 0 && s.e1 <= 1 && s.e2 > 0 && s.e2 <= 1,
                "the exponents e1, e2 of a superellipsoid must lie above 0 and not above 1: beyond "
                "1 it has edges");
}
Fault fault_of(const TorusSurface& s) {
  if (auto fault = unless(positive(s.tube) && positive(s.ring) && s.tube < s.ring,
                          "a torus needs 0 < tube radius < ring radius: else it cuts itself"))
    return fault;
  return unless(unit(s.axis), "the axis of a torus must be a unit vector");
}
Fault fault_of(const CylinderSurface& s) {
  if (auto fault = unless(positive(s.radius), "the radius of a cylinder must be positive"))
    return fault;
  return unless(unit(s.axis), "the axis of a cylinder must be a unit vector");
}
Fault fault_of(const CapsuleSurface& s) {
  if (auto fault = unless(positive(s.radius), "the radius of a capsule must be positive"))
    return fault;
  if (auto fault = unless(s.half_length >= 0 && std::isfinite(s.half_length),
                          "the half length of a capsule must not be negative"))
    return fault;
  return unless(unit(s.axis), "the axis of a capsule must be a unit vector");
}
Fault fault_of(const HeightSurface& s) {
  if (auto fault = unless(static_cast<bool>(s.height), "a height surface needs its function"))
    return fault;
  return unless(s.half_size.minCoeff() > 0, "the half sizes of a height surface must be positive");
}
Fault fault_of(const SplineHeightSurface& s) {
  return unless(s.heights != nullptr, "a spline of heights needs its grid");
}
Fault fault_of(const ParametricSurface& s) {
  if (auto fault = unless(static_cast<bool>(s.patch), "a parametric surface needs its function"))
    return fault;
  return unless(s.lower.allFinite() && s.upper.allFinite() && (s.upper - s.lower).minCoeff() > 0,
                "the range of u and v of a parametric surface is empty");
}
Fault fault_of(const NurbsSurface& s) {
  if (s.patch == nullptr) return Error{Errc::value, "a NURBS surface needs its patch"};
  return fault_of(*s.patch);
}
Fault fault_of(const ImplicitSurface& s) {
  if (auto fault = unless(static_cast<bool>(s.function), "an implicit surface needs its function"))
    return fault;
  return unless(s.reach > 0, "the reach of an implicit surface must be positive");
}

void turn(SurfacePoint& at) {
  at.n = -at.n;
  at.dn = -at.dn;
}

struct SmoothForm {
  std::optional<SurfaceForm> operator()(const HalfSpace&) const { return PlaneSurface{}; }
  std::optional<SurfaceForm> operator()(const Sphere& s) const { return SphereSurface{s.radius}; }
  std::optional<SurfaceForm> operator()(const Capsule& s) const {
    return CapsuleSurface{s.radius, s.half_length};
  }
  std::optional<SurfaceForm> operator()(const Cylinder& s) const {
    return CylinderSurface{s.radius};
  }
  std::optional<SurfaceForm> operator()(const Ellipsoid& s) const {
    return EllipsoidSurface{s.semi_axes};
  }
  std::optional<SurfaceForm> operator()(const HeightField& s) const {
    if (s.grid == nullptr) return std::nullopt;
    auto spline = spline_through(*s.grid);
    if (!spline) return std::nullopt;
    return SplineHeightSurface{std::make_shared<const SplineHeights>(*std::move(spline))};
  }
  template <class Edged>
  std::optional<SurfaceForm> operator()(const Edged&) const {
    return std::nullopt;
  }
};

}  // namespace

Result<Surface> checked(Surface surface) {
  if (auto fault = std::visit([](const auto& form) { return fault_of(form); }, surface.form))
    return *std::move(fault);
  return surface;
}

std::optional<Surface> smooth_surface(const Shape& shape) {
  if (auto form = std::visit(SmoothForm{}, shape)) return Surface{*std::move(form), false};
  return std::nullopt;
}

bool project(const Surface& surface, const Vec3& near, SurfacePoint& at) {
  const bool placed =
      std::visit([&](const auto& form) { return detail::place(form, near, at); }, surface.form);
  if (placed && surface.inside_out) turn(at);
  return placed;
}

bool slide(const Surface& surface, const Vec3& step, SurfacePoint& at) {
  const bool placed =
      std::visit([&](const auto& form) { return detail::step(form, step, at); }, surface.form);
  if (placed && surface.inside_out) turn(at);
  return placed;
}

}  // namespace tact
