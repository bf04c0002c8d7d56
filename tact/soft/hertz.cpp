#include "tact/soft/hertz.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/soft/elliptic.hpp"

namespace tact {

namespace {

constexpr double pi = std::numbers::pi;

/// The unit eigenvector of κ_a. Where the eigenvalues are one, any: x.
Vec2 axis_of_least(const RelativeCurvature& c) {
  // The deviator is r [-cos 2φ, -sin 2φ; -sin 2φ, cos 2φ], φ the angle of the axis of κ_a: of the
  // half-angle formulae the one without a difference.
  if (!(c.half_range > 0)) return Vec2::UnitX();
  const double cos2 = -c.deviator(0, 0) / c.half_range, sin2 = -c.deviator(0, 1) / c.half_range;
  const Vec2 axis = cos2 >= 0 ? Vec2(1 + cos2, sin2) : Vec2(sin2, 1 - cos2);
  return axis.normalized();
}

struct SolvedRatio {
  double k = 1;
  EllipticIntegrals integrals;
};

/// ln k of ln ρ, to 2e-5 for ρ >= 1e-3: exchanging the axes turns the signs of both, so that their
/// ratio is a function of the square. Newton's first guess, of no other weight.
double guess_log_ratio(double x) {
  const double z = x * x;
  return (2.0 / 3) * x * (1 + z * (0.05566 + z * 0.000437)) / (1 + z * (0.06027 + z * 0.000528));
}

/// k with k² D/B = ρ. Newton on logarithms: d ln(k² D/B)/d ln k = 1 + C/D + k² C/B lies between 1.5
/// and 2, so that two or three steps do.
SolvedRatio solve_ratio(double rho) {
  constexpr int most_steps = 20;
  SolvedRatio out;
  if (rho >= 1 - 4 * tolerance::epsilon) {  // two balls: a circle, and nothing to solve
    out.integrals = elliptic_integrals(1);
    return out;
  }
  out.k = std::min(1.0, std::exp(guess_log_ratio(std::log(rho))));
  for (int i = 0; i < most_steps; ++i) {
    out.integrals = elliptic_integrals(out.k);
    EllipticIntegrals& e = out.integrals;
    const double k2 = out.k * out.k;
    // ln x about 1 as 2(x-1)/(x+1): to the third order, which is enough for a step.
    const double x = k2 * e.D / (e.B * rho);
    const double step = -2 * (x - 1) / ((x + 1) * (1 + e.C / e.D + k2 * e.C / e.B));
    out.k = std::min(1.0, out.k * (1 + step + step * step / 2));
    if (std::abs(step) > tolerance::distance) continue;
    // The last step is taken on the integrals themselves, by their derivatives to ln k.
    e.K -= e.B * step;
    e.B -= k2 * e.C * step;
    e.E += k2 * e.D * step;
    e.D = e.K - e.B;
    break;
  }
  return out;
}

}  // namespace

RelativeCurvature relative_curvature(const Mat2& A_rel) {
  RelativeCurvature c;
  const double mean = (A_rel(0, 0) + A_rel(1, 1)) / 2;
  const double x = (A_rel(0, 0) - A_rel(1, 1)) / 2, y = (A_rel(0, 1) + A_rel(1, 0)) / 2;
  c.half_range = std::sqrt(x * x + y * y);
  c.deviator << x, y, y, -x;
  c.largest = mean + c.half_range;
  // As a quotient the smaller one keeps its digits beside a much larger one.
  c.least = c.largest > 0 ? (A_rel(0, 0) * A_rel(1, 1) - y * y) / c.largest : mean - c.half_range;
  c.least = std::min(c.least, c.largest);
  return c;
}

HertzShape hertz_shape(double curvature_a, double curvature_b) {
  TACT_EXPECTS(curvature_a > 0 && curvature_b >= curvature_a);
  const auto [k, e] = solve_ratio(curvature_a / curvature_b);
  HertzShape shape;
  shape.ratio = k;
  shape.a2 = 2 * e.D / (e.K * curvature_a);
  shape.b2 = k * k * shape.a2;
  shape.slope = shape.b2 * e.D / (curvature_a * (e.B - k * k * e.C));  // B - k²C = D - C
  shape.stiffness = (2 * pi / 3) * std::sqrt(shape.a2) / e.K;
  shape.perimeter_integral = e.E;
  return shape;
}

HertzShape circular_shape(double mean_curvature) {
  TACT_EXPECTS(mean_curvature > 0);
  HertzShape shape;
  shape.a2 = shape.b2 = 1 / mean_curvature;
  shape.stiffness = (4.0 / 3) * std::sqrt(shape.a2);
  shape.perimeter_integral = pi / 2;
  return shape;
}

PatchEllipse hertz_patch(const HertzShape& shape, const RelativeCurvature& curvature,
                         double depth) {
  PatchEllipse patch;
  patch.a = std::sqrt(shape.a2 * depth);
  patch.b = shape.ratio * patch.a;
  patch.long_axis = axis_of_least(curvature);
  patch.perimeter_integral = shape.perimeter_integral;
  return patch;
}

PatchEllipse quadric_patch(const RelativeCurvature& curvature, double depth) {
  const double ka = curvature.least, kb = curvature.largest;
  TACT_EXPECTS(ka > 0);
  PatchEllipse patch;
  patch.a = std::sqrt(2 * depth / ka);
  patch.b = std::sqrt(2 * depth / kb);
  patch.long_axis = axis_of_least(curvature);
  patch.perimeter_integral = elliptic_integrals(std::sqrt(ka / kb)).E;
  return patch;
}

HertzContact hertz_contact(double modulus, double depth, const Mat2& A_rel) {
  const RelativeCurvature curvature = relative_curvature(A_rel);
  const HertzShape shape = hertz_shape(curvature.least, curvature.largest);
  HertzContact out;
  out.K_h = modulus * shape.stiffness;
  if (!(depth > 0)) return out;
  out.force = out.K_h * depth * std::sqrt(depth);
  out.energy = 0.4 * out.force * depth;
  out.patch = hertz_patch(shape, curvature, depth);
  out.peak_pressure = 1.5 * out.force / (pi * out.patch.a * out.patch.b);
  out.dU_dA = curvature_derivative(shape, curvature, out.force, depth);
  return out;
}

Mat2 curvature_derivative(const HertzShape& shape, const RelativeCurvature& curvature, double force,
                          double depth) {
  // First the difference, which is exact in the directions of the axes: b² may be tiny beside a².
  const Mat2 towards_a = curvature.half_range * Mat2::Identity() - curvature.deviator;
  return (-force * depth / 10) * (shape.b2 * Mat2::Identity() + shape.slope * towards_a);
}

Vec2 stiffness_by_curvature(double modulus, const HertzShape& shape) {
  return (-modulus * shape.stiffness / 4) * Vec2(shape.a2, shape.b2);
}

}  // namespace tact
