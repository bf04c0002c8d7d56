// soft/fit.hpp - a compliant pair identified from a trace of its forces and motions.
//
// Normal, while the bodies touch, x = -gap:      f_N = K x^n max(0, 1 + d x')
// Tangential, with the state s of soft/slip.hpp: s' = √k_t u', |√k_t s| <= μ f_N, f_t = √k_t s,
//                                                k_t = k_ref (x/x_ref)^(n - 1)
// (n = 1: constant stiffnesses, n = 3/2: Hertz and Mindlin). Least squares by Levenberg and
// Marquardt; errors from the covariance of the linearised problem at the noise that the residuals
// show, intervals of 95 % by Student's t. They hold for noise of the forces that is independent
// from sample to sample; noise of the gap widens the residuals, but biases d when the rate must be
// taken from it.
#pragma once

#include <optional>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Samples of one pair, time ascending.
struct SoftTrace {
  std::vector<double> time_s;
  std::vector<double> gap_m;  ///< < 0 while they touch
  std::vector<double> normal_force_N;
  std::vector<double> gap_rate_m_per_s;  ///< empty: taken from the gaps
  std::vector<Vec2> slide_m;             ///< tangential displacement; empty: no tangential part
  std::vector<Vec2> shear_force_N;       ///< on the spring: along the slide while it sticks
};

/// A parameter, its standard error, and where it lies with 95 %.
struct FittedNumber {
  double value = 0, error = 0, low = 0, high = 0;
};

struct TangentFit {
  FittedNumber stiffness_N_per_m;  ///< k_ref at the depth x_ref
  double reference_depth_m = 0;
  FittedNumber friction;  ///< high is infinite where nothing slipped: then low is all that is known
  double noise_N = 0;
  Index samples = 0, slipping = 0;
};

struct SoftFit {
  FittedNumber stiffness;        ///< K [N/m^n]
  FittedNumber exponent;         ///< n
  FittedNumber damping_s_per_m;  ///< d
  double noise_N = 0;            ///< root mean square of what the law does not explain
  Index samples = 0;             ///< while touching
  int iterations = 0;
  bool converged = false;
  std::optional<TangentFit> tangent;
};

/// Says why a trace cannot be used: columns of different lengths, times that do not ascend, too few
/// samples in contact, one depth only, a tangential part that never moves.
[[nodiscard]] Result<SoftFit> fit_soft_pair(const SoftTrace& trace);

/// How a fit explains another trace.
struct FitCheck {
  double normal_rms_N = 0, normal_size_N = 0;  ///< of residuals and of forces
  double shear_rms_N = 0, shear_size_N = 0;    ///< zero without a tangential part
  bool explains = false;  ///< residuals within twice the noise of the fit, or 2 % of the forces
};
[[nodiscard]] Result<FitCheck> check_fit(const SoftFit& fit, const SoftTrace& trace);

}  // namespace tact
