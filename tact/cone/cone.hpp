// cone/cone.hpp - what it takes to be a cone in tact. No base class.
#pragma once

#include <cmath>
#include <concepts>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/metric.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// A closed convex cone K of R^dim (dim = -1: decided at run time), as a small regular value.
///   project(x)         = argmin_{y in K} |y - x|
///   project(x, metric) = argmin_{y in K} |y - x|_M
///   margin(x)          >= 0 iff x in K; how deep, in the unit each cone states
///   support(d)         = the generator of K that maximises its product with d, over the base of K
///                        that each cone states
///   dual()             = K* = { y : <x, y> >= 0 for every x in K }, again a cone, with K** == K
/// Every model is held to the laws of tests/property/cone_laws.hpp.
template <class K>
concept Cone = std::regular<K> &&
    requires(const K& k, const Eigen::Matrix<double, K::dim, 1>& x, const Metric<K::dim>& m) {
  { k.project(x) } -> std::convertible_to<Eigen::Matrix<double, K::dim, 1>>;
  { k.project(x, m) } -> std::convertible_to<Eigen::Matrix<double, K::dim, 1>>;
  { k.margin(x) } -> std::convertible_to<double>;
  { k.support(x) } -> std::convertible_to<Eigen::Matrix<double, K::dim, 1>>;
  { k.dual().dual() } -> std::convertible_to<K>;
};

/// Decided by the distance to the cone, never by a second formula.
template <Cone K>
[[nodiscard]] bool contains(const K& k, const Eigen::Matrix<double, K::dim, 1>& x,
                            Tolerance tol = {}) {
  return tol.accepts((k.project(x) - x).norm(), x.norm());
}

/// Moreau in a metric: P_{K*}^M(x) = x + M^-1 P_K^{M^-1}(-M x). `project(U, z)` projects z onto K
/// in the metric U'U. One formula for every dual, not two to keep in step.
template <int N, class Project>
[[nodiscard]] Eigen::Matrix<double, N, 1> project_on_dual(const Metric<N>& metric,
                                                          const Eigen::Matrix<double, N, 1>& x,
                                                          Project&& project) {
  const auto upper = metric.inverse_upper();
  const Eigen::Matrix<double, N, 1> y = project(upper, -metric.apply(x));
  return x + upper.transpose() * (upper * y);
}

/// argmax of <d, y> over y in K, |y| <= 1: the support mapping of a cone without a bounded base.
/// Zero where no element of K has a positive product with d, to rounding.
template <class K, class V>
[[nodiscard]] V support_in_unit_ball(const K& k, const V& d) {
  const V p = k.project(d);
  const double size = p.norm();
  return size > tolerance::rounding * d.norm() ? V(p / size) : V(0 * p);
}

}  // namespace tact
