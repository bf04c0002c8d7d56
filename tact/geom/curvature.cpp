#include "tact/geom/curvature.hpp"

#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/surface_support.hpp"

namespace tact {

namespace {

Mat2 in_plane(const SurfacePoint& at, const Mat32& E) {
  return E.transpose() * at.dn * E;
}

/// a bᵀ + b aᵀ
Mat3 both_ways(const Vec3& a, const Vec3& b) {
  const Mat3 m = a * b.transpose();
  return m + m.transpose();
}

/// Of (1 - n nᵀ - a aᵀ)/r with a fixed a.
Mat3 rate_of_round(const Vec3& n, const Vec3& n_rate, double radius) {
  return -both_ways(n, n_rate) / radius;
}

/// dn = h (D - n wᵀ - w nᵀ + s n nᵀ) with q = D p, h = 1/|q|, n = h q, w = D n, s = n · w.
Mat3 rate_of(const EllipsoidSurface& form, const SurfacePoint& at, const Vec3& t) {
  const Vec3 d = form.semi_axes.cwiseProduct(form.semi_axes).cwiseInverse();
  const double h = 1 / at.p.cwiseProduct(d).norm();
  const Vec3 n_rate = at.dn * t;
  const Vec3 w = d.cwiseProduct(at.n);
  const Vec3 w_rate = d.cwiseProduct(n_rate);
  const double s = at.n.dot(w);
  const double s_rate = 2 * w.dot(n_rate);
  const double h_growth = -h * w.dot(t);  // of h, per h
  return h_growth * at.dn + h * (s_rate * at.n * at.n.transpose() + s * both_ways(at.n, n_rate) -
                                 both_ways(n_rate, w) - both_ways(at.n, w_rate));
}

/// dn = m mᵀ/r + k c cᵀ with c around the axis, m = c × n across the tube.
Mat3 rate_of(const TorusSurface& form, const SurfacePoint& at, const Vec3& t) {
  const Vec3 out = (at.p - form.axis.dot(at.p) * form.axis).normalized();
  const Vec3 around = form.axis.cross(out);
  const Vec3 across = around.cross(at.n);
  const double cosine = at.n.dot(out);
  const double sine = at.n.dot(form.axis);
  const double radius = form.ring + form.tube * cosine;
  const double turning = t.dot(around) / radius;     // about the axis
  const double tilting = t.dot(across) / form.tube;  // from the axis outwards
  const Vec3 around_rate = -turning * out;
  const Vec3 across_rate = -tilting * at.n + turning * form.axis.cross(across);
  const double k = cosine / radius;
  const double k_rate = sine * form.ring / (radius * radius) * tilting;
  return both_ways(across, across_rate) / form.tube + k * both_ways(around, around_rate) +
         k_rate * around * around.transpose();
}

Mat3 rate_of(const PlaneSurface&, const SurfacePoint&, const Vec3&) {
  return Mat3::Zero();
}
Mat3 rate_of(const SphereSurface& form, const SurfacePoint& at, const Vec3& t) {
  return rate_of_round(at.n, at.dn * t, form.radius);
}
Mat3 rate_of(const CylinderSurface& form, const SurfacePoint& at, const Vec3& t) {
  return rate_of_round(at.n, at.dn * t, form.radius);
}
Mat3 rate_of(const CapsuleSurface& form, const SurfacePoint& at, const Vec3& t) {
  return rate_of_round(at.n, at.dn * t, form.radius);  // on either side of the seam
}

template <class Form>
concept HasClosedRate = requires(const Form& form, const SurfacePoint& at, const Vec3& t) {
  rate_of(form, at, t);
};

/// The central difference over ±step along the unit tangent t; none over an edge.
std::optional<Mat3> central(const Surface& surface, const SurfacePoint& at, const Vec3& t,
                            double step) {
  SurfacePoint ahead = at;
  SurfacePoint behind = at;
  if (!slide(surface, step * t, ahead) || !slide(surface, -step * t, behind)) return std::nullopt;
  return (ahead.dn - behind.dn) / (2 * step);
}

/// Ridders' method: differences over ever smaller steps, extrapolated to none; the best is where
/// two neighbours agree most. The curve of slide() is smooth, so that only even powers occur.
Mat3 rate_by_differences(const Surface& surface, const SurfacePoint& at, const Vec3& t) {
  constexpr int rows = 8;
  constexpr double shrink = 2;
  constexpr double first_share = 0.1;  // of the size of the surface or its radius of curvature
  const double length = t.norm();
  if (!(length > 0)) return Mat3::Zero();
  const Vec3 along = t / length;
  const double size = std::min(extent(surface), at.p.norm() + 1);
  double step = first_share * std::min(size, 1 / std::max(at.dn.norm(), 1 / size));
  std::array<Mat3, rows> above{};
  std::array<Mat3, rows> row{};
  Mat3 best = Mat3::Zero();
  double least = std::numeric_limits<double>::infinity();
  int filled = 0;
  for (int i = 0; i < 2 * rows && filled < rows; ++i, step /= shrink) {
    const auto plain = central(surface, at, along, step);
    if (!plain) continue;
    row[0] = *plain;
    if (filled == 0) best = row[0];
    double factor = shrink * shrink;
    for (int k = 1; k <= filled; ++k, factor *= shrink * shrink) {
      row[k] = (factor * row[k - 1] - above[k - 1]) / (factor - 1);
      const double change = std::max((row[k] - row[k - 1]).norm(), (row[k] - above[k - 1]).norm());
      if (change > least) continue;
      least = change;
      best = row[k];
    }
    above = row;
    ++filled;
  }
  return length / 2 * (best + best.transpose());
}

}  // namespace

Mat3 curvature_rate(const Surface& surface, const SurfacePoint& at, const Vec3& t) {
  return std::visit(
      [&]<class Form>(const Form& form) -> Mat3 {
        if constexpr (HasClosedRate<Form>) {
          if (!surface.inside_out) return rate_of(form, at, t);
          SurfacePoint turned = at;
          turned.n = -at.n;
          turned.dn = -at.dn;
          return -rate_of(form, turned, t);
        } else {
          return rate_by_differences(surface, at, t);
        }
      },
      surface.form);
}

PrincipalCurvatures principal_curvatures(const SurfacePoint& at) {
  const Mat32 E = tangent_basis(at.n);
  const Mat2 A = in_plane(at, E);
  const double mean = (A(0, 0) + A(1, 1)) / 2;
  const double half = (A(0, 0) - A(1, 1)) / 2;
  const double shear = (A(0, 1) + A(1, 0)) / 2;
  const double spread = std::hypot(half, shear);
  const double angle = std::atan2(shear, half) / 2;  // of the larger one
  PrincipalCurvatures principal;
  principal.kappa = {mean - spread, mean + spread};
  principal.e1 = E * Vec2(std::sin(angle), -std::cos(angle));
  principal.e2 = E * Vec2(std::cos(angle), std::sin(angle));
  return principal;
}

double mean_curvature(const SurfacePoint& at) {
  return at.dn.trace() / 2;
}

double gauss_curvature(const SurfacePoint& at) {
  const Mat2 A = in_plane(at, tangent_basis(at.n));
  return A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
}

CurvatureQuadric curvature_quadric(const SurfacePoint& at) {
  CurvatureQuadric quadric;
  quadric.principal = principal_curvatures(at);
  const double flat = tolerance::rounding * at.dn.norm();
  for (Index i = 0; i < 2; ++i) {
    const double kappa = quadric.principal.kappa[i];
    quadric.radii[i] =
        std::abs(kappa) <= flat ? std::numeric_limits<double>::infinity() : 1 / std::sqrt(kappa);
  }
  return quadric;
}

bool positive_form(const Mat2& A, double scale) {
  const double trace = A.trace();
  const double det = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  return trace > tolerance::rank * scale && det > tolerance::rank * trace * trace;
}

bool absolutely_convex(const SurfacePoint& at) {
  return positive_form(in_plane(at, tangent_basis(at.n)), at.dn.norm());
}

bool relatively_convex(const SurfacePoint& one, const SurfacePoint& two, const Mat3& R_12) {
  const Mat32 E = tangent_basis(one.n);
  const Mat32 B = R_12.transpose() * E;
  return positive_form(in_plane(one, E) + in_plane(two, B), one.dn.norm() + two.dn.norm());
}

}  // namespace tact
