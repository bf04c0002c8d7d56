// geom/surface.hpp - smooth surfaces with their Gauss map: what compliant contact is made between.
//
// A surface bounds a solid; n is its outward unit normal and dn = g_* the derivative of n along the
// surface, a symmetric 3x3 matrix with dn n = 0, positive where the solid is convex [Stramigioli]
// (12)-(15). Everything is in the frame of the body that the surface belongs to, in metres.
//
// Implicit forms, F < 0 inside:  n = ∇F/|∇F|,      dn = P ∇²F P/|∇F|,  P = 1 - n nᵀ; without the P
//                                on the left dn would be the plain derivative of n on the right
//                                only.
// Charts f(u, v):                n = fu × fv/|·|,  dn = -F I⁻¹ II I⁻¹ Fᵀ, F = [fu fv], I = FᵀF,
//                                II_ij = f_ij · n.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

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
/// coordinate vanishes and its exponent is below 1.
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
  Vec2 half_size = Vec2::Ones();  ///< where points are looked for: |x|, |y| up to this [m]
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
  double reach = 1;  ///< points are looked for within this distance of the origin [m]
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
/// its ends; none of boxes, meshes and triangulated height fields.
[[nodiscard]] std::optional<Surface> smooth_surface(const Shape& shape);

/// Moves `at` to the point of the surface that `near` is drawn to: the point itself if it lies on
/// the surface, to first order the nearest one else. Charts start from at.uv. False, and `at`
/// untouched, where there is none: beyond the edge of a patch, at the centre of a sphere.
[[nodiscard]] bool project(const Surface& surface, const Vec3& near, SurfacePoint& at);

/// One step along the surface: to at.p + step + O(step²), at.n · step = 0. What tracking does, and
/// cheaper than project.
[[nodiscard]] bool slide(const Surface& surface, const Vec3& step, SurfacePoint& at);

/// The derivative of dn along the tangent t, a symmetric matrix per metre squared: eᵀ(·)e' is the
/// rate of eᵀ dn e' for tangents that are carried along parallel. In closed form for planes,
/// spheres, cylinders, capsules, ellipsoids and tori, by central differences for the others.
[[nodiscard]] Mat3 curvature_rate(const Surface& surface, const SurfacePoint& at, const Vec3& t);

/// Eigenvalues of dn in the tangent plane, ascending, and their directions; e1 × e2 = n.
struct PrincipalCurvatures {
  Vec2 kappa = Vec2::Zero();  ///< [1/m], > 0 convex
  Vec3 e1 = Vec3::UnitX(), e2 = Vec3::UnitY();
};
[[nodiscard]] PrincipalCurvatures principal_curvatures(const SurfacePoint& at);

/// (κ1 + κ2)/2 and κ1 κ2.
[[nodiscard]] double mean_curvature(const SurfacePoint& at);
[[nodiscard]] double gauss_curvature(const SurfacePoint& at);

/// The radius-curvature quadric { x in the tangent plane : xᵀ dn x = 1 }: radii 1/√κ along the
/// principal directions, infinite along flat ones and none along hollow ones. Radii of two bodies
/// do not add, as [Stramigioli] (28) has it, but the forms do: a plane adds zero.
struct CurvatureQuadric {
  Vec2 radii = Vec2::Zero();  ///< [√m]; infinite: flat; NaN: hollow
  PrincipalCurvatures principal;
};
[[nodiscard]] CurvatureQuadric curvature_quadric(const SurfacePoint& at);

/// dn > 0 on the tangent plane. [Stramigioli] (12), (13)
[[nodiscard]] bool absolutely_convex(const SurfacePoint& at);

/// dn_1 + R_12 dn_2 R_12ᵀ > 0 on the common tangent plane of points that face each other.
/// [Stramigioli] (14), (15), whose last entry must be 0 for normals, which are not translated.
[[nodiscard]] bool relatively_convex(const SurfacePoint& one, const SurfacePoint& two,
                                     const Mat3& R_12);

/// The solid is convex, and bounded but for planes and cylinders: it has a support function.
[[nodiscard]] bool is_convex(const Surface& surface);

/// The farthest point along d ≠ 0, in closed form; of a plane only along its normal and of a
/// cylinder only across its axis, none along others. Expects is_convex.
[[nodiscard]] std::optional<Vec3> support_point(const Surface& surface, const Vec3& d);

/// No point of the surface that anyone looks for is farther from the origin; infinite for planes
/// and cylinders.
[[nodiscard]] double extent(const Surface& surface);

/// About `count` points spread over the surface, over what lies within `reach` of `centre` where it
/// is unbounded.
[[nodiscard]] std::vector<SurfacePoint> spread_points(const Surface& surface, Index count,
                                                      const Vec3& centre, double reach);

}  // namespace tact
