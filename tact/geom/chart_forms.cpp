// The forms of geom/surface_forms.hpp that have a chart.
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/surface_forms.hpp"

namespace tact::detail {

namespace {

using Mat32 = Eigen::Matrix<double, 3, 2>;

/// One view of the two kinds of chart.
struct Chart {
  Vec2 lower, upper;
  bool closed_u = false, closed_v = false;
};

Chart chart_of(const ParametricSurface& form) {
  return {form.lower, form.upper, form.closed_u, form.closed_v};
}
Chart chart_of(const NurbsSurface& form) {
  return {form.patch->lower(), form.patch->upper()};
}

PatchJet jet_at(const ParametricSurface& form, const Vec2& uv) {
  return form.patch(uv[0], uv[1]);
}
PatchJet jet_at(const NurbsSurface& form, const Vec2& uv) {
  return evaluate(*form.patch, uv[0], uv[1]);
}

/// Round closed directions; false beyond an edge by more than rounding.
bool wrap(const Chart& chart, Vec2& uv) {
  const Vec2 width = chart.upper - chart.lower;
  if (chart.closed_u) uv[0] -= width[0] * std::floor((uv[0] - chart.lower[0]) / width[0]);
  if (chart.closed_v) uv[1] -= width[1] * std::floor((uv[1] - chart.lower[1]) / width[1]);
  const Vec2 slack = tolerance::rounding * width;
  return (uv - chart.lower + slack).minCoeff() >= 0 && (chart.upper - uv + slack).minCoeff() >= 0;
}

/// (FᵀF)⁻¹ where F = [fu fv] has two directions: not where they are parallel, and not at a pole,
/// where rounding is left of one of them.
bool invert_metric(const PatchJet& jet, Mat2& inverse) {
  const double a = jet.fu.squaredNorm();
  const double b = jet.fu.dot(jet.fv);
  const double c = jet.fv.squaredNorm();
  const double det = a * c - b * b;
  constexpr double least = tolerance::rank * tolerance::rank;  // of squares
  if (!(a > least * c) || !(c > least * a) || !(det > tolerance::rank * a * c)) return false;
  inverse << c, -b, -b, a;
  inverse /= det;
  return true;
}

Mat32 tangents(const PatchJet& jet) {
  Mat32 F;
  F << jet.fu, jet.fv;
  return F;
}

bool from_jet(const PatchJet& jet, const Vec2& uv, SurfacePoint& at) {
  Mat2 inverse;
  if (!invert_metric(jet, inverse)) return false;
  const Mat32 G = tangents(jet) * inverse;
  at.p = jet.f;
  at.n = jet.fu.cross(jet.fv).normalized();
  Mat2 second;
  second << jet.fuu.dot(at.n), jet.fuv.dot(at.n), jet.fuv.dot(at.n), jet.fvv.dot(at.n);
  at.dn = -G * second * G.transpose();
  at.uv = uv;
  return true;
}

/// Newton's step towards the least |f - near|²/2 where that is convex in u and v, Gauss's
/// elsewhere.
struct Descent {
  Vec2 step = Vec2::Zero();
  bool possible = false;
};

Descent descent(const PatchJet& jet, const Vec3& near) {
  const Vec3 miss = jet.f - near;
  const Vec2 gradient(jet.fu.dot(miss), jet.fv.dot(miss));
  Mat2 H;
  H << jet.fu.squaredNorm(), jet.fu.dot(jet.fv), jet.fu.dot(jet.fv), jet.fv.squaredNorm();
  Mat2 bent;
  bent << jet.fuu.dot(miss), jet.fuv.dot(miss), jet.fuv.dot(miss), jet.fvv.dot(miss);
  const Mat2 full = H + bent;
  const bool convex = full(0, 0) > 0 && full.determinant() > tolerance::rank * H.determinant();
  const Mat2& use = convex ? full : H;
  const double det = use.determinant();
  if (!(det > 0)) return {};
  const Vec2 step(use(1, 1) * gradient[0] - use(0, 1) * gradient[1],
                  use(0, 0) * gradient[1] - use(1, 0) * gradient[0]);
  return {-step / det, true};
}

/// Nearest point of the patch by Newton's method from uv, inside the chart.
template <class Form>
bool search(const Form& form, const Chart& chart, const Vec3& near, Vec2 uv, SurfacePoint& at) {
  constexpr int most = 50;
  constexpr int halvings = 30;
  const Vec2 width = chart.upper - chart.lower;
  PatchJet jet = jet_at(form, uv);
  for (int i = 0; i < most; ++i) {
    const Descent d = descent(jet, near);
    if (!d.possible) return false;
    Vec2 delta = d.step;
    const double miss = (jet.f - near).squaredNorm();
    for (int k = 0; k < halvings; ++k, delta /= 2) {
      Vec2 next = uv + delta;
      if (!wrap(chart, next)) next = next.cwiseMax(chart.lower).cwiseMin(chart.upper);
      const PatchJet there = jet_at(form, next);
      const bool still = delta.cwiseQuotient(width).cwiseAbs().maxCoeff() <= tolerance::quadratic;
      if (!still && (there.f - near).squaredNorm() > miss) continue;
      if (still) return wrap(chart, uv += delta) && from_jet(jet_at(form, uv), uv, at);
      uv = next;
      jet = there;
      break;
    }
  }
  return false;
}

/// The point of a coarse lattice of the chart that is nearest.
template <class Form>
Vec2 coarse(const Form& form, const Chart& chart, const Vec3& near) {
  constexpr int cells = 8;
  Vec2 best = (chart.lower + chart.upper) / 2;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      const Vec2 share((i + 0.5) / cells, (j + 0.5) / cells);
      const Vec2 uv = chart.lower + (chart.upper - chart.lower).cwiseProduct(share);
      const double miss = (jet_at(form, uv).f - near).squaredNorm();
      if (miss >= least) continue;
      least = miss;
      best = uv;
    }
  return best;
}

template <class Form>
bool place_near(const Form& form, const Vec3& near, SurfacePoint& at) {
  const Chart chart = chart_of(form);
  Vec2 uv = at.uv;
  SurfacePoint found = at;
  // From the lattice too, where the start leads to another sheet of the surface than the nearest.
  const bool from_start = wrap(chart, uv) && search(form, chart, near, uv, found);
  if (from_start &&
      (found.p - near).norm() <= tolerance::quadratic * (found.p.norm() + near.norm())) {
    at = found;
    return true;
  }
  SurfacePoint other = at;
  const bool from_lattice = search(form, chart, near, coarse(form, chart, near), other);
  if (!from_start && !from_lattice) return false;
  const bool take_other =
      !from_start || (from_lattice && (other.p - near).norm() < (found.p - near).norm());
  at = take_other ? other : found;
  return true;
}

template <class Form>
bool step_along(const Form& form, const Vec3& delta, SurfacePoint& at) {
  const PatchJet jet = jet_at(form, at.uv);
  Mat2 inverse;
  if (!invert_metric(jet, inverse)) return false;
  Vec2 uv = at.uv + inverse * (tangents(jet).transpose() * delta);
  return wrap(chart_of(form), uv) && from_jet(jet_at(form, uv), uv, at);
}

}  // namespace

bool place(const ParametricSurface& form, const Vec3& near, SurfacePoint& at) {
  return place_near(form, near, at);
}
bool place(const NurbsSurface& form, const Vec3& near, SurfacePoint& at) {
  return place_near(form, near, at);
}
bool step(const ParametricSurface& form, const Vec3& delta, SurfacePoint& at) {
  return step_along(form, delta, at);
}
bool step(const NurbsSurface& form, const Vec3& delta, SurfacePoint& at) {
  return step_along(form, delta, at);
}
bool place_at(const ParametricSurface& form, const Vec2& uv, SurfacePoint& at) {
  return from_jet(jet_at(form, uv), uv, at);
}
bool place_at(const NurbsSurface& form, const Vec2& uv, SurfacePoint& at) {
  return from_jet(jet_at(form, uv), uv, at);
}

}  // namespace tact::detail
