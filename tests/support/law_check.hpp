// tests/support/law_check.hpp - a second judge, that shares nothing with the first: the laws
// written out as inequalities, contact by contact.
//
// The library's judge asks for the fixed point of a projection in a metric. Here every condition is
// looked at by itself: loads admissible, velocities admissible, no power in the normal rows, most
// dissipation in the friction rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tact/base/rng.hpp"
#include "tact/cone/patch_friction.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/contact/problem.hpp"

namespace tact::testing {

/// Largest violation of one law; forces in units of `force`, velocities of `velocity`, moments and
/// angular velocities with the help of `length`.
struct LawCheck {
  double force = 1, velocity = 1, length = 1;
  double worst = 0;

  void at_most(double excess, double unit) { worst = std::max(worst, excess / unit); }
  void is_zero(double value, double unit) { at_most(std::abs(value), unit); }

  void signorini(double n, double v) {
    at_most(-n, force);
    at_most(-v, velocity);
    is_zero(std::max(n, 0.0) * std::max(v, 0.0), force * velocity);
  }
  /// |T| <= bound and T.v = -bound |v|.
  void disc(const Vec2& T, const Vec2& v, double bound, double arm = 1) {
    at_most(T.norm() - bound, force * arm);
    is_zero(T.dot(v) + bound * v.norm(), force * velocity);
  }
  /// lower <= l <= upper, and no other l' there has less power l' v.
  void bounds(const BoundedLaw& law, double l, double v) {
    at_most(law.lower - l, force);
    at_most(l - law.upper, force);
    const double best = v > 0 ? law.lower : law.upper;
    if (std::isinf(best))
      is_zero(v, velocity);
    else
      is_zero((l - best) * v, force * velocity);
  }
  void polygon(const std::vector<Vec2>& corners, const Vec2& T, const Vec2& v, double n) {
    double most = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec2 a = n * corners[k];
      const Vec2 e = corners[(k + 1) % corners.size()] - corners[k];
      if (e.norm() > 0) at_most(-cross(e, T - a) / e.norm(), force);
      most = std::max(most, -a.dot(v));
    }
    if (corners.size() == 1) is_zero(T.norm(), force);
    is_zero(T.dot(v) + most, force * velocity);
  }
  /// f_N >= 0 with its centre in the hull, every point of the hull opens, no power.
  void patch(const PlanarSet& hull, const Vec3& load, const Vec3& motion) {
    const double f = load[2];
    at_most(-f, force);
    // v_N(x) = v + ω_x y - ω_y x: its least value is minus the support in (ω_y, -ω_x).
    const Vec2 slope(motion[1], -motion[0]);
    at_most(-(motion[2] - hull.support_value(slope)), velocity);
    is_zero(load.dot(motion), force * velocity);
    constexpr int directions = 64;
    for (int k = 0; k < directions; ++k) {
      const double a = 2 * std::numbers::pi * k / directions;
      const Vec2 d(std::cos(a), std::sin(a));
      at_most(d.dot(Vec2(-load[1], load[0])) - std::max(f, 0.0) * hull.support_value(d),
              force * length);
    }
  }
};

/// Corners of the friction bound per unit of normal load, written anew.
inline std::vector<Vec2> friction_corners(const Law& law) {
  std::vector<Vec2> out;
  if (const auto* box = std::get_if<BoxLaw>(&law)) {
    const double c = box->scale * box->mu;
    out = {{c, c}, {-c, c}, {-c, -c}, {c, -c}};
  } else if (const auto* pyramid = std::get_if<PyramidLaw>(&law)) {
    for (int i = 0; i < pyramid->edges; ++i) {
      const double a = 2 * std::numbers::pi * i / pyramid->edges;
      out.emplace_back(pyramid->mu * std::cos(a), pyramid->mu * std::sin(a));
    }
  }
  return out;
}

inline void check_point(const Law& law, const double* l, const double* u, LawCheck& check) {
  const Index rows = row_count(law);
  check.signorini(l[rows - 1], u[rows - 1]);
  const double n = std::max(l[rows - 1], 0.0);
  const double mu = friction_of(law);
  if (rows == 2) {
    const auto* box = std::get_if<BoxLaw>(&law);
    const double bound = (box ? box->scale : 1.0) * mu * n;
    return check.disc(Vec2(l[0], 0), Vec2(u[0], 0), bound);
  }
  if (rows != 3) return;
  if (std::holds_alternative<CoulombLaw>(law))
    return check.disc(Vec2(l[0], l[1]), Vec2(u[0], u[1]), mu * n);
  check.polygon(friction_corners(law), Vec2(l[0], l[1]), Vec2(u[0], u[1]), n);
}

/// The largest violation over all contacts, each in the units of its own energy: `scale` is the
/// root of the problem's energy.
inline double law_violation(const std::vector<Contact>& contacts, const DelassusProblem& p,
                            const VecX& lambda, double scale) {
  VecX u = p.b;
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e)
      u.segment(p.G.offset[i], p.G.rows_of(i)) +=
          p.G.block(i, e) * lambda.segment(p.G.offset[p.G.col[e]], p.G.rows_of(p.G.col[e]));
  LawCheck check;
  for (Index i = 0; i < p.contacts(); ++i) {
    const Law& law = contacts[static_cast<std::size_t>(i)].law;
    const Index rows = row_count(law);
    const double* l = lambda.data() + p.G.offset[i];
    const double* v = u.data() + p.G.offset[i];
    const double g = p.G.diagonal_block(i)(rows - 1, rows - 1);
    check.force = scale / std::sqrt(g);
    check.velocity = scale * std::sqrt(g);
    if (const auto* row = std::get_if<BoundedLaw>(&law)) {
      check.bounds(*row, l[0], v[0]);
      continue;
    }
    if (const auto* roll = std::get_if<RollingLaw>(&law)) {
      check.signorini(l[5], v[5]);
      const double n = std::max(l[5], 0.0);
      check.disc(Vec2(l[3], l[4]), Vec2(v[3], v[4]), roll->mu * n);
      check.disc(Vec2(l[0], l[1]), Vec2(v[0], v[1]), roll->rolling * n);
      check.disc(Vec2(l[2], 0), Vec2(v[2], 0), roll->spinning * n);
      continue;
    }
    if (const auto* smooth = std::get_if<FrictionlessPatch>(&law)) {
      const PlanarSet hull = *convex_hull_of(smooth->shape);
      check.length = hull.radius();
      check.patch(hull, Vec3(l[0], l[1], l[2]), Vec3(v[0], v[1], v[2]));
      continue;
    }
    if (const auto* rough = std::get_if<FrictionalPatch>(&law)) {
      const PlanarSet hull = *convex_hull_of(rough->shape);
      check.length = hull.radius();
      check.patch(hull, Vec3(l[0], l[1], l[5]), Vec3(v[0], v[1], v[5]));
      const Vec3 T(l[3], l[4], l[2]), tau(v[3], v[4], v[2]);
      const double n = std::max(l[5], 0.0);
      const FrictionSet set = make_friction_set(
          rough->model, hull, NormalLoad::from_wrench(Vec3(l[0], l[1], n)), rough->mu);
      check.is_zero(set.support(tau) + T.dot(tau), check.force * check.velocity);
      // T in F(N): below the support function in every direction.
      Rng rng(1);
      for (int k = 0; k < 32; ++k) {
        const Vec3 d(rng.normal(), rng.normal(), rng.normal() / check.length);
        check.at_most(-T.dot(d) - set.support(d), check.force);
      }
      continue;
    }
    check_point(law, l, v, check);
  }
  return check.worst;
}

}  // namespace tact::testing
