#include "tact/geom/round_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tact/base/tolerance.hpp"
#include "tact/geom/gjk.hpp"

namespace tact {

namespace {

using Core = Convex::Core;

constexpr int newton_steps = 30;
constexpr double longest_step = 0.3;  ///< [rad]
constexpr int most_halvings = 6;

/// ρ at a direction: value, gradient, and the first shape's share of the gradient.
struct Round {
  double value = 0;
  Vec3 gradient = Vec3::Zero(), gradient_1 = Vec3::Zero();
};

Vec3 round_gradient(const Convex& c, const Vec3& d_W) {
  const Vec3 d = c.X_W.R.transpose() * d_W;
  if (c.core == Core::ellipsoid) {
    int vertex = 0;
    return c.X_W.R * core_support(c, d, vertex);
  }
  const double rho = std::hypot(d[0], d[1]);
  if (rho == 0) return Vec3(c.size[0] * c.X_W.R.col(0));
  return c.X_W.R * Vec3(c.size[0] * d[0] / rho, c.size[0] * d[1] / rho, 0);
}

bool is_round(const Convex& c) {
  return c.core == Core::ellipsoid || c.core == Core::cylinder;
}

Round round_part(const CorePair& pair, const Vec3& d) {
  Round r;
  if (is_round(pair.first)) r.gradient_1 = round_gradient(pair.first, d);
  r.gradient = r.gradient_1;
  if (is_round(pair.second)) r.gradient += round_gradient(pair.second, d);
  r.value = d.dot(r.gradient);  // ρ is homogeneous of degree one
  return r;
}

/// The corner of a core farthest along d, in the world: what is left of it without its round part.
Vec3 corner_along(const Convex& c, const Vec3& d_W, int& vertex) {
  const Vec3 d = c.X_W.R.transpose() * d_W;
  switch (c.core) {
    case Core::point:
    case Core::ellipsoid:
      return c.X_W.p;
    case Core::cylinder:
      return c.X_W.p + std::copysign(c.size[2], d[2]) * c.X_W.R.col(2);
    default:
      return transform_point(c.X_W, core_support(c, d, vertex));
  }
}

/// A step x in the tangent plane that makes max_j (f_j + g_j · x) + ½ x · B x least.
struct Step {
  Vec2 x = Vec2::Zero();
  std::array<double, 3> weights{};
};

/// B with its eigenvalues made positive and no less than `floor`: a way down where h is not convex.
Mat2 lifted(const Mat2& B, double floor) {
  const double mean = B.trace() / 2, half = std::hypot((B(0, 0) - B(1, 1)) / 2, B(0, 1));
  if (mean - half >= floor) return B;
  const double high = std::max(std::abs(mean + half), floor);
  const double low = std::max(std::abs(mean - half), floor);
  if (half == 0) return Mat2(low * Mat2::Identity());
  const Mat2 P = (B - (mean - half) * Mat2::Identity()) / (2 * half);  // on the higher one's axis
  return (high - low) * P + low * Mat2::Identity();
}

/// The minimum is that of one piece, of two where they are equal, or where three are.
struct StepProblem {
  std::array<double, 3> f{};
  std::array<Vec2, 3> g;
  int count = 0;
  Mat2 B;            ///< the true one: across the line where two pieces meet it may be negative
  Mat2 up, inverse;  ///< B lifted
  double floor = 0;
  double least = std::numeric_limits<double>::infinity();
  Step best;

  void offer(const Vec2& x, const std::array<double, 3>& weights, const Mat2& bend) {
    // A piece that pulls instead of holding is not part of a minimum.
    for (const double weight : weights)
      if (!(weight >= -tolerance::quadratic)) return;
    double top = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < count; ++j) top = std::max(top, f[j] + g[j].dot(x));
    const double value = top + x.dot(bend * x) / 2;
    if (!(value < least)) return;
    least = value;
    best = {x, weights};
  }
  void offer_one(int a) {
    std::array<double, 3> weights{};
    weights[a] = 1;
    offer(-(inverse * g[a]), weights, up);
  }
  void offer_two(int a, int b) {
    const Vec2 q = g[a] - g[b];
    const double q2 = q.squaredNorm();
    if (!(q2 > 0)) return;
    const Vec2 onto = (f[b] - f[a]) / q2 * q;  // the line where the two are equal
    const Vec2 t = Vec2(-q[1], q[0]) / std::sqrt(q2);
    const double bend = std::max(std::abs(t.dot(B * t)), floor);
    const Vec2 x = onto - t.dot(g[a] + B * onto) / bend * t;
    std::array<double, 3> weights{};
    weights[b] = q.dot(g[a] + B * x) / q2;
    weights[a] = 1 - weights[b];
    offer(x, weights, B);
  }
  void offer_three() {
    Mat2 Q;
    Q.row(0) = g[0] - g[1];
    Q.row(1) = g[0] - g[2];
    if (Q.determinant() == 0) return;
    const Vec2 x = Q.inverse() * Vec2(f[1] - f[0], f[2] - f[0]);
    // Σ weight g = -B x with weights that sum to one.
    const Vec2 share = Q.transpose().inverse() * (g[0] + B * x);
    offer(x, {1 - share.sum(), share[0], share[1]}, B);
  }
};

Step best_step(StepProblem& p) {
  p.up = lifted(p.B, p.floor);
  p.inverse = p.up.inverse();
  for (int a = 0; a < p.count; ++a) p.offer_one(a);
  for (int a = 0; a < p.count; ++a)
    for (int b = a + 1; b < p.count; ++b) p.offer_two(a, b);
  if (p.count == 3) p.offer_three();
  return p.best;
}

double highest(const RoundPieces& pieces, const Round& r, const Vec3& d) {
  double top = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < pieces.count; ++j) top = std::max(top, d.dot(pieces.corner[j]));
  return r.value + top;
}

/// Points of the cores that the pieces with their weights mean, given the round part.
void set_points(RoundMinimum& m, const Round& r) {
  m.on_first = r.gradient_1;
  m.w = r.gradient;
  for (int j = 0; j < m.pieces.count; ++j) {
    m.on_first += m.weights[j] * m.pieces.corner_1[j];
    m.w += m.weights[j] * m.pieces.corner[j];
  }
}

/// Along the axis of a disc ρ has a tip: a minimum of the pieces if the rest of the gradient is
/// shorter than the radius, for then some point of the disc balances it.
bool minimum_at_tip(const CorePair& pair, const Vec3& d, RoundMinimum& m) {
  const auto facing = [&](const Convex& c) {
    return c.core == Core::cylinder &&
           c.X_W.R.col(2).cross(d).squaredNorm() <= tolerance::rounding * tolerance::rounding;
  };
  const double radius_1 = facing(pair.first) ? pair.first.size[0] : 0;
  const double radius = radius_1 + (facing(pair.second) ? pair.second.size[0] : 0);
  Round rest;  // without the discs that face d
  if (is_round(pair.first) && radius_1 == 0) rest.gradient_1 = round_gradient(pair.first, d);
  rest.gradient = rest.gradient_1;
  if (is_round(pair.second) && radius == radius_1) rest.gradient += round_gradient(pair.second, d);
  rest.value = d.dot(rest.gradient);
  const double value = highest(m.pieces, rest, d);
  GjkSimplex s;
  std::array<int, 3> which{};
  for (int j = 0; j < m.pieces.count; ++j) {
    const Vec3 w = rest.gradient + m.pieces.corner[j];
    if (d.dot(w) < value - tolerance::distance * pair.size) continue;
    which[s.count] = j;
    s.points[s.count++] = {w - d.dot(w) * d, m.pieces.corner_1[j]};
  }
  const int active = s.count;
  const GjkSimplex all = s;
  const Vec3 pull = nearest_of_simplex(s);
  if (pull.norm() > radius) return false;
  RoundPieces pieces;  // those that count at the tip
  m.weights.fill(0);
  for (int j = 0; j < active; ++j) {
    for (int k = 0; k < s.count; ++k)
      if (all.points[j] == s.points[k] && m.weights[j] == 0) m.weights[j] = s.weights[k];
    pieces.corner[j] = m.pieces.corner[which[j]];
    pieces.corner_1[j] = m.pieces.corner_1[which[j]];
  }
  pieces.count = active;
  m.pieces = pieces;
  m.d = d;
  m.value = value;
  m.converged = true;
  set_points(m, rest);
  m.w -= pull;
  m.on_first -= radius_1 / radius * pull;
  return true;
}

/// Where the way down led close to the axis of a disc.
void try_tips(const CorePair& pair, RoundMinimum& m) {
  for (const Convex* c : {&pair.first, &pair.second}) {
    if (c->core != Core::cylinder) continue;
    const Vec3 axis = c->X_W.R.col(2);
    const Vec3 d = axis.dot(m.d) < 0 ? Vec3(-axis) : axis;
    if (d.dot(m.d) >= own_cosine && minimum_at_tip(pair, d, m)) return;
  }
}

/// Leaves only the pieces that attain the value: a minimum speaks for no others.
void drop_idle(const CorePair& pair, const Round& r, RoundMinimum& m) {
  int left = 0;
  for (int j = 0; j < m.pieces.count; ++j) {
    const double here = r.value + m.d.dot(m.pieces.corner[j]);
    if (here < m.value - tolerance::quadratic * pair.size) continue;
    m.pieces.corner[left] = m.pieces.corner[j];
    m.pieces.corner_1[left] = m.pieces.corner_1[j];
    m.weights[left++] = m.weights[j];
  }
  m.pieces.count = left;
  std::fill(m.weights.begin() + left, m.weights.end(), 0);
}

/// Halves the step until it leads down, or, of the whole step, up by no more than the slack.
bool step_down(const CorePair& pair, Vec3 step, double slack, RoundMinimum& m, Round& r) {
  for (int half = 0; half < most_halvings; ++half, step /= 2, slack = 0) {
    const Vec3 d = (m.d + step).normalized();
    const Round there = round_part(pair, d);
    const double value = highest(m.pieces, there, d);
    if (!(value < m.value + slack)) continue;
    m.d = d;
    m.value = value;
    r = there;
    return true;
  }
  return false;
}

}  // namespace

DifferencePolytope::Point farthest_round(CorePair& pair, const Vec3& d) {
  const Vec3 corner_1 = corner_along(pair.first, d, pair.vertex_first);
  const Vec3 corner = corner_1 - corner_along(pair.second, -d, pair.vertex_second);
  const Round r = round_part(pair, d);
  return {corner + r.gradient, corner_1 + r.gradient_1, corner, corner_1};
}

RoundMinimum round_minimum(const CorePair& pair, const RoundPieces& pieces, const Vec3& start,
                           const Vec3& home) {
  RoundMinimum m;
  m.d = start;
  m.pieces = pieces;
  Round r = round_part(pair, m.d);
  m.value = highest(pieces, r, m.d);
  for (int step = 0; step < newton_steps && !m.converged; ++step) {
    Eigen::Matrix<double, 3, 2> T;
    T.col(0) = unit_across(m.d);
    T.col(1) = m.d.cross(T.col(0));
    StepProblem p;
    p.count = pieces.count;
    for (int j = 0; j < pieces.count; ++j) {
      p.f[j] = r.value + m.d.dot(pieces.corner[j]) - m.value;
      p.g[j] = T.transpose() * (r.gradient + pieces.corner[j]);
    }
    const Mat3 H = support_curvature(pair.first, m.d) + support_curvature(pair.second, m.d);
    p.B = T.transpose() * H * T - m.value * Mat2::Identity();
    p.floor = tolerance::regime * pair.size;
    Step s = best_step(p);
    if (!std::isfinite(p.least)) break;  // on the axis of a disc itself
    m.weights = s.weights;
    const double length = s.x.norm();
    // Steps below the root of round-off double their digits, and flat is flat. But next to the axis
    // of a disc even those turn the gradient, and the points with it.
    Vec2 left = Vec2::Zero();
    for (int j = 0; j < p.count; ++j) left += s.weights[j] * p.g[j];
    const bool flat = p.least >= -4 * tolerance::epsilon * pair.size;
    const bool small = length <= tolerance::quadratic || flat;
    m.converged = small && left.norm() <= tolerance::quadratic * pair.size;
    if (m.converged && length > tolerance::unhidden) break;
    if (length > longest_step) s.x *= longest_step / length;
    const double slack = small ? 4 * tolerance::epsilon * pair.size : 0;
    const bool lower = step_down(pair, T * s.x, slack, m, r);
    if (!lower || m.d.dot(home) < own_cosine) break;
  }
  if (m.converged) {
    set_points(m, r);
    drop_idle(pair, r, m);
  } else {
    try_tips(pair, m);
  }
  return m;
}

}  // namespace tact
