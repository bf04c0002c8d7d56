// contact/six_rows.hpp - the metric of a contact of six rows, without what is zero in it.
//
// D couples rows 0, 1, 5 of a patch and rows 2, 3, 4; of a rolling point, fewer. Elsewhere D and
// D⁻¹ are zero.
#pragma once

#include "tact/contact/local_law.hpp"

namespace tact {

/// |x|²_D of up to six rows; `x` has room for six.
[[nodiscard]] inline double energy_of(const LocalMetric& metric, const double (&x)[6]) {
  if (metric.n != 6) return energy(metric, x);
  const double* m = metric.values;
  return x[0] * (m[0] * x[0] + m[6] * x[1] + m[30] * x[5]) +
         x[1] * (m[1] * x[0] + m[7] * x[1] + m[31] * x[5]) +
         x[5] * (m[5] * x[0] + m[11] * x[1] + m[35] * x[5]) +
         (x[2] * (m[14] * x[2] + m[20] * x[3] + m[26] * x[4]) +
          x[3] * (m[15] * x[2] + m[21] * x[3] + m[27] * x[4]) +
          x[4] * (m[16] * x[2] + m[22] * x[3] + m[28] * x[4]));
}

/// y = λ - D⁻¹ u of up to six rows.
inline void argument_of(const LocalMetric& metric, const double* lambda, const double* u,
                        double (&y)[6]) {
  if (metric.n != 6) return natural_argument(metric, lambda, u, y);
  const double* m = metric.values + 36;
  for (const int r : {0, 1, 5}) y[r] = lambda[r] - m[r] * u[0] - m[6 + r] * u[1] - m[30 + r] * u[5];
  for (const int r : {2, 3, 4})
    y[r] = lambda[r] - m[12 + r] * u[2] - m[18 + r] * u[3] - m[24 + r] * u[4];
}

/// u = G λ + b, by the columns of G.
inline void velocity_of_six(const double* G, const double* b, const double* lambda, double* u) {
  double sum[6];
  for (int r = 0; r < 6; ++r) sum[r] = b[r];
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) sum[r] += G[6 * c + r] * lambda[c];
  for (int r = 0; r < 6; ++r) u[r] = sum[r];
}

}  // namespace tact
