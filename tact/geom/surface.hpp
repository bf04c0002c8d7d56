// geom/surface.hpp - smooth surfaces with their Gauss map: what compliant contact is made between.
//
// A surface bounds a solid; n is its outward unit normal and dn = g_* the derivative of n along the
// surface, a symmetric 3x3 matrix with dn n = 0, positive where the solid is convex. Everything is
// in the frame of the body that the surface belongs to, in metres. [Stramigioli] sec. 2.3
//
// Implicit forms, F < 0 inside:  n = ∇F/|∇F|,      dn = P ∇²F P/|∇F|,  P = 1 - n nᵀ. The P on the
//                                right makes n constant along the normal, as (15) wants it.
// Charts f(u, v):                n = fu × fv/|·|,  dn = -G II Gᵀ,  II_ij = f_ij · n,  with the
//                                inverse tangent mapping Gᵀ = (FᵀF)⁻¹Fᵀ of F = [fu fv].
// [Stramigioli] (13)-(15); the last entry of (15) must be 0, for normals are not translated.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <variant>

#include "tact/base/result.hpp"
#include "tact/geom/nurbs_patch.hpp"
#include "tact/geom/shape.hpp"
#include "tact/geom/spline_heights.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// A point of a surface and the geometry around it.
struct SurfacePoint {
  Vec3 p = Vec3::Zero();
  Vec3 n = Vec3::UnitZ();  ///< outward
  Mat3 dn = Mat3::Zero();  ///< dn n = 0, > 0 convex [1/m]
  Vec2 uv = Vec2::Zero();  ///< of surfaces with a chart: where on it
};

/// The solid normal · x <= offset.
struct PlaneSurface {
  Vec3 normal = Vec3::UnitZ();  ///< unit
  double offset = 0;
};

struct SphereSurface {
  double radius = 1;
};

struct EllipsoidSurface {
  Vec3 semi_axes = Vec3::Ones();
};

/// (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1, 0 < e1, e2 <= 1. Flat where a
/// coordinate vanishes and its exponent is below 1. With e1 = 1 and e2 < 1 the poles ±z have no dn.
struct SuperellipsoidSurface {
  Vec3 semi_axes = Vec3::Ones();
  double e1 = 1;  ///< towards the z axis
  double e2 = 1;  ///< about the z axis
};

/// A tube of radius `tube` about a circle of radius `ring`, about the axis through the origin.
struct TorusSurface {
  double ring = 2;
  double tube = 1;
  Vec3 axis = Vec3::UnitZ();  ///< unit
};

/// Without ends.
struct CylinderSurface {
  double radius = 1;
  Vec3 axis = Vec3::UnitZ();  ///< unit
};

/// All within `radius` of a segment of 2 half_length about the origin. dn jumps where the caps
/// begin.
struct CapsuleSurface {
  double radius = 1;
  double half_length = 1;
  Vec3 axis = Vec3::UnitZ();  ///< unit
};

/// The solid z <= h(x, y).
struct HeightSurface {
  std::function<HeightJet(double x, double y)> height;
  /// There is a surface for |x|, |y| up to this [m].
  Vec2 half_size = Vec2::Constant(std::numeric_limits<double>::infinity());
};

/// The same from a grid of heights, by a bicubic spline: no edges between cells.
struct SplineHeightSurface {
  std::shared_ptr<const SplineHeights> heights;
};

/// A patch that the user gives with its derivatives; fu × fv points outward.
struct ParametricSurface {
  std::function<PatchJet(double u, double v)> patch;
  Vec2 lower = Vec2::Zero(), upper = Vec2::Ones();  ///< of u and v
  bool closed_u = false, closed_v = false;          ///< upper and lower are the same line
};

/// Degree, knots, control points and weights; fu × fv points outward.
struct NurbsSurface {
  std::shared_ptr<const NurbsPatch> patch;
};

/// F, its gradient and its second derivatives at a point.
struct ImplicitJet {
  double F = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();
};

/// The solid F <= 0.
struct ImplicitSurface {
  std::function<ImplicitJet(const Vec3& p)> function;
  /// There is a surface within this distance of the origin [m].
  double reach = std::numeric_limits<double>::infinity();
};

using SurfaceForm =
    std::variant<PlaneSurface, SphereSurface, EllipsoidSurface, SuperellipsoidSurface, TorusSurface,
                 CylinderSurface, CapsuleSurface, HeightSurface, SplineHeightSurface,
                 ParametricSurface, NurbsSurface, ImplicitSurface>;

/// A form, or the solid outside it: a bowl is a sphere inside out.
struct Surface {
  SurfaceForm form;
  bool inside_out = false;
};

/// The surface if its numbers describe one, else a sentence that says which number does not. What
/// follows expects a surface that has passed.
[[nodiscard]] Result<Surface> checked(Surface surface);

/// The smooth surface of a shape: of the flat-ended cylinder its mantle, which says nothing about
/// its ends; of a height field the spline through its heights; none of boxes and meshes.
[[nodiscard]] std::optional<Surface> smooth_surface(const Shape& shape);

/// Moves `at` to a point of the surface near to `near`, to `near` itself if that lies on the
/// surface. Charts start from at.uv. False, and `at` untouched, where there is none: beyond the
/// edge of a patch, at the centre of a sphere.
[[nodiscard]] bool project(const Surface& surface, const Vec3& near, SurfacePoint& at);

/// One step along the surface: to at.p + step + O(step²), at.n · step = 0. What tracking does, and
/// cheaper than project.
[[nodiscard]] bool slide(const Surface& surface, const Vec3& step, SurfacePoint& at);

}  // namespace tact
