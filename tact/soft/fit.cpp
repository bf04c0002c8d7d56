// soft/fit.cpp - least squares of the normal law, then of the tangential one.
#include "tact/soft/fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

constexpr Index fewest = 8;  // samples in contact

/// Residuals and their derivatives by the parameters.
using Residuals = std::function<void(const VecX& p, VecX& r, MatX* J)>;

struct LeastSquares {
  VecX p;
  MatX covariance;
  double noise = 0;
  int iterations = 0;
  bool converged = false;
};

/// Levenberg and Marquardt.
LeastSquares minimise(const Residuals& residuals, VecX p) {
  constexpr int most = 200;
  constexpr double firm = 1e12;
  LeastSquares out;
  VecX r, tried;
  MatX J;
  double lambda = 1e-3;
  residuals(p, r, &J);
  for (out.iterations = 0; out.iterations < most && lambda < firm; ++out.iterations) {
    const VecX g = J.transpose() * r;
    const MatX H = J.transpose() * J;
    MatX damped = H;
    damped.diagonal() += lambda * H.diagonal().cwiseMax(tolerance::smallest);
    const VecX step = damped.ldlt().solve(-g);
    if (!step.allFinite()) break;
    residuals(p + step, tried, nullptr);
    if (tried.allFinite() && tried.squaredNorm() <= r.squaredNorm()) {
      const double gain = r.squaredNorm() - tried.squaredNorm();
      p += step;
      residuals(p, r, &J);
      lambda = std::max(lambda / 10, tolerance::epsilon);
      if (gain <= tolerance::collinear * r.squaredNorm()) {
        out.converged = true;
        break;
      }
    } else {
      lambda *= 10;
    }
  }
  out.converged = out.converged || lambda >= firm;  // no direction leads down
  const auto freedom = static_cast<double>(std::max<Index>(1, r.size() - p.size()));
  out.noise = std::sqrt(r.squaredNorm() / freedom);
  // Scaled by the diagonal, for the parameters have different units.
  const MatX H = J.transpose() * J;
  const VecX scale = H.diagonal().cwiseMax(tolerance::smallest).cwiseSqrt().cwiseInverse();
  const MatX unit = scale.asDiagonal() * H * scale.asDiagonal();
  out.covariance =
      out.noise * out.noise * (scale.asDiagonal() * unit.inverse() * scale.asDiagonal());
  out.p = std::move(p);
  return out;
}

/// Student's t at 97.5 %, by the first terms of its series in 1/ν.
double student(Index samples, Index parameters) {
  const auto nu = static_cast<double>(std::max<Index>(1, samples - parameters));
  return 1.959964 + 2.372272 / nu + 2.822498 / (nu * nu);
}

FittedNumber around(double value, double variance, double t) {
  const double error = std::sqrt(std::max(0.0, variance));
  return {value, error, value - t * error, value + t * error};
}

/// The same for the logarithm of a number.
FittedNumber around_log(double logarithm, double variance, double t) {
  const double error = std::sqrt(std::max(0.0, variance)), value = std::exp(logarithm);
  return {value, value * error, value * std::exp(-t * error), value * std::exp(t * error)};
}

/// The slope of a parabola through the samples nearby.
std::vector<double> slopes(const std::vector<double>& time, const std::vector<double>& x) {
  constexpr int half = 2;
  const auto n = static_cast<int>(x.size());
  std::vector<double> out(x.size(), 0.0);
  for (int i = 0; i < n; ++i) {
    const int first = std::clamp(i - half, 0, std::max(0, n - 2 * half - 1));
    const int last = std::min(n - 1, first + 2 * half);
    Mat3 H = Mat3::Zero();
    Vec3 g = Vec3::Zero();
    const double unit = std::max(time[last] - time[first], tolerance::smallest);
    for (int k = first; k <= last; ++k) {
      const double s = (time[k] - time[i]) / unit;
      const Vec3 row(1, s, s * s);
      H += row * row.transpose();
      g += x[k] * row;
    }
    out[i] = H.ldlt().solve(g)[1] / unit;
  }
  return out;
}

std::vector<double> gap_rates(const SoftTrace& trace) {
  return trace.gap_rate_m_per_s.empty() ? slopes(trace.time_s, trace.gap_m)
                                        : trace.gap_rate_m_per_s;
}

struct NormalSamples {
  std::vector<double> depth, rate, force;
  double reference = 0;  ///< geometric mean of the depths
};

NormalSamples touching_samples(const SoftTrace& trace) {
  const std::vector<double> rate = gap_rates(trace);
  NormalSamples out;
  double logs = 0;
  for (std::size_t i = 0; i < trace.gap_m.size(); ++i) {
    if (!(trace.gap_m[i] < 0)) continue;
    out.depth.push_back(-trace.gap_m[i]);
    out.rate.push_back(-rate[i]);
    out.force.push_back(trace.normal_force_N[i]);
    logs += std::log(-trace.gap_m[i]);
  }
  if (!out.depth.empty()) out.reference = std::exp(logs / static_cast<double>(out.depth.size()));
  return out;
}

/// p = (log F_ref, n, d): F_ref = K x_ref^n is known where n and K are not, apart.
double normal_force(const VecX& p, double depth, double rate, double reference) {
  if (!(depth > 0)) return 0;
  return std::exp(p[0]) * std::pow(depth / reference, p[1]) * std::max(0.0, 1 + p[2] * rate);
}

/// The law over a whole trace.
std::vector<double> law_forces(const VecX& p, double reference, const SoftTrace& trace) {
  const std::vector<double> rate = gap_rates(trace);
  std::vector<double> out;
  for (std::size_t i = 0; i < trace.gap_m.size(); ++i)
    out.push_back(normal_force(p, -trace.gap_m[i], -rate[i], reference));
  return out;
}

LeastSquares fit_normal(const NormalSamples& s) {
  const auto n = static_cast<Index>(s.depth.size());
  const Residuals residuals = [&](const VecX& p, VecX& r, MatX* J) {
    r.resize(n);
    if (J != nullptr) J->setZero(n, 3);
    for (Index i = 0; i < n; ++i) {
      const double f = normal_force(p, s.depth[i], s.rate[i], s.reference);
      r[i] = f - s.force[i];
      if (J == nullptr || !(f > 0)) continue;
      (*J)(i, 0) = f;
      (*J)(i, 1) = f * std::log(s.depth[i] / s.reference);
      (*J)(i, 2) = f * s.rate[i] / (1 + p[2] * s.rate[i]);
    }
  };
  double numerator = 0, denominator = 0;
  for (Index i = 0; i < n; ++i) {
    const double shape = std::pow(s.depth[i] / s.reference, 1.5);
    numerator += shape * s.force[i];
    denominator += shape * shape;
  }
  const Vec3 start(std::log(std::max(numerator / denominator, tolerance::smallest)), 1.5, 0);
  return minimise(residuals, start);
}

/// Law of the tangential part over a trace: p = (log k_ref, log μ). Friction is held by the normal
/// force of the law, for the measured one would bring its noise into every threshold.
struct TangentPath {
  const SoftTrace& trace;
  const std::vector<double>& normal;  ///< [samples] [N]
  double exponent = 1, reference = 1;
  Index slipping = 0;

  void forces(const VecX& p, std::vector<Vec2>& out) {
    const double k = std::exp(p[0]), mu = std::exp(p[1]);
    Vec2 s = Vec2::Zero();
    out.assign(trace.gap_m.size(), Vec2::Zero());
    slipping = 0;
    for (std::size_t i = 0; i < trace.gap_m.size(); ++i) {
      const double depth = -trace.gap_m[i];
      if (!(depth > 0)) {
        s.setZero();
        continue;
      }
      const double root = std::sqrt(k * std::pow(depth / reference, exponent - 1));
      if (i > 0 && trace.gap_m[i - 1] < 0) s += root * (trace.slide_m[i] - trace.slide_m[i - 1]);
      const double limit = mu * normal[i] / root;
      if (s.norm() > limit) {
        s *= limit / s.norm();
        ++slipping;
      }
      out[i] = root * s;
    }
  }
};

/// A start for the tangential parameters: steepest loading, largest ratio.
Vec2 tangent_start(const SoftTrace& trace) {
  std::vector<double> stiffness, ratio;
  for (std::size_t i = 1; i < trace.gap_m.size(); ++i) {
    if (!(trace.gap_m[i] < 0 && trace.gap_m[i - 1] < 0)) continue;
    const Vec2 du = trace.slide_m[i] - trace.slide_m[i - 1];
    const Vec2 df = trace.shear_force_N[i] - trace.shear_force_N[i - 1];
    if (du.squaredNorm() > 0) stiffness.push_back(df.dot(du) / du.squaredNorm());
    if (trace.normal_force_N[i] > 0)
      ratio.push_back(trace.shear_force_N[i].norm() / trace.normal_force_N[i]);
  }
  const auto high = [](std::vector<double>& x, double share) {
    if (x.empty()) return 1.0;
    const auto at =
        x.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(x.size() - 1));
    std::nth_element(x.begin(), at, x.end());
    return *at;
  };
  return {std::log(std::max(high(stiffness, 0.7), tolerance::difference)),
          std::log(std::max(high(ratio, 0.9), tolerance::difference))};
}

void tangent_residuals(TangentPath& path, const VecX& p, VecX& r) {
  std::vector<Vec2> f;
  path.forces(p, f);
  r.resize(static_cast<Index>(2 * f.size()));
  for (std::size_t i = 0; i < f.size(); ++i)
    r.segment<2>(static_cast<Index>(2 * i)) =
        path.trace.gap_m[i] < 0 ? Vec2(f[i] - path.trace.shear_force_N[i]) : Vec2(Vec2::Zero());
}

/// The same law without a threshold: the force is k_ref times a shape.
struct StickFit {
  std::vector<Vec2> shape;
  double stiffness = 0, weight = 0;  ///< k_ref and Σ shape²
  double squares = 0;                ///< of the residuals
};

constexpr double never_slips = 1e9;  // friction

StickFit fit_stick(TangentPath& path, const SoftTrace& trace) {
  StickFit out;
  path.forces(Vec2(0, std::log(never_slips)), out.shape);
  double product = 0;
  for (std::size_t i = 0; i < out.shape.size(); ++i) {
    out.weight += out.shape[i].squaredNorm();
    product += out.shape[i].dot(trace.shear_force_N[i]);
  }
  out.stiffness = out.weight > 0 ? product / out.weight : 0;
  for (std::size_t i = 0; i < out.shape.size(); ++i)
    if (trace.gap_m[i] < 0)
      out.squares += (out.stiffness * out.shape[i] - trace.shear_force_N[i]).squaredNorm();
  return out;
}

/// What the errors of the normal law add to those of the tangential one: (∂p/∂q) C (∂p/∂q)ᵀ with
/// ∂p/∂q = -(JᵀJ)⁻¹Jᵀ ∂r/∂q.
Mat2 passed_on(const SoftTrace& trace, const LeastSquares& law, double reference, const VecX& p,
               const MatX& J) {
  constexpr double step = 1e-4;
  MatX by_law(J.rows(), 3);
  for (Index k = 0; k < 3; ++k) {
    VecX sides[2];
    for (int side = 0; side < 2; ++side) {
      VecX q = law.p;
      q[k] += side == 0 ? -step : step;
      const std::vector<double> normal = law_forces(q, reference, trace);
      TangentPath path{trace, normal, q[1], reference};
      tangent_residuals(path, p, sides[side]);
    }
    by_law.col(k) = (sides[1] - sides[0]) / (2 * step);
  }
  const MatX S = (J.transpose() * J).ldlt().solve(J.transpose() * by_law);
  return S * law.covariance * S.transpose();
}

/// Kinks make several valleys: from starts on both sides of a guess, the deepest.
LeastSquares least_of_several(const Residuals& residuals, const Vec2& guess) {
  LeastSquares best;
  best.noise = std::numeric_limits<double>::infinity();
  for (const double stiffer : {0.3, 1.0, 3.0})
    for (const double rougher : {0.7, 1.0, 1.3}) {
      LeastSquares found = minimise(residuals, guess + Vec2(std::log(stiffer), std::log(rougher)));
      if (found.noise < best.noise) best = std::move(found);
    }
  return best;
}

TangentFit fit_tangent(const SoftTrace& trace, const LeastSquares& law, double reference,
                       Index touching) {
  const std::vector<double> normal = law_forces(law.p, reference, trace);
  TangentPath path{trace, normal, law.p[1], reference};
  const Residuals residuals = [&](const VecX& p, VecX& r, MatX* J) {
    tangent_residuals(path, p, r);
    if (J == nullptr) return;
    constexpr double step = 1e-4;  // of logarithms; the law has kinks, which a wider one bridges
    J->resize(r.size(), 2);
    VecX up, down;
    for (Index k = 0; k < 2; ++k) {
      VecX q = p;
      q[k] = p[k] + step;
      tangent_residuals(path, q, up);
      q[k] = p[k] - step;
      tangent_residuals(path, q, down);
      J->col(k) = (up - down) / (2 * step);
    }
  };
  const LeastSquares best = least_of_several(residuals, tangent_start(trace));
  TangentFit out;
  std::vector<Vec2> forces;
  VecX r;
  MatX J;
  residuals(best.p, r, &J);
  path.forces(best.p, forces);
  out.slipping = path.slipping;
  out.samples = touching;
  out.reference_depth_m = reference;
  // Both components of samples in contact count.
  const auto freedom = static_cast<double>(std::max<Index>(1, 2 * touching - 2));
  out.noise_N = std::sqrt(r.squaredNorm() / freedom);
  const double t = student(2 * touching, 2);
  // A threshold that explains no more than noise would is none: χ² of one parameter at 0.1 %.
  constexpr double significant = 10.8;
  const StickFit stick = fit_stick(path, trace);
  const double gain = stick.squares - r.squaredNorm();
  if (out.slipping > 0 && gain > significant * out.noise_N * out.noise_N) {
    const double rescale = best.noise > 0 ? out.noise_N / best.noise : 1;
    const MatX covariance =
        rescale * rescale * best.covariance + passed_on(trace, law, reference, best.p, J);
    out.stiffness_N_per_m = around_log(best.p[0], covariance(0, 0), t);
    out.friction = around_log(best.p[1], covariance(1, 1), t);
    return out;
  }
  out.slipping = 0;
  out.noise_N = std::sqrt(stick.squares / freedom);
  out.stiffness_N_per_m = around(stick.stiffness, out.noise_N * out.noise_N / stick.weight, t);
  double used = 0;
  for (std::size_t i = 0; i < trace.gap_m.size(); ++i)
    if (normal[i] > 0) used = std::max(used, stick.stiffness * stick.shape[i].norm() / normal[i]);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  out.friction = {used, unknown, used, unknown};
  return out;
}

std::optional<Error> fault_of(const SoftTrace& t) {
  const std::size_t n = t.time_s.size();
  const auto refuse = [](const char* what) { return Error{Errc::value, what}; };
  if (t.gap_m.size() != n || t.normal_force_N.size() != n)
    return refuse("time, gap and normal force must have one value per sample");
  if (!t.gap_rate_m_per_s.empty() && t.gap_rate_m_per_s.size() != n)
    return refuse("the gap rate must have one value per sample");
  if (t.slide_m.size() != t.shear_force_N.size() || (!t.slide_m.empty() && t.slide_m.size() != n))
    return refuse("slide and shear force must both have one value per sample, or be left out");
  for (std::size_t i = 1; i < n; ++i)
    if (!(t.time_s[i] > t.time_s[i - 1])) return refuse("the times of a trace must ascend");
  return std::nullopt;
}

double rms(double squares, Index count) {
  return std::sqrt(squares / static_cast<double>(std::max<Index>(1, count)));
}

}  // namespace

Result<SoftFit> fit_soft_pair(const SoftTrace& trace) {
  if (const auto fault = fault_of(trace)) return *fault;
  const NormalSamples samples = touching_samples(trace);
  const auto n = static_cast<Index>(samples.depth.size());
  if (n < fewest)
    return Error{Errc::value, "only " + std::to_string(n) +
                                  " samples have gap < 0; a fit needs at least " +
                                  std::to_string(fewest) + " in contact"};
  const auto [least, most] = std::minmax_element(samples.depth.begin(), samples.depth.end());
  if (*most < 1.1 * *least)
    return Error{Errc::value,
                 "all samples have nearly one depth; press to several depths to tell stiffness "
                 "from exponent"};
  const LeastSquares normal = fit_normal(samples);
  if (!normal.p.allFinite() || !normal.covariance.allFinite())
    return Error{Errc::value, "the normal forces do not follow a law of the depth"};
  const double t = student(n, 3), log_reference = std::log(samples.reference);
  SoftFit out;
  out.converged = normal.converged;
  out.iterations = normal.iterations;
  out.noise_N = normal.noise;
  out.samples = n;
  const MatX& C = normal.covariance;
  // log K = log F_ref - n log x_ref.
  out.stiffness = around_log(
      normal.p[0] - normal.p[1] * log_reference,
      C(0, 0) - 2 * log_reference * C(0, 1) + log_reference * log_reference * C(1, 1), t);
  out.exponent = around(normal.p[1], C(1, 1), t);
  out.damping_s_per_m = around(normal.p[2], C(2, 2), t);
  if (trace.slide_m.empty()) return out;
  double moved = 0;
  for (std::size_t i = 1; i < trace.slide_m.size(); ++i)
    moved = std::max(moved, (trace.slide_m[i] - trace.slide_m[0]).norm());
  if (!(moved > 0)) return Error{Errc::value, "the slide never changes; leave its columns out"};
  out.tangent = fit_tangent(trace, normal, samples.reference, n);
  return out;
}

Result<FitCheck> check_fit(const SoftFit& fit, const SoftTrace& trace) {
  if (const auto fault = fault_of(trace)) return *fault;
  const NormalSamples s = touching_samples(trace);
  if (s.depth.empty()) return Error{Errc::value, "no sample has gap < 0: nothing to validate"};
  const Vec3 p(std::log(fit.stiffness.value) + fit.exponent.value * std::log(s.reference),
               fit.exponent.value, fit.damping_s_per_m.value);
  FitCheck out;
  double error = 0, size = 0;
  for (std::size_t i = 0; i < s.depth.size(); ++i) {
    const double f = normal_force(p, s.depth[i], s.rate[i], s.reference);
    error += (f - s.force[i]) * (f - s.force[i]);
    size += s.force[i] * s.force[i];
  }
  const auto n = static_cast<Index>(s.depth.size());
  out.normal_rms_N = rms(error, n);
  out.normal_size_N = rms(size, n);
  const auto fine = [](double residual, double noise, double forces) {
    constexpr double times = 2, share = 0.02;
    return residual <= std::max(times * noise, share * forces);
  };
  out.explains = fine(out.normal_rms_N, fit.noise_N, out.normal_size_N);
  if (!fit.tangent || trace.slide_m.empty()) return out;
  const std::vector<double> normal = law_forces(p, s.reference, trace);
  TangentPath path{trace, normal, fit.exponent.value, fit.tangent->reference_depth_m};
  const bool slips = std::isfinite(fit.tangent->friction.high);
  const Vec2 q(std::log(fit.tangent->stiffness_N_per_m.value),
               std::log(slips ? fit.tangent->friction.value : never_slips));
  VecX r;
  tangent_residuals(path, q, r);
  size = 0;
  for (std::size_t i = 0; i < trace.gap_m.size(); ++i)
    if (trace.gap_m[i] < 0) size += trace.shear_force_N[i].squaredNorm();
  out.shear_rms_N = rms(r.squaredNorm(), 2 * n);
  out.shear_size_N = rms(size, 2 * n);
  out.explains = out.explains && fine(out.shear_rms_N, fit.tangent->noise_N, out.shear_size_N);
  return out;
}

}  // namespace tact
