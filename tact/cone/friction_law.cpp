#include "tact/cone/friction_law.hpp"

#include <algorithm>
#include <cmath>

#include "tact/cone/coulomb.hpp"

namespace tact {

std::string_view name(PointRegime regime) {
  switch (regime) {
    case PointRegime::idle:
      return "idle";
    case PointRegime::separate:
      return "separate";
    case PointRegime::stick:
      return "stick";
    case PointRegime::slide:
      return "slide";
  }
  return "";
}

std::string_view name(BoxBound bound) {
  switch (bound) {
    case BoxBound::lower:
      return "lower";
    case BoxBound::stick:
      return "stick";
    case BoxBound::upper:
      return "upper";
  }
  return "";
}

PointReport classify_point(double mu, const Vec3& lambda, const Vec3& v,
                           const PointScales& scales) {
  const double least_force = scales.tolerance * scales.force;
  const double least_velocity = scales.tolerance * scales.velocity;
  const double speed = v.head<2>().norm();
  PointReport report;
  report.slip_margin = mu * lambda[2] - lambda.head<2>().norm();
  report.lift_margin = lambda[2];
  const bool pressed = lambda[2] > least_force;
  const bool moving = speed > least_velocity;
  if (pressed) {
    report.regime = moving ? PointRegime::slide : PointRegime::stick;
    report.multiplier = moving ? speed : 0;
  } else if (v[2] > least_velocity) {
    report.regime = PointRegime::separate;
  }
  return report;
}

double signorini_residual(double lambda_n, double v_n, double rho) {
  return std::abs(std::min(lambda_n, rho * v_n));
}

double dissipation_gap(double mu, const Vec3& lambda, const Vec3& v) {
  return mu * lambda[2] * v.head<2>().norm() + lambda.head<2>().dot(v.head<2>());
}

double multiplier_residual(double mu, const Vec3& lambda, const Vec3& v, double rho) {
  const double speed = v.head<2>().norm();
  const double room = mu * lambda[2] - lambda.head<2>().norm();
  const Vec2 slip = mu * lambda[2] * v.head<2>() + speed * lambda.head<2>();
  // The slip equation is a force times a velocity: divided by the larger of the two in force units.
  const double size = std::max({mu * std::abs(lambda[2]), rho * speed, tolerance::smallest});
  const double normal = signorini_residual(lambda[2], v[2], rho);
  return Vec3(rho * slip.norm() / size, std::min(room, rho * speed), normal).norm();
}

Vec3 de_saxce_shift(double mu, const Vec3& v) {
  return {v[0], v[1], v[2] + mu * v.head<2>().norm()};
}

double bipotential_gap(double mu, const Vec3& lambda, const Vec3& v) {
  return lambda.dot(de_saxce_shift(mu, v));
}

Vec3 natural_map(double mu, const Vec3& lambda, const Vec3& v, double rho) {
  return lambda - CoulombCone(mu).project(lambda - rho * de_saxce_shift(mu, v));
}

namespace {

/// Spectral values and direction of z = (z_0, z_bar) in the Jordan algebra of the Lorentz cone.
struct Spectrum {
  double low, high;
  Vec2 direction;
};

/// Of x∘x + y∘y = (|x|² + |y|², 2 x_0 x_bar + 2 y_0 y_bar). The lower value is the small difference
/// of large numbers near the boundary; max(0, .) only removes rounding.
Spectrum sum_of_squares(const Vec3& x, const Vec3& y) {
  const double head = x.squaredNorm() + y.squaredNorm();
  const Vec2 tail = 2 * (x[0] * x.tail<2>() + y[0] * y.tail<2>());
  const double size = tail.norm();
  return {std::max(0.0, head - size), head + size, size > 0 ? Vec2(tail / size) : Vec2::UnitX()};
}

}  // namespace

Vec3 fischer_burmeister(double mu, const Vec3& lambda, const Vec3& v, double rho) {
  if (mu == 0) {
    const double x = lambda[2], y = rho * v[2];
    return {lambda[0], lambda[1], x + y - std::hypot(x, y)};
  }
  const Vec3 shifted = rho * de_saxce_shift(mu, v);
  const Vec3 x(mu * lambda[2], lambda[0], lambda[1]);
  const Vec3 y(shifted[2], mu * shifted[0], mu * shifted[1]);
  const Spectrum s = sum_of_squares(x, y);
  const double low = std::sqrt(s.low), high = std::sqrt(s.high);
  const Vec2 tail = (high - low) / 2 * s.direction;
  return {x[1] + y[1] - tail[0], x[2] + y[2] - tail[1], x[0] + y[0] - (low + high) / 2};
}

std::array<BoxBound, 2> box_bounds(double half_width, const Vec3& lambda,
                                   const PointScales& scales) {
  const double bound = half_width * lambda[2];
  const double slack = scales.tolerance * scales.force;
  std::array<BoxBound, 2> out{BoxBound::stick, BoxBound::stick};
  for (std::size_t i = 0; i < 2; ++i) {
    const double force = lambda[static_cast<Index>(i)];
    if (force <= -bound + slack) out[i] = BoxBound::lower;
    if (force >= bound - slack) out[i] = BoxBound::upper;
    if (bound <= slack) out[i] = BoxBound::stick;  // no room between the bounds: nothing to be at
  }
  return out;
}

double box_residual(double half_width, const Vec3& lambda, const Vec3& v, double rho) {
  const double bound = half_width * std::max(lambda[2], 0.0);
  Vec2 rest;
  for (Index i = 0; i < 2; ++i)
    rest[i] = lambda[i] - std::clamp(lambda[i] - rho * v[i], -bound, bound);
  return rest.norm();
}

}  // namespace tact
