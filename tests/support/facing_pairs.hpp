// tests/support/facing_pairs.hpp - random pairs of surfaces that face each other at a known gap.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "tact/soft/pair_geometry.hpp"
#include "tests/support/surface_zoo.hpp"

namespace tact::testing {

struct FacingPair {
  Surface one, two;
  Pose X_12;
  FacingPoints facing;
};

inline constexpr int pair_kinds = 20;

/// Kinds of surface of a pair; hollow: the first is inside out and large.
struct PairKind {
  const char* name;
  int one, two;
  bool hollow = false;
};

inline constexpr std::array<PairKind, pair_kinds> kinds_of_pairs{{
    {"plane_sphere", 0, 1},
    {"plane_ellipsoid", 0, 2},
    {"ellipsoid_plane", 2, 0},
    {"ellipsoid_ellipsoid", 2, 2},
    {"sphere_sphere", 1, 1},
    {"sphere_in_bowl", 1, 1, true},
    {"ellipsoid_in_bowl", 1, 2, true},
    {"sphere_in_ellipsoid", 2, 1, true},
    {"superellipsoid_ellipsoid", 3, 2},
    {"superellipsoid_superellipsoid", 3, 3},
    {"torus_sphere", 6, 1},
    {"torus_torus", 6, 6},
    {"capsule_ellipsoid", 5, 2},
    {"cylinder_ellipsoid", 4, 2},
    {"ellipsoid_in_pipe", 4, 2, true},
    {"waves_sphere", 7, 1},
    {"spline_sphere", 8, 1},
    {"chart_ellipsoid", 9, 2},
    {"nurbs_sphere", 10, 1},
    {"implicit_ellipsoid", 11, 2},
}};

inline std::string pair_name(int kind) {
  return kinds_of_pairs[kind].name;
}

/// Four times as large, to hold others.
inline Surface enlarged(Surface surface) {
  constexpr double by = 4;
  if (auto* sphere = std::get_if<SphereSurface>(&surface.form)) sphere->radius *= by;
  if (auto* ellipsoid = std::get_if<EllipsoidSurface>(&surface.form)) ellipsoid->semi_axes *= by;
  if (auto* pipe = std::get_if<CylinderSurface>(&surface.form)) pipe->radius *= by;
  return surface;
}

/// The pose that lets p2 of body 2 face p1 of body 1 at the gap, turned by the angle about n.
inline Pose facing_pose(const SurfacePoint& one, const SurfacePoint& two, double gap,
                        double angle) {
  const Mat32 E = tangent_basis(one.n);
  const Mat32 F = tangent_basis(two.n);
  Mat3 left;
  left << E * Vec2(std::cos(angle), std::sin(angle)), E * Vec2(-std::sin(angle), std::cos(angle)),
      one.n;
  Mat3 right;
  right << F.col(0), -F.col(1), -two.n;
  const Mat3 R = left * right.transpose();
  return {R, one.p + gap * one.n - R * two.p};
}

/// Relatively convex, and well inside the window: penetrating to a fifth of the least radius,
/// apart, or touching.
inline FacingPair random_facing_pair(Rng& rng, int kind) {
  const PairKind& kinds = kinds_of_pairs[kind];
  for (;;) {
    Surface one = random_surface(rng, kinds.one, kinds.hollow);
    if (kinds.hollow) one = enlarged(one);
    const Surface two = random_surface(rng, kinds.two);
    const SurfacePoint p = some_points(one, rng, 1).at(0);
    const SurfacePoint q = some_points(two, rng, 1).at(0);
    const Pose X = facing_pose(p, q, 0, rng.uniform(-3, 3));
    const PairGeometry touching = pair_geometry({p, q, 0}, X);
    const auto window = gap_window(touching.A1, touching.A2);
    const Mat2 sum = touching.A1 + touching.A2;
    const double curve = touching.A1.norm() + touching.A2.norm();
    // Nearly flat pairs are well defined but their points run fast.
    if (!window || sum(0, 0) * sum(1, 1) - sum(0, 1) * sum(1, 0) < 0.02 * curve * curve) continue;
    const double low = std::max(window->least, -0.02) / 5;
    const double high = std::min(window->most, 0.05) / 5;
    const double gap = kind % 3 == 2 ? 0 : rng.uniform(low, high);
    FacingPair pair{one, two, X, {p, q, gap}};
    pair.X_12.p += gap * p.n;
    return pair;
  }
}

/// A twist that moves the points by a third of a radius of curvature in a second.
inline Twist slow_twist(Rng& rng, const PairGeometry& g, const PointRates& rates) {
  const Vec3 w = random_vec3(rng);
  const Vec3 v = random_vec3(rng, 0.02);
  const Twist T{w, v - w.cross(g.p1)};
  const double speed = (rates.J1 * T.vec()).norm() + (rates.J2 * T.vec()).norm();
  return T / (3 * speed * (g.A1.norm() + g.A2.norm()));
}

}  // namespace tact::testing
