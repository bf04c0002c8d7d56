// soft/close_energy.hpp - the last, third-order term that makes elastic work what the energy lost.
#pragma once

#include <cmath>

#include "tact/linalg/types.hpp"

namespace tact {

/// impulse += R M T, M = diag(length², length², length², 1, 1, 1), with the R that makes the work
/// impulse · T what is wanted (Gonzalez). Nothing where no more than `left` [J] is missing, or
/// nothing moves: closing the rounding of energies shakes the impulse where little moves. Gives
/// back what one joule more would have added.
inline Vec6 close_energy(const Vec6& T, double length, double wanted, double left, Vec6& impulse) {
  const double missing = wanted - impulse.dot(T);
  Vec6 MT = T;
  MT.head<3>() *= length * length;
  const double square = T.dot(MT);
  if (!(std::abs(missing) > left && square > 0)) return Vec6::Zero();
  MT /= square;
  impulse += missing * MT;
  return MT;
}

}  // namespace tact
