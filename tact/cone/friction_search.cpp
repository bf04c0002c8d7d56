#include "tact/cone/friction_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact::detail {

namespace {

using Two = FrictionWorkspace::Two;
using Pair = FrictionWorkspace::Pair;

constexpr int max_iterations = 100;
/// A node slower than this share of the fastest is treated by the primal-dual step.
constexpr double slow_share = 1.0 / 64;
/// Smaller radii (relative to the set) start with this one, and shrink as the search closes in.
constexpr double first_radius = 0.1;
/// A radius shrinks once no node's motion changes by more than this share of itself.
constexpr double closing_in = 0.25;
/// Levers up to this, in units of the set, need no care.
constexpr double long_lever = 8;
/// No step is longer than this, relative to the direction itself.
constexpr double longest_step = 8;
/// How often the origin may move to a slow node.
constexpr int max_moves = 16;
/// Sufficient decrease, as a share of what the slope promises.
constexpr double armijo = 1e-4;

/// Two unit vectors that make a right-handed frame with the unit vector y (Duff et al. 2017).
void complete(const Vec3& y, Vec3& e1, Vec3& e2) {
  const double sign = std::copysign(1.0, y[2]);
  const double a = -1 / (sign + y[2]), b = y[0] * y[1] * a;
  e1 = {1 + sign * y[0] * y[0] * a, sign * b, -sign * y[0]};
  e2 = {b, sign + y[1] * y[1] * a, -y[1]};
}

/// -(H + shift)^-1 g, with a ridge at the level of rounding.
Vec2 newton(const Mat2& h, const Vec2& g, double shift) {
  const double ridge = shift + tolerance::rounding * (h(0, 0) + h(1, 1));
  const double a = h(0, 0) + ridge, c = h(1, 1) + ridge, b = h(0, 1);
  const double det = std::max(a * c - b * b, tolerance::epsilon * a * c);
  return Vec2(b * g[1] - c * g[0], b * g[0] - a * g[1]) / det;
}

/// Three numbers of each of two nodes.
struct TwoOf3 {
  Two a, b, c;
  [[nodiscard]] Two dot(const Two* x) const { return a * x[0] + b * x[1] + c * x[2]; }
  [[nodiscard]] Two dot(const TwoOf3& x) const { return a * x.a + b * x.b + c * x.c; }
};

/// Ā d of both nodes.
TwoOf3 moved(const Pair& n, const Vec3& d) {
  return {d[0] - n.xi_y * d[2], d[1] + n.xi_x * d[2], n.rho * d[2]};
}

/// Σ k Ā'u, with the nodes' true radii.
struct ForceSum {
  Two x = Two::Zero(), y = Two::Zero(), spin = Two::Zero();

  void add(const Pair& n, const Two* u) {
    x += n.k * u[0];
    y += n.k * u[1];
    spin += n.k * (n.xi_x * u[1] - n.xi_y * u[0] + n.radius * u[2]);
  }
  [[nodiscard]] Vec3 total() const { return {x.sum(), y.sum(), spin.sum()}; }
};

}  // namespace

FrictionPlace place_of(std::span<const FrictionNode> nodes) {
  FrictionPlace place;
  double reach = 0;
  for (const FrictionNode& node : nodes) {
    place.bound += node.k;
    place.x += node.k * node.x;
    if (node.k > 0) reach = std::max(reach, std::abs(node.x[0]) + std::abs(node.x[1]));
  }
  if (!(place.bound > 0)) return place;
  place.x /= place.bound;
  double inertia = 0;
  for (const FrictionNode& node : nodes)
    inertia += node.k * ((node.x - place.x).squaredNorm() + node.r * node.r);
  place.size = std::sqrt(inertia / place.bound);
  if (place.size <= tolerance::rounding * reach) place.size = 0;
  return place;
}

void load(std::span<const FrictionNode> nodes, const FrictionPlace& place, FrictionWorkspace& out) {
  out.count = 0;
  out.pairs.clear();
  for (const FrictionNode& node : nodes) {
    if (node.k == 0) continue;
    const Vec2 xi = (node.x - place.x) / place.size;
    // The least radius keeps every node moving, so that no direction is ever undefined.
    const double radius = std::max(node.r / place.size, tolerance::rounding);
    const auto lane = static_cast<Index>(out.count++ % 2);
    if (lane == 0) out.pairs.emplace_back();
    Pair& pair = out.pairs.back();
    for (Index i = lane; i < 2; ++i) {
      pair.k[i] = i == lane ? node.k : 0;
      pair.xi_x[i] = xi[0];
      pair.xi_y[i] = xi[1];
      pair.radius[i] = pair.rho[i] = radius;
    }
  }
}

FrictionSearch::FrictionSearch(FrictionWorkspace& nodes, const FrictionPlace& at, const Mat3* G,
                               const Vec3& T0)
    : place(at), pairs_(nodes.pairs), G_(G), T0_(T0) {
  settle();
  // Small against the lever of the mobility the set nearly is a point, and turning about it a kink.
  const double speed = std::sqrt((lower(0, 0) * lower(0, 0) + lower.row(1).squaredNorm()) / 2);
  const double lever = speed / lower.row(2).norm();
  if (lever > long_lever) {
    speed_ = speed;
    lever_ = lever;
  }
  restart();
}

void FrictionSearch::restart() {
  least_radius_ = first_radius * lever_;
  for (const Pair& n : pairs_) least_radius_ = std::min(least_radius_, n.radius.minCoeff());
  set_radii(first_radius);
  first_ = true;
}

void FrictionSearch::settle() {
  if (G_ != nullptr) {
    const Eigen::LLT<Mat3> factor(place.metric_in(*G_));
    TACT_EXPECTS(factor.info() == Eigen::Success);
    lower = factor.matrixL();
  }
  a = lower.transpose() * place.force_in(T0_);
  a_norm = a.norm();
}

void FrictionSearch::set_radii(double share) {
  share_ = share;
  const double floor = std::max(share_ * lever_, least_radius_);
  for (Pair& n : pairs_) n.rho = n.radius.max(floor);
}

double FrictionSearch::sigma(const Vec3& y) const {
  const Vec3 eta = lower * y;
  Two sum = Two::Zero();
  for (const Pair& n : pairs_) {
    const TwoOf3 z = moved(n, eta);
    sum += n.k * z.dot(z).sqrt();
  }
  return sum.sum();
}

Vec3 FrictionSearch::force() const {
  ForceSum sum;
  for (const Pair& n : pairs_) sum.add(n, n.u);
  return sum.total();
}

/// The forces of the nodes balance a at this direction and value, to rounding.
bool FrictionSearch::agrees(const Vec3& y, double value) const {
  return (lower.transpose() * force() + a - value * y).norm() <= tolerance::rounding * a_norm;
}

/// Whether a step that changed the motion of some node by this share of itself was the last.
bool FrictionSearch::closes(double change) {
  if (radii_are_true()) return change < tolerance::quadratic;
  if (change < closing_in) set_radii(share_ * share_);
  return false;
}

/// σ(y), keeping the motion of every node; nodes that move well get the force of their motion.
double FrictionSearch::move_to(const Vec3& y) {
  const Vec3 eta = lower * y;
  Two sum = Two::Zero(), most = Two::Zero();
  Two least = Two::Constant(std::numeric_limits<double>::infinity());
  for (Pair& n : pairs_) {
    const TwoOf3 z = moved(n, eta);
    n.z[0] = z.a;
    n.z[1] = z.b;
    n.z[2] = z.c;
    n.norm = z.dot(z).sqrt();
    sum += n.k * n.norm;
    most = most.max(n.norm);
    least = least.min(n.norm);
  }
  const double slowest = least.minCoeff(), fastest = most.maxCoeff();
  slowest_share_ = slowest / fastest;
  const double slow = slow_share * std::max(fastest, speed_ * y.norm());
  plain_ = slowest >= slow;
  const bool all = std::exchange(first_, false);
  for (Pair& n : pairs_) {
    const Two inverse = 1 / n.norm;
    if (all || plain_)
      for (int i = 0; i < 3; ++i) n.u[i] = n.z[i] * inverse;
    else
      for (int i = 0; i < 3; ++i) n.u[i] = (n.norm < slow).select(n.u[i], n.z[i] * inverse);
  }
  return sum.sum();
}

/// Near a node that hardly moves its motion is a small difference; with the origin at that node it
/// is a coordinate, with all its digits. True if the origin moved: then start the iteration over.
bool FrictionSearch::centre_on_slowest(Vec3& y) {
  if (slowest_share_ > slow_share || moves_ >= max_moves) return false;
  Vec2 by = Vec2::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (const Pair& n : pairs_)
    for (Index i = 0; i < 2; ++i)
      if (n.norm[i] < least) {
        least = n.norm[i];
        by = {n.xi_x[i], n.xi_y[i]};
      }
  if (by.isZero(0)) return false;
  ++moves_;
  const Vec3 eta = detail::moved(by, 1, lower * y);
  place.x += place.size * by;
  for (Pair& n : pairs_) {
    n.xi_x -= by[0];
    n.xi_y -= by[1];
  }
  settle();
  y = lower.triangularView<Eigen::Lower>().solve(eta);
  return true;
}

/// Gradient and (symmetrised primal-dual) Hessian of σ in the plane of the two directions.
void FrictionSearch::assemble(const Vec3& e1, const Vec3& e2, Vec2& gradient, Mat2& hessian) const {
  const Vec3 d1 = lower * e1, d2 = lower * e2;
  Two g1 = Two::Zero(), g2 = g1, h11 = g1, h12 = g1, h22 = g1;
  for (const Pair& n : pairs_) {
    const Two inverse = 1 / n.norm;
    const TwoOf3 p = moved(n, d1), q = moved(n, d2);
    const Two zp = p.dot(n.z) * inverse, zq = q.dot(n.z) * inverse;
    const Two up = p.dot(n.u), uq = q.dot(n.u);
    const Two stiffness = n.k * inverse;
    g1 += n.k * zp;
    g2 += n.k * zq;
    h11 += stiffness * (p.dot(p) - up * zp);
    h22 += stiffness * (q.dot(q) - uq * zq);
    h12 += stiffness * (p.dot(q) - (up * zq + uq * zp) / 2);
  }
  gradient << g1.sum(), g2.sum();
  hessian << h11.sum(), h12.sum(), h12.sum(), h22.sum();
}

/// u + share ([z + w - u (ẑ.w)]/|z| - u), w the change of motion, cut to |u| <= 1. Returns the
/// largest change of motion relative to the motion itself.
double FrictionSearch::step_forces(const Vec3& step, double share) {
  const Vec3 d = lower * step;
  Two largest = Two::Zero();
  for (Pair& n : pairs_) {
    const Two inverse = 1 / n.norm;
    const TwoOf3 w = moved(n, d);
    const Two zw = w.dot(n.z) * inverse;
    const Two* change[] = {&w.a, &w.b, &w.c};
    for (int i = 0; i < 3; ++i)
      n.u[i] += share * ((n.z[i] + *change[i] - n.u[i] * zw) * inverse - n.u[i]);
    const Two size = (n.u[0] * n.u[0] + n.u[1] * n.u[1] + n.u[2] * n.u[2]).sqrt().max(1.0);
    for (Two& u : n.u) u /= size;
    largest = largest.max(w.dot(w) * inverse * inverse);
  }
  return std::sqrt(largest.maxCoeff());
}

/// After a full step the forces add up to -value T0 (unless slow nodes are still on their way):
/// none above `value` is a proof of stick.
bool FrictionSearch::certifies_stick(const Vec3& step, double value) const {
  const Vec3 d = lower * step;
  Two largest = Two::Zero();
  ForceSum sum;
  for (const Pair& n : pairs_) {
    const Two inverse = 1 / n.norm;
    const TwoOf3 w = moved(n, d);
    const Two zw = w.dot(n.z) * inverse;
    const Two u[3] = {(n.z[0] + w.a - n.u[0] * zw) * inverse,
                      (n.z[1] + w.b - n.u[1] * zw) * inverse,
                      (n.z[2] + w.c - n.u[2] * zw) * inverse};
    largest = largest.max(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    sum.add(n, u);
  }
  const Vec3 missing = lower.transpose() * sum.total() + value * a;
  return largest.maxCoeff() <= value * value &&
         missing.norm() <= tolerance::rounding * value * a_norm;
}

double FrictionSearch::least_margin(Vec3& y, bool to_the_end) {
  converged = false;
  double value = 0;
  for (; iterations < max_iterations && !converged; ++iterations) {
    y /= -a.dot(y);
    value = move_to(y);
    if (centre_on_slowest(y)) value = move_to(y);
    if (!to_the_end && value < 1 - tolerance::rounding) return value;  // slip
    Vec3 e1, e2;
    complete(a / a_norm, e1, e2);
    Vec2 g;
    Mat2 h;
    assemble(e1, e2, g, h);
    Vec2 c = newton(h, g, 0);
    if (!to_the_end && radii_are_true() && certifies_stick(c[0] * e1 + c[1] * e2, value)) {
      sticks = true;
      return value;
    }
    c *= std::min(1.0, longest_step * y.norm() / std::max(c.norm(), tolerance::smallest));
    const Vec3 step = c[0] * e1 + c[1] * e2;
    const double slope = g.dot(c);
    const bool blind = -slope <= tolerance::epsilon * value;
    double share = 1, next = sigma(y + step);
    while (!blind && next > value + armijo * share * slope && share > tolerance::quadratic) {
      share /= 2;
      next = sigma(y + share * step);
    }
    const bool closed = closes(step_forces(step, share));
    y += share * step;
    converged =
        closed || (blind && radii_are_true() && step.norm() < tolerance::epsilon * y.norm());
  }
  value = move_to(y) / -a.dot(y);
  sticks = converged && value >= 1 - tolerance::rounding;
  return value;
}

/// The longest of 1, ½, ¼, ... of a step on the sphere that gains enough.
double FrictionSearch::acceptable_share(const Vec3& y, const Vec3& step, double value,
                                        double slope) const {
  double share = 1;
  for (; share > tolerance::quadratic; share /= 2) {
    const Vec3 next = (y + share * step).normalized();
    if (sigma(next) + a.dot(next) <= value + armijo * share * slope) break;
  }
  return share;
}

/// The same where every node moves well, and goes there: no force of a node is to be kept.
double FrictionSearch::move_along(const Vec3& step, double value, double slope, bool blind,
                                  Vec3& y) {
  for (double share = 1;; share /= 2) {
    const Vec3 next = (y + share * step).normalized();
    first_ = true;  // a node that becomes slow now starts from the force of its motion
    const double there = move_to(next) + a.dot(next);
    const bool enough = blind || there <= value + armijo * share * slope;
    if (!enough && share > tolerance::quadratic) continue;
    y = next;
    return there;
  }
}

double FrictionSearch::steepest(Vec3& y) {
  converged = false;
  y.normalize();
  double value = move_to(y) + a.dot(y);
  for (; iterations < max_iterations && !converged; ++iterations) {
    if (centre_on_slowest(y)) {
      y.normalize();
      value = move_to(y) + a.dot(y);
    }
    while (value >= 0 && !radii_are_true()) {  // slip shows only with smaller radii
      set_radii(share_ * share_);
      value = move_to(y) + a.dot(y);
    }
    Vec3 e1, e2;
    complete(y, e1, e2);
    Vec2 g;
    Mat2 h;
    assemble(e1, e2, g, h);
    g += Vec2(a.dot(e1), a.dot(e2));
    Vec2 c = newton(h, g, std::max(-value, 0.0));
    const double length = c.norm();
    if (length > longest_step) c *= longest_step / length;
    const Vec3 step = c[0] * e1 + c[1] * e2;
    const double slope = g.dot(c);
    // Where the promised gain drowns in rounding the step is as good as any.
    const bool blind = -slope <= tolerance::rounding * a_norm;
    if (plain_ && radii_are_true()) {
      value = move_along(step, value, slope, blind, y);
      // With every node well on the move its change is at most 1/slow_share times that of y.
      converged = length < slow_share * tolerance::quadratic ||
                  (length < tolerance::quadratic && agrees(y, value));
      continue;
    }
    const double share = blind ? 1 : acceptable_share(y, step, value, slope);
    const bool closed = closes(step_forces(step, share));
    y = (y + share * step).normalized();
    value = move_to(y) + a.dot(y);
    const bool near = closed || (radii_are_true() && length < tolerance::quadratic);
    converged = near && agrees(y, value);
  }
  return -value;
}

}  // namespace tact::detail
