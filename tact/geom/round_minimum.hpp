// geom/round_minimum.hpp - a minimum of the reach of two cores, one of them round, near a
// direction.
//
// Notation: as in geom/round_depth.hpp: h(d) = ρ(d) + max over corners v of d · v. Of the corners
// only
//           a few pieces, up to three, are looked at; where h itself is larger another one matters.
// Newton's method in the tangent plane of the sphere, on the pieces that attain the maximum: one
// piece, the line where two meet, or the point where three do. At the axis of a disc ρ has a tip,
// which is tried by itself.
#pragma once

#include <array>

#include "tact/geom/difference_polytope.hpp"
#include "tact/geom/support.hpp"

namespace tact {

/// The point of the difference set farthest along d, and its corner v.
[[nodiscard]] DifferencePolytope::Point farthest_round(CorePair& pair, const Vec3& d);

/// Up to three corners v of the difference set, and the corners of the first that belong to them.
struct RoundPieces {
  std::array<Vec3, 3> corner{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 3> corner_1 = corner;
  int count = 0;

  void add(const DifferencePolytope::Point& p) {
    if (holds(p.corner)) return;
    corner[count] = p.corner;
    corner_1[count++] = p.corner_1;
  }
  [[nodiscard]] bool holds(const Vec3& v) const {
    for (int i = 0; i < count; ++i)
      if (corner[i] == v) return true;
    return false;
  }
};

[[nodiscard]] inline bool has_all(const RoundPieces& of, const RoundPieces& these) {
  for (int j = 0; j < these.count; ++j)
    if (!of.holds(these.corner[j])) return false;
  return true;
}

/// A minimum of ρ(d) + max d · v over the pieces.
struct RoundMinimum {
  Vec3 d = Vec3::UnitX();
  double value = 0;  ///< of that function; h(d) may be larger
  RoundPieces pieces;
  std::array<double, 3> weights{};  ///< Σ weight (v + ∇ρ) is along d
  Vec3 w = Vec3::Zero();            ///< that sum, a point of the difference set
  Vec3 on_first = Vec3::Zero();     ///< and the point of the first core that it is made of
  bool converged = false;
};

/// A minimum farther than this from where the search began is somebody else's affair.
inline constexpr double own_cosine = 0.95;

/// From `start` down; stops where it is farther than own_cosine from `home`.
[[nodiscard]] RoundMinimum round_minimum(const CorePair& pair, const RoundPieces& pieces,
                                         const Vec3& start, const Vec3& home);

}  // namespace tact
