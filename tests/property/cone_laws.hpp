// tests/property/cone_laws.hpp - one suite of laws, every cone, every metric.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/cone/cone.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact::testing {

/// The bar of the project for a projection: relative to |x| in the metric.
inline constexpr double law_tolerance = 1e-12;

template <int N>
using Vector = Eigen::Matrix<double, N, 1>;

/// Points that break projections: the apex, axes, tiny, huge, and a seeded cloud.
template <int N>
std::vector<Vector<N>> probes(std::uint64_t seed, int cloud, Index size = N) {
  std::vector<Vector<N>> xs{Vector<N>::Zero(size)};
  for (Index i = 0; i < size; ++i)
    for (const double s : {1.0, -1.0, 1e-90, -1e-90, 1e8, -1e8})
      xs.push_back(s * Vector<N>::Unit(size, i));
  Rng rng(seed);
  for (int k = 0; k < cloud; ++k) {
    Vector<N> x(size);
    for (Index i = 0; i < size; ++i) x[i] = rng.normal();
    xs.push_back(x);
  }
  return xs;
}

/// A random SPD matrix whose square root has singular values between 1/spread and spread.
template <int N>
Metric<N> random_metric(Rng& rng, double spread, Index size = N) {
  typename Metric<N>::Matrix a(size, size);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = rng.normal();
  for (Index i = 0; i < size; ++i) a.row(i) *= rng.log_uniform(1 / spread, spread);
  const typename Metric<N>::Matrix m = a.transpose() * a;
  return Metric<N>::from_spd((m + m.transpose()) / 2);
}

/// How far the corners of a patch lie from the origin of its frame: their rounding, times the
/// force, is the moment that no algorithm can resolve. Zero for cones without geometry.
inline double lever(const PlanarSet& hull) {
  return hull.radius() + hull.center().norm();
}

/// What the check itself can resolve: products with M lose a factor of its condition's root.
template <int N>
double resolution(const Metric<N>& metric, double tol) {
  const double condition = metric.upper().norm() * metric.inverse_upper().norm();
  return tol + 4 * tolerance::epsilon * condition;
}

template <int N>
Metric<N> inverse_of(const Metric<N>& metric) {
  const typename Metric<N>::Matrix m = metric.inverse_upper().transpose() * metric.inverse_upper();
  return Metric<N>::from_spd((m + m.transpose()) / 2);
}

/// The optimality conditions of a projection: p in K, d = M(p - x) in K*, <p, d> = 0. They hold iff
/// p is the projection. For a cone with a bounded base K* is where every generator has a
/// non-negative product, so that nothing but products is needed: the worst generator decides.
template <Cone K>
void expect_projection(const K& k, const Vector<K::dim>& x, const Metric<K::dim>& metric,
                       double extent = 0) {
  const Vector<K::dim> p = k.project(x, metric);
  const double size = metric.norm(x);
  const double moment = 8 * tolerance::epsilon * extent * std::abs(p[p.size() - 1]);
  const double tol =
      resolution(metric, law_tolerance) + (moment > 0 ? moment * metric.upper().norm() / size : 0);
  ASSERT_TRUE(p.allFinite()) << "at " << x.transpose();
  EXPECT_LE(metric.norm(k.project(p, metric) - p), tol * size) << "idempotent at " << x.transpose();
  const Vector<K::dim> d = metric.apply(p - x);
  EXPECT_LE(std::abs(p.dot(d)), tol * size * size) << "orthogonal at " << x.transpose();
  // K** = K: whatever is outside K is separated from it by an element of K*, here d.
  const bool outside = metric.norm(p - x) > 1e-4 * size;
  EXPECT_TRUE(!outside || x.dot(d) < 0) << "separated at " << x.transpose();
  const Vector<K::dim> generator = k.support(Vector<K::dim>(-d));
  EXPECT_GE(generator.dot(d), -tol * size * metric.norm(generator))
      << "dual feasible at " << x.transpose();
}

/// The same for a cone without a bounded base, a dual: d must lie in its own dual, the primal cone,
/// whose projection has passed the test above.
template <Cone K>
void expect_dual_projection(const K& k, const Vector<K::dim>& x, const Metric<K::dim>& metric,
                            double extent = 0) {
  const Vector<K::dim> p = k.project(x, metric);
  const double size = metric.norm(x);
  ASSERT_TRUE(p.allFinite()) << "at " << x.transpose();
  const Vector<K::dim> d = metric.apply(p - x);  // a wrench
  const double moment = 8 * tolerance::epsilon * extent * std::abs(d[d.size() - 1]);
  const double tol = resolution(metric, law_tolerance) +
                     (moment > 0 ? moment * metric.inverse_upper().norm() / size : 0);
  EXPECT_LE(metric.norm(k.project(p, metric) - p), tol * size) << "idempotent at " << x.transpose();
  EXPECT_LE(std::abs(p.dot(d)), tol * size * size) << "orthogonal at " << x.transpose();
  EXPECT_GE(k.margin(p), -tol * (1 + extent) * (p.norm() + x.norm()) * metric.upper().norm() *
                             metric.inverse_upper().norm())
      << "feasible at " << x.transpose();
  const auto inverse = inverse_of(metric);
  EXPECT_LE(inverse.norm(k.dual().project(d, inverse) - d), tol * size)
      << "in the primal cone at " << x.transpose();
}

/// Moreau: x = P_K^M(x) - M^-1 P_{K*}^{M^-1}(-M x), by the two projections as the cones compute
/// them.
template <Cone K>
void expect_moreau(const K& k, const Vector<K::dim>& x, const Metric<K::dim>& metric,
                   double extent = 0) {
  const auto inverse_metric = inverse_of(metric);
  const Vector<K::dim> p = k.project(x, metric);
  const double condition = metric.upper().norm() * metric.inverse_upper().norm();
  const double moment = 8 * tolerance::epsilon * extent * std::abs(p[p.size() - 1]);
  const double tol = law_tolerance + 4 * tolerance::epsilon * condition * condition +
                     (moment > 0 ? moment * metric.upper().norm() / metric.norm(x) : 0);
  const Vector<K::dim> q = k.dual().project(Vector<K::dim>(-metric.apply(x)), inverse_metric);
  EXPECT_LE(metric.norm(p - metric.solve(q) - x), tol * metric.norm(x))
      << "Moreau at " << x.transpose();
}

/// Everything a cone and its dual must satisfy. The cone has a bounded base.
template <Cone K>
void expect_cone_laws(const K& k, std::uint64_t seed = 1, double extent = 0, Index size = K::dim,
                      int cloud = 60) {
  const auto dual = k.dual();
  EXPECT_EQ(dual.dual(), k) << "K** = K";
  Rng rng(seed);
  const Metric<K::dim> euclid(size);
  for (const auto& x : probes<K::dim>(seed, cloud, size)) {
    EXPECT_LE((k.project(x) - k.project(x, euclid)).norm(), law_tolerance * x.norm())
        << "Euclidean projection at " << x.transpose();
    expect_projection(k, x, euclid, extent);
    expect_dual_projection(dual, x, euclid, extent);
    expect_moreau(k, x, euclid, extent);
    const auto metric = random_metric<K::dim>(rng, 4, size);
    expect_projection(k, x, metric, extent);
    expect_dual_projection(dual, x, metric, extent);
    expect_moreau(k, x, metric, extent);
    // A margin is non-negative where the projection moves nothing, and only there.
    const double slack = law_tolerance * (1 + extent) * x.norm();
    const bool inside = (k.project(x) - x).norm() <= law_tolerance * x.norm();
    EXPECT_TRUE(inside ? k.margin(x) >= -slack : k.margin(x) < 0) << "margin at " << x.transpose();
    const bool dual_inside = (dual.project(x) - x).norm() <= law_tolerance * x.norm();
    EXPECT_TRUE(dual_inside ? dual.margin(x) >= -slack : dual.margin(x) < 0)
        << "dual margin at " << x.transpose();
  }
}

}  // namespace tact::testing
