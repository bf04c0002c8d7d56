#include "tact/soft/slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

/// Q = V diag(q) V'. That of a contact has a 2x2 block of tangents beside the number of drilling,
/// which one rotation makes diagonal, to full accuracy of both eigenvalues.
struct Axes {
  Vec3 q;
  Mat3 V;
};

Axes block_axes(const Mat3& Q) {
  Axes out{Q.diagonal(), Mat3::Identity()};
  const double off = Q(0, 1);
  if (off == 0) return out;
  const double zeta = (Q(1, 1) - Q(0, 0)) / (2 * off);
  const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double c = 1 / std::sqrt(1 + t * t), s = c * t;
  out.q[0] = Q(0, 0) - t * off;
  out.q[1] = Q(1, 1) + t * off;
  out.V.topLeftCorner<2, 2>() << c, s, -s, c;
  return out;
}

Axes axes_of(const Mat3& Q) {
  if (Q(0, 2) == 0 && Q(1, 2) == 0) return block_axes(Q);
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(Q);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

/// 1/|y(λ)| = 1/limit with y_i = y0_i/(1 + λ q_i). The left side is an increasing concave function
/// of λ, so that Newton from λ = 0 climbs to the root and never passes it.
double multiplier(const Vec3& q, const Vec3& y0, double limit, int& iterations) {
  constexpr int most_steps = 100;
  double lambda = 0;
  for (iterations = 0; iterations < most_steps; ++iterations) {
    double sum = 0, slope = 0;  // |y|² and -½ of its derivative
    for (Index i = 0; i < 3; ++i) {
      const double shrink = 1 / (1 + lambda * q[i]);
      const double y = y0[i] * shrink;
      sum += y * y;
      slope += y * y * q[i] * shrink;
    }
    const double size = std::sqrt(sum);
    const double step = (size - limit) / limit * sum / slope;
    lambda += step;
    if (!(step > tolerance::rounding * lambda)) break;
  }
  return lambda;
}

}  // namespace

ReturnMap return_map(const Mat3& Q, double limit, const Vec3& s_trial) {
  TACT_EXPECTS(limit >= 0);
  ReturnMap out;
  out.s = s_trial;
  const double level = s_trial.dot(Q * s_trial);
  if (level <= limit * limit) return out;

  const Axes axes = axes_of(Q);
  const Vec3 q = axes.q.cwiseMax(0.0);
  const Vec3 t = axes.V.transpose() * s_trial;
  const Vec3 y = q.cwiseSqrt().cwiseProduct(t);
  const double size = y.norm();
  if (!(size > limit)) return out;  // outside by rounding alone
  out.slips = true;
  Vec3 s = t;
  // A limit whose square is nothing beside the trial's leaves what friction does not hold: nothing,
  // but along a null direction of Q.
  if (limit <= std::cbrt(tolerance::smallest) * size) {
    for (Index i = 0; i < 3; ++i)
      if (q[i] > 0) s[i] = 0;
    out.lambda = std::numeric_limits<double>::infinity();
  } else {
    // In units of the trial: neither tiny loads nor large stiffnesses leave the range of doubles.
    const double unit = q.maxCoeff();
    const double scaled = multiplier(q / unit, y / size, limit / size, out.iterations);
    for (Index i = 0; i < 3; ++i) s[i] /= 1 + scaled * (q[i] / unit);
    out.lambda = scaled / unit;
  }
  out.s = axes.V * s;
  return out;
}

namespace {

SlipStep finish(const ReturnMap& map, const Vec3& middle, const Vec3& s0, const Vec3& increment,
                const Vec3& theta) {
  SlipStep step;
  step.slips = map.slips;
  step.force_state = map.s;
  // While it sticks s1 is the trial itself, not the trial up to rounding.
  step.s1 = map.slips ? Vec3(s0 + (map.s - s0).cwiseQuotient(theta)) : Vec3(s0 + increment);
  // σ·(s_tr - s1) = σ·(middle - σ)/θ, which is λ σ'Qσ/θ: not negative, but for rounding.
  const double slid =
      map.slips ? std::max(0.0, map.s.dot((middle - map.s).cwiseQuotient(theta))) : 0;
  const Vec3 change = step.s1 - s0;
  step.loss = (theta.array() - 0.5).matrix().dot(change.cwiseAbs2()) + slid;
  return step;
}

}  // namespace

SlipStep slip_step(const Mat3& Q, double limit, const Vec3& s0, const Vec3& increment,
                   double theta) {
  return slip_step(Q, limit, 1, true, s0, increment, Vec3::Constant(theta));
}

SlipStep slip_step(const Mat3& Q, double limit, double static_ratio, bool was_slipping,
                   const Vec3& s0, const Vec3& increment, const Vec3& theta) {
  TACT_EXPECTS(theta.minCoeff() >= 0.5 && theta[0] == theta[1]);
  const Vec3 middle = s0 + theta.cwiseProduct(increment);
  if (!was_slipping && static_ratio > 1) {
    const double held = static_ratio * limit;
    if (middle.dot(Q * middle) <= held * held) {
      ReturnMap sticks;
      sticks.s = middle;
      return finish(sticks, middle, s0, increment, theta);
    }
  }
  return finish(return_map(Q, limit, middle), middle, s0, increment, theta);
}

double slip_potential(const Mat3& Q, const Vec3& s) {
  return s.dot(Q * s) / 2;
}

double slip_level(double normal_force) {
  return normal_force > 0 ? normal_force * normal_force / 2 : 0;
}

namespace {

struct GaussPoint {
  double u = 0, weight = 0;
};

/// The i-th largest of the n points of Gauss and Legendre on [-1, 1], by Newton on P_n.
GaussPoint gauss_point(int n, int i) {
  constexpr int most_steps = 20;
  double u = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
  for (int k = 0; k < most_steps; ++k) {
    double last = 1, p = u;
    for (int j = 2; j <= n; ++j) {
      const double next = ((2 * j - 1) * u * p - (j - 1) * last) / j;
      last = p;
      p = next;
    }
    slope = n * (u * p - last) / (u * u - 1);
    const double step = p / slope;
    u -= step;
    if (std::abs(step) <= tolerance::epsilon) break;
  }
  return {u, 2 / ((1 - u * u) * slope * slope)};
}

}  // namespace

SlipCells mindlin_cells(int count) {
  TACT_EXPECTS(count >= 1 && count <= max_slip_cells);
  // With δ/δ_s = 1 - u² the stiffness of what yields between u and u + du is du, for u from 0 to 1:
  // Gauss's points, the positive half of twice as many, have all of the stiffness, of the strength
  // and, from two cells on, of the loss of a cycle of gross slip.
  SlipCells cells;
  cells.count = count;
  for (int i = 0; i < count; ++i) {
    const GaussPoint point = gauss_point(2 * count, i);
    const auto at = static_cast<std::size_t>(i);
    cells.stiffness.at(at) = point.weight;
    cells.strength.at(at) = 1.5 * point.weight * (1 - point.u * point.u);
  }
  return cells;
}

SlipStep slip_step(const SlipCells& cells, const Mat3& Q, double normal_force,
                   std::span<const Vec3> s0, const Vec3& increment, double theta,
                   std::span<Vec3> s1) {
  const auto count = static_cast<std::size_t>(cells.count);
  TACT_EXPECTS(s0.size() == count && s1.size() == count);
  SlipStep sum;
  for (std::size_t i = 0; i < count; ++i) {
    const double root = std::sqrt(cells.stiffness[i]);
    const double limit = cells.strength[i] * normal_force / root;
    const SlipStep cell = slip_step(Q, limit, s0[i], root * increment, theta);
    s1[i] = cell.s1;
    sum.force_state += root * cell.force_state;
    sum.loss += cell.loss;
    sum.slips = sum.slips || cell.slips;
  }
  return sum;
}

}  // namespace tact
