#include "tact/geom/surface_support.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/curvature.hpp"
#include "tact/geom/surface_forms.hpp"

namespace tact {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;

/// The derivative of the norm of exponent q' = q/(q - 1) that is dual to q = 2/e: q' - 1 = e/(2 -
/// e).
struct DualNorm {
  double value = 0;
  Vec2 gradient = Vec2::Zero();
};

DualNorm dual_norm(double x, double y, double e) {
  const double largest = std::max(std::abs(x), std::abs(y));
  if (!(largest > 0)) return {};
  const double power = e / (2 - e);
  const Vec2 scaled = Vec2(std::abs(x), std::abs(y)) / largest;
  const double sum = std::pow(scaled[0], 1 + power) + std::pow(scaled[1], 1 + power);
  const double root = std::pow(sum, 1 / (1 + power));
  const Vec2 share = scaled / root;
  return {
      largest * root,
      {std::copysign(std::pow(share[0], power), x), std::copysign(std::pow(share[1], power), y)}};
}

using Support = std::optional<Vec3>;

Support support(const PlaneSurface& form, const Vec3& d) {
  const double sine = form.normal.cross(d).norm() / d.norm();
  if (sine > tolerance::parallel || form.normal.dot(d) < 0) return std::nullopt;
  return form.offset * form.normal;
}
Support support(const SphereSurface& form, const Vec3& d) {
  return form.radius * d.normalized();
}
Support support(const EllipsoidSurface& form, const Vec3& d) {
  const Vec3 scaled = form.semi_axes.cwiseProduct(d.normalized());
  return form.semi_axes.cwiseProduct(scaled.normalized());
}
Support support(const SuperellipsoidSurface& form, const Vec3& d) {
  const Vec3 scaled = form.semi_axes.cwiseProduct(d);
  const DualNorm ring = dual_norm(scaled[0], scaled[1], form.e2);
  const DualNorm whole = dual_norm(ring.value, scaled[2], form.e1);
  Vec3 unit;
  unit << whole.gradient[0] * ring.gradient, whole.gradient[1];
  return form.semi_axes.cwiseProduct(unit);
}
Support support(const CylinderSurface& form, const Vec3& d) {
  const double along = form.axis.dot(d);
  if (std::abs(along) > tolerance::parallel * d.norm()) return std::nullopt;
  return form.radius * (d - along * form.axis).normalized();
}
Support support(const CapsuleSurface& form, const Vec3& d) {
  return std::copysign(form.half_length, form.axis.dot(d)) * form.axis +
         form.radius * d.normalized();
}
template <class Form>
Support support(const Form&, const Vec3&) {
  return std::nullopt;
}

template <class Form>
constexpr bool convex_form =
    std::is_same_v<Form, PlaneSurface> || std::is_same_v<Form, SphereSurface> ||
    std::is_same_v<Form, EllipsoidSurface> || std::is_same_v<Form, SuperellipsoidSurface> ||
    std::is_same_v<Form, CylinderSurface> || std::is_same_v<Form, CapsuleSurface>;

std::optional<bool> in_solid(const TorusSurface& form, const Vec3& p) {
  const double z = form.axis.dot(p);
  return std::hypot((p - z * form.axis).norm() - form.ring, z) <= form.tube;
}
std::optional<bool> in_solid(const ImplicitSurface& form, const Vec3& p) {
  if (!(p.norm() <= form.reach)) return std::nullopt;
  return form.function(p).F <= 0;
}
/// By the side of the surface that the point is on; the middle of a convex solid has none.
template <class Form>
std::optional<bool> in_solid(const Form& form, const Vec3& p) {
  SurfacePoint at;
  if (detail::place(form, p, at)) return (p - at.p).dot(at.n) <= 0;
  if (convex_form<Form>) return true;
  return std::nullopt;
}

double extent_of(const SphereSurface& form) {
  return form.radius;
}
double extent_of(const EllipsoidSurface& form) {
  return form.semi_axes.maxCoeff();
}
double extent_of(const SuperellipsoidSurface& form) {
  return form.semi_axes.norm();
}
double extent_of(const TorusSurface& form) {
  return form.ring + form.tube;
}
double extent_of(const CapsuleSurface& form) {
  return form.half_length + form.radius;
}
double extent_of(const SplineHeightSurface& form) {
  double highest = 0;
  for (const double c : form.heights->coefficients) highest = std::max(highest, std::abs(c));
  return std::hypot(form.heights->half_size.norm(), highest);
}
double extent_of(const ParametricSurface& form) {
  constexpr int cells = 8;
  double farthest = 0;
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      const Vec2 uv =
          form.lower +
          (form.upper - form.lower).cwiseProduct(Vec2(i / double{cells}, j / double{cells}));
      farthest = std::max(farthest, form.patch(uv[0], uv[1]).f.norm());
    }
  return farthest;
}
double extent_of(const NurbsSurface& form) {
  double farthest = 0;
  for (const Vec3& p : form.patch->points) farthest = std::max(farthest, p.norm());
  return farthest;
}
double extent_of(const ImplicitSurface& form) {
  return form.reach;
}
template <class Form>
double extent_of(const Form&) {
  return infinite;
}

/// Point i of a lattice in the unit square without rows: multiples of the golden section.
Vec2 lattice(Index i, Index count) {
  const double step = std::numbers::phi - 1;
  const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  const double y = static_cast<double>(i) * step;
  return {x, y - std::floor(y)};
}

/// The same on the unit sphere, and in the unit ball.
Vec3 on_sphere(const Vec2& x) {
  const double z = 1 - 2 * x[0];
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  return {r * std::cos(2 * pi * x[1]), r * std::sin(2 * pi * x[1]), z};
}
Vec2 in_disc(const Vec2& x) {
  const double r = std::sqrt(x[0]);
  return {r * std::cos(2 * pi * x[1]), r * std::sin(2 * pi * x[1])};
}

/// Where to look within `reach` of `centre`: a place near the surface for each x of the square.
struct Spread {
  Vec3 centre;
  double reach;

  Vec3 operator()(const PlaneSurface& form, const Vec2& x) const {
    return centre + reach * tangent_basis(form.normal) * in_disc(x);
  }
  Vec3 operator()(const CylinderSurface& form, const Vec2& x) const {
    const Mat32 E = tangent_basis(form.axis);
    const Vec2 out(std::cos(2 * pi * x[1]), std::sin(2 * pi * x[1]));
    return (centre.dot(form.axis) + (2 * x[0] - 1) * reach) * form.axis + form.radius * (E * out);
  }
  Vec3 operator()(const CapsuleSurface& form, const Vec2& x) const {
    // As by area: the mantle has 2 half_length of the 2 (half_length + radius).
    const double z = (2 * x[0] - 1) * (form.half_length + form.radius);
    const double over = std::max(0.0, std::abs(z) - form.half_length);
    const double r = std::sqrt(std::max(0.0, form.radius * form.radius - over * over));
    const Vec2 out(r * std::cos(2 * pi * x[1]), r * std::sin(2 * pi * x[1]));
    return z * form.axis + tangent_basis(form.axis) * out;
  }
  Vec3 operator()(const TorusSurface& form, const Vec2& x) const {
    const Mat32 E = tangent_basis(form.axis);
    const Vec3 out = E * Vec2(std::cos(2 * pi * x[1]), std::sin(2 * pi * x[1]));
    return (form.ring + form.tube * std::cos(2 * pi * x[0])) * out +
           form.tube * std::sin(2 * pi * x[0]) * form.axis;
  }
  Vec3 operator()(const HeightSurface& form, const Vec2& x) const {
    return over(form.half_size, x);
  }
  Vec3 operator()(const SplineHeightSurface& form, const Vec2& x) const {
    return over(form.heights->half_size, x);
  }
  Vec3 operator()(const ImplicitSurface& form, const Vec2& x) const {
    // A third number for the radius: x[1] is equidistributed and so are its multiples.
    const double third = x[1] * 1000 - std::floor(x[1] * 1000);
    const double near = std::min(reach, 2 * form.reach);
    return centre + near * std::cbrt(third) * on_sphere(x);
  }
  template <class Round>
  Vec3 operator()(const Round& form, const Vec2& x) const {
    return extent_of(form) * on_sphere(x);
  }

 private:
  Vec3 over(const Vec2& half_size, const Vec2& x) const {
    const Vec2 low = (centre.head<2>().array() - reach).max(-half_size.array());
    const Vec2 high = (centre.head<2>().array() + reach).min(half_size.array());
    Vec3 p = Vec3::Zero();
    p.head<2>() = low + (high - low).cwiseProduct(x);
    return p;
  }
};

Vec2 chart_point(const ParametricSurface& form, const Vec2& x) {
  return form.lower + (form.upper - form.lower).cwiseProduct(x);
}
Vec2 chart_point(const NurbsSurface& form, const Vec2& x) {
  return form.patch->lower() + (form.patch->upper() - form.patch->lower()).cwiseProduct(x);
}

template <class Form>
bool spread_one(const Form& form, const Spread& spread, const Vec2& x, SurfacePoint& at) {
  if constexpr (requires { detail::place_at(form, x, at); })
    return detail::place_at(form, chart_point(form, x), at);
  else
    return detail::place(form, spread(form, x), at);
}

}  // namespace

bool is_convex(const Surface& surface) {
  if (std::holds_alternative<PlaneSurface>(surface.form)) return true;
  return !surface.inside_out &&
         std::visit([]<class Form>(const Form&) { return convex_form<Form>; }, surface.form);
}

std::optional<Vec3> support_point(const Surface& surface, const Vec3& d) {
  TACT_EXPECTS(is_convex(surface) && d.squaredNorm() > 0);
  const Vec3 outward = surface.inside_out ? Vec3(-d) : d;  // a plane that is turned over
  return std::visit([&](const auto& form) { return support(form, outward); }, surface.form);
}

std::optional<bool> contains(const Surface& surface, const Vec3& p) {
  const auto inside = std::visit([&](const auto& form) { return in_solid(form, p); }, surface.form);
  if (inside && surface.inside_out) return !*inside;
  return inside;
}

double extent(const Surface& surface) {
  return std::visit([](const auto& form) { return extent_of(form); }, surface.form);
}

std::vector<SurfacePoint> spread_points(const Surface& surface, Index count, const Vec3& centre,
                                        double reach) {
  const Spread spread{centre, reach};
  std::vector<SurfacePoint> points;
  points.reserve(count);
  for (Index i = 0; i < count; ++i) {
    SurfacePoint at;
    const bool placed = std::visit(
        [&](const auto& form) { return spread_one(form, spread, lattice(i, count), at); },
        surface.form);
    if (!placed) continue;
    if (surface.inside_out) {
      at.n = -at.n;
      at.dn = -at.dn;
    }
    points.push_back(at);
  }
  return points;
}

}  // namespace tact
