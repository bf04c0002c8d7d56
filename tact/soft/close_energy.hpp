// soft/close_energy.hpp - the last, third-order term that makes elastic work what the energy lost.
#pragma once

#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// impulse += R M T, M = diag(length², length², length², 1, 1, 1), with the R that makes the work
/// impulse · T what is wanted (Gonzalez). Where next to nothing moves, what is missing is the rounding
/// of energies of this size [J], and closing it would shake the impulse: it is then left alone.
inline void close_energy(const Vec6& T, double length, double wanted, double size, Vec6& impulse) {
  constexpr double shaking = 10 * tolerance::solved;
  const double missing = wanted - impulse.dot(T);
  Vec6 MT = T;
  MT.head<3>() *= length * length;
  const double square = T.dot(MT);
  if (!(square > 0)) return;
  const double strength = std::hypot(impulse.head<3>().norm() / length, impulse.tail<3>().norm());
  const bool shakes = std::abs(missing) > shaking * strength * std::sqrt(square);
  if (shakes && std::abs(missing) <= tolerance::rounding * size) return;
  impulse += (missing / square) * MT;
}

}  // namespace tact
