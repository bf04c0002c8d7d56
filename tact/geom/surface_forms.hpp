// geom/surface_forms.hpp - each form of a surface at one of its points; inside out is the caller's.
//
// place() moves a point to the surface, near to `near`; step() goes on from a point of the surface.
// Both leave the point alone and say false where there is no surface.
#pragma once

#include "tact/geom/surface.hpp"

namespace tact::detail {

[[nodiscard]] bool place(const PlaneSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const SphereSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const EllipsoidSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const SuperellipsoidSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const TorusSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const CylinderSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const CapsuleSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const HeightSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const SplineHeightSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const ParametricSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const NurbsSurface& form, const Vec3& near, SurfacePoint& at);
[[nodiscard]] bool place(const ImplicitSurface& form, const Vec3& near, SurfacePoint& at);

[[nodiscard]] bool step(const ParametricSurface& form, const Vec3& delta, SurfacePoint& at);
[[nodiscard]] bool step(const NurbsSurface& form, const Vec3& delta, SurfacePoint& at);
template <class Form>
[[nodiscard]] bool step(const Form& form, const Vec3& delta, SurfacePoint& at) {
  return place(form, at.p + delta, at);
}

/// The point (u, v) of a chart.
[[nodiscard]] bool place_at(const ParametricSurface& form, const Vec2& uv, SurfacePoint& at);
[[nodiscard]] bool place_at(const NurbsSurface& form, const Vec2& uv, SurfacePoint& at);

}  // namespace tact::detail
