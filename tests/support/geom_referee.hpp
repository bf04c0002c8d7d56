// An independent judge of distances of convex shapes: support functions written anew from the
// definitions of the shapes, and a search over directions.
//
// For any unit vector n the separation s(n) = min over shape 1 of n·x - max over shape 2 of n·x is
// a lower bound of the signed distance, and the best n attains it. So a distance d with normal n is
// right if s(n) = d and no direction found by a search is better.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>
#include <vector>

#include <Eigen/Geometry>

#include "tact/base/rng.hpp"
#include "tact/geom/shape.hpp"
#include "tact/spatial/se3.hpp"
#include "tact/spatial/so3.hpp"

namespace tact::testing {

/// h(d) in the frame of the shape; infinite for a half-space away from its normal.
struct SupportFunction {
  Vec3 d;
  double operator()(const HalfSpace& /*s*/) const {
    return d[2] > 0 && d.head<2>().norm() <= 1e-15 * d[2] ? 0
                                                          : std::numeric_limits<double>::infinity();
  }
  double operator()(const Sphere& s) const { return s.radius * d.norm(); }
  double operator()(const Capsule& s) const {
    return s.radius * d.norm() + s.half_length * std::abs(d[2]);
  }
  double operator()(const Cylinder& s) const {
    return s.radius * d.head<2>().norm() + s.half_length * std::abs(d[2]);
  }
  double operator()(const Ellipsoid& s) const { return s.semi_axes.cwiseProduct(d).norm(); }
  double operator()(const Box& s) const { return s.half_extents.dot(d.cwiseAbs()); }
  double operator()(const ConvexMesh& s) const {
    double h = -std::numeric_limits<double>::infinity();
    for (const Vec3& x : s.polyhedron->vertices) h = std::max(h, d.dot(x));
    return h;
  }
  double operator()(const HeightField& /*s*/) const { return 0; }
};

struct ShapePair {
  Shape first, second;
  Pose X_W1, X_W2;

  [[nodiscard]] double separation(const Vec3& n) const {
    const double h1 = std::visit(SupportFunction{X_W1.R.transpose() * -n}, first);
    const double h2 = std::visit(SupportFunction{X_W2.R.transpose() * n}, second);
    return n.dot(X_W1.p - X_W2.p) - h1 - h2;
  }
};

/// Climbs from n by a compass search whose step halves where nothing is better.
inline double climb(const ShapePair& pair, Vec3 n, double step, double finest) {
  double best = pair.separation(n);
  for (; step > finest; step /= 2) {
    int moves = 30;  // along a ridge it would creep for ever
    for (bool better = true; better && moves > 0; --moves) {
      better = false;
      const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
      for (int k = 0; k < 8; ++k) {
        const double a = std::numbers::pi * k / 4;
        const Vec3 m = (n + step * (std::cos(a) * u + std::sin(a) * v)).normalized();
        const double s = pair.separation(m);
        if (s > best + 1e-15 * std::abs(best)) best = s, n = m, better = true;
      }
    }
  }
  return best;
}

/// The best separation over a grid of directions, climbed from the best of them.
inline double searched_separation(const ShapePair& pair, int grid, int climbs) {
  std::vector<std::pair<double, Vec3>> tried;
  for (int i = 0; i < grid; ++i) {
    const double z = 1 - (2 * i + 1.0) / grid, a = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    const Vec3 n(r * std::cos(a), r * std::sin(a), z);
    tried.emplace_back(pair.separation(n), n);
  }
  const int kept = std::min(climbs, grid);
  std::partial_sort(tried.begin(), tried.begin() + kept, tried.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  double best = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < kept; ++i)
    best = std::max(best, climb(pair, tried[i].second, 2 / std::sqrt(grid), 1e-9));
  return best;
}

inline Mat3 random_rotation(Rng& rng) {
  const Quaternion q{rng.normal(), rng.normal(), rng.normal(), rng.normal()};
  return to_matrix(normalized(q));
}

}  // namespace tact::testing
