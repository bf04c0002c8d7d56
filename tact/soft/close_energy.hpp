// soft/close_energy.hpp - the last, third-order term that makes elastic work what the energy lost.
#pragma once

#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// impulse += R M T, M = diag(length², length², length², 1, 1, 1), with the R that makes the work
/// impulse · T what is wanted (Gonzalez). Nothing where what is missing is the rounding of energies
/// of this size [J], or nothing moves.
inline void close_energy(const Vec6& T, double length, double wanted, double size, Vec6& impulse) {
  const double missing = wanted - impulse.dot(T);
  Vec6 MT = T;
  MT.head<3>() *= length * length;
  const double square = T.dot(MT);
  if (std::abs(missing) > tolerance::rounding * size && square > 0)
    impulse += (missing / square) * MT;
}

}  // namespace tact
