// tests/support/restitution.hpp - closed forms of a mass that hits a compliant wall.
#pragma once

#include <cmath>
#include <numbers>

namespace tact::testing {

/// What a collision of the speed v0 is in the end.
struct Bounce {
  double restitution = 1;    ///< speed after, per speed before
  double depth = 0;          ///< the deepest [m]
  double time_of_depth = 0;  ///< [s]
  double time = 0;           ///< until the force is gone [s]
};

/// Kelvin-Voigt, m ẍ + b ẋ + k x = 0, until the force is zero: from there on it would pull.
/// Underdamped only.
inline Bounce kelvin_voigt_bounce(double m, double k, double b, double v0) {
  const double w0 = std::sqrt(k / m), z = b / (2 * std::sqrt(k * m));
  const double root = std::sqrt(1 - z * z), w = w0 * root;
  // x = (v0/w) e^(-z w0 t) sin wt; k x + b ẋ = 0 where tan wt = -2 z root/(1 - 2 z²).
  Bounce out;
  out.time = std::atan2(2 * z * root, 2 * z * z - 1) / w;
  out.time_of_depth = std::atan2(root, z) / w;
  out.depth = v0 / w0 * std::exp(-z * w0 * out.time_of_depth);
  const double t = out.time;
  const double x = v0 / w * std::exp(-z * w0 * t) * std::sin(w * t);
  out.restitution = k * x / (b * v0);  // there ẋ = -k x/b
  return out;
}

/// Hertz without damping: ½ m v0² = (2/5) K_h δ^(5/2), and the time as an integral of Euler's.
inline Bounce hertz_bounce(double m, double K_h, double v0) {
  Bounce out;
  out.depth = std::pow(1.25 * m * v0 * v0 / K_h, 0.4);
  // 2 ∫_0^1 dx/√(1 - x^(5/2)) = (4/5) √π Γ(2/5)/Γ(9/10)
  const double factor = 0.8 * std::sqrt(std::numbers::pi) * std::tgamma(0.4) / std::tgamma(0.9);
  out.time = factor * out.depth / v0;
  out.time_of_depth = out.time / 2;
  return out;
}

/// Hunt-Crossley: dv0 - ln(1 + dv0) = -dev0 - ln(1 - dev0), whatever the mass, the stiffness and
/// the exponent are; by bisection, for the right side grows with e.
inline double hunt_crossley_restitution(double d, double v0) {
  const double x = d * v0;
  const double left = x - std::log1p(x);
  double low = 0, high = std::min(1.0, 1 / x);
  for (int i = 0; i < 200; ++i) {
    const double e = (low + high) / 2;
    (-e * x - std::log1p(-e * x) < left ? low : high) = e;
  }
  return (low + high) / 2;
}

}  // namespace tact::testing
