// spatial/angle.hpp - the four functions of an angle from which exp, log and their derivatives are
// built.
//
// Each is even, smooth at 0 and accurate to a few units of round-off for every finite t [rad].
#pragma once

namespace tact {

/// sin(t)/t; 1 at 0.
[[nodiscard]] double sinc(double t);

/// (1 - cos t)/t²; 1/2 at 0.
[[nodiscard]] double versine_ratio(double t);

/// (t - sin t)/t³; 1/6 at 0.
[[nodiscard]] double sine_lag_ratio(double t);

/// (1 - (t/2) cot(t/2))/t²; 1/12 at 0. Has poles at the non-zero multiples of 2π.
[[nodiscard]] double cotangent_ratio(double t);

}  // namespace tact
