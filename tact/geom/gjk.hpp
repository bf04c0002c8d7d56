// geom/gjk.hpp - the distance of two convex cores that do not overlap.
//
// Gilbert, Johnson and Keerthi (1988): a simplex of points of the difference set walks towards the
// origin. The length of its nearest point v is an upper bound of the distance, the separation along
// v a lower one; the two meet after finitely many steps for solids with vertices and fast for round
// ones.
#pragma once

#include <array>

#include "tact/geom/support.hpp"

namespace tact {

/// Points of the difference set and the weights that make its nearest point to the origin.
struct GjkSimplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{};
  int count = 0;
};

enum class GjkVerdict : std::uint8_t {
  apart,    ///< distance, normal and points are meant
  beyond,   ///< farther than asked for; the normal separates, nothing else is meant
  overlap,  ///< the origin lies in the simplex or too near to tell
};

struct GjkResult {
  GjkVerdict verdict = GjkVerdict::overlap;
  double distance = 0;           ///< separation along the normal: a lower bound, tight to rounding
  Vec3 normal = Vec3::Zero();    ///< from the second core to the first
  Vec3 on_first = Vec3::Zero();  ///< nearest points
  Vec3 on_second = Vec3::Zero();
  GjkSimplex simplex;
  int iterations = 0;
};

/// Stops as soon as the cores are known to be farther apart than `beyond`. `guess` is any direction
/// from the second to the first, a former normal at best.
[[nodiscard]] GjkResult gjk(CorePair& pair, double beyond, const Vec3& guess);

/// Shrinks the simplex to the face nearest to the origin and returns the nearest point. A simplex
/// of four points is left whole if it holds the origin.
[[nodiscard]] Vec3 nearest_of_simplex(GjkSimplex& simplex);

}  // namespace tact
