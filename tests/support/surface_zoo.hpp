// tests/support/surface_zoo.hpp - one random smooth surface of every kind, and points on it.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include <Eigen/Geometry>

#include "tact/geom/surface.hpp"
#include "tact/geom/surface_support.hpp"
#include "tests/support/motions.hpp"

namespace tact::testing {

inline constexpr int surface_kinds = 12;
inline constexpr int convex_surface_kinds = 6;  ///< the first ones

inline std::string surface_name(int kind) {
  constexpr std::array<const char*, surface_kinds> names{
      "plane", "sphere", "ellipsoid", "superellipsoid", "cylinder", "capsule",
      "torus", "waves",  "spline",    "parametric",     "nurbs",    "implicit"};
  return names[kind];
}

/// h = a (cos k x + sin l y) + b x y
inline HeightSurface saddle_waves(double a, double k, double l, double b) {
  return {[=](double x, double y) {
            return HeightJet{a * (std::cos(k * x) + std::sin(l * y)) + b * x * y,
                             -a * k * std::sin(k * x) + b * y,
                             a * l * std::cos(l * y) + b * x,
                             -a * k * k * std::cos(k * x),
                             b,
                             -a * l * l * std::sin(l * y)};
          },
          Vec2(0.5, 0.5)};
}

/// A torus given by its angles.
inline ParametricSurface torus_chart(double ring, double tube) {
  const double full = 2 * std::numbers::pi;
  return {[=](double u, double v) {
            const Vec3 out(std::cos(u), std::sin(u), 0);
            const Vec3 side(-std::sin(u), std::cos(u), 0);
            const double r = ring + tube * std::cos(v);
            PatchJet jet;
            jet.f = r * out + tube * std::sin(v) * Vec3::UnitZ();
            jet.fu = r * side;
            jet.fv = -tube * std::sin(v) * out + tube * std::cos(v) * Vec3::UnitZ();
            jet.fuu = -r * out;
            jet.fuv = -tube * std::sin(v) * side;
            jet.fvv = -tube * std::cos(v) * out - tube * std::sin(v) * Vec3::UnitZ();
            return jet;
          },
          Vec2::Zero(), Vec2(full, full), true, true};
}

/// Σ (x_i/a_i)² = 1 + c x y z/(a_1 a_2 a_3): an ellipsoid that is dented.
inline ImplicitSurface dented_ellipsoid(const Vec3& a, double c) {
  return {[=](const Vec3& p) {
            const Vec3 x = p.cwiseQuotient(a);
            ImplicitJet jet;
            jet.F = x.squaredNorm() - 1 - c * x.prod();
            const Vec3 others(x[1] * x[2], x[2] * x[0], x[0] * x[1]);
            jet.gradient = (2 * x - c * others).cwiseQuotient(a);
            jet.hessian << 2, -c * x[2], -c * x[1], -c * x[2], 2, -c * x[0], -c * x[1], -c * x[0],
                2;
            const Vec3 inverse = a.cwiseInverse();
            jet.hessian = inverse.asDiagonal() * jet.hessian * inverse.asDiagonal();
            return jet;
          },
          3 * a.norm()};
}

/// A cubic by quadratic patch over a bumpy net with uneven knots and weights; outward is upward.
inline NurbsPatch bumpy_patch(Rng& rng, double size) {
  NurbsPatch patch;
  patch.degree_u = 3;
  patch.degree_v = 4;
  patch.count_u = 6;
  patch.count_v = 7;
  patch.knots_u = {0, 0, 0, 0, 0.4, 1.1, 2, 2, 2, 2};
  patch.knots_v = {-1, -1, -1, -1, -1, 0, 0.7, 1, 1, 1, 1, 1};
  for (Index i = 0; i < patch.count_u; ++i)
    for (Index j = 0; j < patch.count_v; ++j) {
      const Vec3 flat(static_cast<double>(i) / 5 - 0.5, static_cast<double>(j) / 6 - 0.5, 0);
      patch.points.push_back(size * (flat + 0.06 * random_vec3(rng).cwiseMin(2).cwiseMax(-2)));
      patch.weights.push_back(rng.uniform(0.6, 1.6));
    }
  return patch;
}

inline HeightGrid bumpy_grid(Rng& rng, double size) {
  HeightGrid grid{7, 9, Vec2(size, 0.8 * size), 0, {}};
  for (Index i = 0; i < grid.rows * grid.columns; ++i)
    grid.heights.push_back(0.1 * size * rng.uniform(-1, 1));
  return grid;
}

/// Lengths of some centimetres.
inline SurfaceForm random_form(Rng& rng, int kind) {
  const auto length = [&] { return rng.log_uniform(0.02, 0.08); };
  const auto lengths = [&] { return Vec3(length(), length(), length()); };
  const Vec3 axis = random_direction(rng);
  switch (kind) {
    case 0:
      return PlaneSurface{axis, rng.uniform(-0.05, 0.05)};
    case 1:
      return SphereSurface{length()};
    case 2:
      return EllipsoidSurface{lengths()};
    case 3:
      return SuperellipsoidSurface{lengths(), rng.uniform(0.5, 1), rng.uniform(0.5, 1)};
    case 4:
      return CylinderSurface{length(), axis};
    case 5:
      return CapsuleSurface{length(), length(), axis};
    case 6:
      return TorusSurface{rng.uniform(0.05, 0.08), rng.uniform(0.01, 0.03), axis};
    case 7:
      return saddle_waves(0.004, rng.uniform(5, 20), rng.uniform(5, 20), rng.uniform(-1, 1));
    case 8:
      return SplineHeightSurface{
          std::make_shared<SplineHeights>(*spline_through(bumpy_grid(rng, length())))};
    case 9:
      return torus_chart(rng.uniform(0.05, 0.08), rng.uniform(0.01, 0.03));
    case 10:
      return NurbsSurface{std::make_shared<NurbsPatch>(bumpy_patch(rng, length()))};
    default:
      return dented_ellipsoid(lengths(), rng.uniform(-0.5, 0.5));
  }
}

inline Surface random_surface(Rng& rng, int kind, bool inside_out = false) {
  const Result<Surface> surface = checked({random_form(rng, kind), inside_out});
  return *surface;
}

/// Third derivatives jump where a coordinate of a superellipsoid vanishes, and from span to span of
/// splines; second ones at the seams of a capsule.
inline bool near_a_seam(const Surface& surface, const SurfacePoint& at) {
  constexpr double near = 0.15;
  if (const auto* s = std::get_if<SuperellipsoidSurface>(&surface.form))
    return at.p.cwiseQuotient(s->semi_axes).cwiseAbs().minCoeff() < near;
  if (const auto* s = std::get_if<CapsuleSurface>(&surface.form))
    return std::abs(std::abs(s->axis.dot(at.p)) - s->half_length) < near * s->radius;
  if (const auto* s = std::get_if<SplineHeightSurface>(&surface.form)) {
    const auto off = [&](double x, double half, Index corners) {
      const double cell = (x / half + 1) / 2 * static_cast<double>(corners - 1);
      return std::abs(cell - std::round(cell));
    };
    return off(at.p[0], s->heights->half_size[0], s->heights->columns) < near ||
           off(at.p[1], s->heights->half_size[1], s->heights->rows) < near;
  }
  if (const auto* s = std::get_if<NurbsSurface>(&surface.form)) {
    for (const double k : s->patch->knots_u)
      if (std::abs(at.uv[0] - k) < near / 2) return true;
    for (const double k : s->patch->knots_v)
      if (std::abs(at.uv[1] - k) < near / 2) return true;
  }
  return false;
}

/// Some points of a surface, away from seams and from the edges of patches.
inline std::vector<SurfacePoint> some_points(const Surface& surface, Rng& rng, Index count) {
  constexpr Index all = 400;
  std::vector<SurfacePoint> points = spread_points(surface, all, Vec3::Zero(), 0.1);
  std::vector<SurfacePoint> some;
  constexpr double margin = 0.1;  // of the distance to the middle
  for (Index i = 0; i < 100 * count && static_cast<Index>(some.size()) < count; ++i) {
    SurfacePoint at = points[rng.below(points.size())];
    const double away = margin * at.p.norm();
    SurfacePoint probe = at;
    const Vec3 side = at.n.unitOrthogonal();
    bool inside = !near_a_seam(surface, at);
    for (const Vec3& t : {side, Vec3(-side), Vec3(at.n.cross(side)), Vec3(side.cross(at.n))}) {
      inside = inside && slide(surface, away * t, probe);
      probe = at;
    }
    if (inside) some.push_back(at);
  }
  return some;
}

}  // namespace tact::testing
