#include "tact/cone/vertex_friction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/cone/conic_qp.hpp"

namespace tact {

namespace {

Vec2 velocity_at(const Vec3& tau, const Vec2& x) {
  return {tau[0] - x[1] * tau[2], tau[1] + x[0] * tau[2]};
}

double size_of(std::span<const Vec2> corners, const Vec2& c) {
  double size = 0;
  for (const Vec2& x : corners) size = std::max(size, (x - c).norm());
  return size;
}

using Triangle = std::array<std::size_t, 3>;

Vec3 barycentric(std::span<const Vec2> x, const Triangle& t, const Vec2& c) {
  const Vec2 &p = x[t[0]], &q = x[t[1]], &r = x[t[2]];
  Vec3 w(cross(q - c, r - c), cross(r - c, p - c), cross(p - c, q - c));
  const double sum = w.sum();
  return sum != 0 ? Vec3(w / sum) : Vec3(1, 0, 0);
}

/// The triangle of the fan about the first corner that holds c.
Triangle first_triangle(std::span<const Vec2> x, const Vec2& c) {
  Triangle best{0, 1, 2};
  double depth = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    const double least = barycentric(x, {0, i, i + 1}, c).minCoeff();
    if (least > depth) {
      depth = least;
      best = {0, i, i + 1};
    }
  }
  return best;
}

}  // namespace

void envelope_weights(std::span<const Vec2> corners, std::span<const double> values, const Vec2& c,
                      std::vector<double>& weights) {
  const std::size_t k = corners.size();
  TACT_EXPECTS(k > 0 && values.size() == k);
  weights.assign(k, 0);
  if (k == 1) {
    weights[0] = 1;
    return;
  }
  if (k == 2) {
    const Vec2 e = corners[1] - corners[0];
    weights[1] = std::clamp(e.dot(c - corners[0]) / e.squaredNorm(), 0.0, 1.0);
    weights[0] = 1 - weights[1];
    return;
  }
  // Simplex method with three rows. The corner highest above the present plane enters; the one
  // whose share first reaches zero leaves. Ties by the least index, so that it ends.
  Triangle t = first_triangle(corners, c);
  const double scale = *std::max_element(values.begin(), values.end());
  const std::size_t most = 4 * k * k;
  for (std::size_t round = 0; round < most; ++round) {
    const Vec3 share = barycentric(corners, t, c);
    std::size_t enter = k;
    double rise = tolerance::rounding * scale;
    for (std::size_t i = 0; i < k; ++i) {
      const Vec3 b = barycentric(corners, t, corners[i]);
      const double above =
          values[i] - b[0] * values[t[0]] - b[1] * values[t[1]] - b[2] * values[t[2]];
      if (above > rise && (round < most / 2 || enter == k)) {
        rise = above;
        enter = i;
      }
    }
    if (enter == k) break;
    const Vec3 b = barycentric(corners, t, corners[enter]);
    std::size_t leave = 3;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < 3; ++j) {
      const auto at = static_cast<Index>(j);
      if (b[at] > tolerance::rounding && std::max(share[at], 0.0) / b[at] < least) {
        least = std::max(share[at], 0.0) / b[at];
        leave = j;
      }
    }
    if (leave == 3) break;
    t[leave] = enter;
  }
  const Vec3 share = barycentric(corners, t, c).cwiseMax(0);
  for (std::size_t j = 0; j < 3; ++j) weights[t[j]] = share[static_cast<Index>(j)] / share.sum();
}

namespace {

/// The corners as nodes with the shares of most dissipation for this motion.
std::vector<FrictionNode> busiest(const VertexFriction& set, const Vec3& tau) {
  std::vector<double> speeds, weights;
  for (const Vec2& x : set.corners) speeds.push_back(velocity_at(tau, x).norm());
  envelope_weights(set.corners, speeds, set.c, weights);
  std::vector<FrictionNode> nodes;
  for (std::size_t i = 0; i < weights.size(); ++i)
    nodes.push_back({set.corners[i], set.bound * weights[i], 0});
  return nodes;
}

/// Rows -(α + β.x_i, v_T(x_i)) of the cones, in units of the hull about c: unknowns (τ through
/// `tau_of`, α, β).
void fill_cones(const VertexFriction& set, double size, const MatX& tau_of, ConicQp& p) {
  const Index n = tau_of.cols();
  const auto k = static_cast<Index>(set.corners.size());
  p.G = MatX::Zero(3 * k, n + 3);
  p.h = VecX::Zero(3 * k);
  p.cones.assign(set.corners.size(), 3);
  for (Index i = 0; i < k; ++i) {
    const Vec2 x = (set.corners[static_cast<std::size_t>(i)] - set.c) / size;
    p.G.row(3 * i).tail(3) << -1, -x[0], -x[1];
    p.G.row(3 * i + 1).head(n) = -(tau_of.row(0) - x[1] * tau_of.row(2));
    p.G.row(3 * i + 2).head(n) = -(tau_of.row(1) + x[0] * tau_of.row(2));
  }
}

/// T in the units of the hull about c, from the multipliers (f_i, u_i) of the cones.
Vec3 force_of(const VertexFriction& set, double size, const VecX& z) {
  Vec3 t = Vec3::Zero();
  double total = 0;
  for (std::size_t i = 0; i < set.corners.size(); ++i) total += z[3 * static_cast<Index>(i)];
  for (std::size_t i = 0; i < set.corners.size(); ++i) {
    const Vec2 x = (set.corners[i] - set.c) / size;
    const Vec2 u = set.bound / total * z.segment<2>(3 * static_cast<Index>(i) + 1);
    t += Vec3(u[0], u[1], cross(x, u));
  }
  return t;
}

/// η = R τ, T = R'T̄: velocities at c, moments about c in units of the hull.
Mat3 to_hull(const VertexFriction& set, double size) {
  Mat3 r;
  r << 1, 0, -set.c[1], 0, 1, set.c[0], 0, 0, size;
  return r;
}

struct Question {
  const Mat3& G;
  Vec3 T0;
  Vec3 b;
};

FrictionSolution answer(const VertexFriction& set, const Question& ask, FrictionWorkspace& work) {
  TACT_EXPECTS(!set.corners.empty() && set.c.allFinite() && set.bound >= 0);
  TACT_EXPECTS(ask.G.allFinite() && ask.b.allFinite() && ask.T0.allFinite());
  if (set.corners.size() <= 3 || set.bound == 0 || ask.T0.isZero(0))
    return project_on_friction(busiest(set, Vec3::Zero()), ask.G, ask.T0, work);
  const double size = size_of(set.corners, set.c);
  const Mat3 r = to_hull(set, size);
  const Eigen::LLT<Mat3> factor(r * ask.G * r.transpose());
  TACT_EXPECTS(factor.info() == Eigen::Success);
  const Mat3 lower = factor.matrixL();
  const Vec3 t0 = r.transpose().inverse() * ask.T0;
  const Vec3 a = lower.transpose() * t0;

  // min ½ |y|² + a.y/|a| + κ α over (y, α, β), velocities in units of |L| |a|, moments about c: s =
  // 0.
  const double unit = a.norm(), speed = lower.norm();
  ConicQp p;
  fill_cones(set, size, lower / speed, p);
  p.P = MatX::Zero(6, 6);
  p.P.topLeftCorner(3, 3).setIdentity();
  p.c = VecX::Zero(6);
  p.c.head(3) = a / unit;
  p.c[3] = set.bound * speed / unit;
  const ConicQpSolution s = solve(p);

  FrictionSolution out;
  out.iterations = s.iterations;
  const Vec3 y = s.x.head(3);
  out.direction = r.inverse() * (lower * y);
  const bool solved = s.status == ConicQpSolution::Status::converged;
  if (solved && y.norm() <= tolerance::conic) {
    out.T = ask.T0;
    return out;
  }
  out.mode = FrictionMode::slip;
  const Vec3 t = force_of(set, size, s.z);
  out.T = r.transpose() * t;
  out.tau = r.inverse() * (lower * (unit * y));
  out.residual =
      std::max((lower.transpose() * (t - t0) / unit - y).norm(),
               std::abs(friction_support(set, out.tau) + out.T.dot(out.tau)) / (unit * unit));
  if (!solved || !(out.residual <= tolerance::quadratic))
    out.status = FrictionStatus::not_converged;
  return out;
}

}  // namespace

double friction_support(const VertexFriction& set, const Vec3& tau) {
  return friction_support(busiest(set, tau), tau);
}

Vec3 friction_force(const VertexFriction& set, const Vec3& tau) {
  return friction_force(busiest(set, tau), tau);
}

// 1/γ is the least dissipation over the motions with T.τ = -1.
double friction_gauge(const VertexFriction& set, const Vec3& T) {
  TACT_EXPECTS(!set.corners.empty() && T.allFinite());
  if (set.corners.size() <= 3 || set.bound == 0 || T.isZero(0))
    return friction_gauge(busiest(set, Vec3::Zero()), T);
  const double size = size_of(set.corners, set.c);
  const Vec3 t = to_hull(set, size).transpose().inverse() * T;
  const double load = t.norm();
  // τ = -t/|t| + E e with E across t; the constant part goes to the right-hand side.
  const Vec3 along = -t / load;
  Eigen::Matrix<double, 3, 2> across;
  across.col(0) = along.unitOrthogonal();
  across.col(1) = along.cross(across.col(0));
  ConicQp p, constant;
  fill_cones(set, size, across, p);
  fill_cones(set, size, along, constant);
  p.h = -constant.G.col(0);
  p.P = MatX::Zero(5, 5);
  p.c = VecX::Zero(5);
  p.c[2] = 1;
  const ConicQpSolution s = solve(p);
  if (s.status != ConicQpSolution::Status::converged)
    return std::numeric_limits<double>::quiet_NaN();
  return load / (set.bound * s.x[2]);
}

FrictionSolution solve_friction(const VertexFriction& set, const Mat3& G, const Vec3& b,
                                FrictionWorkspace& work) {
  const Eigen::LLT<Mat3> factor(G);
  TACT_EXPECTS(factor.info() == Eigen::Success);
  return answer(set, {G, -factor.solve(b), b}, work);
}

FrictionSolution project_on_friction(const VertexFriction& set, const Mat3& G, const Vec3& T0,
                                     FrictionWorkspace& work) {
  return answer(set, {G, T0, -(G * T0)}, work);
}

}  // namespace tact
