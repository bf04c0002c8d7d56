// tests/support/motions.hpp - random rigid motions, independent exponentials, errors relative to
// scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"
#include "tact/spatial/se3.hpp"
#include "tact/spatial/so3.hpp"
#include "tact/spatial/twist.hpp"

namespace tact::testing {

/// What a composition of a few maps may lose: tact::tolerance::rounding, named once for the tests.
inline constexpr double rounding = tolerance::rounding;

/// The step of a central difference that balances truncation h² against rounding epsilon/h, and
/// what is then left of a function whose derivatives are of the order of one.
inline const double difference_step = std::cbrt(tolerance::epsilon);
inline const double difference_error = 64 * difference_step * difference_step;

inline Vec3 random_vec3(Rng& rng, double scale = 1) {
  const double x = rng.normal();
  const double y = rng.normal();
  const double z = rng.normal();
  return scale * Vec3(x, y, z);
}

inline Vec2 random_vec2(Rng& rng, double scale = 1) {
  return random_vec3(rng, scale).head<2>();
}

inline Vec3 random_direction(Rng& rng) {
  return random_vec3(rng).normalized();
}

/// Any axis, any angle up to π: each rotation has one such vector.
inline Vec3 random_rotation_vector(Rng& rng) {
  return rng.uniform(0, std::numbers::pi) * random_direction(rng);
}

/// Lengths of the given scale [m].
inline Pose random_pose(Rng& rng, double length = 1) {
  const Vec3 w = random_rotation_vector(rng);
  return {exp_so3(w), random_vec3(rng, length)};
}

/// One radian and the given length in a second.
inline Twist random_twist(Rng& rng, double length = 1) {
  const Vec3 w = random_vec3(rng);
  return {w, random_vec3(rng, length)};
}

/// One newton, at lever arms of the given length.
inline Wrench random_wrench(Rng& rng, double length = 1) {
  const Vec3 m = random_vec3(rng, length);
  return {m, random_vec3(rng)};
}

/// Errors without units: lengths are divided by the length of the case at hand.
inline double pose_error(const Pose& a, const Pose& b, double length = 1) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff() / length);
}
inline double twist_error(const Twist& a, const Twist& b, double length = 1) {
  return std::max((a.w - b.w).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff() / length);
}
template <class A, class B>
double max_error(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// The exponential of a matrix as its power series, scaled and squared, in extended precision:
/// knows nothing of rotations.
template <int N>
Eigen::Matrix<double, N, N> series_exp(const Eigen::Matrix<double, N, N>& a) {
  using Wide = Eigen::Matrix<long double, N, N>;
  constexpr int squarings = 8;
  constexpr int terms = 24;
  const Wide x = a.template cast<long double>() / std::exp2(static_cast<long double>(squarings));
  Wide term = Wide::Identity();
  Wide sum = Wide::Identity();
  for (int k = 1; k <= terms; ++k) {
    term = (term * x / static_cast<long double>(k)).eval();
    sum += term;
  }
  for (int i = 0; i < squarings; ++i) sum = (sum * sum).eval();
  return sum.template cast<double>();
}

}  // namespace tact::testing
