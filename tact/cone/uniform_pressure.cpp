#include "tact/cone/uniform_pressure.hpp"

#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {

namespace {

/// Below this ratio of spin to slip, ω r / |v|, the closed forms cancel and the series in ω² is
/// exact to its fourth power.
constexpr double slow_spin = 1e-3;

/// Mean over P_c of |v_T(x)| and its gradient with respect to (v, ω) at c.
struct Mean {
  double speed = 0;
  Vec3 gradient = Vec3::Zero();
};

Mean nearly_pure_slip(const Mat2& sigma, const Vec2& v, double w) {
  const double speed = v.norm();
  const Vec2 d = v / speed, sd = sigma * d;
  const double spread = d.dot(sd), ratio = w / speed;
  Mean out;
  out.speed = speed * (1 + ratio * ratio * spread / 2);
  out.gradient.head<2>() = d + ratio * ratio * (sd - 1.5 * spread * d);
  out.gradient[2] = ratio * spread;
  return out;
}

/// ∫ √(h² + t²) dt.
double length_integral(double h, double t) {
  const double bend = h != 0 ? h * h * std::asinh(t / std::abs(h)) : 0;
  return (t * std::hypot(h, t) + bend) / 2;
}

Mean of_polygon(const std::vector<Vec2>& part, const Vec2& v, double w) {
  const Vec2 pole = -perp(v) / w;  // the instantaneous centre of rotation, relative to c
  double distance = 0;             // mean distance from the pole
  Vec2 slope = Vec2::Zero();
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Vec2 a = part[i] - pole, b = part[i + 1 == part.size() ? 0 : i + 1] - pole;
    const double length = (b - a).norm();
    if (length == 0) continue;
    const Vec2 u = (b - a) / length, n = perp(u);
    const double h = a.dot(n);
    const double edge = length_integral(h, b.dot(u)) - length_integral(h, a.dot(u));
    distance += h * edge / 3;
    slope -= n * edge;
  }
  const double size = area(part), sign = w < 0 ? -1 : 1;
  distance /= size;
  slope /= size;
  Mean out;
  out.speed = std::abs(w) * distance;
  out.gradient.head<2>() = sign * perp(slope);  // J'∇D with J = ẑ×
  out.gradient[2] = sign * (distance - pole.dot(slope));
  return out;
}

/// Along the segment the velocity is (q, z) in the axes (u, ẑ×u), z = p + ω t.
Mean of_segment(const Vec2& a, const Vec2& b, const Vec2& v, double w) {
  const Vec2 u = (b - a).normalized(), across = -perp(u);
  const double q = v.dot(u), p = v.dot(across);
  const double from = p + w * a.dot(u), to = p + w * b.dot(u);
  const double span = to - from;
  const auto sine = [&](double z) { return q != 0 ? std::asinh(z / std::abs(q)) : 0; };
  Mean out;
  out.speed = (length_integral(q, to) - length_integral(q, from)) / span;
  const double along = q * (sine(to) - sine(from)) / span;
  const double aside = (std::hypot(q, to) - std::hypot(q, from)) / span;
  out.gradient.head<2>() = along * u + aside * across;
  // ω ∂σ/∂ω = σ - v.∂σ/∂v, because σ is of degree one.
  out.gradient[2] = (out.speed - v.dot(out.gradient.head<2>())) / w;
  return out;
}

Mean of_disc(double radius, const Vec2& v, double w) {
  const double speed = v.norm(), sign = w < 0 ? -1 : 1;
  Mean out;
  const Vec2 d = speed > 0 ? Vec2(v / speed) : Vec2::Zero();
  const Vec2 ft = disc_force_and_torque(speed / (radius * std::abs(w)));
  out.gradient.head<2>() = ft[0] * d;
  out.gradient[2] = sign * ft[1] * radius;
  out.speed = ft[0] * speed + ft[1] * radius * std::abs(w);
  return out;
}

Mean mean_of(const UniformPressure& set, const Vec3& tau) {
  const double w = tau[2];
  const Vec2 v(tau[0] - set.c[1] * w, tau[1] + set.c[0] * w);
  const double reach = std::sqrt(set.sigma.trace());
  if (v.isZero(0) && (w == 0 || reach == 0)) return {};
  if (set.disc_radius > 0 && w != 0) return of_disc(set.disc_radius, v, w);
  if (std::abs(w) * reach <= slow_spin * v.norm()) return nearly_pure_slip(set.sigma, v, w);
  return set.part.size() == 2 ? of_segment(set.part[0], set.part[1], v, w)
                              : of_polygon(set.part, v, w);
}

}  // namespace

UniformPressure uniform_pressure(const PlanarSet& hull, const NormalLoad& load, double mu,
                                 int count) {
  TACT_EXPECTS(mu >= 0 && load.f >= 0);
  UniformPressure out;
  out.bound = mu * load.f;
  out.c = load.f > 0 ? Vec2(load.s / load.f) : hull.center();
  if (!hull.contains(out.c)) out.c = hull.nearest(out.c);
  EffectivePatchWorkspace work;
  out.sigma = effective_moment(hull, out.c, work).sigma;
  if (hull.kind() == PlanarSet::Kind::ellipse && hull.form().center == out.c) {
    const Mat2 square = hull.form().axes.transpose() * hull.form().axes;
    const double radius2 = square.trace() / 2;
    if ((square - radius2 * Mat2::Identity()).norm() <= tolerance::rounding * radius2)
      out.disc_radius = std::sqrt(radius2);
  }
  effective_part(hull, out.c, count, work, out.part);
  for (Vec2& x : out.part) x -= out.c;
  return out;
}

double friction_support(const UniformPressure& set, const Vec3& tau) {
  return set.bound * mean_of(set, tau).speed;
}

Vec3 friction_force(const UniformPressure& set, const Vec3& tau) {
  const Vec3 g = mean_of(set, tau).gradient;
  return -set.bound * Vec3(g[0], g[1], g[2] + cross(set.c, Vec2(g.head<2>())));
}

// Complete elliptic integrals of modulus ε or 1/ε; series where they cancel.
Vec2 disc_force_and_torque(double epsilon) {
  TACT_EXPECTS(epsilon >= 0);
  constexpr double pi = std::numbers::pi;
  constexpr double small = 1e-2, large = 32;
  const double e = epsilon, e2 = e * e;
  if (e > large) {
    const double m = 1 / e2;
    return {1 - m / 8 - m * m / 64 - 5 * m * m * m / 1024,
            (1 + m / 12 + 3 * m * m / 128) / (4 * e)};
  }
  const double modulus = e <= 1 ? e : 1 / e;
  const double E = std::comp_ellint_2(modulus);
  const double K = modulus < 1 ? std::comp_ellint_1(modulus) : 0;  // comes with a factor 1 - ε²
  if (e <= 1) {
    const double force = e < small ? e * (1 - e2 / 8 - e2 * e2 / 64)
                                   : 4.0 / 3 * ((e2 + 1) * E + (e2 - 1) * K) / (pi * e);
    return {force, 4.0 / 9 * ((4 - 2 * e2) * E + (e2 - 1) * K) / pi};
  }
  return {4.0 / 3 * ((e2 + 1) * E - (e2 - 1) * K) / pi,
          4.0 / 9 * e * ((4 - 2 * e2) * E + (2 * e2 - 5 + 3 / e2) * K) / pi};
}

}  // namespace tact
