#include "tact/cone/friction_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/cone/friction_search.hpp"

namespace tact {

namespace {

using detail::FrictionPlace;
using detail::FrictionSearch;
using detail::moved;

constexpr int max_iterations = 100;

bool usable(std::span<const FrictionNode> nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [](const FrictionNode& n) {
    return n.x.allFinite() && n.k >= 0 && std::isfinite(n.k) && n.r >= 0 && std::isfinite(n.r);
  });
}

// ------------------------------------------------------------------------------------ one node

/// L D L' of a small positive definite matrix, without roots.
template <int N>
struct SmallFactor {
  double lower[N][N] = {}, inverse[N] = {};  ///< L below its diagonal, 1/D

  SmallFactor(const Eigen::Matrix<double, N, N>& q, double shift) {
    double d[N];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < i; ++j) {
        double sum = q(i, j);
        for (int k = 0; k < j; ++k) sum -= lower[i][k] * d[k] * lower[j][k];
        lower[i][j] = sum * inverse[j];
      }
      d[i] = q(i, i) + shift;
      for (int k = 0; k < i; ++k) d[i] -= lower[i][k] * lower[i][k] * d[k];
      inverse[i] = 1 / d[i];
    }
  }
  /// L⁻¹ x.
  [[nodiscard]] Eigen::Matrix<double, N, 1> forward(Eigen::Matrix<double, N, 1> x) const {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < i; ++j) x[i] -= lower[i][j] * x[j];
    return x;
  }
  [[nodiscard]] Eigen::Matrix<double, N, 1> solve(const Eigen::Matrix<double, N, 1>& b) const {
    Eigen::Matrix<double, N, 1> x = forward(b);
    for (int i = 0; i < N; ++i) x[i] *= inverse[i];
    for (int i = N - 1; i >= 0; --i)
      for (int j = i + 1; j < N; ++j) x[i] -= lower[j][i] * x[j];
    return x;
  }
  /// x' (L D L')⁻¹ x.
  [[nodiscard]] double square(const Eigen::Matrix<double, N, 1>& x) const {
    const Eigen::Matrix<double, N, 1> y = forward(x);
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += y[i] * y[i] * inverse[i];
    return sum;
  }
};

/// (Q + λ I) u = -c with |u| = k, or λ = 0 where that is short enough: the ball in the metric Q.
/// Newton's method on 1/|u(λ)|, which from the left of the root never overshoots (Moré and Sorensen
/// 1983).
template <int N>
Eigen::Matrix<double, N, 1> project_on_ball(const Eigen::Matrix<double, N, N>& q,
                                            const Eigen::Matrix<double, N, 1>& c, double k,
                                            int& iterations, bool& inside) {
  using Vector = Eigen::Matrix<double, N, 1>;
  double lambda = std::max(0.0, c.norm() / k - q.trace());
  inside = false;
  Vector u = Vector::Zero();
  for (iterations = 0; iterations < max_iterations; ++iterations) {
    const SmallFactor<N> factor(q, lambda);
    u = -factor.solve(c);
    const double length = u.norm();
    if (lambda == 0 && length <= k) {
      inside = true;
      return u;
    }
    const double excess = (length - k) / k;
    if (excess <= tolerance::epsilon) break;
    const double slope = factor.square(u);
    const double next = lambda + length * length / slope * excess;
    if (!(next > lambda)) break;
    lambda = next;
  }
  return u * (k / u.norm());
}

/// One node, or several at one point without radius (then the spin is free).
struct Question {
  const Mat3& G;
  Vec3 T0;
  Vec3 b;
};

FrictionSolution solve_one(const FrictionPlace& place, const Question& ask) {
  FrictionSolution out;
  FrictionPlace at = place;
  const bool turns_freely = place.size == 0;
  if (turns_freely) at.size = 1;  // any length: the spin row is not used
  const Vec3 t0 = at.force_in(ask.T0);
  const double scale = std::abs(ask.T0[2]) + (place.x.cwiseAbs().sum()) * ask.T0.head<2>().norm();
  const bool reachable = !turns_freely || std::abs(t0[2]) <= tolerance::rounding * scale;
  const double load = turns_freely ? t0.head<2>().norm() : t0.norm();
  if (load <= place.bound && reachable) {
    out.T = ask.T0;
    out.direction = at.velocity_out(-t0);
    return out;
  }
  const Mat3 q = at.metric_in(ask.G);
  const Vec3 c = at.velocity_in(ask.b);
  bool inside = false;
  Vec3 t = Vec3::Zero();
  if (turns_freely) {
    t.head<2>() = project_on_ball<2>(q.topLeftCorner<2, 2>(), c.head<2>(), place.bound,
                                     out.iterations, inside);
  } else {
    t = project_on_ball<3>(q, c, place.bound, out.iterations, inside);
  }
  out.mode = FrictionMode::slip;
  out.T = at.force_out(t);
  out.tau = ask.G * out.T + ask.b;
  out.direction = out.tau;
  const Vec3 eta = at.velocity_in(out.tau);
  const double speed = turns_freely ? eta.head<2>().norm() : eta.norm();
  const double energy = std::abs(ask.b.dot(ask.T0));
  const double gap = std::abs(place.bound * speed + out.T.dot(out.tau));
  out.residual = energy > 0 ? gap / energy : 0;
  if (out.residual > tolerance::friction) out.status = FrictionStatus::not_converged;
  return out;
}

// ---------------------------------------------------------------------------------- several nodes

/// In the set's own coordinates u_i = Ā_i t0 / K adds up to T0: the cheap certificate of stick.
bool clearly_sticks(const FrictionPlace& place, const Vec3& t0, const FrictionWorkspace& work) {
  double largest = 0;
  for (const FrictionWorkspace::Pair& n : work.pairs) {
    const FrictionWorkspace::Two x = t0[0] - n.xi_y * t0[2], y = t0[1] + n.xi_x * t0[2];
    const FrictionWorkspace::Two spin = n.radius * t0[2];
    largest = std::max(largest, (x * x + y * y + spin * spin).maxCoeff());
  }
  return largest <= place.bound * place.bound;
}

Vec3 solve_lower(const FrictionSearch& search, const Vec3& eta) {
  return search.lower.triangularView<Eigen::Lower>().solve(eta);
}

/// The caller's direction if it is of any use. Otherwise where the ball of radius K would send it:
/// near the force's direction at the limit of stick, near b's far from it.
Vec3 first_direction(const FrictionPlace& place, const FrictionSearch& search, const Vec3& start) {
  const Vec3 y = solve_lower(search, place.velocity_in(start));
  if (search.a.dot(y) < 0) return y.normalized();
  const double stiffness = place.bound / (search.lower * search.a).norm();
  const Mat3 blend = Mat3::Identity() + stiffness * (search.lower.transpose() * search.lower);
  return -Eigen::LLT<Mat3>(blend).solve(search.a).normalized();
}

void report_slip(const FrictionSearch& search, const Vec3& y, double value, FrictionSolution& out) {
  const double speed = std::max(value, 0.0);
  out.mode = FrictionMode::slip;
  out.iterations = search.iterations;
  const Vec3 t = -search.force();
  const Vec3 eta = search.lower * (speed * y);
  out.T = search.place.force_out(t);
  out.tau = search.place.velocity_out(eta);
  out.direction = search.place.velocity_out(search.lower * y);
  const Vec3 mismatch = search.lower.transpose() * t - search.a - speed * y;
  const double missed = search.sigma(speed * y) + t.dot(eta);
  out.residual =
      std::max(mismatch.norm() / search.a_norm, std::abs(missed) / (search.a_norm * search.a_norm));
  if (!search.converged || !(out.residual <= tolerance::friction))
    out.status = FrictionStatus::not_converged;
}

FrictionSolution solve_many(std::span<const FrictionNode> nodes, const FrictionPlace& place,
                            const Question& ask, FrictionWorkspace& work, const Vec3& start) {
  FrictionSolution out;
  const Vec3 t0 = place.force_in(ask.T0);
  out.direction = place.velocity_out(-t0);
  if (clearly_sticks(place, t0, work)) {
    out.T = ask.T0;
    return out;
  }
  FrictionSearch search(work, place, &ask.G, ask.T0);
  Vec3 y = first_direction(place, search, start);
  const bool undecided = !(search.sigma(y) + search.a.dot(y) < 0);
  if (undecided && !search.lever_is_long()) {
    search.least_margin(y, false);
    out.direction = search.place.velocity_out(search.lower * y);
  } else if (undecided) {
    // The margin does not depend on G: it is looked for where the set looks like a ball.
    FrictionSearch margin(work, place, nullptr, ask.T0);
    Vec3 eta = search.lower * y;
    margin.least_margin(eta, false);
    search.sticks = margin.sticks;
    search.iterations = margin.iterations;
    out.direction = margin.place.velocity_out(eta);
    detail::load(nodes, place, work);
    y = solve_lower(search, place.velocity_in(out.direction));
    search.restart();
  }
  if (search.sticks) {
    out.T = ask.T0;
    out.iterations = search.iterations;
    return out;
  }
  const double value = search.steepest(y);
  report_slip(search, y, value, out);
  return out;
}

FrictionSolution answer(std::span<const FrictionNode> nodes, const Question& ask,
                        FrictionWorkspace& work, const Vec3& start) {
  TACT_EXPECTS(usable(nodes));
  TACT_EXPECTS(ask.G.allFinite() && ask.b.allFinite() && ask.T0.allFinite() && start.allFinite());
  const FrictionPlace place = detail::place_of(nodes);
  FrictionSolution out;
  if (ask.T0.isZero(0)) return out;
  if (!(place.bound > 0)) {
    out.tau = ask.b;
    out.direction = ask.b;
    out.mode = FrictionMode::slip;
    return out;
  }
  if (place.size == 0) return solve_one(place, ask);
  detail::load(nodes, place, work);
  if (work.count == 1) return solve_one(place, ask);
  return solve_many(nodes, place, ask, work, start);
}

}  // namespace

double friction_support(std::span<const FrictionNode> nodes, const Vec3& tau) {
  double sum = 0;
  for (const FrictionNode& node : nodes) sum += node.k * moved(node.x, node.r, tau).norm();
  return sum;
}

Vec3 friction_force(std::span<const FrictionNode> nodes, const Vec3& tau) {
  double sum[3] = {};
  for (const FrictionNode& node : nodes) {
    const double zx = tau[0] - node.x[1] * tau[2], zy = tau[1] + node.x[0] * tau[2];
    const double zr = node.r * tau[2];
    const double speed = std::sqrt(zx * zx + (zy * zy + zr * zr));
    if (!(speed > 0)) continue;
    const double share = node.k / speed, ux = share * zx, uy = share * zy, ur = share * zr;
    sum[0] -= ux;
    sum[1] -= uy;
    sum[2] -= -node.x[1] * ux + node.x[0] * uy + node.r * ur;
  }
  return {sum[0], sum[1], sum[2]};
}

double friction_gauge(std::span<const FrictionNode> nodes, const Vec3& T) {
  TACT_EXPECTS(usable(nodes) && T.allFinite());
  if (T.isZero(0)) return 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  FrictionPlace place = detail::place_of(nodes);
  if (!(place.bound > 0)) return infinity;
  if (place.size == 0) {
    place.size = 1;
    const Vec3 t = place.force_in(T);
    const double scale = std::abs(T[2]) + place.x.cwiseAbs().sum() * T.head<2>().norm();
    if (std::abs(t[2]) > tolerance::rounding * scale) return infinity;
    return T.head<2>().norm() / place.bound;
  }
  const Vec3 t = place.force_in(T);
  FrictionWorkspace work;
  detail::load(nodes, place, work);
  if (work.count == 1) return t.norm() / place.bound;
  FrictionSearch search(work, place, nullptr, T);
  Vec3 y = -search.a;
  const double least = search.least_margin(y, true);
  return 1 / least;
}

FrictionSolution solve_friction(std::span<const FrictionNode> nodes, const Mat3& G, const Vec3& b,
                                FrictionWorkspace& work, const Vec3& start) {
  const Eigen::LLT<Mat3> factor(G);
  TACT_EXPECTS(factor.info() == Eigen::Success);
  return answer(nodes, {G, -factor.solve(b), b}, work, start);
}

FrictionSolution project_on_friction(std::span<const FrictionNode> nodes, const Mat3& G,
                                     const Vec3& T0, FrictionWorkspace& work, const Vec3& start) {
  return answer(nodes, {G, T0, -(G * T0)}, work, start);
}

}  // namespace tact
