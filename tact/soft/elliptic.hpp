// soft/elliptic.hpp - complete elliptic integrals by the arithmetic-geometric mean.
//
// Notation: k = b/a in (0, 1] is the complementary modulus, m = 1 - k². Besides K and E the
// integrals
//     D = (K - E)/m,   B = (E - k²K)/m = K - D,   C = (D - B)/m
// appear where an ellipse is nearly a circle: written with them nothing is divided by zero there.
// They are found without a difference: K - E = K Σ 2^(n-1) c_n² with c_0² = m, c_1 = m/(2(1 + k)),
// so that D = K (½ + m g), B = K (½ - m g), C = 2 K g with a sum g of positive terms.
#pragma once

namespace tact {

struct EllipticIntegrals {
  double K = 0, E = 0, B = 0, D = 0, C = 0;
};

/// Expects 0 < k <= 1. To a few units of round-off; as k → 0 the digits of B and of D - C go as
/// log(4/k).
[[nodiscard]] EllipticIntegrals elliptic_integrals(double k);

}  // namespace tact
