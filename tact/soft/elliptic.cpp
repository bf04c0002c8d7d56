#include "tact/soft/elliptic.hpp"

#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {

EllipticIntegrals elliptic_integrals(double k) {
  TACT_EXPECTS(k > 0 && k <= 1);
  const double m = (1 - k) * (1 + k);
  // e_n = c_n / m: stays finite as m → 0.
  double mean = (1 + k) / 2, geometric = std::sqrt(k);
  double e = 1 / (2 * (1 + k));
  double weight = 1;
  double g = e * e;
  // c_(n+1) = c_n²/(4 mean_(n+1)): when c_n is a root of round-off, what follows is none.
  while (e * m > tolerance::quadratic * mean) {
    const double next = (mean + geometric) / 2;
    geometric = std::sqrt(mean * geometric);
    mean = next;
    e = e * e * m / (4 * mean);
    weight *= 2;
    g += weight * e * e;
  }
  // One more arithmetic mean, which the loop has not taken, has the square of the last difference.
  mean = (mean + geometric) / 2;
  EllipticIntegrals out;
  out.K = std::numbers::pi / (2 * mean);
  out.D = out.K * (0.5 + m * g);
  out.B = out.K * (0.5 - m * g);
  out.C = 2 * out.K * g;
  out.E = out.B + k * k * out.D;
  return out;
}

}  // namespace tact
