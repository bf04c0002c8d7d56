#include "tact/spatial/angle.hpp"

#include <cmath>

namespace tact {

namespace {

/// t - sin t cancels like t³/6: below one radian the series is used. Above, at most 3 bits are
/// lost.
constexpr double series_below = 1.0;
/// Terms of that series: at t = 1 the first one left out is 6/21! < epsilon/2 of the sum.
constexpr int series_terms = 8;

}  // namespace

double sinc(double t) {
  return t == 0 ? 1.0 : std::sin(t) / t;
}

double versine_ratio(double t) {
  const double half = sinc(t / 2);  // 1 - cos t = 2 sin²(t/2): nothing cancels
  return half * half / 2;
}

double sine_lag_ratio(double t) {
  if (!(std::abs(t) < series_below)) return (t - std::sin(t)) / (t * t * t);
  // 1/3! - t²/5! + t⁴/7! - ... = 1/6 (1 - t²/(4·5) (1 - t²/(6·7) (1 - ...)))
  double sum = 1;
  for (int k = series_terms; k >= 1; --k) sum = 1 - t * t / ((2 * k + 2) * (2 * k + 3)) * sum;
  return sum / 6;
}

double cotangent_ratio(double t) {
  const double h = t / 2;
  // 1 - h cot h = (sin h - h cos h)/sin h, and sin h - h cos h = h (1 - cos h) - (h - sin h).
  return (versine_ratio(h) - sine_lag_ratio(h)) / (4 * sinc(h));
}

}  // namespace tact
