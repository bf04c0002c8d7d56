#include "tact/cone/conic_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

/// No iterate comes closer to the boundary of the cones than this share of the way.
constexpr double step_share = 0.99;

/// A gap of ½|x - x*|² with x off by round-off.
constexpr double least_gap = tolerance::epsilon * tolerance::epsilon;

/// t² - |u|² of a point of the second-order cone, without cancellation.
double determinant(const Eigen::Ref<const VecX>& v) {
  const double u = v.tail(v.size() - 1).norm();
  return (v[0] - u) * (v[0] + u);
}

/// The largest α with v + α d in the cone, v inside.
double longest_step(const Eigen::Ref<const VecX>& v, const Eigen::Ref<const VecX>& d) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Index n = v.size() - 1;
  if (n == 0) return d[0] < 0 ? -v[0] / d[0] : infinity;
  const double c = determinant(v);
  const double b = v[0] * d[0] - v.tail(n).dot(d.tail(n));
  const double a = d[0] * d[0] - d.tail(n).squaredNorm();
  if (a >= 0 && b >= 0) return infinity;
  // For a >= 0 the discriminant is negative by rounding only (the reversed inequality of Schwarz).
  const double root = std::sqrt(std::max(b * b - a * c, 0.0));
  return b < 0 ? c / (root - b) : (b + root) / -a;  // the least positive root
}

/// u ∘ v and its inverse: the product for which e = (1, 0, ...) is the unit.
void product(const Eigen::Ref<const VecX>& u, const Eigen::Ref<const VecX>& v,
             Eigen::Ref<VecX> out) {
  const Index n = u.size() - 1;
  const double first = u.dot(v);
  out.tail(n) = u[0] * v.tail(n) + v[0] * u.tail(n);
  out[0] = first;
}
void divide(const Eigen::Ref<const VecX>& u, const Eigen::Ref<const VecX>& v,
            Eigen::Ref<VecX> out) {
  const Index n = u.size() - 1;
  const double first = (u[0] * v[0] - u.tail(n).dot(v.tail(n))) / determinant(u);
  out.tail(n) = (v.tail(n) - first * u.tail(n)) / u[0];
  out[0] = first;
}

/// W with W z = W^-1 s: symmetric, one block per cone.
class Scaling {
 public:
  Scaling(const std::vector<Index>& cones, Index rows) : cones_(cones), w_(rows), eta_(rows) {}

  void update(const VecX& s, const VecX& z) {
    for_each_block([&](Index at, Index size, Index block) {
      const auto sb = s.segment(at, size), zb = z.segment(at, size);
      const double sn = std::sqrt(determinant(sb)), zn = std::sqrt(determinant(zb));
      VecX w = sb / sn;
      w[0] += zb[0] / zn;
      w.tail(size - 1) -= zb.tail(size - 1) / zn;
      const double cosine = sb.dot(zb) / (sn * zn);
      w /= std::sqrt(2 * (1 + cosine));
      w_.segment(at, size) = w;
      eta_[block] = std::sqrt(sn / zn);
    });
  }
  [[nodiscard]] VecX apply(const VecX& v) const { return act(v, 1); }
  [[nodiscard]] VecX apply_inverse(const VecX& v) const { return act(v, -1); }
  [[nodiscard]] MatX apply_inverse_to_columns(const MatX& m) const {
    MatX out(m.rows(), m.cols());
    for (Index j = 0; j < m.cols(); ++j) out.col(j) = apply_inverse(m.col(j));
    return out;
  }

  template <class Visit>
  void for_each_block(Visit&& visit) const {
    Index at = 0;
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      visit(at, cones_[i], static_cast<Index>(i));
      at += cones_[i];
    }
  }

 private:
  [[nodiscard]] VecX act(const VecX& v, double sign) const {
    VecX out(v.size());
    for_each_block([&](Index at, Index size, Index block) {
      const Index n = size - 1;
      const auto w = w_.segment(at, size);
      const double scale = sign > 0 ? eta_[block] : 1 / eta_[block];
      const double dot = w.tail(n).dot(v.segment(at + 1, n));
      out[at] = scale * (w[0] * v[at] + sign * dot);
      out.segment(at + 1, n) =
          scale * (v.segment(at + 1, n) + (sign * v[at] + dot / (1 + w[0])) * w.tail(n));
    });
    return out;
  }

  const std::vector<Index>& cones_;
  VecX w_, eta_;
};

class Solver {
 public:
  explicit Solver(const ConicQp& problem) : p_(problem), scaling_(problem.cones, problem.h.size()) {
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(p_.P);
    root_ =
        eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() * eigen.eigenvectors().transpose();
    out_.x = VecX::Zero(p_.c.size());
    out_.s = out_.z = VecX::Zero(p_.h.size());
  }

  ConicQpSolution run(const ConicQpOptions& options) {
    start();
    ConicQpSolution best;
    double best_error = std::numeric_limits<double>::infinity();
    for (;; ++out_.iterations) {
      // Residuals end at rounding; from there on a smaller gap is what makes x better.
      const double error = std::max(measure(), tolerance::rounding);
      if (!std::isfinite(error)) break;
      const bool gains = error < best_error || (error == best_error && out_.gap < best.gap);
      if (gains) {
        best = out_;
        best_error = error;
      }
      const bool done = best_error <= options.tolerance && (!gains || best.gap < least_gap);
      if (done || out_.iterations >= options.max_iterations) break;
      if (!advance()) break;
    }
    best.iterations = out_.iterations;
    const bool good = best_error <= options.tolerance;
    best.status =
        good ? ConicQpSolution::Status::converged : ConicQpSolution::Status::not_converged;
    return best;
  }

 private:
  /// The least-squares point, moved into the cones.
  void start() {
    const Eigen::LDLT<MatX> factor(p_.P + p_.G.transpose() * p_.G);
    out_.x = factor.solve(p_.G.transpose() * p_.h - p_.c);
    out_.z = p_.G * out_.x - p_.h;
    out_.s = -out_.z;
    push_inside(out_.s);
    push_inside(out_.z);
  }
  void push_inside(VecX& v) const {
    double depth = std::numeric_limits<double>::infinity();
    scaling_.for_each_block([&](Index at, Index size, Index) {
      depth = std::min(depth, v[at] - v.segment(at + 1, size - 1).norm());
    });
    const double size = std::max(1.0, v.norm());
    if (depth > tolerance::quadratic * size) return;
    scaling_.for_each_block([&](Index at, Index, Index) { v[at] += size - depth; });
  }

  double measure() {
    rx_ = p_.P * out_.x + p_.G.transpose() * out_.z + p_.c;
    rz_ = p_.G * out_.x + out_.s - p_.h;
    const double objective = 0.5 * out_.x.dot(p_.P * out_.x) + p_.c.dot(out_.x);
    out_.primal_residual = rz_.norm() / std::max(1.0, p_.h.norm());
    out_.dual_residual = rx_.norm() / std::max(1.0, p_.c.norm());
    out_.gap = out_.s.dot(out_.z) / std::max(1.0, std::abs(objective));
    return std::max({out_.primal_residual, out_.dual_residual, out_.gap});
  }

  bool advance() {
    scaling_.update(out_.s, out_.z);
    lambda_ = scaling_.apply(out_.z);
    if (!lambda_.allFinite()) return false;
    scaled_ = scaling_.apply_inverse_to_columns(p_.G);
    // P + G'W^-2 G = R'R from the orthogonal factorisation of its root: squaring G'W^-1 would cost
    // half the digits when some cones are closed and others are open.
    MatX stack(root_.rows() + scaled_.rows(), root_.cols());
    stack << root_, scaled_;
    factor_.compute(stack);
    if (!factor_.matrixQR().allFinite()) return false;

    // Predictor: straight to the solution; its length says how much centring the corrector needs.
    VecX target(lambda_.size());
    blockwise([&](Index at, Index n) {
      product(lambda_.segment(at, n), lambda_.segment(at, n), target.segment(at, n));
    });
    target = -target;
    direction(target);
    const double reach = step_length(1);
    const double centring = std::pow(1 - reach, 3);
    const double mu =
        out_.s.dot(out_.z) / static_cast<double>(std::max<std::size_t>(1, p_.cones.size()));
    const VecX ds = scaling_.apply_inverse(ds_), dz = scaling_.apply(dz_);
    VecX correction(lambda_.size());
    blockwise([&](Index at, Index n) {
      product(ds.segment(at, n), dz.segment(at, n), correction.segment(at, n));
    });
    target -= correction;
    blockwise([&](Index at, Index) { target[at] += centring * mu; });
    direction(target);
    const double share = step_length(step_share);
    if (!(share > tolerance::quadratic)) return false;
    out_.x += share * dx_;
    out_.s += share * ds_;
    out_.z += share * dz_;
    return out_.x.allFinite();
  }

  /// P dx + G'dz = -r_x, G dx + ds = -r_z, λ ∘ (W dz + W^-1 ds) = target.
  void direction(const VecX& target) {
    VecX d(target.size());
    blockwise([&](Index at, Index n) {
      divide(lambda_.segment(at, n), target.segment(at, n), d.segment(at, n));
    });
    const VecX rest = scaling_.apply_inverse(rz_) + d;
    dx_ = normal_solve(-rx_ - scaled_.transpose() * rest);
    const VecX scaled_dz = scaled_ * dx_ + rest;
    dz_ = scaling_.apply_inverse(scaled_dz);
    // The factor loses digits as the cones close; what it misses of the dual equation goes back in.
    for (int pass = 0; pass < 2; ++pass) {
      const VecX more = normal_solve(-rx_ - p_.P * dx_ - p_.G.transpose() * dz_);
      dx_ += more;
      dz_ += scaling_.apply_inverse(scaled_ * more);
    }
    ds_ = -rz_ - p_.G * dx_;
  }

  /// (R'R)^-1 v.
  [[nodiscard]] VecX normal_solve(const VecX& v) const {
    const Index n = v.size();
    const auto upper = factor_.matrixQR().topRows(n).triangularView<Eigen::Upper>();
    return upper.solve(upper.transpose().solve(v));
  }

  [[nodiscard]] double step_length(double share) const {
    double most = std::numeric_limits<double>::infinity();
    blockwise([&](Index at, Index n) {
      most = std::min(most, longest_step(out_.s.segment(at, n), ds_.segment(at, n)));
      most = std::min(most, longest_step(out_.z.segment(at, n), dz_.segment(at, n)));
    });
    return std::min(1.0, share * most);
  }

  template <class Visit>
  void blockwise(Visit&& visit) const {
    scaling_.for_each_block([&](Index at, Index size, Index) { visit(at, size); });
  }

  const ConicQp& p_;
  Scaling scaling_;
  ConicQpSolution out_;
  Eigen::HouseholderQR<MatX> factor_;
  MatX root_, scaled_;
  VecX rx_, rz_, lambda_, dx_, ds_, dz_;
};

}  // namespace

ConicQpSolution solve(const ConicQp& problem, const ConicQpOptions& options) {
  const Index n = problem.c.size(), m = problem.h.size();
  TACT_EXPECTS(problem.P.rows() == n && problem.P.cols() == n);
  TACT_EXPECTS(problem.G.rows() == m && problem.G.cols() == n);
  Index rows = 0;
  for (const Index size : problem.cones) rows += size;
  TACT_EXPECTS(rows == m);
  TACT_EXPECTS(
      std::all_of(problem.cones.begin(), problem.cones.end(), [](Index k) { return k > 0; }));
  TACT_EXPECTS(problem.P.allFinite() && problem.c.allFinite() && problem.G.allFinite() &&
               problem.h.allFinite());
  return Solver(problem).run(options);
}

}  // namespace tact
